#pragma once
// Pictures from and to files, in the formats of image_format.h.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/data.h"
#include "compute/core/mesh_builder.h"

namespace threadscape::io {

/// The channels of a file, so that a result can be written the same way: RGB stays RGB although it is RGBA in memory.
enum class FileColour : std::uint8_t { grey, grey_alpha, rgb, rgba };

struct Picture {
  HostArray pixels;  ///< u8, u16 or f32; 1 channel (grey) or 4 (RGBA, opaque where the file has no alpha).
  FileColour colour = FileColour::grey;
  /// Names and values that the file states for parameters of algorithms: the spacing of a volume, the geometry of a
  /// scanner.
  std::vector<std::pair<std::string, std::string>> settings = {};
  /// What was left out of the file or assumed about it, as a sentence for the user that names the file; usually "".
  std::string note = {};
};

/// How files are read. The limits of their size are in limits.h.
struct LoadOptions {
  /// The type that pixels are converted to after decoding; the file's own type where it is not set.
  std::optional<Element> element = {};
  /// How normals are made that the file of a mesh does not have.
  NormalOptions normals = {};
  /// A header may name data outside of its own folder. Set by --allow-outside.
  bool allow_outside = false;
  std::stop_token stop = {};  ///< Ends reading; the reader throws Cancelled.
};

/// Returns true if the path has an extension of a picture format, in upper or lower case.
[[nodiscard]] bool has_picture_extension(const std::filesystem::path& path);

/// Reads a picture in the format that its content shows, whatever its extension. Throws EnvironmentError with the path
/// and the cause (missing, directory, empty, truncated, corrupt, too large).
[[nodiscard]] Picture load_picture(const std::filesystem::path& path, const LoadOptions& options = {});

/// Writes in the format of the path's extension to a temporary name beside `path`, then renames: a failed save leaves
/// an existing file as it was. `colour` decides whether alpha is written. Throws EnvironmentError, and UsageError where
/// the format cannot hold the pixels. `quality`, 1..100, is for formats with losses; with 0, JPEG is written with 92,
/// and WebP without losses.
void save_picture(const std::filesystem::path& path, HostIn pixels, FileColour colour, int quality = 0);

/// Throws what save_picture() would throw for this path, so that callers can ask before they compute the picture.
void require_picture_path(const std::filesystem::path& path);

}  // namespace threadscape::io
