#include "app/measure/report_table.h"

#include <algorithm>
#include <set>

#include "app/analysis/samples.h"
#include "app/measure/report_kernels.h"
#include "app/report/text.h"
#include "compute/cuda/device.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

/// Figures that are derived from the samples of one result.
struct Figures {
  Summary compute;
  /// 1e9 pixels, voxels or values per second, counted in the output, or in the input if the output is a single number.
  double giga_items = 0.0;
  double gigabytes = 0.0;  ///< 1e9 bytes per second, of those that bytes_moved() counts.
  double of_copy = 0.0;    ///< Fraction of the measured copy bandwidth; 0 = not measured.
  double of_read = 0.0;    ///< Fraction of the measured bandwidth of reading alone; 0 = not measured.
  /// Median time of the serial backend's default variant divided by that of this result; 0 = serial was not measured.
  double speed_up = 0.0;
};

bool same_work(const BenchPoint& a, const BenchPoint& b) {
  return a.request.algorithm == b.request.algorithm && a.request.params == b.request.params && a.input == b.input;
}

Figures figures_of(const BenchReport& report, const BenchResult& result) {
  Figures figures;
  figures.compute = summarize(result.series.compute);
  if (figures.compute.count == 0) return figures;
  const double seconds = figures.compute.median / 1e3;
  const RunRequest& request = result.point.request;
  const double bytes = bytes_moved(*request.algorithm, request.params, result.point.input, result.point.output);
  const Shape& counted = result.point.gives_scalar() ? result.point.input : result.point.output;
  figures.giga_items = static_cast<double>(counted.items()) / seconds / 1e9;
  figures.gigabytes = bytes / seconds / 1e9;
  if (const double limit = report.limits.of(result.point); limit > 0.0) figures.of_copy = bytes / seconds / limit;
  const auto read = report.limits.host_read.find(result.point.threads());
  if (request.backend != Backend::cuda && result.point.gives_scalar() && read != report.limits.host_read.end())
    figures.of_read = bytes / seconds / read->second;
  const auto serial = std::ranges::find_if(report.results, [&](const BenchResult& other) {
    return other.point.request.backend == Backend::serial && other.point.request.variant == 0 &&
           !other.series.compute.empty() && same_work(other.point, result.point);
  });
  if (serial != report.results.end())
    figures.speed_up = summarize(serial->series.compute).median / figures.compute.median;
  return figures;
}

/// The operations of a run as the algorithm states them; 0 if it states none.
double operations_of(const BenchPoint& point) {
  const RunRequest& request = point.request;
  return request.algorithm->operations ? request.algorithm->operations(request.params, point.input) : 0.0;
}

std::string variant_of(const BenchPoint& point) {
  const RunRequest& request = point.request;
  return std::string(request.algorithm->variants_of(request.backend)[static_cast<std::size_t>(request.variant)].name);
}

/// The name of the peer, or of the variant where there is none.
std::string name_of_method(const BenchResult& result) {
  return result.peer.empty() ? variant_of(result.point) : result.peer;
}

std::string size_text(const Shape& shape) {
  const std::string text = to_string(shape);  // The text has the form "4096x4096 8-bit grey image".
  return text.substr(0, text.rfind(' '));
}

/// The parameters that differ between the results of one algorithm, as text: "operation=open size=3". Long values such
/// as masks are left out, because they come with a short parameter that differs too.
std::string varied_params(const BenchReport& report, const BenchResult& result) {
  constexpr std::size_t max_value_length = 16;
  const RunRequest& request = result.point.request;
  std::string text;
  for (const FieldRef& field : request.params.fields()) {
    const std::string value = to_text(field);
    const bool varies = std::ranges::any_of(report.results, [&](const BenchResult& other) {
      if (other.point.request.algorithm != request.algorithm) return false;
      const auto fields = other.point.request.params.fields();
      const auto same = std::ranges::find(fields, field.name, &FieldRef::name);
      return same != fields.end() && to_text(*same) != value;
    });
    if (varies && value.size() <= max_value_length)
      text += (text.empty() ? "" : " ") + std::string(field.name) + "=" + value;
  }
  return text;
}

std::string stage_text(const std::vector<double>& samples) {
  return samples.empty() ? "" : format_number(summarize(samples).median);
}

std::string optional_text(double value, const char* unit) {
  return value > 0.0 ? format_number(value) + unit : "";
}

