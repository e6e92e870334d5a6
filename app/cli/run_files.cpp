#include "app/cli/run_files.h"

#include <nlohmann/json.hpp>

#include <utility>

#include "app/cli/shared_options.h"
#include "app/report/text.h"
#include "compute/core/kind_info.h"
#include "compute/gpu/device.h"
#include "compute/io/data_file.h"
#include "compute/io/volumes/volume_file.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

int threads_of(const RunRequest& request) {
  if (request.backend != Backend::openmp) return 1;
  return request.threads > 0 ? request.threads : hardware_threads();
}

/// Returns true if a volume is to be read in slabs during the run: if it does not fit into memory together with what
/// the run needs, or if the parameter `slab` asks for it.
bool wants_layers(const RunOptions& options, const RunRequest& request, const Shape& input) {
  for (const auto& [key, value] : options.run.sets)
    if (key == "slab" && value != "0") return true;
  const MemoryPlan need = plan_memory(request, input);
  return HostArray::bytes_for(input) + need.host_bytes() > free_host_bytes() ||
         (need.device_bytes() > 0 && need.device_bytes() > device_of(request).free_bytes());
}

/// How the input is read: the task can stop it.
io::LoadOptions load_options(const RunOptions& options, const LongTask& task) {
  io::LoadOptions load = options.load;
  load.stop = task.token();
  return load;
}

/// Reads a volume file slab by slab during the run. The report of such an algorithm uses only the shape of the input,
/// because its values are not in memory.
FinishedRun run_layers(const RunRequest& request, io::VolumeReader& file, LongTask& task) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const Shape input = file.shape();
  FinishedRun run{request, input, io::FileColour::grey, {}, {}, {}, {}};
  run.result.output = HostArray(algorithm.output_shape(request.params, input));
  const auto start = Clock::now();
  algorithm.layers->run(request.params, {.in = &file,
                                         .out = run.result.output.view(),
                                         .backend = request.backend,
                                         .variant = request.variant,
                                         .threads = threads_of(request),
                                         .device = request.backend == Backend::cuda ? &device_of(request) : nullptr,
                                         .stop = task.token(),
                                         .progress = &task.progress()});
  run.result.times.compute_ms = milliseconds_since(start);
  task.check();
  if (algorithm.report)
    run.report = algorithm.report->text(request.params, HostIn(nullptr, input, 0), run.result.output.view());
  return run;
}

}  // namespace

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

LoadedInput read_input(const RunOptions& options, const RunRequest& request, const fs::path& input,
                       const LongTask& task) {
  const auto start = Clock::now();
  LoadedInput loaded{load_input(request, input, load_options(options, task))};
  loaded.load_ms = milliseconds_since(start);
  print_note(loaded.picture.note, options.quiet);
  return loaded;
}

FinishedRun run_loaded(const AlgorithmOptions& options, RunRequest request, const LoadedInput& input, Runner& runner,
                       LongTask& task) {
  const io::Loaded& picture = input.picture;
  const HostIn data = input.view();
  request.params = make_params(*request.algorithm, options, picture.settings);
  FinishedRun run{request, data.shape, picture.colour, {}, {}, {}, {}};
  run.given = picture.settings;
  run.files.load_ms = input.load_ms;
  run.result = runner.run(request, data, task.token(), &task.progress());
  task.check();
  if (request.algorithm->report)
    run.report = request.algorithm->report->text(request.params, data, run.result.output.view());
  return run;
}

FinishedRun run_file(const RunOptions& options, const RunRequest& request, const fs::path& input, LongTask& task) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (!input.empty() && algorithm.layers) {
    io::VolumeReader file(input, wanted_input(request), load_options(options, task));
    RunRequest own = request;
    own.params = make_params(algorithm, options.run, file.settings());
    if (wants_layers(options, own, file.shape())) {
      print_note(file.note(), options.quiet);
      FinishedRun run = run_layers(own, file, task);
      run.given = file.settings();
      return run;
    }
  }
  Runner runner;
  return run_loaded(options.run, request, read_input(options, request, input, task), runner, task);
}

bool wants_streaming(const RunRequest& request, const fs::path& output) {
  if (output.empty() || !request.algorithm->stream || request.backend == Backend::cuda) return false;
  const Shape shape = request.algorithm->output_shape(request.params, {});
  return io::writes_layers(output) && HostArray::bytes_for(shape) > free_host_bytes();
}

FinishedRun run_streamed(const RunRequest& request, const fs::path& output, LongTask& task) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  FinishedRun run{request, {}, io::FileColour::grey, {}, {}, {}, {}};
  const FileNotes notes = algorithm.file_notes ? algorithm.file_notes->of(request.params, {}) : FileNotes{};
  const std::unique_ptr<LayerReader> layers =
      algorithm.stream->layers(request.params, threads_of(request), task.token(), &task.progress());
  const auto start = Clock::now();
  io::save_volume_layers(output, *layers, notes);
  run.result.times.compute_ms = milliseconds_since(start);
  run.streamed = layers->shape();
  return run;
}

io::FileColour colour_of(const FinishedRun& run) {
  if (info_of(run.request.algorithm->input).coloured) return run.colour;
  return run.output_shape().channels == 1 ? io::FileColour::grey : io::FileColour::rgba;
}

void save_result(const RunOptions& options, FinishedRun& run, const fs::path& output) {
  const auto start = Clock::now();
  const AlgorithmInfo& algorithm = *run.request.algorithm;
  const HostArray& result = run.result.output;
  const io::FileColour colour = colour_of(run);
  const FileNotes notes = algorithm.file_notes ? algorithm.file_notes->of(run.request.params, run.input) : FileNotes{};
  io::save_data(output, result.view(), {colour, notes, options.quality});
  run.files.save_ms += milliseconds_since(start);
}

Json run_json(const FinishedRun& run, const fs::path& input, const fs::path& output) {
  const RunRequest& request = run.request;
  const AlgorithmInfo& algorithm = *request.algorithm;
  Json json{{"algorithm", algorithm.name},
            {"backend", name_of(request.backend)},
            {"variant", algorithm.variants_of(request.backend)[static_cast<std::size_t>(request.variant)].name},
            {"threads", threads_of(request)},
            {"seed", request.seed},
            {"params", params_json(request.params)}};
  if (algorithm.input != Kind::none) {
    json["input"] = shape_json(run.input);
    json["input"]["file"] = input.string();
  }
  json["output"] = shape_json(run.output_shape());
  json["output"]["file"] = output.string();
  const StageTimes& times = run.result.times;
  json["stages_ms"] = {{"load", run.files.load_ms},
                       {"upload", times.upload_ms},
                       {"compute", times.compute_ms},
                       {"download", times.download_ms},
                       {"save", run.files.save_ms}};
  return json;
}

std::string run_line(const FinishedRun& run) {
  const StageTimes& times = run.result.times;
  std::string stages = format_number(times.compute_ms) + " ms";
  if (run.request.backend == Backend::cuda)
    stages +=
        " (upload " + format_number(times.upload_ms) + " ms, download " + format_number(times.download_ms) + " ms)";
  const bool with_floats = run.request.algorithm->sixteen_bit_as_floats && run.input.element == Element::u16;
  return std::string(run.request.algorithm->name) + " " + std::string(name_of(run.request.backend)) + ": " +
         to_string(run.output_shape()) + (with_floats ? ", computed with floats" : "") + ", " + stages +
         (run.streamed.kind == Kind::none ? "" : " with writing");
}

}  // namespace threadscape::app
