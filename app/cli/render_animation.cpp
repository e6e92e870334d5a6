#include "app/cli/render_animation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

#include "app/cli/shared_options.h"
#include "app/session/moving_file.h"
#include "compute/io/file_extension.h"
#include "compute/io/numbered_files.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/video/frame_source.h"

namespace threadscape::app {

bool is_moving_render(const RenderOptions& options, const AlgorithmInfo& algorithm) {
  const std::filesystem::path& input = options.display.input;
  const bool clips = algorithm.input == Kind::clip && !io::reads_numbered_files(input);
  return (algorithm.input == Kind::image || clips) && moves(input);
}

Animation::Animation(const RenderOptions& options, const AlgorithmInfo& algorithm)
    : frames_per_second_(options.frames_per_second) {
  std::error_code unknown;
  io::FrameWriterOptions writer{.frames_per_second = options.frames_per_second,
                                .quality = options.quality,
                                .frames = options.frames,
                                .only_whole = std::filesystem::is_regular_file(options.output, unknown)};
  if (is_moving_render(options, algorithm)) {
    const std::filesystem::path& input = options.display.input;
    const std::unique_ptr<io::FrameSource> source = io::open_frames(input);
    const io::FrameInfo& info = source->info();
    frames_ = source->count();
    keeps_times_ = std::abs(frames_per_second_ - info.frames_per_second) < 1e-6 * info.frames_per_second;
    if (keeps_times_) writer.tick = info.tick;
    const std::string why = keeps_times_ ? io::why_no_sound(options.output) : "--fps is another speed than the video's";
    if (info.audio && why.empty()) writer.sound_from = input;
    if (info.audio && !why.empty())
      print_note("the sound of '" + input.string() + "' is left out: " + why, options.quiet);
  }
  writer_ = io::make_frame_writer(options.output, writer);
}

void Animation::add(HostIn picture, double seconds) {
  const double equal = static_cast<double>(added_++) / frames_per_second_;
  writer_->add_with(picture, {.seconds = keeps_times_ ? seconds : equal});
}

void Animation::finish() {
  added_ == frames_ ? writer_->finish_with_sound() : writer_->finish();
}

bool wants_animation(const RenderOptions& options) {
  if (!io::is_animation(options.output)) return false;
  const std::vector<std::string_view> pictures = io::format_extensions(io::FormatUse::written);
  return options.frames > 1 || std::ranges::count(pictures, io::extension_of(options.output)) == 0;
}

void set_frames(RenderOptions& options, const AlgorithmInfo& algorithm) {
  const bool moving = is_moving_render(options, algorithm);
  if (moving && (options.frames == 0 || options.frames_per_second == 0)) {
    const std::unique_ptr<io::FrameSource> source = io::open_frames(options.display.input);
    if (options.frames_per_second == 0) options.frames_per_second = source->info().frames_per_second;
    if (options.frames == 0 && io::is_animation(options.output)) {
      const std::int64_t count = source->count();
      if (count < 0)
        throw UsageError("'" + options.display.input.string() +
                         "' has no end: --frames states how many frames to draw");
      options.frames = static_cast<int>(std::clamp<std::int64_t>(count, 1, std::numeric_limits<int>::max()));
    }
  }
  if (options.frames == 0) options.frames = 1;
  if (options.frames_per_second == 0) options.frames_per_second = 25;
}

}  // namespace threadscape::app
