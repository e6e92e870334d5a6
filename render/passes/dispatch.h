#pragma once
// What the passes of compute shaders share.

#include <algorithm>
#include <cstdint>

#include "render/gl/texture.h"

namespace threadscape::render {

/// The number of work groups of `size` invocations for an extent, of which the last one may reach beyond it.
[[nodiscard]] constexpr int groups_for(int extent, int size) {
  return (extent + size - 1) / size;
}

/// Runs the current compute shader at least `invocations` times in work groups of `size`. The groups lie in two
/// dimensions if there are more than OpenGL guarantees in one. What the shader has written to storage buffers is
/// visible to later shaders.
inline void dispatch_row(std::int64_t invocations, std::int64_t size) {
  constexpr std::int64_t max_groups = 65535;
  const std::int64_t groups = (invocations + size - 1) / size, wide = std::min(groups, max_groups);
  glDispatchCompute(static_cast<GLuint>(wide), static_cast<GLuint>((groups + wide - 1) / wide), 1);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

[[nodiscard]] inline bool is_grey(const gl::Texture& texture) {
  return gl::info_of(texture.format()).channels == 1;
}

}  // namespace threadscape::render
