#include "render/gl/renderer.h"

#include <glad/gl.h>

#include <string_view>

namespace threadscape::gl {

std::string renderer_name() {
  const auto* text = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return text != nullptr ? text : "unknown";
}

bool is_software(const std::string& renderer) {
  for (const std::string_view name : {"llvmpipe", "softpipe", "swrast", "Software Rasterizer", "SwiftShader"})
    if (renderer.find(name) != std::string::npos) return true;
  return false;
}

}  // namespace threadscape::gl
