#include "app/cli/sketch_commands.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/bench/bench_compare.h"
#include "app/bench/bench_plan.h"
#include "app/bench/bench_predict.h"
#include "app/cli/microscope_report.h"
#include "app/cli/microscope_run.h"
#include "app/report/environment.h"
#include "app/report/long_task.h"
#include "app/report/text.h"
#include "app/session/sketch_comparison.h"
#include "compute/core/printable.h"
#include "compute/core/synthetic.h"
#include "compute/core/timings.h"
#include "compute/io/file_writer.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

Extent first_size(const BenchOptions& options) {
  return parse_extent("--sizes", options.sizes.empty() ? "512" : options.sizes.front());
}

/// The input of a sketch for the first of --sizes.
Shape counted_shape(const AlgorithmInfo& row, const BenchOptions& options) {
  const Extent size = first_size(options);
  return shape_for(sketch::sketch_of(row)->sketch().head.reads, size.width, size.height);
}

std::string place_of(const LargestDifference& largest, const Shape& shape) {
  std::string text = "x " + std::to_string(largest.at[0]);
  if (shape.height > 1) text += ", y " + std::to_string(largest.at[1]);
  if (shape.depth > 1) text += ", z " + std::to_string(largest.at[2]);
  if (shape.channels > 1) text += ", channel " + std::to_string(largest.channel);
  std::array<char, 80> values{};
  std::snprintf(values.data(), values.size(), ": %.9g instead of %.9g", largest.b, largest.a);
  return text + values.data();
}

/// The times on the GPU for an input of this shape, as the last line.
std::string gpu_line(const AlgorithmInfo& row, const AlgorithmOptions& run, const Shape& shape, LongTask& task) {
  if (sketch::gpu().name.empty()) return "no times on a GPU: " + sketch::gpu().obstacle + "\n";
  const ParamBox params = make_params(row, run);
  const HostArray input = shape.kind == Kind::none ? HostArray() : make_synthetic(InputPattern::photo, shape, run.seed);
  HostArray output(row.output_shape(params, shape));
  std::vector<double> times =
      sketch::sketch_of(row)->run_on_gpu(params.as<sketch::SketchParams>().values, input.view(), output.view(),
                                         run.seed, {.repetitions = 21, .stop = task.token()});
  times.erase(times.begin());  // In the first repetition each kernel was waited for.
  const Summary summary = summarize(times);
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(), ": median %.4g ms, %.4g to %.4g ms, of %d runs without transfers\n",
                summary.median, summary.minimum, summary.maximum, static_cast<int>(times.size()));
  return sketch::gpu().name + text.data();
}

}  // namespace

bool names_kernels(const std::string& name) {
  return names_sketch(name) && name.ends_with(".cu");
}

int count_sketch(const BenchOptions& options) {
  const AlgorithmInfo& row = open_sketch(options.algorithms.front());
  const auto live = sketch::sketch_of(row);
  AlgorithmOptions run;
  run.sets = options.sets;
  run.seed = options.seed;
  if (!options.threads.empty()) run.threads = options.threads.front();
  MicroscopeReport report;
  report.gpu = &warp::gpu_model(90);
  ObserveRequest observed{.run = {}};
  observed.instructions = sketch::MachineRun{}.instructions;
  LongTask task("bench " + live->sketch().head.name, options.quiet);
  observe_sketch_run(row, run, first_size(options), observed, report, task.token());
  if (!options.json.empty()) io::save_bytes(options.json, microscope_json(report));
  if (!options.quiet) print(stdout, microscope_text(report, false));
  if (!options.quiet && options.predict) {
    const warp::GpuRates gpu = options.predict_gpu.value_or(rates_of(device_of({.device = options.device}), {}));
    const PredictedTime time = predicted(report.kernels, gpu, true);
    print(stdout, "predicted for " + time.gpu + ": " + format_number(time.ms) + " ms, bound by " + time.bound + "\n");
  }
  if (!options.quiet && sketch::has_gpu_driver()) print(stdout, gpu_line(row, run, counted_shape(row, options), task));
  return static_cast<int>(report.has_faults() ? ExitCode::check_failed : ExitCode::done);
}

