#include "app/lesson/lesson_run.h"

#include <algorithm>
#include <cmath>

#include "app/measure/report_table.h"
#include "app/measure/row_charts.h"
#include "app/report/text.h"
#include "app/session/run_options.h"
#include "app/session/sketch_file.h"
#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/io/data_file.h"
#include "compute/io/input_file.h"
#include "compute/run/runner.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

/// No lesson counts for longer than some seconds.
constexpr std::uint64_t counted_instructions = std::uint64_t{1} << 28;

Shape shape_of_size(const sketch::DataType& reads, const LessonSize& size) {
  Shape shape{.kind = reads.kind, .element = reads.element, .channels = reads.channels, .width = size.width};
  if (reads.kind == Kind::none) return {};
  if (reads.kind == Kind::sequence)
    shape.width = size.width * size.height;
  else
    shape.height = size.height;
  if (reads.kind == Kind::volume) shape.depth = 1;
  return shape;
}

std::shared_ptr<sketch::LiveSketch> read_lesson_sketch(const Lesson& lesson, const std::string& name) {
  const std::filesystem::path file = lesson_file(lesson, name);
  const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::file_bytes);
  return std::make_shared<sketch::LiveSketch>(
      sketch::make_sketch({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file));
}

/// A sketch that was run under the microscope.
struct CountedSketch {
  std::shared_ptr<sketch::LiveSketch> live;
  Observation found;
  [[nodiscard]] std::optional<double> count(const CountRule& rule) const {
    return counted(rule, found, live->sketch().source, found.output.shape().items());
  }
};

ParamBox params_of_run(const std::shared_ptr<sketch::LiveSketch>& live, const LessonSets& sets) {
  ParamBox params = ParamBox::of(sketch::SketchParams{live, sketch::default_values(live->sketch().head)});
  for (const auto& [name, value] : sets)
    params.assign(name, value);
  params.check();
  return params;
}

CountedSketch count_once(const std::shared_ptr<sketch::LiveSketch>& live, const LessonSets& sets,
                         const LessonSize& size, int capability, const std::stop_token& stop) {
  const ParamBox params = params_of_run(live, sets);
  ObserveRequest request;
  request.gpu = &warp::gpu_model(capability);
  request.instructions = counted_instructions;
  const Shape shape = shape_of_size(live->sketch().head.reads, size);
  const HostArray input = shape.kind == Kind::none ? HostArray() : make_synthetic(InputPattern::noise, shape, 1);
  CountedSketch counted{.live = live, .found = observe_sketch(params, 1, request, input.view(), stop)};
  for (const ObservedKernel& kernel : counted.found.kernels)
    if (!kernel.study.launch.faults.empty())
      throw Error(ExitCode::check_failed, kernel.study.launch.faults.front().text);
  return counted;
}

std::string name_of_sketch(const CountedSketch& counted) {
  return counted.live->sketch().head.name;
}

std::string cell(const std::optional<double>& number) {
  if (!number) return "not known";
  constexpr double exact = 1e15;  // Up to it, whole numbers are written with all of their digits.
  const bool whole = *number == std::floor(*number) && *number < exact;
  return whole ? std::to_string(static_cast<std::int64_t>(*number)) : format_number(*number, 4);
}

/// The lines of the sketch that do something that one of the figures counts.
TextTable line_table(const LessonCounts& counts, const CountedSketch& counted) {
  TextTable table{{"line"}};
  for (const Ratio& ratio : counts.figures)
    table.front().push_back(words_of(ratio));
  table.front().emplace_back("source");
  std::string_view source = counted.live->sketch().source;
  for (int number = 1; !source.empty(); ++number) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    const std::string line(source.substr(0, end));
    source.remove_prefix(std::min(end + 1, source.size()));
    std::vector<std::string> row{std::to_string(number)};
    bool shown = false;
    for (const Ratio& ratio : counts.figures) {
      CountRule rule;
      rule.ratio = ratio;
      rule.numbered_line = number;
      const std::optional<double> value = counted.count(rule);
      shown = shown || (value && *value != 0);
      row.push_back(cell(value));
    }
    row.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
    if (shown) table.push_back(std::move(row));
  }
  return table;
}

LessonSize swept_size(const LessonSize& otherwise, const LessonSweep& sweep, const std::string& value) {
  if (sweep.parameter != "size") return otherwise;
  return parse_lesson_size(value);
}

}  // namespace

RunRequest run_of(const Lesson& lesson, const LessonState& state) {
  AlgorithmOptions options;
  options.algorithm = state.sketch.empty() ? state.algorithm : lesson_file(lesson, state.sketch).string();
  if (!state.sketch.empty()) options.algorithm = algorithm_of(options.algorithm);
  options.sets = state.sets;
  // Results of all backends are equal, and not every machine has CUDA.
  const Backend backend = state.backend.empty() ? Backend::openmp : parse_backend(state.backend);
  if (backend != Backend::cuda) {
    options.backend = backend;
    options.variant = state.variant;
  }
  return make_request(options, Backend::openmp);
}

