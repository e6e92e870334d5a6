#include "app/measure/report_file.h"

#include <algorithm>
#include <iterator>

#include "app/measure/json_node.h"
#include "app/measure/report_kernels.h"
#include "compute/core/errors.h"

namespace threadscape::app {

namespace {

double number_or(const JsonNode& node, std::string_view name, double otherwise) {
  return node.has(name) ? node.at(name).number(0.0, 1e300) : otherwise;
}

double median_of(const JsonNode& node, std::string_view name) {
  return node.has(name) ? number_or(node.at(name), "median", 0.0) : 0.0;
}

/// The shape that states the size of a result: the input's, or the output's if there is no input.
const Json& work_of(const JsonNode& node) {
  const JsonNode input = node.at("input");
  const bool none = input.has("kind") && input.at("kind").text() == "none";
  return (none ? node.at("output") : input).value();
}

/// Where the input was when a run began, "" if the report does not say. Reports of version 1 state the number of
/// buffers that CUDA used in turns instead: more than one kept the data out of the GPU's cache.
std::string caches_of(const JsonNode& node) {
  if (node.has("caches")) return node.at("caches").text();
  return number_or(node, "buffers", 1.0) > 1.0 ? "cold" : "";
}

/// Reads what conditions_json() has written.
Conditions parse_conditions(const JsonNode& node) {
  constexpr double coldest = -300.0, most = 1e12;
  const auto number = [&node](const char* name) {
    return node.has(name) ? std::optional(node.at(name).number(coldest, most)) : std::nullopt;
  };
  Conditions conditions;
  if (node.has("governor")) conditions.governor = node.at("governor").text();
  conditions.other_load = number("other_load_cores");
  conditions.mhz_before = number("cpu_mhz_before");
  conditions.mhz_after = number("cpu_mhz_after");
  conditions.celsius = number("cpu_celsius");
  conditions.throttles = number("cpu_throttles");
  conditions.gpu_mhz = number("gpu_mhz");
  conditions.gpu_celsius = number("gpu_celsius");
  conditions.gpu_throttled = node.has("gpu_throttled") && node.at("gpu_throttled").boolean();
  return conditions;
}

/// Reads what the reports have of the stages of a run. Their sum is stated, too, and left out here.
std::vector<std::pair<std::string, double>> parse_stages(const JsonNode& node) {
  std::vector<std::pair<std::string, double>> stages;
  for (const auto& [name, value] : node.value().items())
    if (name != "total") stages.emplace_back(name, node.at(name).number(0.0, 1e12));
  return stages;
}

/// Reads the ceilings of a device. Those of one kind are sorted, as Roofline states.
std::vector<Ceiling> parse_ceilings(const JsonNode& node, const char* kind, const char* unit) {
  std::vector<Ceiling> ceilings;
  if (node.has(kind))
    for (const JsonNode& rate : node.at(kind).items())
      ceilings.push_back({rate.at("name").text(), 1e9 * rate.at(unit).number(1e-6, 1e12)});
  std::ranges::sort(ceilings, {}, &Ceiling::per_second);
  return ceilings;
}

ReportRow parse_row(const JsonNode& node) {
  ReportRow row{.algorithm = node.at("algorithm").text(),
                .variant = node.at("variant").text(),
                .peer = node.has("peer") ? node.at("peer").text() : "",
                .backend = backends[node.at("backend").choice({"serial", "openmp", "cuda"})],
                .threads = node.at("threads").integer(1, 1 << 20),
                .input = work_of(node),
                .params = node.at("params").value(),
                .caches = caches_of(node)};
  for (const char* name : {"width", "height", "depth"})
    if (!row.input.contains(name) || !row.input[name].is_number()) node.at("input").fail("a shape is wanted");
  const JsonNode times = node.at("compute_ms");
  if (!times.has("samples")) times.fail("'samples' is missing: only reports with all samples can be compared");
  for (const JsonNode& sample : times.at("samples").items())
    row.samples.push_back(std::max(sample.number(0.0, 1e12), 1e-9));
  row.upload = median_of(node, "upload_ms");
  row.download = median_of(node, "download_ms");
  row.operations = number_or(node, "operations", 0.0);
  row.gb_s = number_or(node, "gb_s", 0.0);
  row.of_copy = number_or(node, "of_copy", 0.0);
  if (node.has("stages_ms")) row.stages = parse_stages(node.at("stages_ms"));
  if (node.has("kernels")) row.kernels = parse_kernels(node.at("kernels"));
  if (node.has("conditions")) row.conditions = parse_conditions(node.at("conditions"));
  if (node.has("counters")) {
    const JsonNode counters = node.at("counters");
    row.counts = {.instructions = number_or(counters, "instructions", 0.0),
                  .cycles = number_or(counters, "cycles", 0.0),
                  .cache_misses = number_or(counters, "cache_misses", 0.0)};
  }
  return row;
}

std::string machine_of(const JsonNode& root, const std::vector<ReportRow>& rows) {
  if (!root.has("environment")) return "unknown machine";
  const JsonNode environment = root.at("environment");
  const bool gpu = std::ranges::all_of(rows, [](const ReportRow& row) { return row.backend == Backend::cuda; });
  if (gpu && environment.has("gpu") && environment.at("gpu").has("name"))
    return environment.at("gpu").at("name").text();
  return environment.has("cpu") && environment.at("cpu").has("model") ? environment.at("cpu").at("model").text()
                                                                      : "unknown machine";
}

/// The number of multiprocessors of the GPU; 0 if the report does not state it.
int multiprocessors_of(const JsonNode& root) {
  const JsonNode environment = root.at("environment");
  if (!environment.has("gpu") || !environment.at("gpu").has("multiprocessors")) return 0;
  return environment.at("gpu").at("multiprocessors").integer(0, 1 << 20);
}

std::int64_t extent(const Json& shape, const char* name) {
  return shape.at(name).get<std::int64_t>();
}

/// The parameters of a row that differ from those of another row of the same algorithm, as text. Long values such as
/// masks are left out, because they come with a short parameter that differs too.
std::string varied(const ReportRow& row, const std::vector<const ReportRow*>& rows) {
  constexpr std::size_t max_length = 16;
  std::string text;
  for (const auto& [name, value] : row.params.items()) {
    const bool differs = std::ranges::any_of(rows, [&, key = name, own = value](const ReportRow* other) {
      return other->algorithm == row.algorithm && other->params.contains(key) && other->params.at(key) != own;
    });
    const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
    if (differs && shown.size() <= max_length) text += " " + name + "=" + shown;
  }
  return text;
}

/// The element type and the number of channels of a row's input as " u8 x 4", if they differ from those of another row
/// of the same algorithm; else "".
std::string varied_values(const ReportRow& row, const std::vector<const ReportRow*>& rows) {
  if (!row.input.contains("element") || !row.input.contains("channels")) return {};
  const Json &element = row.input.at("element"), &channels = row.input.at("channels");
  const bool differs = std::ranges::any_of(rows, [&](const ReportRow* other) {
    return other->algorithm == row.algorithm && other->input.contains("element") && other->input.contains("channels") &&
           (other->input.at("element") != element || other->input.at("channels") != channels);
  });
  if (!differs) return {};
  return " " + (element.is_string() ? element.get<std::string>() : element.dump()) + " x " + channels.dump();
}

/// Reads the object that bench_json() has written.
ReportFile parse_one(const JsonNode& root, const std::string& name) {
  if (!root.has("results") || !root.has("environment"))
    root.fail("this is no report of `threadscape bench --json FILE`");
  if (root.has("version")) {
    const int version = root.at("version").integer(1, 1 << 20);
    if (version > report_version)
      root.fail("a report of version " + std::to_string(version) + "; this program reads up to version " +
                std::to_string(report_version));
  }
  ReportFile file{.name = name, .machine = {}, .rows = {}};
  for (const JsonNode& node : root.at("results").items())
    if (!node.has("skipped")) file.rows.push_back(parse_row(node));
  if (root.has("ceilings") && root.at("ceilings").has("device")) {
    const JsonNode device = root.at("ceilings").at("device");
    file.device = {.memories = parse_ceilings(device, "reading", "gb_s"),
                   .arithmetics = parse_ceilings(device, "arithmetic", "gop_s")};
  }
  file.machine = machine_of(root, file.rows);
  for (ReportRow& row : file.rows)
    row.multiprocessors = multiprocessors_of(root);
  return file;
}

/// Reads the rows of all suites that `bench --suite all` has measured in one run.
ReportFile parse_suites(const JsonNode& root, const std::string& name) {
  ReportFile file{.name = name, .machine = {}, .rows = {}};
  for (const JsonNode& suite : root.at("suites").items()) {
    ReportFile part = parse_one(suite, name);
    if (file.machine.empty()) file.machine = part.machine;
    if (file.device.memories.empty()) file.device = part.device;
    std::ranges::move(part.rows, std::back_inserter(file.rows));
  }
  return file;
}

}  // namespace

double ReportRow::items() const {
  const auto count = [&](const char* name) { return std::max(static_cast<double>(extent(input, name)), 1.0); };
  return count("width") * count("height") * count("depth");
}

std::string ReportRow::size_text() const {
  const std::int64_t width = extent(input, "width"), height = extent(input, "height"), depth = extent(input, "depth");
  std::string text = std::to_string(width);
  if (height > 1 || depth > 1) text += "x" + std::to_string(height);
  return depth > 1 ? text + "x" + std::to_string(depth) : text;
}

std::string ReportRow::key() const {
  // The members of objects are sorted, because another version may write them in another order.
  const nlohmann::json sorted_input = input, sorted_params = params;
  return algorithm + "\n" + std::string(name_of(backend)) + "\n" + variant + "\n" + peer + "\n" +
         std::to_string(threads) + "\n" + sorted_input.dump() + "\n" + sorted_params.dump() + "\n" +
         (caches == "cold" ? "cold" : "");
}

ReportFile parse_report(std::string_view json, const std::string& name) {
  const Json value = parse_json_text(json, name);
  const JsonNode root(value, name);
  if (root.has("suites")) return parse_suites(root, name);
  return parse_one(root, name);
}

ReportFile load_report(const std::filesystem::path& path) {
  return parse_report(load_json_text(path), path.string());
}

std::vector<std::string> row_labels(const std::vector<const ReportRow*>& rows) {
  std::vector<std::string> labels;
  for (const ReportRow* row : rows) {
    std::string label = row->algorithm + varied(*row, rows) + " " + row->size_text() + varied_values(*row, rows) + " ";
    label += row->peer.empty() ? std::string(name_of(row->backend)) : row->peer;
    if (row->variant != "default" && row->peer.empty()) label += " " + row->variant;
    if (row->backend == Backend::openmp) label += " " + std::to_string(row->threads);
    if (row->caches == "cold") label += " cold";
    labels.push_back(std::move(label));
  }
  return labels;
}

}  // namespace threadscape::app
