#include "app/cli/commands/run.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/cli/shared_options.h"
#include "app/report/environment.h"
#include "app/report/long_task.h"
#include "app/report/text.h"
#include "app/session/run_options.h"
#include "compute/core/kind_info.h"
#include "compute/cuda/device.h"
#include "compute/io/data_file.h"
#include "compute/io/file_writer.h"
#include "compute/io/image_format.h"
#include "compute/io/volume_file.h"

namespace threadscape::app {

namespace {

struct RunCommand {
  AlgorithmOptions run;
  std::filesystem::path input;
  std::filesystem::path output;
  std::filesystem::path timings;  ///< JSON file for the times; "" = none.
  io::LoadOptions load;
  bool quiet = false;
};

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Time in milliseconds for reading and writing files.
struct FileTimes {
  double load_ms = 0.0, save_ms = 0.0;
};

int threads_of(const RunRequest& request) {
  if (request.backend != Backend::openmp) return 1;
  return request.threads > 0 ? request.threads : hardware_threads();
}

Json timings_json(const RunCommand& options, const RunRequest& request, const Shape& input, const RunResult& result,
                  const FileTimes& files) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  Json json{{"algorithm", algorithm.name},
            {"backend", name_of(request.backend)},
            {"variant", algorithm.variants_of(request.backend)[static_cast<std::size_t>(request.variant)].name},
            {"threads", threads_of(request)},
            {"seed", request.seed},
            {"params", params_json(request.params)}};
  if (algorithm.input != Kind::none) {
    json["input"] = shape_json(input);
    json["input"]["file"] = options.input.string();
  }
  json["output"] = shape_json(result.output.shape());
  json["output"]["file"] = options.output.string();
  const StageTimes& times = result.times;
  json["stages_ms"] = {{"load", files.load_ms},
                       {"upload", times.upload_ms},
                       {"compute", times.compute_ms},
                       {"download", times.download_ms},
                       {"save", files.save_ms}};
  json["environment"] = environment_json();
  return json;
}

void print_summary(const RunRequest& request, const RunResult& result) {
  const StageTimes& times = result.times;
  std::string stages = format_number(times.compute_ms) + " ms";
  if (request.backend == Backend::cuda)
    stages +=
        " (upload " + format_number(times.upload_ms) + " ms, download " + format_number(times.download_ms) + " ms)";
  std::printf("%s %s: %s, %s\n", std::string(request.algorithm->name).c_str(),
              std::string(name_of(request.backend)).c_str(), to_string(result.output.shape()).c_str(), stages.c_str());
}

/// The outcome of run_whole() or run_layers().
struct Finished {
  RunRequest request;  ///< The request, including the parameters that the input file states.
  Shape input;
  io::FileColour colour = io::FileColour::grey;
  RunResult result;
  FileTimes files;
  std::string report;  ///< The report of the algorithm about the result; "" if it has none.
};

/// Reads the whole input into memory, then runs the algorithm.
Finished run_whole(const RunCommand& options, RunRequest request, LongTask& task) {
  const auto start = Clock::now();
  const io::Picture picture = load_input(request, options.input, options.load);
  request.params = make_params(*request.algorithm, options.run, picture.settings);
  Finished run{request, picture.pixels.shape(), picture.colour, {}, {}, {}};
  run.files.load_ms = milliseconds_since(start);
  Runner runner;
  run.result = runner.run(request, picture.pixels.view(), task.token(), &task.progress());
  task.check();
  if (request.algorithm->report)
    run.report = request.algorithm->report->text(request.params, picture.pixels.view(), run.result.output.view());
  return run;
}

/// Whether to read a volume in slabs during the run: if it does not fit into memory together with what the run needs,
/// or if the parameter `slab` asks for it.
bool wants_layers(const RunCommand& options, const RunRequest& request, const Shape& input) {
  for (const auto& [key, value] : options.run.sets)
    if (key == "slab" && value != "0") return true;
  const MemoryPlan need = plan_memory(request, input);
  return HostArray::bytes_for(input) + need.host_bytes() > free_host_bytes() ||
         need.device_bytes() > cuda::free_device_bytes();
}

/// Reads a volume file slab by slab during the run. The report of such an algorithm uses only the shape of the input,
/// because its values are not in memory.
Finished run_layers(const RunRequest& request, io::VolumeReader& file, LongTask& task) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const Shape input = file.shape();
  Finished run{request, input, io::FileColour::grey, {}, {}, {}};
  run.result.output = HostArray(algorithm.output_shape(request.params, input));
  const auto start = Clock::now();
  algorithm.layers->run(request.params, {.in = &file,
                                         .out = run.result.output.view(),
                                         .backend = request.backend,
                                         .variant = request.variant,
                                         .threads = threads_of(request),
                                         .stop = task.token(),
                                         .progress = &task.progress()});
  run.result.times.compute_ms = milliseconds_since(start);
  task.check();
  if (algorithm.report)
    run.report = algorithm.report->text(request.params, HostIn(nullptr, input, 0), run.result.output.view());
  return run;
}

