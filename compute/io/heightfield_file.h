#pragma once
// Heightfields from and to files: PNG (8 and 16 bit), PGM, and .r32 (square, raw floats, little endian, row by row).
// Any other picture is read as a heightmap by its luma.
//
// A PNG says which heights its lowest and highest grey level stand for in a text chunk with the keyword "Heights", for
// example "-1.25 2.5"; without one, grey levels are the heights.

#include <filesystem>
#include <string>

#include "compute/io/image_file.h"

namespace threadscape::io {

struct HeightRange {
  float low = 0.0f, high = 0.0f;
};
/// Of u8, u16 and f32 heightfields.
[[nodiscard]] HeightRange height_range(HostIn heights);
/// "heights -1.25 to 2.5\n".
[[nodiscard]] std::string range_text(HostIn heights);

/// u8 or u16 where the heights are the grey levels of the file, else f32. Throws EnvironmentError with the path and the
/// cause.
[[nodiscard]] HostArray load_heightfield(const std::filesystem::path& path, const LoadOptions& options);

/// By extension: .png, .pgm (not of floats) or .r32 (of squares). `bits` is of .png: 8, 16, or 0 for 8 where the
/// heights are bytes and 16 otherwise. Integer heights fill their range (255 or 65535), float heights are scaled by
/// theirs. Throws UsageError, EnvironmentError; a failed save leaves an existing file as it was.
void save_heightfield(const std::filesystem::path& path, HostIn heights, int bits);

/// Throws what save_heightfield() would throw for this path, before time is spent on the heights.
void require_heightfield_path(const std::filesystem::path& path);

}  // namespace threadscape::io
