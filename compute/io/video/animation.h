#pragma once
// Animations whose frames are opaque pictures of 8 bits and of one size: GIF, APNG, WebP, and videos through the
// program ffmpeg. Files appear when they are complete.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "compute/io/video/frame_writer.h"

namespace threadscape::io {

/// Makes RGBA pictures of the frames, which the writer of a format gets. Animations repeat without end, except for
/// videos.
class AnimationWriter : public FrameWriter {
 public:
  AnimationWriter(std::filesystem::path path, const FrameWriterOptions& options)
      : path_(std::move(path)), options_(options) {}
  void add(HostIn picture) final;
  void add_with(HostIn picture, const FrameFacts& facts) final;
  void finish() final;

 protected:
  /// Begins the file of frames with these sides in pixels.
  virtual void begin(int width, int height) = 0;
  /// Adds an RGBA picture of that size, whose alpha is to be ignored. It is shown from `begin` to `end`, in seconds.
  virtual void add_rgba(HostIn picture, double begin, double end) = 0;
  /// Completes the file.
  virtual void end() = 0;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const FrameWriterOptions& options() const { return options_; }
  /// The number of frames that add_rgba() has added before.
  [[nodiscard]] int frames() const { return frames_; }
  [[noreturn]] void fail(const std::string& why) const;

 private:
  std::filesystem::path path_;
  FrameWriterOptions options_;
  /// Gives the frame that waits to the format; `end` is when the one after it begins, in seconds.
  void put_waiting(double end);

  Shape shape_;
  HostArray waiting_;        ///< The newest frame, whose end is known only when the next one comes.
  double waiting_from_ = 0;  ///< When it begins, in seconds.
  double next_seconds_ = 0;  ///< When a frame after it begins if nothing is stated.
  int frames_ = 0;
  bool ended_ = false;
};

/// The part of a picture that an animation has to store, in pixels.
struct FrameBox {
  int x = 0, y = 0, width = 1, height = 1;
};
/// The smallest box that contains all pixels in which two pictures of one size differ; one pixel if they are equal. The
/// whole picture if there is no earlier one.
[[nodiscard]] FrameBox changed_box(const std::optional<HostArray>& before, HostIn picture);

// The writers of the formats. Each has a file of its own: gif_animation.cpp, ...
[[nodiscard]] std::unique_ptr<FrameWriter> make_gif(const std::filesystem::path& path,
                                                    const FrameWriterOptions& options);
[[nodiscard]] std::unique_ptr<FrameWriter> make_apng(const std::filesystem::path& path,
                                                     const FrameWriterOptions& options);
[[nodiscard]] std::unique_ptr<FrameWriter> make_webp_animation(const std::filesystem::path& path,
                                                               const FrameWriterOptions& options);
/// Through the program ffmpeg, as .mp4 or .webm.
[[nodiscard]] std::unique_ptr<FrameWriter> make_ffmpeg_video(const std::filesystem::path& path,
                                                             const FrameWriterOptions& options);
/// Returns true if the program ffmpeg is in one of the folders of PATH.
[[nodiscard]] bool has_ffmpeg();

}  // namespace threadscape::io
