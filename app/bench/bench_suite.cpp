#include "app/bench/bench_suite.h"

#include <algorithm>

#include "app/measure/chart_text.h"
#include "app/measure/json_node.h"
#include "app/report/text.h"
#include "compute/core/resources.h"
#include "compute/core/suggestion.h"
#include "compute/gpu/device.h"
#include "compute/io/folder_reader.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

fs::path suite_folder() {
  return asset_folder() / "benchmarks";
}

/// Removes from the list of every group the values that are not in `wanted`. Throws UsageError if a wanted value is in
/// none of the lists.
template <class T, class Name>
void keep(Suite& suite, std::vector<T> SuiteGroup::*list, const std::vector<T>& wanted, const char* option, Name name) {
  if (wanted.empty()) return;
  std::vector<std::string> known;
  for (const SuiteGroup& group : suite.groups)
    for (const T& value : group.*list)
      if (std::ranges::find(known, name(value)) == known.end()) known.push_back(name(value));
  for (const T& value : wanted)
    if (std::ranges::find(known, name(value)) == known.end())
      throw UsageError(std::string(option) + " " + name(value) + ": suite '" + suite.name + "' has " +
                       joined(known, " | "));
  for (SuiteGroup& group : suite.groups)
    std::erase_if(group.*list, [&](const T& value) { return std::ranges::find(wanted, value) == wanted.end(); });
}

/// The reason why this point cannot be measured on this machine; "" if it can.
std::string obstacle(const BenchPoint& point) {
  if (point.request.backend == Backend::cuda && !device_of(point.request).available())
    return gpu::devices().compiled ? "no GPU here" : "built without CUDA";
  if (point.threads() > hardware_threads())
    return "more threads than the " + std::to_string(hardware_threads()) + " of this machine";
  return {};
}

/// Returns whether both points run the same code on the same input.
bool same_run(const BenchPoint& a, const BenchPoint& b) {
  return a.request.algorithm == b.request.algorithm && a.request.backend == b.request.backend &&
         a.request.variant == b.request.variant && a.threads() == b.threads() && a.input == b.input &&
         a.request.params == b.request.params;
}

/// Adds a point to the plan, or only its tag if a point with the same run is planned already.
void add(std::vector<PlannedPoint>& points, PlannedPoint added) {
  const auto same =
      std::ranges::find_if(points, [&](const PlannedPoint& planned) { return same_run(planned.point, added.point); });
  if (same == points.end()) {
    points.push_back(std::move(added));
    return;
  }
  const SeriesTag& tag = added.point.series.front();
  if (std::ranges::find(same->point.series, tag) == same->point.series.end()) same->point.series.push_back(tag);
}

}  // namespace

std::vector<std::string> suite_names() {
  std::vector<std::string> names;
  for (io::FolderReader reader(suite_folder()); const auto path = reader.next();)
    if (path->extension() == ".json") names.push_back(path->stem().string());
  std::ranges::sort(names);
  return names;
}

Suite load_suite(const std::string& name_or_file) {
  if (name_or_file.find_first_of("./") != std::string::npos) {
    const fs::path path = name_or_file;
    return parse_suite(load_json_text(path), path.stem().string(), "suite '" + name_or_file + "'");
  }
  const std::vector<std::string> names = suite_names();
  if (std::ranges::find(names, name_or_file) == names.end())
    throw UsageError("suite '" + name_or_file + "' is unknown: " +
                     suggestion_and_list(name_or_file, std::vector<std::string_view>(names.begin(), names.end())) +
                     ", or a .json file; all measures every one of them");
  return parse_suite(load_json_text(suite_folder() / (name_or_file + ".json")), name_or_file,
                     "suite '" + name_or_file + "'");
}

