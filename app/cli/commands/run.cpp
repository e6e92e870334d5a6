#include "app/cli/commands/run.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/option_values.h"
#include "app/cli/run_batch.h"
#include "app/cli/run_files.h"
#include "app/cli/run_frames.h"
#include "app/cli/run_steps.h"
#include "app/cli/shared_options.h"
#include "app/report/text.h"
#include "app/report/trace_file.h"
#include "app/session/sketch_file.h"
#include "compute/core/printable.h"
#include "compute/io/data_file.h"
#include "compute/io/file_writer.h"
#include "compute/io/limits.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/standard_stream.h"
#include "compute/io/video/frame_writer.h"

namespace threadscape::app {

namespace {

/// The path to write to. "-" becomes standard output in the first format of the result that is a single file.
std::filesystem::path output_path(const std::filesystem::path& output, Kind kind) {
  if (!io::is_standard_stream(output)) return output;
  io::require_redirected_output();
  if (output.has_extension()) return output;
  return kind == Kind::image || kind == Kind::heightfield ? "-.png" : "-.raw";
}

/// Runs one step or a list of steps on one input. A volume that does not fit into memory can be read in slabs by the
/// first step.
FinishedRun run_one(const RunOptions& options, const std::vector<RunRequest>& steps, const std::filesystem::path& input,
                    LongTask& task) {
  const RunRequest& first = steps.front();
  if (steps.size() == 1) return run_file(options, first, input, task);
  const std::string stem = input.empty() || io::is_standard_stream(input) ? "" : input.stem().string();
  Runner runner;
  if (!input.empty() && first.algorithm->layers)
    return run_following(options, steps, run_file(options, first, input, task), stem, runner, task);
  // Without a file the shape of the input is known before it is made.
  if (input.empty()) check_shapes(options, steps, wanted_input(first), {});
  return run_steps(options, steps, read_input(options, first, input, task), stem, runner, task);
}

/// Prints times and reports. With `quiet` it prints the reports alone, and those only if nothing is written: they are
/// the result then.
void print_runs(std::FILE* text, const FinishedRun& done, bool quiet, bool written) {
  const auto print_run = [&](const FinishedRun& run) {
    if (!quiet) print(text, run_line(run) + "\n");
    if (!quiet || !written) print(text, run.report);
  };
  for (const FinishedRun& run : done.before)
    print_run(run);
  print_run(done);
  if (!quiet && !done.before.empty())
    std::fprintf(text, "%zu steps: %s ms\n", done.before.size() + 1, format_number(total_ms(done)).c_str());
}

/// One input, one output.
int run_single(const RunOptions& options, const std::vector<RunRequest>& steps) {
  const RunRequest& request = steps.front();
  const std::filesystem::path output = output_path(options.output, steps.back().algorithm->output);
  const std::filesystem::path input = options.inputs.empty() ? std::filesystem::path() : options.inputs.front();
  // Paths are checked before the run, because a result that cannot be written is not worth computing.
  if (!output.empty()) io::require_data_path(output, steps.back().algorithm->output);

  LongTask task(names_of(steps), options.quiet);
  const bool streams = steps.size() == 1 && wants_streaming(request, output);
  io::FileGroup result_with_times;
  std::optional<FinishedRun> in_strips;
  if (steps.size() == 1 && !streams) in_strips = run_strips(options, request, input, output, task);
  if (steps.size() == 1 && !streams && !in_strips) in_strips = run_slabs(options, request, input, output, task);
  FinishedRun done = in_strips ? std::move(*in_strips)
                     : streams ? run_streamed(request, output, task)
                               : run_one(options, steps, input, task);
  if (!output.empty() && !streams && !in_strips) save_result(options, done, output);
  if (!options.timings.empty()) {
    Json json = steps.size() == 1 ? run_json(done, input, output) : steps_json(done, input, output);
    json["environment"] = environment_json(device_of(request));
    io::save_bytes(options.timings, dump(json));
  }
  result_with_times.commit();
  // Text goes to stderr when the result or the times go to stdout.
  const bool stdout_taken = io::is_standard_stream(output) || io::is_standard_stream(options.timings);
  print_runs(stdout_taken ? stderr : stdout, done, options.quiet, !output.empty());
  return static_cast<int>(ExitCode::done);
}

/// Throws for an output of frames if the input is one picture, or is no file: the trouble is the input then.
void require_moving_input(const RunOptions& options) {
  if (options.inputs.size() != 1 || !io::is_animation(options.output) || io::may_be_still(options.output)) return;
  const std::filesystem::path& input = options.inputs.front();
  std::error_code error;
  if (!io::is_standard_stream(input) && !std::filesystem::exists(input, error))
    throw EnvironmentError("cannot read '" + input.string() + "': no such file");
  throw UsageError("'" + input.string() + "' is no video that is recognised, and '" + options.output.string() +
                   "' is written frame by frame: one picture is written as " +
                   io::enumerated(io::data_extensions(Kind::image, io::FormatUse::written), "or"));
}

/// Throws UsageError for options that need a list of steps, and makes the folder for the results of the steps.
void prepare_steps(const RunOptions& options) {
  if (options.steps_out.empty()) return;
  if (options.then.empty()) throw UsageError("--steps-out needs a list of steps: add --then ALGORITHM");
  std::error_code error;
  std::filesystem::create_directories(options.steps_out, error);
  if (!std::filesystem::is_directory(options.steps_out, error))
    throw EnvironmentError("--steps-out '" + options.steps_out.string() + "': cannot make the folder" +
                           (error ? ": " + error.message() : ""));
}

int run(const RunOptions& options) {
  const bool moving = is_moving_run(options);
  const std::vector<RunRequest> steps = make_steps(options, moving);
  const AlgorithmInfo& last = *steps.back().algorithm;
  if (options.output.empty() && options.steps_out.empty() && !last.report)
    throw UsageError("-o is missing: where to write the " + std::string(name_of(last.output)));
  prepare_steps(options);
  if (!options.timings.empty()) io::require_writable(options.timings);
  if (moving) return run_frames(options, steps);
  if (last.output == Kind::image && steps.front().algorithm->input == Kind::image) require_moving_input(options);
  if (options.frames > 0 || options.frames_per_second > 0)
    throw UsageError("--frames and --fps are for moving inputs: a video, frame_%04d.png, /dev/video0 or test:");
  return is_batch(options, *steps.front().algorithm) ? run_batch(options, steps) : run_single(options, steps);
}

/// Gives --set, --variant and --preset to the step behind whose --then they stand, or to the first algorithm. The other
/// options are those of all steps. Throws UsageError for a variant or a preset that a step gets twice.
void assign_to_steps(const CLI::App& app, RunOptions& options) {
  const auto* then = app.get_option("--then");
  options.run.algorithm = algorithm_of(options.run.algorithm);
  options.run.sets.clear();
  options.run.variant.clear();
  options.run.preset.clear();
  AlgorithmOptions* step = &options.run;
  const auto once = [&](const char* name, bool unset) {
    if (!unset) throw UsageError(std::string(name) + " is given twice for " + step->algorithm);
  };
  std::map<const CLI::Option*, std::size_t> used;
  for (const CLI::Option* option : app.parse_order()) {
    const std::size_t index = used[option]++;
    if (option == then) {
      AlgorithmOptions next{.algorithm = algorithm_of(option->results().at(index))};
      next.backend = options.run.backend;
      next.device = options.run.device;
      next.devices = options.run.devices;
      next.threads = options.run.threads;
      next.seed = options.run.seed;
      options.then.push_back(std::move(next));
      step = &options.then.back();
    } else if (option->check_name("--set")) {
      step->sets.push_back(parse_set("--set", option->results().at(index)));
    } else if (option->check_name("--variant")) {
      once("--variant", step->variant.empty());
      step->variant = option->results().at(index);
    } else if (option->check_name("--preset")) {
      once("--preset", step->preset.empty());
      step->preset = option->results().at(index);
    }
  }
}

/// The extensions that files of one kind of data are read from, and those of another one are not.
std::string read_beside(Kind kind, Kind other) {
  std::vector<std::string_view> own = io::data_extensions(kind, io::FormatUse::read);
  const std::vector<std::string_view> others = io::data_extensions(other, io::FormatUse::read);
  std::erase_if(own, [&](std::string_view extension) { return std::ranges::count(others, extension) > 0; });
  return io::enumerated(own, "and");
}

}  // namespace

CommandAction set_up_run(CLI::App& app, FindDevices find_devices) {
  const auto options = std::make_shared<RunOptions>();
  app.add_option("algorithm", options->run.algorithm,
                 "What to run: an algorithm, or a file with a sketch, which is a kernel of your own (.cu, .cpp)")
      ->required();
  add_paths(
      app, "input", options->inputs,
      "Pictures: " + io::format_names(io::FormatUse::read) + "; heights: these and " +
          read_beside(Kind::heightfield, Kind::image) + "; volumes: " + read_beside(Kind::volume, Kind::image) +
          ", DICOM and folders of slices; models: " + read_beside(Kind::mesh, Kind::heightfield) +
          "; numbers: raw, little endian; - for standard input; several, or a folder of pictures, for a "
          "batch; moving ones, whose every frame is run: videos, frame_%04d.png, /dev/video0, test: (algorithms in "
          "time run on the newest frames), and the pages of a TIFF where all can be written");
  add_path(app, "-o,--output", options->output,
           "Result: " + io::enumerated(io::data_extensions(io::FormatUse::written)) +
               "; - or EXT:- for standard output; of a batch a folder, or a name with {name}; of a moving input " +
               io::enumerated(io::frame_extensions()) + ", .tif (pages), or frame_%04d.png");
  add_quality(app, options->quality);
  add_algorithm_options(app, find_devices, options->run);
  // Each step has its own; assign_to_steps() tells them apart.
  for (const char* of_a_step : {"--variant", "--preset"})
    app.get_option(of_a_step)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--then", options->then_names,
                 "The next step, on the result of the one before; --set, --variant and --preset behind it are its own; "
                 "may be given again")
      ->allow_extra_args(false)
      ->type_name("ALGORITHM");
  add_path(app, "--steps-out", options->steps_out, "Folder for the result of every step")->type_name("FOLDER");
  app.add_option("--timings", options->timings, "Write stages, environment and parameters as JSON")->type_name("FILE");
  add_path(app, "--trace", options->trace, "Write what happened when, for ui.perfetto.dev: files, kernels, threads")
      ->type_name("FILE");
  app.add_option("--frames", options->frames, "Of a moving input: at most so many frames")
      ->check(CLI::Range(1, 1 << 30))
      ->type_name("N");
  app.add_option("--fps", options->frames_per_second, "Frames per second of numbered pictures (default 25) and cameras")
      ->check(CLI::Range(0.01, 1000.0))
      ->type_name("X");
  add_load_options(app, options->load);
  add_parsed(app, "--memory",
             "The same as --limit memory=N; a picture that needs more is run in strips (TIFF, NPY), a volume in slabs",
             [options](const std::string& text) {
               io::set_limit("memory", text);
               options->memory = true;
             })
      ->type_name("N");
  app.add_flag("--keep-going", options->keep_going, "Of a batch: leave out inputs that fail, and go on");
  app.add_flag("-q,--quiet", options->quiet, "Print errors only");
  app.add_flag_callback(
      "--no-sync", [] { io::set_syncing(false); },
      "Do not wait until the disk has each result, which is faster for many small files");
  app.footer([options] {
    return algorithm_help(options->run.algorithm) +
           "\nExamples:\n"
           "  threadscape run sobel photo.jpg -o edges.png\n"
           "  threadscape run median photos/*.jpg -o smooth/ --keep-going\n"
           "  threadscape run sobel photos/ -o edges/{name}-edges.png\n"
           "  threadscape run gaussian - -o ppm:- < photo.jpg | display\n"
           "  threadscape run median in.mp4 --set size=5 --then sobel -o out.mkv\n"
           "  threadscape run temporal_median in.mp4 --set frames=9 --then running_background -o moving.mkv\n"
           "  threadscape run convolution photo.png -o sharp.png --set mask=0,-1,0,-1,5,-1,0,-1,0 --backend cuda\n"
           "  threadscape run convolution photo.png -o soft.png --set size=9 --set preset=gaussian --timings t.json\n"
           "  threadscape run diamond_square --set n=9 --then thermal_erosion --set iterations=50 --then slope -o "
           "slope.png\n"
           "  threadscape run phantom --then projection --set step=2 --then reconstruction -o again.mhd --steps-out "
           "steps/\n"
           "  threadscape run my.cu photo.png -o out.png --set radius=2\n";
  });
  return [options, &app] {
    assign_to_steps(app, *options);
    return traced(options->trace, [&] { return run(*options); });
  };
}

}  // namespace threadscape::app
