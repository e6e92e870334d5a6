#pragma once
// What heightfields and volumes need of PNG beyond its row in image_format.h: text chunks.

#include <string>

#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

/// A text chunk of a PNG, stored before its pixels.
struct PngText {
  std::string keyword, text;
};

/// Writes u8 or u16 pixels of 1 or 4 channels. A text with an empty keyword is left out.
void encode_png(FileWriter& file, HostIn pixels, FileColour colour, const PngText& text = {},
                const PictureFacts& facts = {});

/// The text with this keyword; empty where the file is no PNG or has no such text before its pixels. Throws
/// DecodeFailure where the header is corrupt.
[[nodiscard]] std::string png_text(Bytes file, const char* keyword);

}  // namespace threadscape::io
