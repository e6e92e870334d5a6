#include "app/measure/columns.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
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
constexpr double largest = 1e300, longest_ms = 1e12, coldest = -300.0;
constexpr int most = 1 << 30;

// ---- Structures whose members are declared once.

template <class S, class T>
struct Member {
  std::string_view name;
  T S::*member;
};
template <class S, class T>
Member(std::string_view, T S::*) -> Member<S, T>;

constexpr std::tuple condition_members{Member{"governor", &Conditions::governor},
                                       Member{"other_load_cores", &Conditions::other_load},
                                       Member{"cpu_mhz_before", &Conditions::mhz_before},
                                       Member{"cpu_mhz_after", &Conditions::mhz_after},
                                       Member{"cpu_celsius", &Conditions::celsius},
                                       Member{"cpu_throttles", &Conditions::throttles},
                                       Member{"gpu_mhz", &Conditions::gpu_mhz},
                                       Member{"gpu_celsius", &Conditions::gpu_celsius},
                                       Member{"gpu_throttled", &Conditions::gpu_throttled}};
constexpr std::tuple counter_members{Member{"instructions", &CpuCounts::instructions},
                                     Member{"cycles", &CpuCounts::cycles},
                                     Member{"cache_misses", &CpuCounts::cache_misses}};
using cuda::KernelFacts;
constexpr std::tuple kernel_members{Member{"name", &KernelFacts::name},
                                    Member{"launches", &KernelFacts::launches},
                                    Member{"grid", &KernelFacts::grid},
                                    Member{"block", &KernelFacts::block},
                                    Member{"registers", &KernelFacts::registers},
                                    Member{"shared_bytes", &KernelFacts::shared_bytes},
                                    Member{"local_bytes", &KernelFacts::local_bytes},
                                    Member{"blocks_per_multiprocessor", &KernelFacts::blocks_per_multiprocessor},
                                    Member{"occupancy", &KernelFacts::occupancy}};
using cuda::CountedKernel;
constexpr std::tuple counted_members{
    Member{"name", &CountedKernel::name},     Member{"launches", &CountedKernel::launches},
    Member{"grid", &CountedKernel::grid},     Member{"block", &CountedKernel::block},
    Member{"counts", &CountedKernel::counts}, Member{"stalls", &CountedKernel::stalls}};
constexpr std::tuple counted_run_members{Member{"kernels", &cuda::CountedRun::kernels},
                                         Member{"launches_left_out", &cuda::CountedRun::left_out},
                                         Member{"why_none", &cuda::CountedRun::why_none}};
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

// ---- How values are written and read. What is empty, unset or zero is left out, except for whole numbers.

struct Values {
  /// Sets a member of an object, unless there is nothing to say.
  template <class T>
  static void put_member(Json& json, std::string_view name, const T& value) {
    Json member;
    put(member, value);
    if (!member.is_null()) json[std::string(name)] = std::move(member);
  }
  template <class S, class... M>
  static void put_members(Json& json, const S& object, const std::tuple<M...>& members) {
    json = Json::object();
    std::apply([&](const auto&... m) { (put_member(json, m.name, object.*m.member), ...); }, members);
  }
  template <class S, class... M>
  static void get_members(const JsonNode& node, S& object, const std::tuple<M...>& members) {
    const auto take = [&](const auto& m) {
      if (node.has(m.name)) get(node.at(m.name), object.*m.member);
    };
    std::apply([&](const auto&... m) { (take(m), ...); }, members);
  }

