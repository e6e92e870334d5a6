#pragma once
// Writing TIFF without libtiff, which may leave out tags or parts of strips without a word where memory ends.

#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

/// The member `encode` of tiff_format().
void encode_tiff(FileWriter& file, HostIn pixels, const EncodeOptions& options);

}  // namespace threadscape::io
