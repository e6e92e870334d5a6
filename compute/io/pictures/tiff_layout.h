#pragma once
// The tags of a TIFF that say how its pixels are stored.

#include <tiffio.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "compute/io/bytes.h"
#include "compute/io/loaded.h"

namespace threadscape::io {

/// The tags that say how pixels are stored.
struct TiffLayout {
  std::uint32_t width = 0, height = 0;
  std::uint16_t bits = 1, samples = 1, sample_format = SAMPLEFORMAT_UINT, photometric = 0, planar = PLANARCONFIG_CONTIG;
  std::uint16_t orientation = ORIENTATION_TOPLEFT;
  bool has_alpha = false, premultiplied = false;

  [[nodiscard]] int colours() const { return photometric == PHOTOMETRIC_RGB ? 3 : 1; }
  [[nodiscard]] bool is_integer() const { return sample_format == SAMPLEFORMAT_UINT; }
  /// Returns true if the samples are not whole bytes: they follow each other within the bytes of a row.
  [[nodiscard]] bool is_packed() const { return bits % 8 != 0; }
  /// Returns true if the samples are numbers that this codec reads itself. Grey levels of 1, 2 and 4 bits are left to
  /// libtiff.
  [[nodiscard]] bool is_plain() const {
    const auto one_of = [this](std::initializer_list<int> all) { return std::ranges::count(all, int{bits}) > 0; };
    const bool numbers = is_integer() ? one_of({8, 10, 12, 14, 16, 32})
                         : sample_format == SAMPLEFORMAT_INT
                             ? one_of({8, 16, 32})
                             : sample_format == SAMPLEFORMAT_IEEEFP && one_of({16, 32, 64});
    const bool small_colours = is_integer() && photometric == PHOTOMETRIC_RGB && one_of({2, 4});
    const bool plain_colours = photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_MINISBLACK ||
                               photometric == PHOTOMETRIC_MINISWHITE;
    return (numbers || small_colours) && plain_colours && samples >= colours();
  }
  /// Bytes and 16-bit numbers without sign stay what they are; numbers with a sign and of 32 bits become floats, which
  /// keep their values, up to 24 bits exactly.
  [[nodiscard]] Element element() const {
    return !is_integer() || bits == 32 ? Element::f32 : bits > 8 ? Element::u16 : Element::u8;
  }
  [[nodiscard]] FileColour colour() const {
    if (colours() == 1) return has_alpha ? FileColour::grey_alpha : FileColour::grey;
    return has_alpha ? FileColour::rgba : FileColour::rgb;
  }
};

/// Reads the tags of the directory that libtiff has read last.
[[nodiscard]] TiffLayout tiff_layout(TIFF* tiff);

}  // namespace threadscape::io
