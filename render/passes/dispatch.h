#pragma once
// What the passes of compute shaders share.

#include "render/gl/texture.h"

namespace threadscape::render {

/// The number of work groups of `size` invocations for an extent, of which the last one may reach beyond it.
[[nodiscard]] constexpr int groups_for(int extent, int size) {
  return (extent + size - 1) / size;
}

[[nodiscard]] inline bool is_grey(const gl::Texture& texture) {
  return gl::info_of(texture.format()).channels == 1;
}

}  // namespace threadscape::render
