#include "app/cli/run_files.h"

#include <nlohmann/json.hpp>

#include "app/cli/shared_options.h"
#include "app/report/text.h"
#include "compute/core/kind_info.h"
#include "compute/core/trace.h"
#include "compute/gpu/device.h"
#include "compute/io/data_file.h"
#include "compute/io/limits.h"
#include "compute/io/pictures/row_files.h"
#include "compute/io/standard_stream.h"
#include "compute/io/volumes/volume_file.h"
#include "compute/run/row_run.h"
#include "compute/run/volume_run.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// How the input is read: the task can stop it.
io::LoadOptions load_options(const RunOptions& options, const LongTask& task) {
  io::LoadOptions load = options.load;
  load.stop = task.token();
  return load;
}

/// The parameters that the algorithm takes where nothing is asked for, and a line that names them.
std::string take_run_params(RunRequest& request, const Shape& input) {
  if (request.algorithm->run_params == nullptr) return {};
  const ParamBox stated = std::exchange(request.params, request.algorithm->run_params(request.params, input));
  const std::vector<FieldRef> before = stated.fields(), after = request.params.fields();
  std::string line;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (to_text(before[i]) != to_text(after[i]))
      line = "nothing is stated that changes the input, so " + std::string(after[i].name) + " = " + to_text(after[i]) +
             " is taken: --set " + std::string(after[i].name) + "=N states another number\n";
  return line;
}

void report_on(FinishedRun& run, HostIn input) {
  const AlgorithmInfo& algorithm = *run.request.algorithm;
  const HostArray& result = run.result.output;
  if (algorithm.report) run.report += algorithm.report->text(run.request.params, input, result.view());
}

FileNotes notes_of(const FinishedRun& run) {
  const AlgorithmInfo& algorithm = *run.request.algorithm;
  return algorithm.file_notes ? algorithm.file_notes->of(run.request.params, run.input) : FileNotes{};
}

}  // namespace

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

LoadedInput read_input(const RunOptions& options, const RunRequest& request, const fs::path& input,
                       const LongTask& task) {
  const trace::Span span(input.empty() ? "make input" : "read " + input.filename().string(), "file");
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
  const std::string taken = take_run_params(request, data.shape);
  FinishedRun run{request, data.shape, picture.colour, {}, {}, {}, {}};
  run.report = taken;
  run.given = picture.settings;
  run.facts = picture.facts;
  run.files.load_ms = input.load_ms;
  run.result = runner.run(request, data, task.token(), &task.progress());
  task.check();
  report_on(run, data);
  return run;
}

FinishedRun run_file(const RunOptions& options, RunRequest request, const fs::path& input, LongTask& task) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  Runner runner;
  if (!input.empty() && algorithm.layers) {
    io::VolumeReader file(input, wanted_input(request), load_options(options, task));
    request.params = make_params(algorithm, options.run, file.settings());
    if (runner.wants_layers(request, file.shape())) {
      print_note(file.note(), options.quiet);
      if (options.memory && !algorithm.layers->wanted(request.params))
        print_note(
            std::string(algorithm.name) +
                " reads slabs as thick as the memory allows, whose sums are rounded otherwise than those of other "
                "slabs: --set slab=N states the number of layers",
            options.quiet);
      FinishedRun run{request, file.shape(), io::FileColour::grey, {}, {}, {}, {}};
      run.given = file.settings();
      run.result = runner.run_layers(request, file, task.token(), &task.progress());
      // The report uses the shape of the input alone, whose values are not in memory.
      report_on(run, HostIn(nullptr, run.input, 0));
      return run;
    }
  }
  return run_loaded(options.run, request, read_input(options, request, input, task), runner, task);
}

bool wants_streaming(const RunRequest& request, const fs::path& output) {
  return !output.empty() && Runner().wants_stream(request) && io::writes_layers(output);
}

FinishedRun run_streamed(const RunRequest& request, const fs::path& output, LongTask& task) {
  FinishedRun run{request, {}, io::FileColour::grey, {}, {}, {}, {}};
  run.streamed = request.algorithm->output_shape(request.params, {});
  const auto save = [&](LayerReader& layers) { io::save_volume_layers(output, layers, notes_of(run)); };
  run.result.times = Runner().stream(request, save, task.token(), &task.progress());
  return run;
}

