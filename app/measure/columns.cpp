#include "app/measure/columns.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <tuple>

#include "app/analysis/samples.h"
#include "app/report/text.h"
#include "compute/core/errors.h"
#include "compute/core/kind_info.h"
#include "compute/core/timings.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

/// Limits of what files may state: far beyond any machine, and small enough for every sum and product of them.
constexpr double largest = 1e300;
constexpr int most = 1 << 30;

// ---- Values: what is empty or zero is left out, except for whole numbers.

void put(Json& json, std::string_view name, const std::string& value) {
  if (!value.empty()) json[std::string(name)] = value;
}
void put(Json& json, std::string_view name, double value) {
  if (value != 0.0) json[std::string(name)] = value;
}
void put(Json& json, std::string_view name, const std::optional<double>& value) {
  if (value) json[std::string(name)] = *value;
}
void put(Json& json, std::string_view name, bool value) {
  if (value) json[std::string(name)] = value;
}
template <class T>
requires std::is_integral_v<T>
void put(Json& json, std::string_view name, T value) {
  json[std::string(name)] = value;
}
void put(Json& json, std::string_view name, const std::array<unsigned, 3>& values) {
  json[std::string(name)] = values;
}

/// The numbers in which values of a file may lie.
struct Range {
  double low = 0.0, high = largest;
};

void get(const JsonNode& node, std::string& value, Range /*range*/) {
  if (!node.value().is_string()) node.fail("a text is wanted");
  value = node.value().get<std::string>();
}
void get(const JsonNode& node, double& value, Range range) {
  value = node.number(range.low, range.high);
}
void get(const JsonNode& node, std::optional<double>& value, Range range) {
  value = node.number(range.low, range.high);
}
void get(const JsonNode& node, bool& value, Range /*range*/) {
  value = node.boolean();
}
template <class T>
requires std::is_integral_v<T>
void get(const JsonNode& node, T& value, Range range) {
  value =
      static_cast<T>(node.integer(static_cast<int>(range.low), static_cast<int>(std::min<double>(range.high, most))));
}
void get(const JsonNode& node, std::vector<double>& values, Range range) {
  values.clear();
  if (node.value().is_array() && node.value().empty()) return;
  for (const JsonNode& item : node.items())
    values.push_back(item.number(range.low, range.high));
}
void get(const JsonNode& node, std::array<unsigned, 3>& values, Range /*range*/) {
  const std::vector<JsonNode> items = node.items();
  if (items.size() != values.size()) node.fail("three numbers are wanted");
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<unsigned>(items[i].integer(1, most));
}

// ---- Structures whose members are declared once.

template <class S, class T>
struct Member {
  std::string_view name;
  T S::*member;
  Range range = {};
};
template <class S, class T>
Member(std::string_view, T S::*, Range = {}) -> Member<S, T>;

template <class S, class... M>
Json written(const S& object, const std::tuple<M...>& members) {
  Json json = Json::object();
  std::apply([&](const auto&... m) { (put(json, m.name, object.*m.member), ...); }, members);
  return json;
}
template <class S, class... M>
S read(const JsonNode& node, const std::tuple<M...>& members) {
  S object;
  const auto take = [&](const auto& m) {
    if (node.has(m.name)) get(node.at(m.name), object.*m.member, m.range);
  };
  std::apply([&](const auto&... m) { (take(m), ...); }, members);
  return object;
}

constexpr Range degrees{-300.0, 1e12};
constexpr std::tuple condition_members{Member{"governor", &Conditions::governor},
                                       Member{"other_load_cores", &Conditions::other_load},
                                       Member{"cpu_mhz_before", &Conditions::mhz_before},
                                       Member{"cpu_mhz_after", &Conditions::mhz_after},
                                       Member{"cpu_celsius", &Conditions::celsius, degrees},
                                       Member{"cpu_throttles", &Conditions::throttles},
                                       Member{"gpu_mhz", &Conditions::gpu_mhz},
                                       Member{"gpu_celsius", &Conditions::gpu_celsius, degrees},
                                       Member{"gpu_throttled", &Conditions::gpu_throttled}};
constexpr std::tuple counter_members{Member{"instructions", &CpuCounts::instructions},
                                     Member{"cycles", &CpuCounts::cycles},
                                     Member{"cache_misses", &CpuCounts::cache_misses}};
