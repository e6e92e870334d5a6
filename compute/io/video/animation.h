#pragma once
// Animations: GIF, APNG, WebP, and MP4, WebM and Matroska through FFmpeg's libraries or the program ffmpeg. Files
// appear when they are complete.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "compute/core/data.h"

namespace threadscape::io {

struct AnimationOptions {
  int width = 0, height = 0;  ///< Of every frame, in pixels.
  int frames = 0;             ///< The number of frames that will be added.
  double frames_per_second = 25;
  int quality = 0;  ///< The quality of WebP, 1..100; 0 stands for 90. The other formats ignore it.
  /// A video whose sound is copied unchanged into a video, see why_no_sound(); "" = no sound.
  std::filesystem::path sound_from = {};
};

/// Writes the frames of an animation one after another. Animations repeat without end, except for videos.
class AnimationWriter {
 public:
  AnimationWriter() = default;
  AnimationWriter(const AnimationWriter&) = delete;
  AnimationWriter& operator=(const AnimationWriter&) = delete;
  virtual ~AnimationWriter() = default;
  /// What could not be kept, as a sentence for the user; "" if nothing.
  [[nodiscard]] virtual std::string note() const { return {}; }

  /// Adds an RGBA picture of 8 bits, whose alpha is ignored. Throws EnvironmentError.
  virtual void add(HostIn picture) = 0;
  /// Completes the file. Throws EnvironmentError.
  virtual void finish() = 0;
};

/// Returns true if the extension is that of an animation, whether or not this build can write it.
[[nodiscard]] bool is_animation(const std::filesystem::path& path);

/// The extensions of the animations that can be written here, for help texts: ".gif, .apng or .webp".
[[nodiscard]] std::string animation_names();

/// Throws what make_animation() would throw for this path: UsageError with the cure if this build or machine lacks what
/// the format needs, EnvironmentError for a path that cannot be written.
void require_animation_path(const std::filesystem::path& path);

/// Why an animation of this name holds no sound; "" if it does.
[[nodiscard]] std::string why_no_sound(const std::filesystem::path& path);

/// Opens an animation in the format of the path's extension. Throws UsageError and EnvironmentError.
[[nodiscard]] std::unique_ptr<AnimationWriter> make_animation(const std::filesystem::path& path,
                                                              const AnimationOptions& options);

/// The part of a picture that an animation has to store, in pixels.
struct FrameBox {
  int x = 0, y = 0, width = 1, height = 1;
};
/// The smallest box that contains all pixels in which two pictures of one size differ; one pixel if they are equal. The
/// whole picture if there is no earlier one.
[[nodiscard]] FrameBox changed_box(const std::optional<HostArray>& before, HostIn picture);

// The writers of the formats. Each has a file of its own: gif_animation.cpp, ...
[[nodiscard]] std::unique_ptr<AnimationWriter> make_gif(const std::filesystem::path& path,
                                                        const AnimationOptions& options);
[[nodiscard]] std::unique_ptr<AnimationWriter> make_apng(const std::filesystem::path& path,
                                                         const AnimationOptions& options);
[[nodiscard]] std::unique_ptr<AnimationWriter> make_webp_animation(const std::filesystem::path& path,
                                                                   const AnimationOptions& options);
/// Through the program ffmpeg.
[[nodiscard]] std::unique_ptr<AnimationWriter> make_video(const std::filesystem::path& path,
                                                          const AnimationOptions& options);
/// Returns true if the program ffmpeg, which writes videos, is in one of the folders of PATH.
[[nodiscard]] bool has_ffmpeg();

}  // namespace threadscape::io
