#include "app/cli/run_frames.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "app/cli/bounded_queue.h"
#include "app/cli/run_steps.h"
#include "app/cli/shared_options.h"
#include "app/report/text.h"
#include "compute/core/clip.h"
#include "compute/core/convert.h"
#include "compute/core/kind_info.h"
#include "compute/core/printable.h"
#include "compute/io/file_extension.h"
#include "compute/io/file_writer.h"
#include "compute/io/numbered_files.h"
#include "compute/io/pictures/row_files.h"
#include "compute/io/standard_stream.h"
#include "compute/io/video/camera.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/frame_writer.h"
#include "compute/io/video/numbered_pictures.h"
#include "compute/io/video/video_writer.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// Frames that are decoded ahead, and results that wait for being written. More would only fill the memory.
constexpr std::size_t frame_queue_length = 4;

/// Throws UsageError for steps and outputs that a moving picture does not go through.
void require_frames(const RunOptions& options, const std::vector<RunRequest>& steps) {
  const std::string input = options.inputs.front().string();
  const AlgorithmInfo& first = *steps.front().algorithm;
  const AlgorithmInfo& last = *steps.back().algorithm;
  if (first.input != Kind::image && first.input != Kind::clip)
    throw UsageError(
        "'" + input + "' moves, and " + std::string(first.name) + " takes " +
        (first.input == Kind::none ? "no input" : "a " + std::string(info_of(first.input).user_name)) +
        ": algorithms that take pictures run on every frame, for example sobel, and those that take clips on the "
        "newest frames, for example temporal_median");
  if (last.output != Kind::image)
    throw UsageError("'" + input + "' moves, and " + std::string(last.name) + " makes a " +
                     std::string(info_of(last.output).user_name) + ": the last step has to make pictures");
  if (!options.steps_out.empty())
    throw UsageError(
        "--steps-out writes single pictures: run the steps of a moving picture one after another, with -o "
        "x.mkv");
  if (options.output.empty()) throw UsageError("-o is missing: where to write the frames");
  if (!io::writes_frames(options.output))
    throw UsageError("'" + input + "' moves, and '" + options.output.string() + "' holds one picture: -o " +
                     io::enumerated(io::frame_extensions()) + ", or numbered pictures: frame_%04d.png");
  io::require_frame_path(options.output);
}

/// A frame on its way through the run.
struct FrameItem {
  LoadedInput input;
  double seconds = 0;  ///< When it is shown, after the first one.
  double lasts = 0;    ///< io::Frame::lasts.
  std::optional<FinishedRun> run;
};

class MovingRun {
 public:
  MovingRun(const RunOptions& options, const std::vector<RunRequest>& steps)
      : options_(options), steps_(steps), windows_(make_windows(steps)), task_(names_of(steps), options.quiet) {
    const fs::path& input = options.inputs.front();
    source_ = io::open_frames(input, {.frames_per_second = options.frames_per_second, .stop = task_.token()});
    const io::FrameInfo& info = source_->info();
    expected_ = info.frames;
    if (options.frames > 0) expected_ = expected_ < 0 ? options.frames : std::min(expected_, options.frames);
    const bool sound = info.audio && io::is_video(options.output);
    // A video that cannot be completed replaces no older one, unless it is that of a camera, which has no other end.
    std::error_code unknown;
    only_whole_ = fs::is_regular_file(options.output, unknown) && !io::is_camera(input.string());
    writer_ = io::make_frame_writer(options.output, {.frames_per_second = info.frames_per_second,
                                                     .tick = info.tick,
                                                     .pixel_aspect = info.pixel_aspect,
                                                     .sound_from = sound ? input : fs::path(),
                                                     .quality = options.quality,
                                                     .frames = std::max<std::int64_t>(expected_, 0),
                                                     .only_whole = only_whole_});
  }

  int run() {
    const auto start = Clock::now();
    {
      std::jthread decoder([this] { decode(); });
      std::jthread encoder([this] { encode(); });
      compute();
      to_compute_.close();
      decoder.join();
      to_write_.close();
    }
    total_ms_ = milliseconds_since(start);
    finish();
    print_note(source_->note(), options_.quiet);
    print_note(writer_->note(), options_.quiet);
    if (failure_) std::rethrow_exception(failure_);
    if (frames_ == 0)
      throw EnvironmentError("'" + options_.inputs.front().string() + "' has no frame that can be decoded");
    report();
    return static_cast<int>(ExitCode::done);
  }

