#pragma once
// Pictures from and to files, in the formats of image_format.h.

#include <filesystem>
#include <string>

#include "compute/io/loaded.h"
#include "compute/io/pictures/picture_facts.h"

namespace threadscape::io {

/// Returns true if the path has an extension of a picture format, in upper or lower case.
[[nodiscard]] bool has_picture_extension(const std::filesystem::path& path);

/// Reads a picture in the format that its content shows, whatever its extension. Throws EnvironmentError with the path
/// and the cause (missing, directory, empty, truncated, corrupt, too large).
[[nodiscard]] Loaded load_picture(const std::filesystem::path& path, const LoadOptions& options = {});

/// States alpha=weighted for algorithms if a pixel of the picture is not opaque, so that their means do not take
/// colours from pixels that nobody sees.
void state_alpha(Loaded& picture);

/// Writes in the format of the path's extension to a temporary name beside `path`, then renames: a failed save leaves
/// an existing file as it was. `colour` decides whether alpha is written. Throws EnvironmentError, and UsageError where
/// the format cannot hold the pixels. `quality`, 1..100, is for formats with losses; with 0, JPEG is written with 92,
/// and WebP without losses.
/// `facts` are stated as far as the format can.
void save_picture(const std::filesystem::path& path, HostIn pixels, FileColour colour, int quality = 0,
                  const PictureFacts& facts = {});

/// What save_picture() would leave out of the facts, as a sentence for the user that names the file; "" if nothing.
[[nodiscard]] std::string facts_left_out(const std::filesystem::path& path, HostIn pixels, FileColour colour,
                                         const PictureFacts& facts);

/// Throws what save_picture() would throw for this path, so that callers can ask before they compute the picture.
void require_picture_path(const std::filesystem::path& path);

}  // namespace threadscape::io