/// Calls run_layers() if the algorithm can read its input in slabs and wants_layers() says so, otherwise run_whole().
Finished run_whole_or_layers(const RunCommand& options, RunRequest request, LongTask& task) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (options.input.empty() || !algorithm.layers) return run_whole(options, std::move(request), task);
  io::VolumeReader file(options.input, wanted_input(request), options.load);
  RunRequest own = request;
  own.params = make_params(algorithm, options.run, file.settings());
  if (!wants_layers(options, own, file.shape())) return run_whole(options, std::move(request), task);
  return run_layers(std::move(own), file, task);
}

int run(const RunCommand& options) {
  const RunRequest request = make_request(options.run, Backend::openmp);
  // Paths are checked before the run, because a result that cannot be written is not worth computing.
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (!options.output.empty())
    io::require_data_path(options.output, algorithm.output);
  else if (!algorithm.report)
    throw UsageError("-o is missing: where to write the " + std::string(name_of(algorithm.output)));
  if (!options.timings.empty()) io::require_writable(options.timings);

  LongTask task(std::string(algorithm.name), options.quiet);
  Finished done = run_whole_or_layers(options, request, task);

  const auto start = Clock::now();
  const RunResult& result = done.result;
  const bool grey = result.output.shape().channels == 1;
  const io::FileColour colour = info_of(algorithm.input).coloured ? done.colour
                                : grey                            ? io::FileColour::grey
                                                                  : io::FileColour::rgba;
  if (!options.output.empty()) {
    const FileNotes notes =
        algorithm.file_notes ? algorithm.file_notes->of(done.request.params, done.input) : FileNotes{};
    io::save_data(options.output, result.output.view(), {colour, notes});
  }
  done.files.save_ms = milliseconds_since(start);
  if (!options.timings.empty())
    io::save_bytes(options.timings, dump(timings_json(options, done.request, done.input, result, done.files)));
  if (!options.quiet) print_summary(done.request, result);
  // The report is printed with --quiet too, because without -o it is the result.
  std::fputs(done.report.c_str(), stdout);
  return static_cast<int>(ExitCode::done);
}

}  // namespace

CommandAction set_up_run(CLI::App& app) {
  const auto options = std::make_shared<RunCommand>();
  app.add_option("algorithm", options->run.algorithm, "What to run")->required();
  app.add_option("input", options->input,
                 "Picture: " + io::format_names(io::FormatUse::read) + "; numbers: raw, little endian");
  app.add_option("-o,--output", options->output,
                 "Result: " + io::enumerated(io::data_extensions(io::FormatUse::written)))
      ->type_name("FILE");
  add_algorithm_options(app, options->run);
  app.add_option("--timings", options->timings, "Write stages, environment and parameters as JSON")->type_name("FILE");
  add_load_options(app, options->load);
  app.add_flag("-q,--quiet", options->quiet, "Print errors only");
  app.footer([options] {
    return algorithm_help(options->run.algorithm) +
           "\nExamples:\n"
           "  threadscape run sobel photo.jpg -o edges.png\n"
           "  threadscape run convolution photo.png -o sharp.png --set mask=0,-1,0,-1,5,-1,0,-1,0 --backend cuda\n"
           "  threadscape run convolution photo.png -o soft.png --set size=9 --set preset=gaussian --timings t.json\n";
  });
  return [options] { return run(*options); };
}

}  // namespace threadscape::app
