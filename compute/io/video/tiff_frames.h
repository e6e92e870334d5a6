#pragma once
// The pages of TIFF files as frames, in builds with libtiff.

#include <filesystem>
#include <memory>

#include "compute/io/video/frame_source.h"
#include "compute/io/video/frame_writer.h"

namespace threadscape::io {

/// Opens the pages of a file. Throws EnvironmentError with the path and the cause.
[[nodiscard]] std::unique_ptr<FrameSource> open_tiff_frames(const std::filesystem::path& path,
                                                            const FrameOptions& options);

/// Opens a path for pages, which may differ in size, type and colours. Throws EnvironmentError.
[[nodiscard]] std::unique_ptr<FrameWriter> make_tiff_frames(const std::filesystem::path& path,
                                                            const FrameWriterOptions& options);

}  // namespace threadscape::io