using cuda::KernelFacts;
constexpr std::tuple kernel_members{Member{"name", &KernelFacts::name},
                                    Member{"launches", &KernelFacts::launches, {1.0}},
                                    Member{"grid", &KernelFacts::grid},
                                    Member{"block", &KernelFacts::block},
                                    Member{"registers", &KernelFacts::registers},
                                    Member{"shared_bytes", &KernelFacts::shared_bytes},
                                    Member{"local_bytes", &KernelFacts::local_bytes},
                                    Member{"blocks_per_multiprocessor", &KernelFacts::blocks_per_multiprocessor},
                                    Member{"occupancy", &KernelFacts::occupancy, {0.0, 1.0}}};
constexpr std::tuple series_members{Member{"group", &SeriesTag::group}, Member{"label", &SeriesTag::label},
                                    Member{"case", &SeriesTag::case_label}};

// ---- Shapes and parameters.

std::int64_t extent_of(const JsonNode& node, const char* name, double high) {
  const JsonNode extent = node.at(name);
  if (!extent.value().is_number_integer()) extent.fail("a whole number is wanted");
  return static_cast<std::int64_t>(extent.number(1.0, high));
}

template <class T, std::size_t count>
T named(const JsonNode& node, const std::array<T, count>& values) {
  const std::string name = node.text();
  const auto found = std::ranges::find(values, name, [](T value) { return name_of(value); });
  if (found == values.end()) node.fail("'" + name + "' is unknown");
  return *found;
}

/// Reads what shape_json() has written. Kind, element type and channels may be missing.
Shape shape_of(const JsonNode& node) {
  constexpr std::array kinds{Kind::none,     Kind::image,  Kind::heightfield, Kind::volume,
                             Kind::sequence, Kind::scalar, Kind::mesh,        Kind::clip};
  constexpr std::array elements{Element::u8,  Element::u16, Element::u32, Element::i32,
                                Element::i64, Element::f32, Element::f64};
  Shape shape{.kind = node.has("kind") ? named(node.at("kind"), kinds) : Kind::image};
  if (shape.kind == Kind::none) return shape;
  if (node.has("element")) shape.element = named(node.at("element"), elements);
  if (node.has("channels")) shape.channels = node.at("channels").integer(1, 4);
  constexpr double max_side = 1 << 20, max_length = 4294967296.0;
  shape.width = extent_of(node, "width", info_of(shape.kind).dimensions == 1 ? max_length : max_side);
  shape.height = extent_of(node, "height", max_side);
  shape.depth = extent_of(node, "depth", max_side);
  return shape;
}

Parameter parameter_of(const std::string& name, const Json& value) {
  Parameter parameter{.name = name, .json = value.dump(-1, ' ', false, Json::error_handler_t::replace), .text = {}};
  parameter.text = value.is_string() ? value.get<std::string>() : parameter.json;
  const auto is_step = [](const Json& step) {
    return step.is_object() && step.contains("algorithm") && step["algorithm"].is_string();
  };
  if (!value.is_array() || value.empty() || !std::ranges::all_of(value, is_step)) return parameter;
  std::string names;
  for (const Json& step : value)
    if (!step.contains("on") || step["on"] != false)
      names += (names.empty() ? "" : "+") + step["algorithm"].get<std::string>();
  parameter.text = names;
  return parameter;
}

// ---- Columns.

std::string text_of(const std::string& value, int /*digits*/) {
  return value;
}
std::string text_of(double value, int digits) {
  return value != 0.0 ? format_number(value, digits) : "";
}
std::string text_of(int value, int /*digits*/) {
  return std::to_string(value);
}

constexpr int csv_digits = 6, table_digits = 3;

/// A member of the measurement, which `access` refers to.
template <class Access>
Column member(std::string_view json, std::string_view csv, std::string_view table, Access access, Range range = {}) {
  return {.json = json,
          .csv = csv,
          .table = table,
          .write = [=](const ReportRow& r, Json& entry) { put(entry, json, access(r.row)); },
          .read = [=](const JsonNode& node, Measurement& row) { get(node, access(row), range); },
          .text = [=](const ReportRow& r) { return text_of(access(r.row), csv_digits); },
          .shown = [=](const ReportRow& r) { return text_of(access(r.row), table_digits); }};
}

