#pragma once
// Animated WebP files as moving pictures.

#include <filesystem>
#include <memory>

#include "compute/io/video/frame_source.h"

namespace threadscape::io {

/// Opens a WebP file, whose frames are RGBA pictures of its canvas; a still picture has one. Frames that cannot be
/// decoded end the source, and note() says so. Throws EnvironmentError with the path and the cause, and UsageError in a
/// build without libwebpdemux.
[[nodiscard]] std::unique_ptr<FrameSource> open_animated_webp(const std::filesystem::path& path,
                                                              const FrameOptions& options);

}  // namespace threadscape::io
