#pragma once

#include "render/gl/texture.h"

namespace threadscape::app {

/// The value of the data that textures of this format hold as 1, which is shown as white: 255, 65535 or 1.
[[nodiscard]] inline double white_of(gl::Format format) {
  const Element element = gl::info_of(format).element;
  return element == Element::u8 ? 255.0 : element == Element::u16 ? 65535.0 : 1.0;
}

}  // namespace threadscape::app