/// A figure that follows from others. The table shows it with the unit.
Column figure(std::string_view json, std::string_view csv, std::string_view table, double (*value)(const ReportRow&),
              std::string_view unit = "") {
  Column column{.json = json, .csv = csv, .table = table};
  if (!json.empty()) column.write = [=](const ReportRow& r, Json& entry) { put(entry, json, value(r)); };
  column.text = [=](const ReportRow& r) { return text_of(value(r), csv_digits); };
  column.shown = [=](const ReportRow& r) {
    const std::string text = text_of(value(r), table_digits);
    return text.empty() ? text : text + std::string(unit);
  };
  return column;
}

/// A text that is made for CSV or for the table.
Column label(std::string_view csv, std::string_view table, std::string (*text)(const ReportRow&)) {
  return {.json = {}, .csv = csv, .table = table, .write = {}, .read = {}, .text = text, .shown = text};
}

/// Something of its own in JSON.
Column object(std::string_view json, void (*write)(const ReportRow&, Json&),
              void (*read)(const JsonNode&, Measurement&)) {
  return {.json = json, .csv = {}, .table = {}, .write = write, .read = read, .text = {}, .shown = {}};
}

Json summary_json(const std::vector<double>& samples) {
  const Summary summary = summarize(samples);
  Json json{{"median", summary.median},
            {"minimum", summary.minimum},
            {"maximum", summary.maximum},
            {"spread", summary.spread},
            {"samples", samples}};
  const MedianInterval median = median_interval(samples);
  if (median.reached) json["interval"] = {median.interval.low, median.interval.high};
  const Outliers outliers = outliers_of(samples);
  json["outliers"] = {{"high", outliers.high}, {"low", outliers.low}};
  return json;
}

/// Samples of a duration: all of them in JSON, their median elsewhere.
Column times(std::string_view json, std::string_view csv, std::string_view table,
             std::vector<double> Samples::*member) {
  const auto median = [member](const ReportRow& r, int digits) {
    const std::vector<double>& samples = r.row.samples.*member;
    return samples.empty() ? "" : format_number(summarize(samples).median, digits);
  };
  return {.json = json,
          .csv = csv,
          .table = table,
          .write =
              [=](const ReportRow& r, Json& entry) {
                if (const auto& samples = r.row.samples.*member; !samples.empty())
                  entry[std::string(json)] = summary_json(samples);
              },
          .read =
              [=](const JsonNode& node, Measurement& row) {
                if (!node.has("samples"))
                  node.fail("'samples' is missing: only reports with all samples can be compared");
                for (const JsonNode& sample : node.at("samples").items())
                  (row.samples.*member).push_back(std::max(sample.number(0.0, 1e12), 1e-9));
              },
          .text = [=](const ReportRow& r) { return median(r, csv_digits); },
          .shown = [=](const ReportRow& r) { return median(r, table_digits); }};
}

/// A bandwidth as a share of a limit. Reports state the share, from which the limit is read.
Column share(std::string_view name, std::string_view table, double Limits::*limit) {
  const auto value = [limit](const ReportRow& r) {
    const double bandwidth = r.row.limits.*limit;
    return bandwidth > 0.0 ? r.row.gigabytes() * 1e9 / bandwidth : 0.0;
  };
  return {.json = name,
          .csv = name,
          .table = table,
          .write = [=](const ReportRow& r, Json& entry) { put(entry, name, value(r)); },
          .read =
              [=](const JsonNode& node, Measurement& row) {
                const double part = node.number(0.0, 1e12);
                if (part > 0.0) row.limits.*limit = row.gigabytes() * 1e9 / part;
              },
          .text = [=](const ReportRow& r) { return text_of(value(r), csv_digits); },
          .shown =
              [=](const ReportRow& r) {
                return value(r) > 0.0 ? format_number(value(r) * 100.0, table_digits) + " %" : "";
              }};
}

Column required(Column column) {
  column.required = true;
  return column;
}
Column planned(Column column) {
  column.planned = true;
  return column;
}

void write_input(const ReportRow& r, Json& entry) {
  entry["input"] = shape_json(r.row.what.input);
  put(entry["input"], "file", r.row.what.file);
}
void read_input(const JsonNode& node, Measurement& row) {
  row.what.input = shape_of(node);
  if (node.has("file")) get(node.at("file"), row.what.file, {});
}

