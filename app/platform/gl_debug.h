#pragma once

#include <cstdlib>
#include <string_view>

namespace threadscape::app {

/// Whether OpenGL contexts shall be debug contexts: TS_GL_DEBUG=1 in the environment.
[[nodiscard]] inline bool gl_debug_wanted() {
  const char* value = std::getenv("TS_GL_DEBUG");
  return value && std::string_view(value) != "0";
}

}  // namespace threadscape::app