void check_block(const Lesson& lesson, const LessonBlock& block) {
  const auto sketches = [&](const std::vector<std::string>& names, const LessonSets& sets) {
    for (const std::string& name : names)
      (void)params_of_run(read_lesson_sketch(lesson, name), sets);
  };
  if (const auto* const state = std::get_if<LessonState>(&block)) {
    (void)run_of(lesson, *state);
    if (!state->input.empty()) (void)lesson_file(lesson, state->input);
  }
  if (const auto* const counts = std::get_if<LessonCounts>(&block)) sketches(counts->sketches, counts->run.sets);
  if (const auto* const report = std::get_if<LessonReport>(&block)) (void)report_figures(lesson, *report);
  if (const auto* const sweep = std::get_if<LessonSweep>(&block)) {
    for (const std::string& value : sweep->values) {
      LessonSets sets = sweep->run.sets;
      if (sweep->parameter != "size") sets.emplace_back(sweep->parameter, value);
      sketches(sweep->sketches, sets);
    }
    if (sweep->values.empty()) sketches(sweep->sketches, sweep->run.sets);
  }
}

StatePictures run_state(const Lesson& lesson, const LessonState& state, const std::stop_token& stop) {
  const RunRequest request = run_of(lesson, state);
  StatePictures pictures;
  if (!state.input.empty()) {
    pictures.input = std::move(load_input(request, lesson_file(lesson, state.input), {}).pixels);
  } else if (request.algorithm->input == Kind::image) {
    Shape shape{.kind = Kind::image, .element = Element::u8, .channels = 1, .width = 256, .height = 192};
    pictures.input = make_synthetic(InputPattern::photo, shape, 1);
  } else if (request.algorithm->input != Kind::none) {
    pictures.input = std::move(load_input(request, {}, {}).pixels);
  }
  Runner runner;
  pictures.result = runner.run(request, pictures.input.view(), stop).output;
  return pictures;
}

TextTable count_table(const Lesson& lesson, const LessonCounts& counts, const std::stop_token& stop) {
  TextTable table{{"sketch"}};
  for (const Ratio& ratio : counts.figures)
    table.front().push_back(words_of(ratio));
  for (const std::string& name : counts.sketches) {
    const CountedSketch counted =
        count_once(read_lesson_sketch(lesson, name), counts.run.sets, counts.run.input, counts.run.capability, stop);
    if (counts.lines) return line_table(counts, counted);
    std::vector<std::string>& row = table.emplace_back();
    row.push_back(name_of_sketch(counted));
    for (const Ratio& ratio : counts.figures) {
      CountRule rule;
      rule.ratio = ratio;
      row.push_back(cell(counted.count(rule)));
    }
  }
  return table;
}

ReportFigures report_figures(const Lesson& lesson, const LessonReport& block) {
  std::vector<Report> reports;
  ReportFigures figures;
  std::vector<std::string> machines;
  for (const std::string& name : block.files)
    for (Report& report : load_reports(lesson_file(lesson, name))) {
      report.name = std::filesystem::path(name).stem().string();
      if (report.measured().empty()) throw UsageError(name + ": nothing was measured");
      std::string machine = report.machine_of(report.measured().front()->where.backend);
      if (std::ranges::find(machines, machine) == machines.end()) machines.push_back(std::move(machine));
      reports.push_back(std::move(report));
    }
  figures.charts = charts_of_rows(reports);
  figures.machines = "Measured on " + joined(machines, "; ") + ".";
  if (block.table) figures.table = report_cells(joined_report(std::move(reports))).rows;
  return figures;
}

RunRequest run_of_sweep(const Lesson& lesson, const LessonSweep& sweep, std::size_t sketch) {
  return run_of(lesson, LessonState{.algorithm = {}, .sketch = sweep.sketches.at(sketch), .sets = sweep.run.sets});
}

Chart sweep_chart(const Lesson& lesson, const LessonSweep& sweep, const std::stop_token& stop) {
  Chart chart{.title = words_of(sweep.figure)};
  chart.y_label = words_of(sweep.figure);
  CountRule rule;
  rule.ratio = sweep.figure;
  const bool over = !sweep.parameter.empty();
  chart.x_label = over ? sweep.parameter : "sketch";
  chart.style = over ? ChartStyle::lines : ChartStyle::bars;
  chart.categories = sweep.values;
  for (std::size_t i = 0; i < sweep.sketches.size(); ++i) {
    const auto live = read_lesson_sketch(lesson, sweep.sketches[i]);
    if (!over || chart.lines.size() <= i) chart.lines.push_back({.label = live->sketch().head.name});
    if (!over) chart.categories.push_back(live->sketch().head.name);
    ChartLine& line = over ? chart.lines.back() : chart.lines.front();
    for (std::size_t k = 0; k < std::max<std::size_t>(sweep.values.size(), 1); ++k) {
      LessonSets sets = sweep.run.sets;
      LessonSize size = sweep.run.input;
      if (over) {
        size = swept_size(size, sweep, sweep.values[k]);
        if (sweep.parameter != "size") sets.emplace_back(sweep.parameter, sweep.values[k]);
      }
      const CountedSketch counted = count_once(live, sets, size, sweep.run.capability, stop);
      line.x.push_back(static_cast<double>(over ? k : i));
      line.y.push_back(counted.count(rule).value_or(0.0));
    }
  }
  if (!over) {
    chart.lines.resize(1);
    chart.lines.front().label = words_of(sweep.figure);
  }
  return chart;
}

}  // namespace threadscape::app