void write_params(const ReportRow& r, Json& entry) {
  entry["params"] = Json::object();
  for (const Parameter& param : r.row.what.params)
    entry["params"][param.name] = Json::parse(param.json);
}
void read_params(const JsonNode& node, Measurement& row) {
  for (const auto& [name, value] : node.members())
    row.what.params.push_back(parameter_of(name, value.value()));
}

void write_series(const ReportRow& r, Json& entry) {
  for (const SeriesTag& tag : r.row.series) {
    entry["series"].push_back(written(tag, series_members));
    entry["series"].back()["case"] = tag.case_label;
  }
}
void read_series(const JsonNode& node, Measurement& row) {
  for (const JsonNode& tag : node.items())
    row.series.push_back(read<SeriesTag>(tag, series_members));
}

void write_kernels(const ReportRow& r, Json& entry) {
  for (const KernelFacts& kernel : r.row.counts.kernels)
    entry["kernels"].push_back(written(kernel, kernel_members));
}
void read_kernels(const JsonNode& node, Measurement& row) {
  for (const JsonNode& kernel : node.items())
    row.counts.kernels.push_back(read<KernelFacts>(kernel, kernel_members));
}

void write_stages(const ReportRow& r, Json& entry) {
  double total = 0.0;
  for (const auto& [name, ms] : r.row.counts.stages) {
    entry["stages_ms"][name] = ms;
    total += ms;
  }
  if (!r.row.counts.stages.empty()) entry["stages_ms"]["total"] = total;
}
void read_stages(const JsonNode& node, Measurement& row) {
  for (const auto& [name, value] : node.members())
    if (name != "total") row.counts.stages.emplace_back(name, value.number(0.0, 1e12));
}

void write_counters(const ReportRow& r, Json& entry) {
  if (!r.row.counts.cpu) return;
  const CpuCounts& counts = *r.row.counts.cpu;
  entry["counters"] = written(counts, counter_members);
  if (counts.cycles > 0.0) entry["counters"]["instructions_per_cycle"] = counts.instructions / counts.cycles;
}
void read_counters(const JsonNode& node, Measurement& row) {
  row.counts.cpu = read<CpuCounts>(node, counter_members);
}

/// "+/-" of the table: the half width of the 95 % interval of the median; "" with too few samples for an interval.
std::string precision_text(const ReportRow& r) {
  if (r.row.samples.compute.empty()) return {};
  const MedianInterval median = median_interval(r.row.samples.compute);
  return median.reached ? format_number(median.precision() * 100.0, 2) + " %" : "";
}

double seconds_of(const Measurement& row) {
  return row.samples.median() / 1e3;
}