  static void put(Json& json, const std::string& value) {
    if (!value.empty()) json = value;
  }
  static void get(const JsonNode& node, std::string& value) {
    if (!node.value().is_string()) node.fail("a text is wanted");
    value = node.value().get<std::string>();
  }
  static void put(Json& json, double value) {
    if (value != 0.0) json = value;
  }
  static void get(const JsonNode& node, double& value) { value = node.number(0.0, largest); }
  static void put(Json& json, const std::optional<double>& value) {
    if (value) json = *value;
  }
  static void get(const JsonNode& node, std::optional<double>& value) { value = node.number(coldest, largest); }
  static void put(Json& json, bool value) {
    if (value) json = value;
  }
  static void get(const JsonNode& node, bool& value) { value = node.boolean(); }
  template <class T>
  requires std::is_integral_v<T>
  static void put(Json& json, T value) { json = value; }
  template <class T>
  requires std::is_integral_v<T>
  static void get(const JsonNode& node, T& value) { value = static_cast<T>(node.integer(0, most)); }
  static void put(Json& json, const std::array<unsigned, 3>& values) { json = values; }
  static void get(const JsonNode& node, std::array<unsigned, 3>& values) {
    const std::vector<JsonNode> items = node.items();
    if (items.size() != values.size()) node.fail("three numbers are wanted");
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<unsigned>(items[i].integer(1, most));
  }
  static void put(Json& json, Backend backend) { json = name_of(backend); }
  static void get(const JsonNode& node, Backend& backend) {
    backend = backends[node.choice({"serial", "openmp", "cuda"})];
  }

  static void put(Json& json, const Conditions& conditions) { put_members(json, conditions, condition_members); }
  static void get(const JsonNode& node, Conditions& conditions) { get_members(node, conditions, condition_members); }
  static void put(Json& json, const KernelFacts& kernel) { put_members(json, kernel, kernel_members); }
  static void get(const JsonNode& node, KernelFacts& kernel) { get_members(node, kernel, kernel_members); }
  static void put(Json& json, const CountedKernel& kernel) { put_members(json, kernel, counted_members); }
  static void get(const JsonNode& node, CountedKernel& kernel) { get_members(node, kernel, counted_members); }
  static void put(Json& json, const cuda::CountedRun& run) {
    if (!run.kernels.empty() || !run.why_none.empty()) put_members(json, run, counted_run_members);
  }
  static void get(const JsonNode& node, cuda::CountedRun& run) { get_members(node, run, counted_run_members); }
  /// Zeros are counts like others.
  static void put(Json& json, const std::map<std::string, double>& values) { json = values; }
  static void get(const JsonNode& node, std::map<std::string, double>& values) {
    for (const auto& [name, value] : node.members())
      values[name] = value.number(0.0, largest);
  }
  static void put(Json& json, const SeriesTag& tag) {
    put_members(json, tag, series_members);
    json["case"] = tag.case_label;
  }
  static void get(const JsonNode& node, SeriesTag& tag) { get_members(node, tag, series_members); }
  static void put(Json& json, const std::optional<CpuCounts>& counts) {
    if (!counts) return;
    put_members(json, *counts, counter_members);
    if (counts->cycles > 0.0) json["instructions_per_cycle"] = counts->instructions / counts->cycles;
  }
  static void get(const JsonNode& node, std::optional<CpuCounts>& counts) {
    get_members(node, counts.emplace(), counter_members);
  }
  template <class T>
  static void put(Json& json, const std::vector<T>& list) {
    for (const T& one : list)
      put(json.emplace_back(), one);
  }
  template <class T>
  static void get(const JsonNode& node, std::vector<T>& list) {
    for (const JsonNode& item : node.items())
      get(item, list.emplace_back());
  }

  /// The stages of a run, and their sum.
  static void put(Json& json, const std::vector<std::pair<std::string, double>>& stages) {
    double total = 0.0;
    for (const auto& [name, ms] : stages) {
      json[name] = ms;
      total += ms;
    }
    if (!stages.empty()) json["total"] = total;
  }
  static void get(const JsonNode& node, std::vector<std::pair<std::string, double>>& stages) {
    for (const auto& [name, value] : node.members())
      if (name != "total") stages.emplace_back(name, value.number(0.0, longest_ms));
  }

