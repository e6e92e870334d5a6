#pragma once

#include <cstdlib>
#include <string_view>

namespace threadscape::app {

/// Returns whether OpenGL contexts are created as debug contexts: if the environment contains TS_GL_DEBUG=1.
[[nodiscard]] inline bool gl_debug_wanted() {
  const char* value = std::getenv("TS_GL_DEBUG");
  return value && std::string_view(value) != "0";
}

}  // namespace threadscape::app