std::vector<Column> make_columns() {
  return {
      planned(required(member(
          "algorithm", "algorithm", "algorithm", [](auto& m) -> auto& { return m.what.algorithm; }))),
      planned(label("", "parameters",
                    [](const ReportRow& r) {
                      const std::string params = varied_params(r.row, r.rows);
                      return params.empty() ? params : params.substr(1);
                    })),
      planned(label("", "input",
                    [](const ReportRow& r) {
                      const std::string text = to_string(r.row.what.shape());  // "4096x4096 8-bit grey image".
                      return text.substr(0, text.rfind(' '));
                    })),
      planned(
          required({.json = "backend",
                    .csv = "backend",
                    .table = "backend",
                    .write = [](const ReportRow& r, Json& entry) { entry["backend"] = name_of(r.row.where.backend); },
                    .read =
                        [](const JsonNode& node, Measurement& row) {
                          row.where.backend = backends[node.choice({"serial", "openmp", "cuda"})];
                        },
                    .text = [](const ReportRow& r) { return std::string(name_of(r.row.where.backend)); },
                    .shown = [](const ReportRow& r) { return std::string(name_of(r.row.where.backend)); }})),
      planned(required(member(
          "variant", "variant", "", [](auto& m) -> auto& { return m.where.variant; }))),
      planned(label("", "variant", [](const ReportRow& r) { return r.row.where.method(); })),
      planned(member(
          "peer", "peer", "", [](auto& m) -> auto& { return m.where.peer; })),
      planned(label("width", "", [](const ReportRow& r) { return std::to_string(r.row.what.shape().width); })),
      planned(label("height", "", [](const ReportRow& r) { return std::to_string(r.row.what.shape().height); })),
      planned(label("depth", "", [](const ReportRow& r) { return std::to_string(r.row.what.shape().depth); })),
      planned(label("channels", "", [](const ReportRow& r) { return std::to_string(r.row.what.shape().channels); })),
      planned(
          label("element", "", [](const ReportRow& r) { return std::string(name_of(r.row.what.shape().element)); })),
      planned(required(
          member("threads", "threads", "threads", [](auto& m) -> auto& { return m.where.threads; }, {1.0, 1 << 20}))),
      planned(required(object("input", write_input, read_input))),
      planned(object(
          "output", [](const ReportRow& r, Json& entry) { entry["output"] = shape_json(r.row.what.output); },
          [](const JsonNode& node, Measurement& row) { row.what.output = shape_of(node); })),
      planned(required(object("params", write_params, read_params))),
      planned(object("series", write_series, read_series)),
      member("buffers", "", "", [](auto& m) -> auto& { return m.samples.buffers; }, {1.0}),
      member("batch", "", "", [](auto& m) -> auto& { return m.samples.batch; }, {1.0}),
      object(
          "warm_up_ms", [](const ReportRow& r, Json& entry) { entry["warm_up_ms"] = r.row.samples.warm_up; },
          [](const JsonNode& node, Measurement& row) { get(node, row.samples.warm_up, {}); }),
      member(
          "caches", "", "", [](auto& m) -> auto& { return m.samples.caches; }),
      member(
          "ended", "", "", [](auto& m) -> auto& { return m.samples.ended; }),
      object(
          "conditions",
          [](const ReportRow& r, Json& entry) { entry["conditions"] = written(r.row.conditions, condition_members); },
          [](const JsonNode& node, Measurement& row) { row.conditions = read<Conditions>(node, condition_members); }),
      label("samples", "", [](const ReportRow& r) { return std::to_string(r.row.samples.compute.size()); }),
      required(times("compute_ms", "median_ms", "median ms", &Samples::compute)),
      label("", "+/-", precision_text),
      figure("", "min_ms", "min", [](const ReportRow& r) { return summarize(r.row.samples.compute).minimum; }),
      figure("", "max_ms", "", [](const ReportRow& r) { return summarize(r.row.samples.compute).maximum; }),
      figure("", "spread_ms", "spread", [](const ReportRow& r) { return summarize(r.row.samples.compute).spread; }),
      object("kernels", write_kernels, read_kernels),
      object("stages_ms", write_stages, read_stages),
      object("counters", write_counters, read_counters),
      times("allocation_ms", "", "", &Samples::allocation),
      times("upload_ms", "upload_ms", "upload ms", &Samples::upload),
      times("download_ms", "download_ms", "download ms", &Samples::download),
      figure("gpx_s", "gpx_s", "Gpx/s", [](const ReportRow& r) { return r.row.giga_items(); }),
      {.json = "gb_s",
       .csv = "gb_s",
       .table = "GB/s",
       .write = [](const ReportRow& r, Json& entry) { put(entry, "gb_s", r.row.gigabytes()); },
       .read = [](const JsonNode& node,
                  Measurement& row) { row.counts.bytes = node.number(0.0, 1e15) * 1e9 * seconds_of(row); },
       .text = [](const ReportRow& r) { return text_of(r.row.gigabytes(), csv_digits); },
       .shown = [](const ReportRow& r) { return text_of(r.row.gigabytes(), table_digits); }},
      member(
          "operations", "", "", [](auto& m) -> auto& { return m.counts.operations; }),
      figure("gflop_s", "", "", [](const ReportRow& r) { return r.row.counts.operations / seconds_of(r.row) / 1e9; }),
      share("of_copy", "of copy", &Limits::copy),
      share("of_read", "of reading", &Limits::read),
      figure(
          "of_serial", "of_serial", "of serial", [](const ReportRow& r) { return r.report.of_serial(r.row); }, "x"),
      member(
          "peer_over_ours", "peer_over_ours", "peer/ours", [](auto& m) -> auto& { return m.peer_over_ours; }),
      planned(member(
          "skipped", "skipped", "", [](auto& m) -> auto& { return m.skipped; })),
      planned(member(
          "estimated_ms", "", "", [](auto& m) -> auto& { return m.estimated_ms; }))};
}

}  // namespace

std::span<const Column> columns() {
  static const std::vector<Column> all = make_columns();
  return all;
}

}  // namespace threadscape::app
