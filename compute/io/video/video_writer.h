#pragma once
// Videos through FFmpeg's libraries, for frame_writer.h.

#include "compute/io/video/frame_writer.h"

namespace threadscape::io {

/// Returns whether the extension is that of a video: .mp4, .m4v, .mov, .webm or .mkv.
[[nodiscard]] bool is_video(const std::filesystem::path& path);
/// The extensions of videos that can be written here.
[[nodiscard]] std::vector<std::string_view> written_video_extensions();
/// Why a video of this extension cannot be written here, with the cure; "" if it can.
[[nodiscard]] std::string video_writer_absent(const std::filesystem::path& path);

/// Opens a video. It is written under a temporary name, which becomes the given one when the video is complete: at
/// finish(), and with the frames so far when a frame cannot be added. Room for the end of the file is kept on the disk
/// while it is written, so that a full disk leaves a video that can be played. A writer that is destroyed without
/// finish() leaves no file.
[[nodiscard]] std::unique_ptr<FrameWriter> make_video_writer(const std::filesystem::path& path,
                                                             const FrameWriterOptions& options);

}  // namespace threadscape::io