  static void put(Json& json, const Shape& shape) { json = shape_json(shape); }
  static void get(const JsonNode& node, Shape& shape) { shape = shape_of(node); }
  /// The input, with the name of its file.
  static void put(Json& json, const Workload& what) {
    json = shape_json(what.input);
    put_member(json, "file", what.file);
  }
  static void get(const JsonNode& node, Workload& what) {
    what.input = shape_of(node);
    if (node.has("file")) get(node.at("file"), what.file);
  }
  static void put(Json& json, const std::vector<Parameter>& params) {
    json = Json::object();
    for (const Parameter& param : params)
      json[param.name] = Json::parse(param.json);
  }
  static void get(const JsonNode& node, std::vector<Parameter>& params) {
    for (const auto& [name, value] : node.members())
      params.push_back(parameter_of(name, value.value()));
  }

  /// Samples of a duration, with their summary.
  static void put(Json& json, const std::vector<double>& samples) {
    if (samples.empty()) return;
    const Summary summary = summarize(samples);
    json = {{"median", summary.median},
            {"minimum", summary.minimum},
            {"maximum", summary.maximum},
            {"spread", summary.spread},
            {"samples", samples}};
    const MedianInterval median = median_interval(samples);
    if (median.reached) json["interval"] = {median.interval.low, median.interval.high};
    const Outliers outliers = outliers_of(samples);
    json["outliers"] = {{"high", outliers.high}, {"low", outliers.low}};
  }
  static void get(const JsonNode& node, std::vector<double>& samples) {
    if (!node.has("samples")) node.fail("'samples' is missing: only reports with all samples can be compared");
    for (const JsonNode& sample : node.at("samples").items())
      samples.push_back(std::max(sample.number(0.0, longest_ms), 1e-9));
  }
};

// ---- Columns.

std::string text_of(double value, TextForm form) {
  return value != 0.0 ? format_number(value, form == TextForm::csv ? 6 : 3) : "";
}
std::string text_of(const std::string& value, TextForm /*form*/) {
  return value;
}
std::string text_of(int value, TextForm /*form*/) {
  return std::to_string(value);
}
std::string text_of(Backend backend, TextForm /*form*/) {
  return std::string(name_of(backend));
}
std::string text_of(const std::vector<double>& samples, TextForm form) {
  return text_of(median_of(samples), form);
}

/// The member of a measurement that a path of members leads to.
template <auto... path>
constexpr auto at = [](auto& measurement) -> auto& {
  return (measurement.*....*path);
};

/// A member of the measurement, which `access` refers to.
template <class Access>
Column member(std::string_view json, std::string_view csv, std::string_view table, Access access) {
  Column column{.json = json, .csv = csv, .table = table};
  column.write = [=](const ReportRow& r, Json& entry) { Values::put_member(entry, json, access(r.row)); };
  column.read = [=](const JsonNode& node, Measurement& row) { Values::get(node, access(row)); };
  if constexpr (requires(const Measurement& row) { text_of(access(row), TextForm::csv); })
    column.text = [=](const ReportRow& r, TextForm form) { return text_of(access(r.row), form); };
  return column;
}

/// A figure that follows from others. The table shows it with the unit, and in percent if that is " %". `set` takes a
/// value of a report back to what it follows from; null if it is not needed.
Column figure(std::string_view json, std::string_view csv, std::string_view table, double (*value)(const ReportRow&),
              std::string_view unit = "", void (*set)(Measurement&, double) = nullptr) {
  Column column{.json = json, .csv = csv, .table = table};
  if (!json.empty()) column.write = [=](const ReportRow& r, Json& entry) { Values::put_member(entry, json, value(r)); };
  if (set != nullptr) column.read = [=](const JsonNode& node, Measurement& row) { set(row, node.number(0.0, 1e15)); };
  column.text = [=](const ReportRow& r, TextForm form) {
    if (form == TextForm::csv) return text_of(value(r), form);
    const std::string text = text_of(unit == " %" ? 100.0 * value(r) : value(r), form);
    return text.empty() ? text : text + std::string(unit);
  };
  return column;
}

/// A text that is made for CSV or for the table.
Column label(std::string_view csv, std::string_view table, std::string (*text)(const ReportRow&)) {
  Column column{.json = {}, .csv = csv, .table = table};
  column.text = [text](const ReportRow& r, TextForm /*form*/) { return text(r); };
  return column;
}

