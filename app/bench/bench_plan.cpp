#include "app/bench/bench_plan.h"

#include <algorithm>
#include <charconv>

#include "app/bench/npp_peer.h"
#include "app/bench/opengl_peer.h"
#include "app/bench/peers/opencv_peer.h"
#include "app/report/long_task.h"
#include "app/report/text.h"
#include "app/session/run_options.h"
#include "compute/core/bandwidth.h"
#include "compute/core/kind_info.h"
#include "compute/cuda/device.h"
#include "compute/io/file_writer.h"
#include "compute/io/image_file.h"
#include "compute/io/standard_stream.h"
#include "compute/io/synthetic.h"
#include "compute/registry/registry.h"
#include "compute/run/device_bench.h"

namespace threadscape::app {

namespace {

bool has_parameter(const AlgorithmInfo& algorithm, const std::string& name) {
  const ParamBox defaults = algorithm.defaults();
  return std::ranges::any_of(defaults.fields(), [&](const FieldRef& field) { return field.name == name; });
}

/// The algorithm's parameters. A value of --set is assigned to every algorithm that has the parameter; make_params()
/// throws UsageError for one that none of the chosen algorithms has.
ParamBox params_for(const AlgorithmInfo& algorithm, const BenchOptions& options,
                    const std::vector<const AlgorithmInfo*>& chosen) {
  AlgorithmOptions own;
  own.preset = options.preset;
  for (const auto& set : options.sets) {
    const bool known = std::ranges::any_of(chosen, [&](const auto* other) { return has_parameter(*other, set.first); });
    if (!known || has_parameter(algorithm, set.first)) own.sets.push_back(set);
  }
  return make_params(algorithm, own);
}

std::vector<Backend> chosen_backends(const BenchOptions& options) {
  if (!options.backends.empty()) return options.backends;
  std::vector<Backend> here{Backend::serial, Backend::openmp};
  if (cuda::device_problem().empty()) here.push_back(Backend::cuda);
  return here;
}

/// Whether the point works on an input that the algorithm makes itself.
bool brings_input(const BenchPoint& point) {
  const RunRequest& request = point.request;
  return request.algorithm->own_input && request.algorithm->own_input->shape(request.params) == point.input;
}

bool same_input(const BenchPoint& a, const BenchPoint& b) {
  if (a.input != b.input || a.request.seed != b.request.seed || brings_input(a) != brings_input(b)) return false;
  if (!brings_input(a)) return true;
  return a.request.algorithm == b.request.algorithm &&
         a.request.algorithm->own_input->same(a.request.params, b.request.params);
}

}  // namespace

HostArray make_input(const BenchPoint& point) {
  const RunRequest& request = point.request;
  return brings_input(point) ? request.algorithm->own_input->make(request.params, request.seed)
                             : io::make_synthetic(io::Pattern::photo, point.input, request.seed);
}

CopyLimits measure_limits(const std::vector<PlannedPoint>& points) {
  CopyLimits limits;
  for (const auto& [point, rule, left_out] : points) {
    if (!left_out.empty()) continue;
    if (point.request.backend != Backend::cuda) {
      if (!limits.host.contains(point.threads())) limits.host[point.threads()] = host_copy_bandwidth(point.threads());
      if (point.gives_scalar() && !limits.host_read.contains(point.threads()))
        limits.host_read[point.threads()] = host_read_bandwidth(point.threads());
    } else if (cuda::device_problem().empty() && limits.device == 0.0) {
      limits.device = cuda::device_copy_bandwidth();
    }
  }
  return limits;
}

SamplingRule sampling_rule(const BenchOptions& options, SamplingRule rule) {
  rule.repetitions = options.repetitions.value_or(rule.repetitions);
  rule.min_seconds = options.min_seconds.value_or(rule.min_seconds);
  rule.max_seconds = options.max_seconds.value_or(rule.max_seconds);
  rule.precision = options.precision.value_or(rule.precision);
  rule.cold = rule.cold || options.cold;
  rule.counters = true;
  return rule;
}

Extent parse_extent(const std::string& where, const std::string& text) {
  Extent extent;
  const char* end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, extent.width);
  extent.height = extent.width;
  if (result.ec == std::errc{} && result.ptr != end && *result.ptr == 'x')
    result = std::from_chars(result.ptr + 1, end, extent.height);
  constexpr std::int64_t max_length = std::int64_t{1} << 32;
  const bool fits =
      extent.width >= 1 && extent.width <= max_length && extent.height >= 1 && extent.height <= max_length;
  if (result.ec != std::errc{} || result.ptr != end || !fits)
    throw UsageError(where + " '" + text + "': N or WxH, for example 1024 or 1920x1080");
  return extent;
}

