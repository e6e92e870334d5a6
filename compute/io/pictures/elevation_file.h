#pragma once
// Digital elevation models: ESRI ASCII grids, tiles of the Shuttle Radar Topography Mission, and squares of raw 16-bit
// numbers; and the number with which such files, and GeoTIFF, mark where there is no height.

#include <optional>

#include "compute/core/data.h"
#include "compute/io/bytes.h"

namespace threadscape::io {

/// Heights whose holes are NaN. All functions throw DecodeFailure for other files.
[[nodiscard]] HostArray decode_asc(Bytes file);
/// A square of big-endian 16-bit numbers with sign, of which -32768 is a hole.
[[nodiscard]] HostArray decode_hgt(Bytes file);
/// A square of little-endian 16-bit numbers without sign.
[[nodiscard]] HostArray decode_r16(Bytes file);

/// The number of holes in the first picture of a TIFF file, which GDAL states; none for other files.
[[nodiscard]] std::optional<double> gdal_no_data(Bytes file);
/// The heights with NaN in place of a number, as floats.
[[nodiscard]] HostArray with_holes(HostArray heights, double number);
/// The number of holes. Throws DecodeFailure where there is nothing else.
[[nodiscard]] std::int64_t count_holes(const HostArray& heights);
/// Gives holes the lowest height.
void fill_holes(HostArray& heights);

}  // namespace threadscape::io
