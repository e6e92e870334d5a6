#pragma once
// Video files through FFmpeg's libraries.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "compute/io/video/frame_source.h"

namespace threadscape::io {

/// Opens a video file. Only the file itself is read: neither other files that it names nor addresses in a network.
/// Pictures of damaged or missing parts are left out, and note() says so at the end. Throws EnvironmentError with the
/// path and the cause, and UsageError in a build without the libraries.
[[nodiscard]] std::unique_ptr<FrameSource> open_video(const std::filesystem::path& path,
                                                      const FrameOptions& options = {});

/// Who decodes videos that are opened from now on.
enum class VideoDecoder : std::uint8_t {
  software,   ///< The CPU.
  automatic,  ///< A device of VA-API or NVDEC, if there is one that decodes the file; otherwise the CPU, and note()
              ///< says so.
  hardware,   ///< A device of VA-API or NVDEC; open_video() throws EnvironmentError if there is none.
};
/// Chooses for the whole program. It begins with the CPU.
void choose_video_decoder(VideoDecoder decoder);

/// Why no video files can be read in this build; "" if they can.
[[nodiscard]] std::string video_reader_absent();

}  // namespace threadscape::io