std::string to_string(const Extent& extent) {
  return std::to_string(extent.width) + "x" + std::to_string(extent.height);
}

bool has_sizes(const AlgorithmInfo& algorithm) {
  return algorithm.input != Kind::none && !(algorithm.input == Kind::mesh && algorithm.own_input);
}

Shape input_shape(const AlgorithmInfo& algorithm, const ParamBox& params, const Extent& extent, int channels) {
  if (!has_sizes(algorithm)) return algorithm.own_input ? algorithm.own_input->shape(params) : Shape{};
  constexpr std::int64_t max_side = std::int64_t{1} << 20;
  const KindInfo& kind = info_of(algorithm.input);
  if (kind.dimensions > 1 && std::max(extent.width, extent.height) > max_side)
    throw UsageError("size " + to_string(extent) + ": a side of up to " + std::to_string(max_side) + " is accepted");
  std::string refusal;
  for (const Element element :
       {Element::u8, Element::f32, Element::i32, Element::u16, Element::u32, Element::f64, Element::i64}) {
    Shape shape{algorithm.input, element, kind.coloured ? channels : 1, extent.width, extent.height, 1};
    if (kind.dimensions == 3) shape.depth = extent.width;
    if (kind.dimensions == 1) shape.height = 1;
    try {
      (void)algorithm.output_shape(params, shape);
      return shape;
    } catch (const UsageError& error) {
      if (refusal.empty()) refusal = error.what();
    }
  }
  throw UsageError(std::string(algorithm.name) + " takes none of the sizes' pictures: " + refusal);
}

bool length_follows(const AlgorithmInfo& algorithm, std::string_view parameter) {
  return parameter == "count" && has_sizes(algorithm) && info_of(algorithm.input).dimensions == 1;
}

ParamBox sized_params(const AlgorithmInfo& algorithm, const ParamBox& params, const Extent& extent) {
  ParamBox sized = params;
  if (length_follows(algorithm, "count") && has_parameter(algorithm, "count"))
    sized.assign("count", std::to_string(extent.width));
  return sized;
}

std::string extent_text(const Shape& shape) {
  return info_of(shape.kind).dimensions == 1 ? std::to_string(shape.width)
                                             : to_string(Extent{shape.width, shape.height});
}

std::vector<int> variants_for(const AlgorithmInfo& algorithm, Backend backend, const std::vector<std::string>& names) {
  std::vector<int> indices;
  const auto known = algorithm.variants_of(backend);
  for (int i = 0; i < static_cast<int>(known.size()); ++i) {
    const auto wanted = [&](const std::string& name) {
      return name == "all" || (name == "default" && i == 0) || name == known[static_cast<std::size_t>(i)].name;
    };
    if (std::ranges::any_of(names, wanted)) indices.push_back(i);
  }
  return indices;
}

