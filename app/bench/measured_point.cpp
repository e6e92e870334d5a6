#include "app/bench/measured_point.h"

#include "app/analysis/samples.h"
#include "compute/core/kind_info.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

/// A whole number from 1 to `largest`, such as an extent or a number of threads. Throws UsageError for anything else.
std::int64_t count_in(const Json& object, const char* name, double largest) {
  const Json& value = object.at(name);
  const auto number = value.get<double>();
  if (!value.is_number_integer() || number < 1 || number > largest)
    throw UsageError(std::string("a report has ") + name + " = " + value.dump() +
                     ": a whole number from 1 on is wanted");
  return value.get<std::int64_t>();
}
constexpr double max_extent = 1e15, max_count = 1e6;

/// "NVIDIA H200", "AMD EPYC 9R14 (16 threads)": the model without trademark signs and the word "Processor".
std::string machine_name(const Json& environment, Backend backend) {
  const Json& machine = environment.at(backend == Backend::cuda ? "gpu" : "cpu");
  const char* key = backend == Backend::cuda ? "name" : "model";
  std::string name = machine.contains(key) ? machine.at(key).get<std::string>() : "no GPU";
  for (const std::string_view noise : {"(R)", "(TM)", "(tm)", " Processor", " CPU"})
    if (const std::size_t at = name.find(noise); at != std::string::npos) name.erase(at, noise.size());
  if (backend == Backend::cuda) return name;
  return name + " (" + std::to_string(count_in(machine, "logical_cores", max_count)) + " threads)";
}

/// The library in the name of a peer: "OpenCV" of "OpenCV filter2D", "std::sort" of "std::sort(par_unseq)".
std::string library_of(const std::string& peer) {
  return peer.substr(0, peer.find_first_of(" ("));
}

/// The shape that shape_json() wrote. Throws UsageError for extents that no run has.
Shape shape_of(const Json& json) {
  Shape shape;
  for (const Kind kind :
       {Kind::image, Kind::heightfield, Kind::volume, Kind::sequence, Kind::scalar, Kind::mesh, Kind::clip})
    if (json.at("kind") == name_of(kind)) shape.kind = kind;
  if (shape.kind == Kind::none) return shape;
  for (const Element element :
       {Element::u8, Element::u16, Element::u32, Element::i32, Element::i64, Element::f32, Element::f64})
    if (json.at("element") == name_of(element)) shape.element = element;
  constexpr double max_side = 1 << 20, max_length = 4294967296.0;
  shape.channels = static_cast<int>(count_in(json, "channels", 4));
  shape.width = count_in(json, "width", info_of(shape.kind).dimensions == 1 ? max_length : max_side);
  shape.height = count_in(json, "height", max_side);
  shape.depth = count_in(json, "depth", max_side);
  return shape;
}

/// The operations of a run. A report that was written before its algorithm stated them does not have them; they are
/// computed from its parameters then, unless this version no longer takes those.
double stated_operations(const Json& result) {
  if (result.contains("operations")) return result.at("operations").get<double>();
  try {
    const AlgorithmInfo& algorithm = find_algorithm(result.at("algorithm").get<std::string>());
    if (!algorithm.operations) return 0.0;
    ParamBox params = algorithm.defaults();
    assign_json(params, result.at("params").dump());
    return algorithm.operations(params, shape_of(result.at("input")));
  } catch (const UsageError&) {
    return 0.0;
  }
}

MeasuredPoint read_result(const Json& result, const Json& environment) {
  MeasuredPoint read;
  for (const Json& tag : result.at("series"))
    read.tags.push_back(
        {tag.at("group").get<std::string>(), tag.at("label").get<std::string>(), tag.at("case").get<std::string>()});
  const Json& input = result.at("input");
  const Json& shape = input.at("kind") == name_of(Kind::none) ? result.at("output") : input;
  const auto extent = [&](const char* name) { return count_in(shape, name, max_extent); };
  read.facts = {.backend = parse_backend(result.at("backend").get<std::string>()),
                .variant = result.at("variant").get<std::string>(),
                .threads = static_cast<int>(count_in(result, "threads", max_count)),
                .size = find_kind(shape.at("kind").get<std::string>()).dimensions == 1
                            ? std::to_string(extent("width"))
                            : to_string(Extent{extent("width"), extent("height")}),
                .items = static_cast<double>(extent("width")) * static_cast<double>(extent("height")) *
                         static_cast<double>(extent("depth")),
                .channels = static_cast<int>(count_in(shape, "channels", max_count)),
                .params = result.at("params")};
  read.machine = machine_name(environment, read.facts.backend);
  if (result.contains("peer")) read.peer = library_of(result.at("peer").get<std::string>());
  read.work = result.at("algorithm").dump() + result.at("params").dump() + input.dump();
  if (result.contains("skipped")) {
    read.skipped = result.at("skipped").get<std::string>();
  } else {
    read.milliseconds = result.at("compute_ms").at("median").get<double>();
    read.low = read.high = read.milliseconds;
    if (const auto samples = result.at("compute_ms").find("samples"); samples != result.at("compute_ms").end()) {
      const auto times = samples->get<std::vector<double>>();
      const MedianInterval median = median_interval(times);
      read.samples = times.size();
      read.low = median.interval.low;
      read.high = median.interval.high;
    }
    read.gigabytes = result.at("gb_s").get<double>();
    read.operations = stated_operations(result);
    const auto median = [&result](const char* stage) {
      return result.contains(stage) ? std::optional(result.at(stage).at("median").get<double>()) : std::nullopt;
    };
    read.allocation = median("allocation_ms");
    read.upload = median("upload_ms");
    read.download = median("download_ms");
  }
  return read;
}

}  // namespace

double MeasuredPoint::time(bool with_transfers) const {
  return with_transfers ? milliseconds + allocation.value_or(0.0) + upload.value_or(0.0) + download.value_or(0.0)
                        : milliseconds;
}

std::vector<MeasuredPoint> read_reports(const std::vector<Json>& reports) {
  std::vector<MeasuredPoint> all;
  try {
    for (std::size_t i = 0; i < reports.size(); ++i)
      for (const Json& result : reports[i].at("results")) {
        all.push_back(read_result(result, reports[i].at("environment")));
        all.back().report = i;
      }
  } catch (const Json::exception& error) {
    throw UsageError(std::string("a report is not what `threadscape bench --suite NAME --json FILE` writes: ") +
                     error.what());
  }
  return all;
}

}  // namespace threadscape::app