int compare_sketch(const BenchOptions& options) {
  const AlgorithmInfo& row = open_sketch(options.algorithms.front());
  ComparisonRequest request;
  request.row = &row;
  request.check.algorithm = options.against.front();
  request.check.sets = options.sets;
  if (options.variants.front() != "default") request.variant = options.variants.front();
  request.input = counted_shape(row, options);
  request.seed = options.seed;
  request.rounds = options.repetitions.value_or(request.rounds);
  LongTask task("bench " + options.algorithms.front(), options.quiet);
  const SketchComparison found = compare_kernels(request, task.token());
  const std::string size =
      found.input.kind == Kind::none ? "result " + to_string(found.result) : "input " + to_string(found.input);
  if (found.where.empty()) {
    std::vector<std::vector<std::string>> table{{"per value of the result", found.sketch, found.other, "ratio"}};
    Json json{{"sketch", found.sketch}, {"against", found.other}, {"why_no_times", found.why_no_times}};
    for (const ComparedCount& count : found.counts) {
      table.push_back({std::string(count.title), format_number(count.of_sketch), format_number(count.of_other),
                       count.of_other > 0 ? format_number(count.of_sketch / count.of_other) : ""});
      json["counts"].push_back({{"name", count.title}, {"sketch", count.of_sketch}, {"against", count.of_other}});
    }
    if (!options.json.empty()) io::save_bytes(options.json, dump(json));
    if (!options.quiet)
      print(stdout, found.sketch + " against " + found.other + ", " + size + "\nNo times, because " +
                        found.why_no_times + ": counts of both on the CPU, warp by warp.\n" + format_table(table, 1));
    return static_cast<int>(ExitCode::done);
  }
  ComparisonReport report{.before = found.other,
                          .after = found.sketch,
                          .rule = verdict_rule(options),
                          .rows = {},
                          .notes = {"Every sample is the median of 20 runs on " + found.where +
                                    ", without transfers; groups of both sides ran in turns."}};
  const std::vector<RowSamples> samples{{.before = found.other_ms, .after = found.sketch_ms}};
  report.rows.push_back({.label = size,
                         .before_count = found.other_ms.size(),
                         .after_count = found.sketch_ms.size(),
                         .row = compare_rows(samples, report.rule).front()});
  if (!options.json.empty()) io::save_bytes(options.json, dump(comparison_json(report)));
  return conclude(report, options);
}

int verify_sketch(const std::string& file, const SketchCheck& check, bool quiet) {
  const AlgorithmInfo& row = open_sketch(file);
  LongTask task("verify " + file, quiet);
  const std::span<const Variant> ways = row.variants_of(Backend::openmp);
  std::vector<SketchCheckRow> rows;
  for (std::size_t way = 0; way < ways.size(); ++way) {
    SketchCheck one = check;
    one.variant = static_cast<int>(way);
    std::ranges::move(check_sketch(row, one, task.token()), std::back_inserter(rows));
  }
  std::vector<std::vector<std::string>> table;
  std::size_t different = 0;
  for (const SketchCheckRow& one : rows) {
    const Similarity& found = one.difference;
    std::string result = "ok, " + std::to_string(found.values) + " values are equal";
    if (found.different > 0) result = "ok, " + std::to_string(found.values) + " values are within the tolerance";
    if (one.wrong > 0)
      result = std::to_string(one.wrong) + " of " + std::to_string(found.values) +
               " values differ, the largest difference at " + place_of(found.largest, one.result);
    if (one.wrong > 0) ++different;
    std::vector<std::string> line{one.input.kind == Kind::none ? "no input" : to_string(one.input),
                                  "seed " + std::to_string(one.seed), std::move(result)};
    if (ways.size() > 1) line.insert(line.begin(), std::string(ways[table.size() * ways.size() / rows.size()].name));
    table.push_back(std::move(line));
  }
  if (!quiet) std::fputs(format_table(table).c_str(), stdout);
  const std::string name = sketch::sketch_of(row)->sketch().head.name;
  const std::string verdict = name + " differs from " + std::string(rows.front().algorithm->name) + " in " +
                              std::to_string(different) + " of " + std::to_string(rows.size()) + " results\n";
  if (different > 0) print(stderr, "threadscape: " + verdict);
  return static_cast<int>(different > 0 ? ExitCode::check_failed : ExitCode::done);
}

}  // namespace threadscape::app
