#pragma once
// Frames to videos, animations and numbered pictures.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/data.h"
#include "compute/io/loaded.h"

namespace threadscape::io {

struct FrameWriterOptions {
  double frames_per_second = 25;
  /// The times of add_with() are multiples of so many seconds, as FrameInfo::tick; 0 = all frames are shown equally
  /// long.
  double tick = 0;
  double pixel_aspect = 1;  ///< FrameInfo::pixel_aspect, which videos state.
  /// A video whose sound is copied unchanged where the container can hold it, see why_no_sound(); "" = no sound.
  std::filesystem::path sound_from = {};
  FileColour colour = FileColour::rgb;  ///< Colour type of numbered pictures.
  int quality = 0;  ///< Of numbered pictures, see save_picture(), and of animated WebP, where 0 stands for 90.
  /// The number of frames that will be added; 0 = not known, which only an APNG to a device or a pipe cannot do
  /// without.
  std::int64_t frames = 0;
  bool only_whole = false;  ///< If true, a failure leaves what was there before, and no video of the frames so far.
};

/// What a frame is written with beside its pixels.
struct FrameFacts {
  double seconds = 0;  ///< When it is shown, after the first one.
  double lasts = 0;    ///< How long it is shown if it is the last one, in seconds; 0 = as long as a usual frame.
  FileColour colour = FileColour::rgb;
  PictureFacts picture = {};
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
  /// for a frame that the format cannot hold or that has another size, and EnvironmentError. A frame of another size
  /// completes the file with the frames so far, and so does an error of a video; those of a GIF, APNG or WebP leave no
  /// file. No more frames can be added then.
  virtual void add(HostIn picture) = 0;
  /// Adds a frame with what belongs to it. Videos and animations keep the time, numbered pictures and pages the rest.
  virtual void add_with(HostIn picture, const FrameFacts& /*facts*/) { add(picture); }
  /// Completes the file. Throws EnvironmentError.
  virtual void finish() = 0;
  /// Completes the file with all of the sound, where that is longer than the pictures. Throws EnvironmentError.
  virtual void finish_with_sound() { finish(); }
  /// What could not be kept, as a sentence for the user; "" if nothing.
  [[nodiscard]] virtual std::string note() const { return {}; }
};

/// Throws UsageError: a frame has another shape than the `frames` frames before it in a file of one size.
[[noreturn]] void refuse_size(const std::filesystem::path& path, const FrameWriterOptions& options, std::int64_t frames,
                              const Shape& shape, const Shape& first);

/// Returns true if the extension is that of an animation or a video, whether or not this build can write it.
[[nodiscard]] bool is_animation(const std::filesystem::path& path);
/// Returns true if a path is written frame by frame: an animation, a file of pages, or a pattern for numbers such as
/// frame_%04d.png.
[[nodiscard]] bool writes_frames(const std::filesystem::path& path);
/// Returns true if a file of this name can hold several frames or one picture: .webp, .tif.
[[nodiscard]] bool may_be_still(const std::filesystem::path& path);
/// The extensions of the animations and videos that can be written here, in lower case with the dot.
[[nodiscard]] std::vector<std::string_view> frame_extensions();
/// Throws what make_frame_writer() would throw for this path.
void require_frame_path(const std::filesystem::path& path);
/// Why a file of this name holds no sound; "" if it does.
[[nodiscard]] std::string why_no_sound(const std::filesystem::path& path);

/// Opens a path for frames. Throws UsageError with the cure if this build cannot write it, and EnvironmentError.
///   .mp4, .m4v, .mov    H.264, with losses; of frames with 8 bits; .mp4 also through the program ffmpeg
///   .webm               VP9, with losses; of frames with 8 bits; also through the program ffmpeg
///   .mkv                FFV1, which keeps every bit of frames with 8 or 16 bits in one or four channels
///   .gif, .apng, .webp  animations of frames with 8 bits, without alpha; .webp with losses
///   .tif, .tiff         pages, which may differ in size and type
///   frame_%04d.png      numbered pictures, which may differ in size and type
[[nodiscard]] std::unique_ptr<FrameWriter> make_frame_writer(const std::filesystem::path& path,
                                                             const FrameWriterOptions& options = {});
/// Writes numbered pictures, whose paths are name(0), name(1), ...
[[nodiscard]] std::unique_ptr<FrameWriter> make_picture_writer(std::function<std::filesystem::path(std::int64_t)> name,
                                                               const FrameWriterOptions& options);

}  // namespace threadscape::io