/// The half width of the 95 % interval of the median, "3.1 %"; "" with too few samples for an interval.
std::string precision_text(const std::vector<double>& samples) {
  const MedianInterval median = median_interval(samples);
  return median.reached ? format_number(median.precision() * 100.0, 2) + " %" : "";
}

/// What happened while the samples of the report were taken, one line for each different sentence.
std::string notes_of(const BenchReport& report) {
  std::set<std::string> sentences;
  std::size_t outliers = 0, samples = 0, late = 0;
  for (const BenchResult& result : report.results) {
    if (!result.skipped.empty()) continue;
    for (const std::string& sentence : doubts(result.series.conditions))
      sentences.insert(sentence);
    outliers += outliers_of(result.series.compute).high;
    samples += result.series.compute.size();
    late += result.series.ended == "time" ? 1 : 0;
  }
  std::string text;
  if (late > 0)
    text += std::to_string(late) + (late == 1 ? " row" : " rows") +
            " ended because the time was over, before the samples or the precision were reached.\n";
  if (outliers > 0)
    text += std::to_string(outliers) + " of " + std::to_string(samples) +
            " samples are outliers, more than 1.5 times the interquartile range above the upper quartile.\n";
  for (const std::string& sentence : sentences)
    text += sentence + "\n";
  return text;
}

/// "Stages of a run with clocks: raster 3 ms, shading 1 ms, rest 0.2 ms, in all 4.2 ms."
std::string stage_sentence(const StageRun& run) {
  std::string text = "Stages of a run with clocks:";
  for (const StageTime& stage : run.stages)
    text += " " + std::string(stage.name) + " " + format_number(stage.ms) + " ms,";
  return text + " rest " + format_number(run.rest_ms()) + " ms, in all " + format_number(run.total_ms) + " ms.";
}

/// The stages, and the kernels on CUDA, of all results that have some, with a heading for each; "" if there are none.
std::string details_of(const BenchReport& report) {
  std::string text;
  for (const BenchResult& result : report.results) {
    const std::string counted = result.series.counts ? counts_sentence(*result.series.counts) : "";
    if (result.series.kernels.empty() && !result.series.stages && counted.empty()) continue;
    const std::string params = varied_params(report, result);
    text += "\n" + std::string(result.point.request.algorithm->name) + (params.empty() ? "" : " " + params) + ", " +
            size_text(work_shape(result.point)) + ", " + name_of_method(result) + ":\n";
    if (result.series.stages) text += "  " + stage_sentence(*result.series.stages) + "\n";
    if (!counted.empty()) text += "  " + counted + "\n";
    for (const cuda::KernelFacts& kernel : result.series.kernels)
      text += "  " + kernel_sentence(kernel) + "\n";
  }
  return text;
}

/// Milliseconds of each stage, of what no stage has ("rest"), and of the whole run ("total").
/// The stages of a run and what no stage has, as the report names them.
std::vector<std::pair<std::string, double>> named_stages(const StageRun& run) {
  std::vector<std::pair<std::string, double>> stages;
  for (const StageTime& stage : run.stages)
    stages.emplace_back(stage.name, stage.ms);
  stages.emplace_back("rest", run.rest_ms());
  return stages;
}

Json stages_json(const StageRun& run) {
  Json json;
  for (const auto& [name, ms] : named_stages(run))
    json[name] = ms;
  json["total"] = run.total_ms;
  return json;
}

Json ceilings_json(const MeasuredCeilings& ceilings) {
  Json json;
  for (const NamedRate& rate : ceilings.reading)
    json["reading"].push_back({{"name", rate.name}, {"gb_s", rate.per_second / 1e9}});
  for (const NamedRate& rate : ceilings.arithmetic)
    json["arithmetic"].push_back({{"name", rate.name}, {"gop_s", rate.per_second / 1e9}});
  return json;
}

Json summary_json(const std::vector<double>& samples) {
  const Summary summary = summarize(samples);
  return {{"median", summary.median},
          {"minimum", summary.minimum},
          {"maximum", summary.maximum},
          {"spread", summary.spread},
          {"samples", samples}};
}

/// Adds the 95 % interval of the median and the number of outliers to a summary.
void add_certainty(const std::vector<double>& samples, Json& summary) {
  const MedianInterval median = median_interval(samples);
  if (median.reached) summary["interval"] = {median.interval.low, median.interval.high};
  const Outliers outliers = outliers_of(samples);
  summary["outliers"] = {{"high", outliers.high}, {"low", outliers.low}};
}

}  // namespace