 private:
  /// Keeps the first failure of any thread.
  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
  }

  void decode() {
    try {
      for (std::int64_t i = 0; options_.frames <= 0 || i < options_.frames; ++i) {
        const auto start = Clock::now();
        io::Frame frame;
        if (!source_->next(frame)) break;
        FrameItem item;
        io::Loaded& picture = item.input.picture;
        std::tie(picture.settings, picture.facts) = std::tie(frame.stated.settings, frame.stated.facts);
        picture.colour = frame.pixels.shape().channels == 1 ? io::FileColour::grey : frame.stated.colour;
        const std::optional<Element> element = options_.load.element;
        const bool as_it_is = !element || frame.pixels.shape().element == *element;
        picture.pixels = as_it_is ? std::move(frame.pixels) : convert_picture(frame.pixels.view(), *element);
        std::tie(item.seconds, item.lasts) = std::tie(frame.seconds, frame.lasts);
        item.input.load_ms = milliseconds_since(start);
        if (!to_compute_.push(std::move(item))) break;
      }
    } catch (...) {
      fail(std::current_exception());
    }
    to_compute_.close();
  }

  /// Runs the steps on a frame.
  FinishedRun run_item(FrameItem& item) {
    if (steps_.size() > 1 || windows_.front())
      return run_steps(options_, steps_, std::move(item.input), "", runner_, task_, windows_);
    return run_loaded(options_.run, steps_.front(), item.input, runner_, task_);
  }

  void compute() {
    try {
      for (std::int64_t done = 0; std::optional<FrameItem> item = to_compute_.pop(); ++done) {
        task_.check();
        for (RunRequest& step : steps_)
          step.frame = static_cast<std::uint64_t>(done);
        item->run = run_item(*item);
        item->input.picture = {};
        if (expected_ > 0) task_.progress().report(static_cast<double>(done + 1) / static_cast<double>(expected_));
        if (!to_write_.push(std::move(*item))) break;
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  void encode() {
    try {
      while (std::optional<FrameItem> item = to_write_.pop()) {
        const auto start = Clock::now();
        const FinishedRun& run = *item->run;
        writer_->add_with(
            run.result.output.view(),
            {.seconds = item->seconds, .lasts = item->lasts, .colour = colour_of(run), .picture = run.facts});
        encode_ms_ += milliseconds_since(start);
        decode_ms_ += item->input.load_ms;
        compute_ms_ += total_ms(run);
        shape_ = run.output_shape();
        ++frames_;
      }
    } catch (...) {
      fail(std::current_exception());
      // The threads before it end, too.
      to_write_.close();
      to_compute_.close();
    }
  }

  /// Completes the file, also after a failure or an interruption, with the frames so far, unless only_whole_ forbids
  /// it.
  void finish() {
    if (failure_ && only_whole_) return;
    const auto start = Clock::now();
    try {
      const bool all_frames = !failure_ && options_.frames <= 0;
      all_frames ? writer_->finish_with_sound() : writer_->finish();
    } catch (...) {
      fail(std::current_exception());
    }
    encode_ms_ += milliseconds_since(start);
    total_ms_ += milliseconds_since(start);
  }

  void report() {
    const double per_second = static_cast<double>(frames_) * 1e3 / std::max(total_ms_, 1e-3);
    if (!options_.timings.empty()) {
      const Json json{{"frames", frames_},
                      {"frames_per_second", per_second},
                      {"stages_ms", {{"decode", decode_ms_}, {"compute", compute_ms_}, {"encode", encode_ms_}}},
                      {"elapsed_ms", total_ms_},
                      {"input", options_.inputs.front().string()},
                      {"output", options_.output.string()},
                      {"environment", environment_json(device_of(steps_.front()))}};
      io::save_bytes(options_.timings, dump(json));
    }
    if (options_.quiet) return;
    std::FILE* const text = io::is_standard_stream(options_.timings) ? stderr : stdout;
    std::fprintf(
        text,
        "%s -> %s: %s, %lld frames, %s, in %s s (%s frames/s; %s s decoding, %s s computing and %s s encoding, "
        "which overlap)\n",
        printable(options_.inputs.front().string()).c_str(), printable(options_.output.string()).c_str(),
        names_of(steps_).c_str(), static_cast<long long>(frames_), to_string(shape_).c_str(),
        format_number(total_ms_ / 1e3).c_str(), format_number(per_second).c_str(),
        format_number(decode_ms_ / 1e3).c_str(), format_number(compute_ms_ / 1e3).c_str(),
        format_number(encode_ms_ / 1e3).c_str());
  }

  const RunOptions& options_;
  std::vector<RunRequest> steps_;
  StepWindows windows_;
  LongTask task_;
  Runner runner_;
  std::unique_ptr<io::FrameSource> source_;
  std::unique_ptr<io::FrameWriter> writer_;
  bool only_whole_ = false;     ///< FrameWriterOptions::only_whole.
  std::int64_t expected_ = -1;  ///< The number of frames, for the progress bar; -1 if it is not known.
  BoundedQueue<FrameItem> to_compute_{frame_queue_length}, to_write_{frame_queue_length};
  std::mutex mutex_;  ///< Protects failure_.
  std::exception_ptr failure_;

  // The writing thread changes these until it has ended; the caller reads them afterwards.
  Shape shape_;
  std::int64_t frames_ = 0;
  double decode_ms_ = 0, compute_ms_ = 0, encode_ms_ = 0, total_ms_ = 0;
};

}  // namespace

bool is_moving_run(const RunOptions& options) {
  if (options.inputs.size() != 1) return false;
  const fs::path& input = options.inputs.front();
  const bool frames = io::writes_frames(options.output), still = !frames || io::may_be_still(options.output);
  const bool several = io::reads_numbered_files(input) || is_folder(input);
  const bool clip =
      several && !options.output.empty() && still && find_algorithm(options.run.algorithm).input == Kind::clip;
  if (clip) return false;
  if (io::has_page_extension(input)) {
    // Clips and volumes are made of all pages.
    const auto kinds =
        std::pair(find_algorithm(options.run.algorithm).input,
                  find_algorithm(options.then.empty() ? options.run.algorithm : options.then.back().algorithm).output);
    if (!frames || kinds != std::pair(Kind::image, Kind::image)) return false;
    // Counting pages takes the whole file into memory, of which a limit may not leave enough.
    std::string why_not;
    return !(options.memory && io::open_picture_rows(input, why_not)) && io::has_several_frames(input);
  }
  std::error_code error;
  // A file of one frame, of which one picture is wanted, is a picture.
  if (io::is_moving(input)) return frames || !fs::is_regular_file(input, error) || io::has_several_frames(input);
  if (is_folder(input)) return frames;
  return io::may_move(input) && (!still || io::has_several_frames(input));
}

int run_frames(const RunOptions& options, const std::vector<RunRequest>& steps) {
  require_frames(options, steps);
  return MovingRun(options, steps).run();
}

}  // namespace threadscape::app
