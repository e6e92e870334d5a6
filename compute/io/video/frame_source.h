#pragma once
// Moving pictures as a sequence of frames: video files, numbered pictures, cameras and a built-in test scene.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/data.h"
#include "compute/core/yuv.h"
#include "compute/io/loaded.h"

namespace threadscape::io {

/// What is known of a source before its frames are read.
struct FrameInfo {
  int width = 0, height = 0;      ///< Of the first frame in pixels. Later frames may have another size.
  double frames_per_second = 25;  ///< As the source states it, or the rate at which it is to be shown.
  double tick = 0;                ///< Times of frames are multiples of so many seconds; 0 = of a frame.
  std::int64_t frames = -1;       ///< The number of frames that the source states; -1 where it states none.
  double pixel_aspect = 1;        ///< Width of a pixel / its height.
  bool seekable = true;           ///< False for cameras, whose frames cannot be read again.
  bool audio = false;             ///< If true, the file has sound, too.
  std::string what;               ///< The kind of source for the user: "H.264, 1280x720, 30 frames/s".
};

/// A frame of a source.
struct Frame {
  HostArray pixels;        ///< 8 or 16 bits, one channel (grey) or four (RGBA).
  std::int64_t index = 0;  ///< The number of the frame, from 0.
  double seconds = 0;      ///< Its time after the first frame.
  double lasts = 0;        ///< How long it is shown in seconds; 0 where that is not stated.
  double decode_ms = 0;    ///< How long decoding and conversion took.
  /// What the picture of the frame states beside its pixels, which are left out; FileColour::rgb for videos.
  Loaded stated{.pixels = {}, .colour = FileColour::rgb};
};

using threadscape::YuvPlanes;

/// Reads the frames of a moving picture one after another. Not thread-safe. All functions throw EnvironmentError with
/// the name of the source and the cause, and Cancelled after a request to stop.
class FrameSource {
 public:
  FrameSource() = default;
  FrameSource(const FrameSource&) = delete;
  FrameSource& operator=(const FrameSource&) = delete;
  virtual ~FrameSource() = default;

  [[nodiscard]] virtual const FrameInfo& info() const = 0;

  /// Reads the next frame into `frame`, whose memory is used again if its shape allows. Returns false at the end.
  bool next(Frame& frame);

  /// Decodes the next frame, which picture() and planes() then return. Returns false at the end, after which note()
  /// says whether something was missing.
  virtual bool advance() = 0;
  /// The frame of the last advance() as a picture, with its number and time.
  virtual void picture(Frame& frame) = 0;
  /// The planes of the frame of the last advance(), valid until the next one. Nothing where frames are not kept as such
  /// planes. yuv_to_rgba() makes the picture of them that picture() gives.
  [[nodiscard]] virtual std::optional<YuvPlanes> planes() const { return {}; }

  /// The next frame will be frame `index`, exactly. An index behind the end makes the next advance() return false.
  /// Throws UsageError if the source is not seekable.
  virtual void seek(std::int64_t index) = 0;
  /// The exact number of frames, for which a file may have to be searched; -1 for a source without an end. The
  /// position stays as it is.
  [[nodiscard]] virtual std::int64_t count() = 0;
  /// What is wrong with the source, as one sentence for the user; "" if nothing is known to be.
  [[nodiscard]] virtual std::string note() const { return {}; }
};

/// How a source is opened.
struct FrameOptions {
  double frames_per_second = 0;  ///< The rate of numbered pictures and of cameras; 0 = 25, or what the camera prefers.
  int threads = 0;               ///< Threads of a decoder; 0 = as it prefers.
  std::stop_token stop = {};     ///< Ends waiting and decoding; functions then throw Cancelled.
};

/// Returns true if the name can only mean a moving source: "test:...", "/dev/videoN", a pattern such as
/// frame_%04d.png, or a file with the extension of a video. Of files with an extension that no other data have, and of
/// those without one, the first bytes decide.
[[nodiscard]] bool is_moving(const std::filesystem::path& name);

/// Returns true for the names of is_moving(), and for files that can hold a still picture or a moving one: .webp.
[[nodiscard]] bool may_move(const std::filesystem::path& name);

/// Returns true for the extension of files that hold pages: pictures of their own, which may differ in size. Such a
/// file moves only where every page is wanted.
[[nodiscard]] bool has_page_extension(const std::filesystem::path& name);

/// Opens a source by its name: those of may_move(), the pages of a file, or a folder of pictures, in the order of their
/// names. Throws
/// UsageError for a name that is none of these, and for videos in a build without FFmpeg's libraries.
[[nodiscard]] std::unique_ptr<FrameSource> open_frames(const std::filesystem::path& name,
                                                       const FrameOptions& options = {});

/// Returns true if a file of may_move() or with pages has more than one frame; false where it cannot be read.
[[nodiscard]] bool has_several_frames(const std::filesystem::path& name);

/// The extensions of files that are opened as moving pictures, in lower case with the dot.
[[nodiscard]] std::vector<std::string_view> video_extensions();

/// A source and whether it can be used here, for lists.
struct FrameSourceKind {
  std::string name;  ///< "video files", "camera /dev/video0", ...
  std::string open;  ///< What open_frames() takes for it; "" where the user has to say which file.
  std::string why;   ///< Why it cannot be used; "" if it can.
};
/// All kinds of sources of this build and machine.
[[nodiscard]] std::vector<FrameSourceKind> frame_source_kinds();

}  // namespace threadscape::io