std::string fact_text(const std::string& name, const Measurement& row, std::string_view case_label) {
  constexpr std::string_view prefix = "params.";
  if (name == "size") return extent_text(row.what.shape());
  if (name == "pixels") return axis_text(row.what.items() / 1e6);
  if (name == "case") return std::string(case_label);
  std::vector<std::string> known;
  if (name.starts_with(prefix)) {
    const std::string own = name.substr(prefix.size());
    if (const Parameter* param = row.what.find(own)) return param->text;
    for (const Parameter& param : row.what.params)
      known.push_back(param.name);
    throw UsageError("parameter '" + own + "' is unknown: accepted are " + joined(known, " | "));
  }
  known = {"size", "pixels", "case", "params.NAME"};
  for (const Column& column : columns()) {
    if (column.csv.empty() || !column.planned) continue;
    if (column.csv == name) return column.text({{}, row, {}}, TextForm::csv);
    known.emplace_back(column.csv);
  }
  throw UsageError("'" + name + "' is unknown: accepted are " + joined(known, " | "));
}

std::string expand(std::string_view label, const Measurement& row, std::string_view case_label) {
  std::string text;
  for (std::size_t at = 0; at < label.size();) {
    const std::size_t open = std::min(label.find('{', at), label.size());
    text += label.substr(at, open - at);
    if (open == label.size()) break;
    const std::size_t end = label.find('}', open);
    if (end == std::string_view::npos) throw UsageError("'" + std::string(label) + "' has a { without }");
    text += fact_text(std::string(label.substr(open + 1, end - open - 1)), row, case_label);
    at = end + 1;
  }
  return text;
}

bool draws(const SuitePlot& plot, std::string_view group) {
  return plot.groups.empty() || std::ranges::find(plot.groups, group) != plot.groups.end();
}

void restrict_suite(Suite& suite, const BenchOptions& options) {
  std::vector<Extent> sizes;
  for (const std::string& size : options.sizes)
    sizes.push_back(parse_extent("--sizes", size));
  keep(suite, &SuiteGroup::sizes, sizes, "--sizes", [](const Extent& size) { return to_string(size); });
  keep(suite, &SuiteGroup::backends, options.backends, "--backends",
       [](Backend backend) { return std::string(name_of(backend)); });
  for (SuiteGroup& group : suite.groups)  // In a suite, 0 stands for the number of hardware threads.
    std::ranges::replace(group.threads, 0, hardware_threads());
  std::vector<int> threads = options.threads;
  std::ranges::replace(threads, 0, hardware_threads());
  keep(suite, &SuiteGroup::threads, threads, "--threads", [](int count) { return std::to_string(count); });
}

std::vector<PlannedPoint> plan(const Suite& suite, const BenchOptions& options) {
  std::vector<PlannedPoint> points;
  for (const SuiteGroup& group : suite.groups) {
    const SamplingRule rule = sampling_rule(options, group.rule);
    for (const Extent& size : group.sizes)
      for (const int channels : group.channels)
        for (const ParamBox& unsized_params : group.params)
          for (const Backend backend : group.backends)
            for (const int variant : variants_for(*group.algorithm, backend, group.variants))
              for (const int threads : backend == Backend::openmp ? group.threads : std::vector<int>{1}) {
                const ParamBox params = sized_params(*group.algorithm, unsized_params, size);
                BenchPoint point{.request = RunRequest{.algorithm = group.algorithm,
                                                       .params = params,
                                                       .backend = backend,
                                                       .variant = variant,
                                                       .threads = threads,
                                                       .seed = options.seed,
                                                       .device = options.device},
                                 .input = input_shape(*group.algorithm, params, size, channels),
                                 .output = {}};
                point.output = group.algorithm->output_shape(params, point.input);
                const Measurement row = row_of(point);
                const std::string case_label = expand(group.case_label, row, "");
                point.series = {{group.name, expand(group.label, row, case_label), case_label}};
                std::string left_out = obstacle(point);
                add(points, {std::move(point), rule, std::move(left_out)});
              }
  }
  return points;
}

}  // namespace threadscape::app