ReportRow report_row(const BenchReport& report, const BenchResult& result) {
  const RunRequest& request = result.point.request;
  const Figures figures = figures_of(report, result);
  const auto median = [](const std::vector<double>& samples) {
    return samples.empty() ? 0.0 : summarize(samples).median;
  };
  return {.algorithm = std::string(request.algorithm->name),
          .variant = variant_of(result.point),
          .peer = result.peer,
          .backend = request.backend,
          .threads = result.point.threads(),
          .input = shape_json(work_shape(result.point)),
          .params = params_json(request.params),
          .caches = result.series.cold ? "cold" : "warm",
          .samples = result.series.compute,
          .upload = median(result.series.upload),
          .download = median(result.series.download),
          .operations = operations_of(result.point),
          .gb_s = figures.gigabytes,
          .of_copy = figures.of_copy,
          .kernels = result.series.kernels,
          .conditions = result.series.conditions,
          .counts = result.series.counts,
          .multiprocessors = cuda::device_info().multiprocessors,
          .stages = result.series.stages ? named_stages(*result.series.stages)
                                         : std::vector<std::pair<std::string, double>>()};
}

std::string bench_table(const BenchReport& report) {
  const bool varied = std::ranges::any_of(
      report.results, [&](const BenchResult& result) { return !varied_params(report, result).empty(); });
  std::vector<std::vector<std::string>> rows{{"algorithm", "input", "backend", "variant", "threads", "median ms", "+/-",
                                              "min", "spread", "Gpx/s", "GB/s", "of copy", "of serial", "upload ms",
                                              "download ms", "peer/ours"}};
  const bool reads = !report.limits.host_read.empty();
  if (reads) rows.front().emplace_back("of reading");
  if (varied) rows.front().insert(rows.front().begin() + 1, "parameters");
  const std::size_t first_number = varied ? 5 : 4;
  for (const BenchResult& result : report.results) {
    const BenchPoint& point = result.point;
    std::vector<std::string> row{std::string(point.request.algorithm->name), size_text(work_shape(point)),
                                 std::string(name_of(point.request.backend)), name_of_method(result),
                                 std::to_string(point.threads())};
    if (varied) row.insert(row.begin() + 1, varied_params(report, result));
    if (!result.skipped.empty()) {
      row.push_back("skipped: " + result.skipped);
    } else {
      const Figures f = figures_of(report, result);
      for (const std::string& text :
           {format_number(f.compute.median), precision_text(result.series.compute), format_number(f.compute.minimum),
            format_number(f.compute.spread), format_number(f.giga_items), format_number(f.gigabytes),
            optional_text(f.of_copy * 100.0, " %"), optional_text(f.speed_up, "x"), stage_text(result.series.upload),
            stage_text(result.series.download), optional_text(result.ratio_to_ours, "x")})
        row.push_back(text);
      if (reads) row.push_back(optional_text(f.of_read * 100.0, " %"));
    }
    rows.push_back(std::move(row));
  }
  std::string text =
      format_table(rows, first_number) + "\nLimit, a plain copy measured in this run (read plus written):";
  for (const auto& [threads, bytes] : report.limits.host)
    text += " " + format_number(bytes / 1e9) + " GB/s on " + std::to_string(threads) +
            (threads == 1 ? " thread," : " threads,");
  if (report.limits.device > 0.0) text += " " + format_number(report.limits.device / 1e9) + " GB/s on the GPU,";
  text.back() = '.';
  if (reads) text += "\nReading alone:";
  for (const auto& [threads, bytes] : report.limits.host_read)
    text += " " + format_number(bytes / 1e9) + " GB/s on " + std::to_string(threads) +
            (threads == 1 ? " thread," : " threads,");
  if (reads) text.back() = '.';
  return text +
         "\nGB/s counts the input once and the output once, or the bytes that an algorithm states; what stays in a "
         "cache "
         "may exceed the copy.\n"
         "+/- is the half width of the 95 % interval of the median.\n" +
         notes_of(report) + details_of(report);
}

