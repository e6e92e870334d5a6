#pragma once
// Clips (compute/core/clip.h) from and to files.
//
//   a folder, or a path with a %d (%04d)   numbered pictures in any format of image_format.h, in the order of their
//                                          names or numbers
//   .npy, .npz    an array (frames, height, width) or (frames, height, width, channels)
//   .tif, .tiff   all pages of the file, in builds with libtiff
//   any other picture is a clip of one frame
//
// All frames have one size and one format.

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "compute/io/file_extension.h"
#include "compute/io/loaded.h"

namespace threadscape::io {

/// Reads a clip. Throws EnvironmentError with the path and the cause.
[[nodiscard]] Loaded load_clip(const std::filesystem::path& path, const LoadOptions& options = {});

/// Reads pictures as the frames of a clip, in this order. Throws EnvironmentError with the path and the cause.
[[nodiscard]] Loaded load_clip(std::span<const std::filesystem::path> pictures, const LoadOptions& options = {});

/// The extensions, in lower case with the dot, of the files that clips are read from or written to.
[[nodiscard]] std::vector<std::string_view> clip_extensions(FormatUse use);

/// Writes a clip by the path's extension:
///   .npy                              one array, (frames, height, width) or (frames, height, width, channels)
///   the extensions of animations      an animation of 25 frames a second with 8 bits (video/frame_writer.h)
///   the formats of pictures           NAME_0000.png, NAME_0001.png, ... for NAME.png
/// `colour` and `quality` are those of save_picture(). Throws UsageError and EnvironmentError; no file is left
/// incomplete.
void save_clip(const std::filesystem::path& path, HostIn clip, FileColour colour, int quality = 0);

/// Throws what save_clip() would throw for this path, so that callers can ask before they compute the clip.
void require_clip_path(const std::filesystem::path& path);

}  // namespace threadscape::io