Column required(Column column) {
  column.required = true;
  return column;
}
Column planned(Column column) {
  column.planned = true;
  return column;
}

/// Runs before the samples, of which no statistics are made.
Column warm_up() {
  Column column{.json = "warm_up_ms", .csv = {}, .table = {}};
  column.write = [](const ReportRow& r, Json& entry) { entry["warm_up_ms"] = r.row.samples.warm_up; };
  column.read = [](const JsonNode& node, Measurement& row) {
    if (!node.value().empty())
      for (const JsonNode& run : node.items())
        row.samples.warm_up.push_back(run.number(0.0, longest_ms));
  };
  return column;
}

/// "+/-" of the table: the half width of the 95 % interval of the median; "" with too few samples for an interval.
std::string precision_text(const ReportRow& r) {
  if (r.row.samples.compute.empty()) return {};
  const MedianInterval median = median_interval(r.row.samples.compute);
  return median.reached ? format_number(median.precision() * 100.0, 2) + " %" : "";
}

std::string params_text(const ReportRow& r) {
  const std::string params = varied_params(r.row, r.rows);
  return params.empty() ? params : params.substr(1);
}

std::string input_text(const ReportRow& r) {
  const std::string text = to_string(r.row.what.shape());  // "4096x4096 8-bit grey image".
  return text.substr(0, text.rfind(' '));
}

