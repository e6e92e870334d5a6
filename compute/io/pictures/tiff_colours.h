#pragma once
// Colours of TIFF that libtiff does not convert, or not as screens show them.

#include <array>
#include <cstdint>
#include <span>

#include "compute/io/loaded.h"

namespace threadscape::io {

/// Replaces 16-bit indices, a grey picture, by the colours of a palette that has an entry for each of them. Its numbers
/// are those of 16 bits, or of 8 bits if none is greater.
void apply_palette(Loaded& picture, const std::array<std::span<const std::uint16_t>, 3>& palette);

/// How CIE L*a*b* is stored: a and b with a sign (CIE), or moved up by half of the range (ICC).
enum class LabStorage : std::uint8_t { cie, icc };

/// Replaces L*, a* and b* by the red, green and blue of sRGB. White is that of the screen, and colours that it does not
/// show become the nearest number of each channel. Sources: TIFF 6.0, section 23; ICC.1:2010, annex E; IEC 61966-2-1.
void lab_to_rgb(Loaded& picture, LabStorage storage);

}  // namespace threadscape::io
