#pragma once
// Heightfields from and to files: PNG (8 and 16 bit), PGM, .r32 and .r16 (squares of raw floats or 16-bit numbers,
// little endian, row by row). Any other picture is read as a heightmap by its luma, and elevation_file.h reads grids.
//
// A PNG states the heights of its lowest and highest grey level in a text chunk with the keyword "Heights", for example
// "-1.25 2.5". Without one, grey levels are the heights.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/height_range.h"
#include "compute/io/file_extension.h"
#include "compute/io/loaded.h"

namespace threadscape::io {

/// The extensions, in lower case with the dot, of the files that heightfields are read from or written to.
[[nodiscard]] std::vector<std::string_view> heightfield_extensions(FormatUse use);

/// The heights of a file: u8 or u16 where they are its grey levels, else f32. `options.element` is ignored. Throws
/// EnvironmentError with the path and the cause. Where the file marks holes, they are NaN, and `note` receives a
/// sentence that says so.
[[nodiscard]] HostArray load_heightfield(const std::filesystem::path& path, const LoadOptions& options,
                                         std::string* note = nullptr);

/// Writes in the format of the path's extension: .png, .pgm (integer heights only), .r32 or .r16 (squares only), a
/// picture format that holds floats, or a model (compute/io/meshes/height_mesh_writer.h). `bits`
/// is the depth of a PNG: 8, 16, or 0 for 8 where the heights are bytes and 16 otherwise. In PNG and .r16 the levels of
/// integer heights fill the range of their type (255 or 65535), and those of float heights span from the lowest to the
/// highest height; holes get the lowest level. Throws UsageError or EnvironmentError; a failed save leaves an existing
/// file as it was.
void save_heightfield(const std::filesystem::path& path, HostIn heights, int bits);

/// Throws what save_heightfield() would throw for this path, so that callers can ask before they compute the heights.
void require_heightfield_path(const std::filesystem::path& path);

}  // namespace threadscape::io
