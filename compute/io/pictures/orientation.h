#pragma once
// The orientation that a camera notes beside a picture, in EXIF data and in TIFF files.

#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

/// The value of the tag "Orientation" (TIFF 6.0, tag 274), 1..8, in EXIF data without the six bytes "Exif\0\0". Returns
/// 1, the orientation of pixels that are stored as they are seen, where the data are damaged or say nothing.
[[nodiscard]] int exif_orientation(Bytes exif);

/// The picture as it is to be seen: its rows and columns mirrored and exchanged as the orientation says.
[[nodiscard]] Loaded oriented(Loaded picture, int orientation);

}  // namespace threadscape::io
