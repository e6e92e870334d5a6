#include "app/measure/report_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

#include "app/measure/columns.h"
#include "app/measure/json_node.h"
#include "compute/core/errors.h"
#include "compute/core/timings.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

Environment environment_of(const JsonNode& node) {
  constexpr int most = 1 << 20;
  Environment environment{.facts = std::make_shared<const Json>(node.value())};
  const auto text = [](const JsonNode& parent, const char* name) {
    return parent.has(name) ? parent.at(name).text() : std::string();
  };
  const auto count = [](const JsonNode& parent, const char* name) {
    return parent.has(name) ? parent.at(name).integer(0, most) : 0;
  };
  if (node.has("cpu")) {
    environment.cpu = text(node.at("cpu"), "model");
    environment.logical_cores = count(node.at("cpu"), "logical_cores");
  }
  if (node.has("gpu")) {
    environment.gpu = text(node.at("gpu"), "name");
    environment.multiprocessors = count(node.at("gpu"), "multiprocessors");
  }
  return environment;
}

Json bandwidths_json(const std::map<int, double>& by_threads) {
  Json json = Json::array();
  for (const auto& [threads, bytes] : by_threads)
    json.push_back({{"threads", threads}, {"gb_s", bytes / 1e9}});
  return json;
}

std::map<int, double> bandwidths_of(const JsonNode& node) {
  std::map<int, double> by_threads;
  if (node.has("host") && !node.at("host").value().empty())
    for (const JsonNode& one : node.at("host").items())
      by_threads[one.at("threads").integer(1, 1 << 20)] = 1e9 * one.at("gb_s").number(0.0, 1e12);
  return by_threads;
}

Json rates_json(const std::vector<NamedRate>& rates, const char* unit) {
  Json json = Json::array();
  for (const NamedRate& rate : rates)
    json.push_back({{"name", rate.name}, {unit, rate.per_second / 1e9}});
  return json;
}

std::vector<NamedRate> rates_of(const JsonNode& node, const char* kind, const char* unit) {
  std::vector<NamedRate> rates;
  if (node.has(kind))
    for (const JsonNode& rate : node.at(kind).items())
      rates.push_back({rate.at("name").text(), 1e9 * rate.at(unit).number(1e-6, 1e12)});
  return rates;
}

void write_limits(const CopyLimits& limits, Json& json) {
  json["copy_limit"]["host"] = bandwidths_json(limits.host);
  if (!limits.host_read.empty()) json["read_limit"]["host"] = bandwidths_json(limits.host_read);
  if (limits.device > 0.0) json["copy_limit"]["device"] = {{"gb_s", limits.device / 1e9}};
  const MeasuredCeilings& ceilings = limits.device_ceilings;
  if (!ceilings.reading.empty())
    json["ceilings"]["device"] = {{"reading", rates_json(ceilings.reading, "gb_s")},
                                  {"arithmetic", rates_json(ceilings.arithmetic, "gop_s")}};
}

CopyLimits limits_of(const JsonNode& root) {
  CopyLimits limits;
  if (root.has("copy_limit")) {
    const JsonNode copy = root.at("copy_limit");
    limits.host = bandwidths_of(copy);
    if (copy.has("device")) limits.device = 1e9 * copy.at("device").at("gb_s").number(0.0, 1e12);
  }
  if (root.has("read_limit")) limits.host_read = bandwidths_of(root.at("read_limit"));
  if (root.has("ceilings") && root.at("ceilings").has("device")) {
    const JsonNode device = root.at("ceilings").at("device");
    limits.device_ceilings = {.reading = rates_of(device, "reading", "gb_s"),
                              .arithmetic = rates_of(device, "arithmetic", "gop_s")};
  }
  return limits;
}

/// The operations of a run whose report was written before its algorithm stated them, unless this version no longer
/// takes its parameters.
double operations_of(const Workload& what, const Json& params) {
  try {
    const AlgorithmInfo& algorithm = find_algorithm(what.algorithm);
    if (!algorithm.operations) return 0.0;
    ParamBox box = algorithm.defaults();
    assign_json(box, params.dump());
    return algorithm.operations(box, what.input);
  } catch (const UsageError&) {
    return 0.0;
  }
}

Measurement measurement_of(const JsonNode& node) {
  Measurement row;
  const bool skipped = node.has("skipped");
  for (const Column& column : columns()) {
    if (column.json.empty() || !column.read || (skipped && !column.planned)) continue;
    if (column.required || node.has(column.json)) column.read(node.at(column.json), row);
  }
  if (skipped) return row;
  // Reports of version 1 do not state where the input was, but the number of buffers that CUDA used in turns: more than
  // one kept the data out of the GPU's cache.
  if (!node.has("caches") && row.samples.buffers > 1) row.samples.caches = "cold";
  if (!node.has("operations")) row.counts.operations = operations_of(row.what, node.at("params").value());
  return row;
}