std::vector<Column> make_columns() {
  const auto of_shape = [](std::string_view csv, std::string (*text)(const ReportRow&)) {
    return planned(label(csv, "", text));
  };
  return {
      planned(required(member("algorithm", "algorithm", "algorithm", at<&Measurement::what, &Workload::algorithm>))),
      planned(label("", "parameters", params_text)),
      planned(label("", "input", input_text)),
      planned(required(member("backend", "backend", "backend", at<&Measurement::where, &Target::backend>))),
      planned(required(member("variant", "variant", "", at<&Measurement::where, &Target::variant>))),
      planned(label("", "variant", [](const ReportRow& r) { return r.row.where.method(); })),
      planned(member("peer", "peer", "", at<&Measurement::where, &Target::peer>)),
      of_shape("width", [](const ReportRow& r) { return std::to_string(r.row.what.shape().width); }),
      of_shape("height", [](const ReportRow& r) { return std::to_string(r.row.what.shape().height); }),
      of_shape("depth", [](const ReportRow& r) { return std::to_string(r.row.what.shape().depth); }),
      of_shape("channels", [](const ReportRow& r) { return std::to_string(r.row.what.shape().channels); }),
      of_shape("element", [](const ReportRow& r) { return std::string(name_of(r.row.what.shape().element)); }),
      planned(required(member("threads", "threads", "threads", at<&Measurement::where, &Target::threads>))),
      planned(required(member("input", "", "", at<&Measurement::what>))),
      planned(member("predicted_ms", "", "predicted ms", at<&Measurement::predicted, &PredictedTime::ms>)),
      planned(member("bound", "", "bound", at<&Measurement::predicted, &PredictedTime::bound>)),
      planned(member("predicted_for", "", "", at<&Measurement::predicted, &PredictedTime::gpu>)),
      planned(member("not_predicted", "", "", at<&Measurement::predicted, &PredictedTime::why_none>)),
      planned(member("output", "", "", at<&Measurement::what, &Workload::output>)),
      planned(required(member("params", "", "", at<&Measurement::what, &Workload::params>))),
      planned(member("series", "", "", at<&Measurement::series>)),
      member("buffers", "", "", at<&Measurement::samples, &Samples::buffers>),
      member("batch", "", "", at<&Measurement::samples, &Samples::batch>),
      warm_up(),
      member("caches", "", "", at<&Measurement::samples, &Samples::caches>),
      member("ended", "", "", at<&Measurement::samples, &Samples::ended>),
      member("conditions", "", "", at<&Measurement::conditions>),
      label("samples", "", [](const ReportRow& r) { return std::to_string(r.row.samples.compute.size()); }),
      required(member("compute_ms", "median_ms", "median ms", at<&Measurement::samples, &Samples::compute>)),
      label("", "+/-", precision_text),
      figure(
          "", "", "error", [](const ReportRow& r) { return r.row.prediction_error(); }, " %"),
      figure("", "min_ms", "min", [](const ReportRow& r) { return summarize(r.row.samples.compute).minimum; }),
      figure("", "max_ms", "", [](const ReportRow& r) { return summarize(r.row.samples.compute).maximum; }),
      figure("", "spread_ms", "spread", [](const ReportRow& r) { return summarize(r.row.samples.compute).spread; }),
      member("kernels", "", "", at<&Measurement::counts, &Counts::kernels>),
      member("stages_ms", "", "", at<&Measurement::counts, &Counts::stages>),
      member("counters", "", "", at<&Measurement::counts, &Counts::cpu>),
      member("gpu_counters", "", "", at<&Measurement::counts, &Counts::gpu>),
      member("allocation_ms", "", "", at<&Measurement::samples, &Samples::allocation>),
      member("upload_ms", "upload_ms", "upload ms", at<&Measurement::samples, &Samples::upload>),
      member("download_ms", "download_ms", "download ms", at<&Measurement::samples, &Samples::download>),
      figure("gpx_s", "gpx_s", "Gpx/s", [](const ReportRow& r) { return r.row.giga_items(); }),
      figure(
          "gb_s", "gb_s", "GB/s", [](const ReportRow& r) { return r.row.gigabytes(); }, "",
          [](Measurement& m, double gb_s) { m.counts.bytes = gb_s * 1e6 * m.samples.median(); }),
      member("operations", "", "", at<&Measurement::counts, &Counts::operations>),
      figure("gflop_s", "", "",
             [](const ReportRow& r) { return r.row.counts.operations / r.row.samples.median() / 1e6; }),
      figure(
          "of_copy", "of_copy", "of copy", [](const ReportRow& r) { return r.row.of_copy(); }, " %",
          [](Measurement& m, double share) { m.limits.copy = share > 0.0 ? m.gigabytes() * 1e9 / share : 0.0; }),
      figure(
          "of_read", "of_read", "of reading", [](const ReportRow& r) { return r.row.of_read(); }, " %",
          [](Measurement& m, double share) { m.limits.read = share > 0.0 ? m.gigabytes() * 1e9 / share : 0.0; }),
      figure(
          "of_serial", "of_serial", "of serial", [](const ReportRow& r) { return r.report.of_serial(r.row); }, "x"),
      member("peer_over_ours", "peer_over_ours", "peer/ours", at<&Measurement::peer_over_ours>),
      of_shape("predicted_ms", [](const ReportRow& r) { return text_of(r.row.predicted.ms, TextForm::csv); }),
      of_shape("bound", [](const ReportRow& r) { return r.row.predicted.bound; }),
      planned(member("skipped", "skipped", "", at<&Measurement::skipped>)),
      planned(member("estimated_ms", "", "", at<&Measurement::estimated_ms>))};
}

}  // namespace

std::span<const Column> columns() {
  static const std::vector<Column> all = make_columns();
  return all;
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const Column& column : columns())
    if (!column.csv.empty() && !column.planned) names.emplace_back(column.csv);
  return names;
}

const Column* find_figure(std::string_view csv) {
  const auto found =
      std::ranges::find_if(columns(), [csv](const Column& c) { return !c.planned && !csv.empty() && c.csv == csv; });
  return found == columns().end() ? nullptr : &*found;
}

std::optional<double> figure_of(const Column& figure, const Report& report, const Measurement& row) {
  const std::string text = row.skipped.empty() ? figure.text({report, row, {}}, TextForm::csv) : "";
  return text.empty() ? std::nullopt : std::optional(std::strtod(text.c_str(), nullptr));
}

}  // namespace threadscape::app
