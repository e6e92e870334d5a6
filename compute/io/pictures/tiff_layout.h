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

  [[nodiscard]] bool is_lab() const { return photometric == PHOTOMETRIC_CIELAB || photometric == PHOTOMETRIC_ICCLAB; }
  [[nodiscard]] int colours() const { return photometric == PHOTOMETRIC_RGB || is_lab() ? 3 : 1; }
  /// The samples of a pixel that are kept: colours and alpha.
  [[nodiscard]] int kept() const { return colours() + (has_alpha ? 1 : 0); }
  [[nodiscard]] bool is_integer() const { return sample_format == SAMPLEFORMAT_UINT; }
  /// Returns true if the samples are not whole bytes: they follow each other within the bytes of a row.
  [[nodiscard]] bool is_packed() const { return bits % 8 != 0; }
  /// Returns true if the samples are numbers that this codec reads itself.
  [[nodiscard]] bool is_plain() const {
    const auto one_of = [this](std::initializer_list<int> all) { return std::ranges::count(all, int{bits}) > 0; };
    const bool numbers = is_integer() ? bits <= 16 || one_of({32, 64})
                         : sample_format == SAMPLEFORMAT_INT
                             ? one_of({8, 16, 32, 64})
                             : sample_format == SAMPLEFORMAT_IEEEFP && one_of({16, 32, 64});
    const bool plain_colours = photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_MINISBLACK ||
                               photometric == PHOTOMETRIC_MINISWHITE || (is_lab() && is_integer() && one_of({8, 16}));
    return numbers && plain_colours && samples >= colours();
  }
  /// Returns true for indices that libtiff does not replace by the colours of a palette.
  [[nodiscard]] bool has_long_indices() const {
    return photometric == PHOTOMETRIC_PALETTE && is_integer() && bits > 8 && bits <= 16;
  }
  /// Bytes and 16-bit numbers without sign stay what they are, and numbers of fewer bits become bytes of the same
  /// lightness. Numbers with a sign and those of 32 bits and more become floats, which keep their values, up to 24 bits
  /// exactly.
  [[nodiscard]] Element element() const {
    return !is_integer() || bits > 16 ? Element::f32 : bits > 8 ? Element::u16 : Element::u8;
  }
  /// The greatest number of the samples in the picture: numbers of 9 to 15 bits stay what they are.
  [[nodiscard]] std::uint32_t full() const { return bits < 8 ? 255 : (1u << bits) - 1; }
  [[nodiscard]] FileColour colour() const {
    if (colours() == 1) return has_alpha ? FileColour::grey_alpha : FileColour::grey;
    return has_alpha ? FileColour::rgba : FileColour::rgb;
  }
};

/// Reads the tags of the directory that libtiff has read last.
[[nodiscard]] TiffLayout tiff_layout(TIFF* tiff);

/// Returns true if the directory that libtiff has read last has an entry with this tag. libtiff adds entries that a
/// file lacks.
[[nodiscard]] bool has_entry(TIFF* tiff, Bytes file, std::uint64_t tag);

}  // namespace threadscape::io
