#include "app/commands/run.h"

#include <chrono>
#include <cstdio>

#include "app/commands/environment.h"
#include "app/commands/terminal.h"
#include "compute/io/data_file.h"
#include "compute/io/file_writer.h"

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

}  // namespace

int run(const RunOptions& options) {
  const RunRequest request = make_request(options.run, Backend::openmp);
  // Before any work: a result that cannot be kept is not worth computing.
  const Kind kind = request.algorithm->output;
  if (!options.output.empty())
    io::require_data_path(options.output, kind);
  else if (!request.algorithm->report)
    throw UsageError("-o is missing: where to write the " + std::string(name_of(kind)));
  if (!options.timings.empty()) io::require_writable(options.timings);

  LongTask task(std::string(request.algorithm->name), options.quiet);
  FileTimes files;
  auto start = Clock::now();
  const io::Picture picture = load_input(request, options.input, options.load);
  files.load_ms = milliseconds_since(start);

  Runner runner;
  const RunResult result = runner.run(request, picture.pixels.view(), task.token(), &task.progress());
  task.check();

  start = Clock::now();
  const std::string words = request.algorithm->report
                                ? request.algorithm->report(request.params, picture.pixels.view(), result.output.view())
                                : std::string{};
  const bool grey = result.output.shape().channels == 1;
  const io::FileColour colour = request.algorithm->input == Kind::image ? picture.colour
                                : grey                                  ? io::FileColour::grey
                                                                        : io::FileColour::rgba;
  if (!options.output.empty()) {
    const AlgorithmInfo& algorithm = *request.algorithm;
    const FileNotes notes =
        algorithm.file_notes ? algorithm.file_notes(request.params, picture.pixels.shape()) : FileNotes{};
    io::save_data(options.output, result.output.view(), {colour, notes});
  }
  files.save_ms = milliseconds_since(start);
  if (!options.timings.empty())
    io::save_bytes(options.timings, dump(timings_json(options, request, picture.pixels.shape(), result, files)));
  if (!options.quiet) print_summary(request, result);
  std::fputs(words.c_str(), stdout);  // asked for, quiet or not
  return static_cast<int>(ExitCode::done);
}

}  // namespace threadscape::app