std::vector<PlannedPoint> plan(const BenchOptions& options) {
  std::vector<PlannedPoint> points;
  const SamplingRule rule = sampling_rule(options, {});
  const std::vector<std::string> usual_sizes{"1024", "4096"}, usual_lengths{"1048576", "16777216"};
  const std::vector<int> all_threads{0};
  const auto chosen = find_algorithms(options.algorithms);
  for (const AlgorithmInfo* algorithm : chosen) {
    const ParamBox chosen_params = params_for(*algorithm, options, chosen);
    const bool sized = has_sizes(*algorithm), coloured = info_of(algorithm->input).coloured;
    const auto& usual = info_of(algorithm->input).dimensions == 1 ? usual_lengths : usual_sizes;
    const auto& sizes = options.sizes.empty() ? usual : options.sizes;
    const auto& threads_of_openmp = options.threads.empty() ? all_threads : options.threads;
    for (const std::string& size : sized ? sizes : std::vector<std::string>{"1"})
      for (const int channels : coloured ? options.channels : std::vector<int>{1}) {
        const Extent extent = parse_extent("--sizes", size);
        const ParamBox params = sized_params(*algorithm, chosen_params, extent);
        const Shape input = input_shape(*algorithm, params, extent, channels);
        const Shape output = algorithm->output_shape(params, input);
        for (const Backend backend : chosen_backends(options))
          for (const int variant : variants_for(*algorithm, backend, options.variants))
            for (const int threads : backend == Backend::openmp ? threads_of_openmp : std::vector<int>{1})
              points.push_back({.point = {.request = {.algorithm = algorithm,
                                                      .params = params,
                                                      .backend = backend,
                                                      .variant = variant,
                                                      .threads = threads,
                                                      .seed = options.seed},
                                          .input = input,
                                          .output = output},
                                .rule = rule});
      }
  }
  if (points.empty()) throw UsageError("bench: no backend has a variant of that name; see `threadscape list`");
  return points;
}

namespace {

/// The peers of the algorithms of these points. A context of OpenGL is created only where a point has a use for it.
std::vector<Peer> peers_of(const std::vector<PlannedPoint>& points) {
  std::vector<Peer> all(peers().begin(), peers().end());
  const bool drawn = std::ranges::any_of(
      points, [](const PlannedPoint& planned) { return planned.point.request.algorithm->name == "rasterize"; });
  if (drawn) all.insert(all.end(), opengl_peers().begin(), opengl_peers().end());
  const bool on_gpu = std::ranges::any_of(
      points, [](const PlannedPoint& planned) { return planned.point.request.backend == Backend::cuda; });
  if (on_gpu) all.insert(all.end(), npp_peers().begin(), npp_peers().end());
  if (all.empty())
    throw BackendAbsent("--peers: this build has none; install OpenCV and build again" +
                        (on_gpu ? ", or give LD_LIBRARY_PATH the folder of NPP (" + npp_problem() + ")" : ""));
  return all;
}

}  // namespace

BenchReport measure_all(const std::vector<PlannedPoint>& points, const BenchOptions& options, Missing tolerated) {
  const std::vector<Peer> with = options.peers ? peers_of(points) : std::vector<Peer>{};
  LongTask task("bench", options.quiet);
  BenchReport report{.results = {}, .limits = measure_limits(points), .environment = environment_json()};
  HostArray input;
  const BenchPoint* made_for = nullptr;  // The point whose input `input` is.
  for (std::size_t i = 0; i < points.size(); ++i) {
    task.check();
    const BenchPoint& point = points[i].point;
    const auto skip = [&](const std::string& why) {
      BenchResult& left_out = report.results.emplace_back();
      left_out.point = point;
      left_out.skipped = why;
    };
    try {
      if (points[i].left_out.empty()) {
        if (!made_for || !same_input(*made_for, point)) {
          made_for = nullptr;
          input = HostArray();  // Freed first, since both might not fit into memory.
          input = make_input(point);
          made_for = &point;
        }
        for (BenchResult& result : measure(point, input.view(), with, points[i].rule, task.token()))
          report.results.push_back(std::move(result));
      } else {
        skip(points[i].left_out);
      }
    } catch (const BackendAbsent& error) {
      skip(error.what());
    } catch (const EnvironmentError& error) {
      if (tolerated != Missing::any) throw;
      skip(error.what());
    }
    task.progress().report(static_cast<double>(i + 1) / static_cast<double>(points.size()));
  }
  return report;
}

void write_reports(const BenchOptions& options, const BenchReport& report, const Json& json) {
  if (!options.json.empty()) io::save_bytes(options.json, dump(json));
  if (!options.csv.empty()) io::save_bytes(options.csv, bench_csv(report));
}

std::FILE* text_stream(const BenchOptions& options) {
  return io::is_standard_stream(options.json) || io::is_standard_stream(options.csv) ? stderr : stdout;
}

ExitCode outcome(const BenchReport& report) {
  const bool any =
      std::ranges::any_of(report.results, [](const BenchResult& result) { return result.skipped.empty(); });
  return any ? ExitCode::done : ExitCode::skipped;
}

}  // namespace threadscape::app
