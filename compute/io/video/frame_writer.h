#pragma once
// Frames to videos, animations and numbered pictures.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/data.h"
#include "compute/io/pictures/image_file.h"

namespace threadscape::io {

struct FrameWriterOptions {
  double frames_per_second = 25;
  /// A video whose sound is copied unchanged where the container can hold it; "" = no sound.
  std::filesystem::path sound_from = {};
  FileColour colour = FileColour::rgb;  ///< Colour type of numbered pictures.
  int quality = 0;                      ///< Of numbered pictures; see save_picture().
};

/// Writes frames one after another.
class FrameWriter {
 public:
  FrameWriter() = default;
  FrameWriter(const FrameWriter&) = delete;
  FrameWriter& operator=(const FrameWriter&) = delete;
  /// A writer that is destroyed without finish() leaves no file, unless it says otherwise.
  virtual ~FrameWriter() = default;

  /// Adds a frame. The first one decides size and type of all others, except for numbered pictures. Throws UsageError
  /// for a frame that the format cannot hold or that has another size, and EnvironmentError. After either one a video
  /// has been completed with the frames so far, and no more can be added.
  virtual void add(HostIn picture) = 0;
  /// Completes the file. Throws EnvironmentError.
  virtual void finish() = 0;
  /// What could not be kept, as a sentence for the user; "" if nothing.
  [[nodiscard]] virtual std::string note() const { return {}; }
};

/// Returns true if a path is written frame by frame: a pattern for numbers such as frame_%04d.png, or a file with the
/// extension of a video or of a GIF.
[[nodiscard]] bool writes_frames(const std::filesystem::path& path);
/// The extensions of frame-by-frame files that can be written here, in lower case with the dot.
[[nodiscard]] std::vector<std::string_view> frame_extensions();
/// Throws what make_frame_writer() would throw for this path.
void require_frame_path(const std::filesystem::path& path);

/// Opens a path for frames: H.264 in .mp4, .m4v and .mov, VP9 in .webm, both with losses; FFV1 in .mkv, which keeps
/// every bit of frames with 8 or 16 bits in one or four channels; .gif; numbered pictures. Throws UsageError with the
/// cure if this build cannot write it, and EnvironmentError.
[[nodiscard]] std::unique_ptr<FrameWriter> make_frame_writer(const std::filesystem::path& path,
                                                             const FrameWriterOptions& options = {});

}  // namespace threadscape::io