std::optional<FinishedRun> run_strips(const RunOptions& options, RunRequest request, const fs::path& input,
                                      const fs::path& output, LongTask& task) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const bool pictures = algorithm.input == Kind::image && algorithm.output == Kind::image;
  if (!options.memory || !pictures || input.empty() || output.empty() || is_folder(input)) return std::nullopt;
  std::string why_not;
  const std::unique_ptr<io::PictureRows> rows = io::open_picture_rows(input, why_not, task.token());
  if (!rows) {
    print_note(io::readable_name(input) + " is not run in strips: " + why_not, options.quiet);
    return std::nullopt;
  }
  request.params = make_params(algorithm, options.run);
  const Shape shape = rows->shape();
  const Shape result = algorithm.output_shape(request.params, input_of(request, shape));
  const std::size_t free = free_host_bytes();
  // The whole takes the file, the picture and the result, which is packed before it is written.
  std::error_code error;
  const std::size_t whole = static_cast<std::size_t>(fs::file_size(input, error)) + HostArray::bytes_for(shape) +
                            plan_memory(request, shape).host_bytes() + result.bytes();
  if (whole <= free && shape.items() <= io::limit_of(io::Limit::pixels)) return std::nullopt;
  const std::string needs = io::readable_name(input) + " and its result need " + format_bytes(whole) +
                            " of memory at once, and " + format_bytes(free) + " are free; ";
  if (options.load.element) throw UsageError(needs + "--depth converts a picture as a whole");
  try {
    const auto writer = io::make_picture_rows(output, result, rows->colour(), rows->facts(), hardware_threads());
    const auto beside = [&](std::int64_t strip) { return rows->held_bytes() + writer->held_bytes(strip); };
    const RowPlan plan = plan_rows(request, shape, writer->rows_together(), beside, free);
    print_note(std::string(algorithm.name) + " runs in " + std::to_string(plan.strips) + " strips of " +
                   std::to_string(plan.rows) + " rows: at most " + format_bytes(plan.bytes) +
                   " of memory beside the program, " + format_bytes(result.bytes()) + " on the disk before compression",
               options.quiet);
    FinishedRun run{request, shape, rows->colour(), {}, {}, {}, {}};
    run.streamed = result;
    run.facts = rows->facts();
    Runner runner;
    const RowTimes times = run_rows(runner, request, plan, *rows, *writer, task.token(), &task.progress());
    task.check();
    const auto start = Clock::now();
    writer->finish();
    run.result.times = times.run;
    run.files = {.load_ms = times.read_ms, .save_ms = times.write_ms + milliseconds_since(start)};
    return run;
  } catch (const UsageError& refused) {
    throw UsageError(needs + refused.what());
  }
}

std::optional<FinishedRun> run_slabs(const RunOptions& options, RunRequest request, const fs::path& input,
                                     const fs::path& output, LongTask& task) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const bool volumes = algorithm.input == Kind::volume && algorithm.output == Kind::volume;
  if (!options.memory || !volumes || algorithm.layers || input.empty() || output.empty()) return std::nullopt;
  if (io::is_standard_stream(input)) return std::nullopt;
  io::VolumeReader file(input, wanted_input(request), load_options(options, task));
  request.params = make_params(algorithm, options.run, file.settings());
  const Shape shape = file.shape();
  const std::string taken = take_run_params(request, shape);
  const Shape result = algorithm.output_shape(request.params, shape);
  const std::size_t free = free_host_bytes();
  const std::size_t whole = HostArray::bytes_for(shape) + plan_memory(request, shape).host_bytes();
  if (whole <= free) return std::nullopt;
  try {
    if (!io::writes_layers(output))
      throw UsageError("'" + output.string() + "' has grey levels from the lowest value to the highest, which only " +
                       "the whole result has");
    const VolumePlan plan = plan_volume(request, shape, io::layer_buffer_bytes(result), free);
    print_note(file.note(), options.quiet);
    print_note(std::string(algorithm.name) + " runs in " + std::to_string(plan.slabs) + " slabs of " +
                   std::to_string(plan.layers) + " layers, with " + std::to_string(plan.input_layers) +
                   " layers of the input" + (plan.reads_all ? ", all of which each slab reads" : "") + ": at most " +
                   format_bytes(plan.bytes) + " of memory beside the program, " + format_bytes(result.bytes()) +
                   " on the disk before compression",
               options.quiet);
    FinishedRun run{request, shape, io::FileColour::grey, {}, {}, {}, {}};
    run.streamed = result;
    run.report = taken;
    run.given = file.settings();
    Runner runner;
    VolumeResult layers(runner, run.request, plan, file, task.token(), &task.progress());
    const auto start = Clock::now();
    io::save_volume_layers(output, layers, notes_of(run));
    run.result.times = layers.times();
    run.files.load_ms = layers.read_ms();
    run.files.save_ms = milliseconds_since(start) - layers.times().compute_ms - layers.read_ms();
    return run;
  } catch (const UsageError& refused) {
    throw UsageError(io::readable_name(input) + " and its result need " + format_bytes(whole) +
                     " of memory at once, and " + format_bytes(free) + " are free; " + refused.what());
  }
}

io::FileColour colour_of(const FinishedRun& run) {
  if (info_of(run.request.algorithm->input).coloured) return run.colour;
  return run.output_shape().channels == 1 ? io::FileColour::grey : io::FileColour::rgba;
}

void save_result(const RunOptions& options, FinishedRun& run, const fs::path& output) {
  const trace::Span span("write " + output.filename().string(), "file");
  const auto start = Clock::now();
  const HostArray& result = run.result.output;
  const io::SaveOptions save{colour_of(run), notes_of(run), options.quality, run.facts};
  print_note(io::left_out_of(output, result.view(), save), options.quiet);
  io::save_data(output, result.view(), save);
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
         (run.streamed.kind != Kind::volume ? "" : " with writing");
}

}  // namespace threadscape::app
