#pragma once

#include <cstdlib>
#include <string_view>

namespace threadscape::app {

/// TS_GL_DEBUG=1: debug contexts, for tests and for whoever looks for a GL error.
[[nodiscard]] inline bool gl_debug_wanted() {
  const char* value = std::getenv("TS_GL_DEBUG");
  return value && std::string_view(value) != "0";
}

}  // namespace threadscape::app