std::string bench_csv(const BenchReport& report) {
  std::string text =
      "algorithm,backend,variant,peer,width,height,depth,channels,element,threads,samples,median_ms,min_ms,max_ms,"
      "spread_ms,upload_ms,download_ms,gpx_s,gb_s,of_copy,of_serial,peer_over_ours,skipped\n";
  for (const BenchResult& result : report.results) {
    const BenchPoint& point = result.point;
    const Shape& shape = work_shape(point);
    const Figures f = figures_of(report, result);
    const std::string fields[]{std::string(point.request.algorithm->name),
                               std::string(name_of(point.request.backend)),
                               variant_of(point),
                               result.peer,
                               std::to_string(shape.width),
                               std::to_string(shape.height),
                               std::to_string(shape.depth),
                               std::to_string(shape.channels),
                               std::string(name_of(shape.element)),
                               std::to_string(point.threads()),
                               std::to_string(f.compute.count),
                               format_number(f.compute.median, 6),
                               format_number(f.compute.minimum, 6),
                               format_number(f.compute.maximum, 6),
                               format_number(f.compute.spread, 6),
                               stage_text(result.series.upload),
                               stage_text(result.series.download),
                               format_number(f.giga_items, 6),
                               format_number(f.gigabytes, 6),
                               optional_text(f.of_copy, ""),
                               optional_text(f.speed_up, ""),
                               optional_text(result.ratio_to_ours, ""),
                               result.skipped};
    std::string line;
    for (const std::string& field : fields)
      line += (&field == fields ? "" : ",") + csv_field(field);
    text += line + "\n";
  }
  return text;
}

Json bench_json(const BenchReport& report) {
  Json host = Json::array();
  for (const auto& [threads, bytes] : report.limits.host)
    host.push_back({{"threads", threads}, {"gb_s", bytes / 1e9}});
  Json json{{"version", report_version}, {"environment", report.environment}, {"copy_limit", {{"host", host}}}};
  for (const auto& [threads, bytes] : report.limits.host_read)
    json["read_limit"]["host"].push_back({{"threads", threads}, {"gb_s", bytes / 1e9}});
  if (report.limits.device > 0.0) json["copy_limit"]["device"] = {{"gb_s", report.limits.device / 1e9}};
  if (!report.limits.device_ceilings.reading.empty())
    json["ceilings"]["device"] = ceilings_json(report.limits.device_ceilings);

  json["results"] = Json::array();
  for (const BenchResult& result : report.results) {
    const RunRequest& request = result.point.request;
    Json entry{{"algorithm", request.algorithm->name},    {"backend", name_of(request.backend)},
               {"variant", variant_of(result.point)},     {"threads", result.point.threads()},
               {"input", shape_json(result.point.input)}, {"output", shape_json(result.point.output)},
               {"params", params_json(request.params)}};
    if (result.point.file) entry["input"]["file"] = result.point.file->name;
    for (const SeriesTag& tag : result.point.series)
      entry["series"].push_back({{"group", tag.group}, {"label", tag.label}, {"case", tag.case_label}});
    if (!result.peer.empty()) entry["peer"] = result.peer;
    if (!result.skipped.empty()) {
      entry["skipped"] = result.skipped;
      if (result.estimated_ms > 0.0) entry["estimated_ms"] = result.estimated_ms;
      json["results"].push_back(entry);
      continue;
    }
    const Figures f = figures_of(report, result);
    entry["buffers"] = result.series.buffers;
    entry["batch"] = result.series.batch;
    entry["warm_up_ms"] = result.series.warm_up;
    entry["caches"] = result.series.cold ? "cold" : "warm";
    entry["ended"] = result.series.ended;
    entry["conditions"] = conditions_json(result.series.conditions);
    entry["compute_ms"] = summary_json(result.series.compute);
    if (!result.series.kernels.empty()) entry["kernels"] = kernels_json(result.series.kernels);
    if (result.series.stages) entry["stages_ms"] = stages_json(*result.series.stages);
    if (result.series.counts) entry["counters"] = counts_json(*result.series.counts);
    add_certainty(result.series.compute, entry["compute_ms"]);
    if (!result.series.allocation.empty()) entry["allocation_ms"] = summary_json(result.series.allocation);
    if (!result.series.upload.empty()) entry["upload_ms"] = summary_json(result.series.upload);
    if (!result.series.download.empty()) entry["download_ms"] = summary_json(result.series.download);
    entry["gpx_s"] = f.giga_items;
    entry["gb_s"] = f.gigabytes;
    if (const double operations = operations_of(result.point); operations > 0.0) {
      entry["operations"] = operations;
      entry["gflop_s"] = operations / f.compute.median / 1e6;
    }
    if (f.of_copy > 0.0) entry["of_copy"] = f.of_copy;
    if (f.of_read > 0.0) entry["of_read"] = f.of_read;
    if (f.speed_up > 0.0) entry["of_serial"] = f.speed_up;
    if (result.ratio_to_ours > 0.0) entry["peer_over_ours"] = result.ratio_to_ours;
    json["results"].push_back(entry);
  }
  return json;
}

}  // namespace threadscape::app
