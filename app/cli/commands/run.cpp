#include "app/cli/commands/run.h"

#include <chrono>
#include <cstdio>
#include <utility>

#include "app/report/environment.h"
#include "app/report/long_task.h"
#include "compute/cuda/device.h"
#include "compute/io/data_file.h"
#include "compute/io/file_writer.h"
#include "compute/io/volume_file.h"

namespace threadscape::app {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct FileTimes {
  double load_ms = 0.0, save_ms = 0.0;
};

int threads_of(const RunRequest& request) {
  if (request.backend != Backend::openmp) return 1;
  return request.threads > 0 ? request.threads : hardware_threads();
}

Json timings_json(const RunOptions& options, const RunRequest& request, const Shape& input, const RunResult& result,
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

/// What a run ends with, whichever way it went.
struct Finished {
  RunRequest request;
  Shape input;
  io::FileColour colour = io::FileColour::grey;
  RunResult result;
  FileTimes files;
  std::string words;
};

Finished run_whole(const RunOptions& options, RunRequest request, LongTask& task) {
  const auto start = Clock::now();
  const io::Picture picture = load_input(request, options.input, options.load);
  request.params = make_params(*request.algorithm, options.run, picture.settings);
  Finished run{request, picture.pixels.shape(), picture.colour, {}, {}, {}};
  run.files.load_ms = milliseconds_since(start);
  Runner runner;
  run.result = runner.run(request, picture.pixels.view(), task.token(), &task.progress());
  task.check();
  if (request.algorithm->report)
    run.words = request.algorithm->report(request.params, picture.pixels.view(), run.result.output.view());
  return run;
}

/// Whether a volume is read on the way: because it does not fit with what the run needs, or slabs are asked for.
bool wants_layers(const RunOptions& options, const RunRequest& request, const Shape& input) {
  for (const auto& [key, value] : options.run.sets)
    if (key == "slab" && value != "0") return true;
  const MemoryPlan need = plan_memory(request, input);
  return HostArray::bytes_for(input) + need.host_bytes() > free_host_bytes() ||
         need.device_bytes() > cuda::free_device_bytes();
}

/// A run on a volume file that is read while it is worked on. Reports of such algorithms look at the shape of the input
/// alone.
Finished run_layers(RunRequest request, io::VolumeReader& file, LongTask& task) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const Shape input = file.shape();
  Finished run{request, input, io::FileColour::grey, {}, {}, {}};
  run.result.output = HostArray(algorithm.output_shape(request.params, input));
  const auto start = Clock::now();
  algorithm.run_layers(request.params, {.in = &file,
                                        .out = run.result.output.view(),
                                        .backend = request.backend,
                                        .variant = request.variant,
                                        .threads = threads_of(request),
                                        .stop = task.token(),
                                        .progress = &task.progress()});
  run.result.times.compute_ms = milliseconds_since(start);
  task.check();
  if (algorithm.report)
    run.words = algorithm.report(request.params, HostIn(nullptr, input, 0), run.result.output.view());
  return run;
}

Finished run_either(const RunOptions& options, RunRequest request, LongTask& task) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (options.input.empty() || !algorithm.run_layers) return run_whole(options, std::move(request), task);
  io::VolumeReader file(options.input, wanted_input(request), options.load);
  RunRequest own = request;
  own.params = make_params(algorithm, options.run, file.settings());
  if (!wants_layers(options, own, file.shape())) return run_whole(options, std::move(request), task);
  return run_layers(std::move(own), file, task);
}

}  // namespace

int run(const RunOptions& options) {
  const RunRequest request = make_request(options.run, Backend::openmp);
  // Before any work: a result that cannot be kept is not worth computing.
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (!options.output.empty())
    io::require_data_path(options.output, algorithm.output);
  else if (!algorithm.report)
    throw UsageError("-o is missing: where to write the " + std::string(name_of(algorithm.output)));
  if (!options.timings.empty()) io::require_writable(options.timings);

  LongTask task(std::string(algorithm.name), options.quiet);
  Finished done = run_either(options, request, task);

  const auto start = Clock::now();
  const RunResult& result = done.result;
  const bool grey = result.output.shape().channels == 1;
  const io::FileColour colour = algorithm.input == Kind::image ? done.colour
                                : grey                         ? io::FileColour::grey
                                                               : io::FileColour::rgba;
  if (!options.output.empty()) {
    const FileNotes notes = algorithm.file_notes ? algorithm.file_notes(done.request.params, done.input) : FileNotes{};
    io::save_data(options.output, result.output.view(), {colour, notes});
  }
  done.files.save_ms = milliseconds_since(start);
  if (!options.timings.empty())
    io::save_bytes(options.timings, dump(timings_json(options, done.request, done.input, result, done.files)));
  if (!options.quiet) print_summary(done.request, result);
  std::fputs(done.words.c_str(), stdout);  // asked for, quiet or not
  return static_cast<int>(ExitCode::done);
}

}  // namespace threadscape::app
