#pragma once
// The tags of a TIFF that say how its pixels are stored.

#include <cstdint>
#include <optional>

#include "compute/io/bytes.h"
#include "compute/io/loaded.h"
#include "compute/io/pictures/picture_facts.h"

struct tiff;  // TIFF of libtiff.

namespace threadscape::io {

/// The tags that say how pixels are stored.
struct TiffLayout {
  static constexpr std::uint16_t unsigned_numbers = 1, rgb = 2, palette = 3, cie_lab = 8, icc_lab = 9;

  std::uint32_t width = 0, height = 0;
  std::uint16_t bits = 1, samples = 1, sample_format = unsigned_numbers, photometric = 0, planar = 1;
  std::uint16_t orientation = 1;
  bool has_alpha = false, premultiplied = false;

  [[nodiscard]] bool is_lab() const { return photometric == cie_lab || photometric == icc_lab; }
  [[nodiscard]] int colours() const { return photometric == rgb || is_lab() ? 3 : 1; }
  /// The samples of a pixel that are kept: colours and alpha.
  [[nodiscard]] int kept() const { return colours() + (has_alpha ? 1 : 0); }
  [[nodiscard]] bool is_integer() const { return sample_format == unsigned_numbers; }
  /// Returns true if the samples are not whole bytes: they follow each other within the bytes of a row.
  [[nodiscard]] bool is_packed() const { return bits % 8 != 0; }
  /// Returns true if the samples are numbers that this codec reads itself.
  [[nodiscard]] bool is_plain() const;
  /// Returns true for indices that libtiff does not replace by the colours of a palette.
  [[nodiscard]] bool has_long_indices() const {
    return photometric == palette && is_integer() && bits > 8 && bits <= 16;
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
[[nodiscard]] TiffLayout tiff_layout(tiff* directory);

/// An eighth of the width of the picture whose directory libtiff has read last, 8-bit, as it is stored: every eighth
/// row, or the first row of each strip that is longer, which needs nothing of the rest of the strip. None for tiles,
/// planes, and numbers that are no grey or RGB of 8 or 16 bits, and where libtiff cannot read a row.
[[nodiscard]] std::optional<HostArray> sampled_tiff(tiff* directory);

/// The profile and the resolution that the directory which libtiff has read last states.
[[nodiscard]] PictureFacts tiff_facts(tiff* directory);

/// Returns true if the directory that libtiff has read last has an entry with this tag. libtiff adds entries that a
/// file lacks.
[[nodiscard]] bool has_entry(tiff* directory, Bytes file, std::uint64_t tag);

}  // namespace threadscape::io
