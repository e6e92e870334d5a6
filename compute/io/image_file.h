#pragma once
// Pictures from and to files: PNG (8 and 16 bit), JPEG, BMP, TGA, PNM (P2, P3, P5, P6), PFM (float) in; PNG, PNM and
// PFM out.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/data.h"

namespace threadscape::io {

/// What the file held, so that a result can be written the same way (RGB stays RGB although it is RGBA in memory).
enum class FileColour : std::uint8_t { grey, grey_alpha, rgb, rgba };

struct Picture {
  HostArray pixels;  ///< u8, u16 or f32, 1 channel (grey) or 4 (RGBA, alpha full where the file has none)
  FileColour colour = FileColour::grey;
  /// What the file says of parameters, as names and values: the spacing of a volume, the geometry of a scanner. For
  /// algorithms with parameters of these names.
  std::vector<std::pair<std::string, std::string>> settings = {};
};

struct LoadOptions {
  /// Refuse headers that claim more pixels, before anything is allocated. Overridable: --max-pixels.
  std::int64_t max_pixels = std::int64_t{1} << 30;
  /// The pixels' type after loading, whatever the file holds; unset = the file's own.
  std::optional<Element> element = {};
};

/// The endings of the pictures that are read, in lower case with the dot.
[[nodiscard]] std::span<const std::string_view> picture_endings();
/// Whether the path has one of them, in any case.
[[nodiscard]] bool has_picture_ending(const std::filesystem::path& path);

/// Throws EnvironmentError with the path and the cause (missing, directory, empty, truncated, corrupt, too large).
[[nodiscard]] Picture load_picture(const std::filesystem::path& path, const LoadOptions& options = {});

/// Writes by extension (.png, .pgm, .ppm; floats .pfm) to a temporary name beside `path`, then renames: a failed save
/// leaves an existing file as it was. `colour` decides whether alpha is written. Throws EnvironmentError / UsageError.
void save_picture(const std::filesystem::path& path, HostIn pixels, FileColour colour);

/// Throws what save_picture() would throw for this path, before time is spent on the picture.
void require_picture_path(const std::filesystem::path& path);

/// As save_picture(), for bytes that are ready: JSON, CSV, raw data.
void save_bytes(const std::filesystem::path& path, std::string_view bytes);

}  // namespace threadscape::io