/// Reads the object that report_json() has written.
Report parse_one(const JsonNode& root, const std::string& name) {
  if (!root.has("results") || !root.has("environment"))
    root.fail("this is no report of `threadscape bench --json FILE`");
  if (root.has("version")) {
    const int version = root.at("version").integer(1, 1 << 20);
    if (version > report_version)
      root.fail("a report of version " + std::to_string(version) + "; this program reads up to version " +
                std::to_string(report_version));
  }
  Report report{.name = name, .environment = environment_of(root.at("environment")), .limits = limits_of(root)};
  for (const JsonNode& node : root.at("results").items())
    report.rows.push_back(measurement_of(node));
  if (root.has("suite")) {
    report.suite = root.at("suite").at("name").text();
    report.suite_definition = std::make_shared<const Json>(root.at("suite").at("definition").value());
  }
  return report;
}

Json budget_json(const BudgetUse& budget) {
  return {{"seconds", budget.seconds}, {"used", budget.used}, {"left_out", budget.left_out}};
}

}  // namespace

Environment environment_of(gpu::Device& device) {
  const Json facts = environment_json(device);
  return environment_of(JsonNode(facts, "this program"));
}

Limits CopyLimits::of(const Measurement& measurement) const {
  if (measurement.where.backend == Backend::cuda) return {.copy = device};
  const auto at = [&measurement](const std::map<int, double>& by_threads) {
    const auto found = by_threads.find(measurement.where.threads);
    return found == by_threads.end() ? 0.0 : found->second;
  };
  return {.copy = at(host), .read = measurement.what.output.kind == Kind::scalar ? at(host_read) : 0.0};
}

void Report::add(Measurement measurement) {
  measurement.limits = limits.of(measurement);
  rows.push_back(std::move(measurement));
}

std::vector<const Measurement*> Report::measured() const {
  std::vector<const Measurement*> found;
  for (const Measurement& row : rows)
    if (row.skipped.empty()) found.push_back(&row);
  return found;
}

std::string Report::machine() const {
  const bool gpu = std::ranges::all_of(measured(), [](const auto* row) { return row->where.backend == Backend::cuda; });
  if (gpu && !environment.gpu.empty()) return environment.gpu;
  return environment.cpu.empty() ? "unknown machine" : environment.cpu;
}

std::string Report::machine_of(Backend backend) const {
  const bool gpu = backend == Backend::cuda;
  std::string model = gpu ? environment.gpu : environment.cpu;
  if (model.empty()) return gpu ? "no GPU" : "unknown machine";
  for (const std::string_view noise : {"(R)", "(TM)", "(tm)", " Processor", " CPU"})
    if (const std::size_t at = model.find(noise); at != std::string::npos) model.erase(at, noise.size());
  return gpu ? model : model + " (" + std::to_string(environment.logical_cores) + " threads)";
}

double Report::of_serial(const Measurement& row) const {
  const auto serial = std::ranges::find_if(rows, [&row](const Measurement& other) {
    return other.where.backend == Backend::serial && other.where.peer.empty() && !other.samples.compute.empty() &&
           other.what == row.what &&
           other.where.variant == find_algorithm(other.what.algorithm).variants_of(Backend::serial).front().name;
  });
  return serial == rows.end() || row.samples.compute.empty() ? 0.0 : serial->samples.median() / row.samples.median();
}

Json report_json(const Report& report) {
  Json json{{"version", report_version},
            {"environment", report.environment.facts ? *report.environment.facts : Json::object()}};
  write_limits(report.limits, json);
  json["results"] = Json::array();
  const std::vector<const Measurement*> all;
  for (const Measurement& row : report.rows) {
    Json entry = Json::object();
    for (const Column& column : columns())
      if (!column.json.empty() && (column.planned || row.skipped.empty())) column.write({report, row, all}, entry);
    json["results"].push_back(std::move(entry));
  }
  if (report.suite_definition) json["suite"] = {{"name", report.suite}, {"definition", *report.suite_definition}};
  if (report.budget) json["budget"] = budget_json(*report.budget);
  return json;
}

Json suites_json(const std::vector<Report>& reports, const BudgetUse& budget) {
  Json json{{"version", report_version}, {"suites", Json::array()}};
  for (const Report& report : reports)
    json["suites"].push_back(report_json(report));
  json["budget"] = budget_json(budget);
  return json;
}

std::vector<Report> parse_reports(std::string_view json, const std::string& name) {
  const Json value = parse_json_text(json, name);
  const JsonNode root(value, name);
  if (!root.has("suites")) return {parse_one(root, name)};
  std::vector<Report> reports;
  for (const JsonNode& suite : root.at("suites").items())
    reports.push_back(parse_one(suite, name));
  return reports;
}

std::vector<Report> load_reports(const std::filesystem::path& path) {
  return parse_reports(load_json_text(path), path.string());
}

Report joined_report(std::vector<Report> reports) {
  Report all = std::move(reports.front());
  for (auto report = reports.begin() + 1; report != reports.end(); ++report) {
    if (all.limits.device_ceilings.reading.empty()) all.limits = report->limits;
    std::ranges::move(report->rows, std::back_inserter(all.rows));
  }
  return all;
}

}  // namespace threadscape::app
