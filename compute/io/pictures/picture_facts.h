#pragma once
// What the file of a picture states beside its pixels, and what of that a result's file keeps.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace threadscape::io {

/// The windows of an EXR file, each as the least x and y and the greatest x and y.
struct PictureWindows {
  std::array<std::int32_t, 4> data{}, display{};
};

/// What the file of a picture states beside its pixels. A result of the picture states it again.
struct PictureFacts {
  std::vector<std::byte> profile;           ///< Colour profile of the ICC; empty = none.
  double per_metre_x = 0, per_metre_y = 0;  ///< Pixels of a metre; 0 = not stated.
  std::optional<PictureWindows> windows;    ///< Where the pixels lie in the whole picture.
};

}  // namespace threadscape::io
