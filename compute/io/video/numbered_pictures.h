#pragma once
// Numbered pictures and folders of pictures as the frames of a moving picture.

#include <memory>
#include <string>

#include "compute/io/numbered_files.h"
#include "compute/io/video/frame_source.h"

namespace threadscape::io {

/// Opens the pictures whose names are the pattern with consecutive numbers, from the lowest that exists. Throws
/// EnvironmentError if there is none.
[[nodiscard]] std::unique_ptr<FrameSource> open_numbered_pictures(const std::string& pattern,
                                                                  const FrameOptions& options);
/// Opens the pictures in a folder in the order of their names, where numbers are ordered by their value. Throws
/// EnvironmentError if there is none.
[[nodiscard]] std::unique_ptr<FrameSource> open_picture_folder(const std::filesystem::path& folder,
                                                               const FrameOptions& options);

}  // namespace threadscape::io
