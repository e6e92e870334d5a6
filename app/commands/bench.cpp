#include "app/commands/bench.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "app/commands/bench_report.h"
#include "app/commands/options.h"
#include "app/commands/terminal.h"
#include "compute/core/bandwidth.h"
#include "compute/core/registry.h"
#include "compute/cuda/device.h"
#include "compute/cuda/device_bench.h"
#include "compute/io/file_writer.h"
#include "compute/io/synthetic.h"

namespace threadscape::app {

namespace {

struct Extent {
  std::int64_t width = 0, height = 0;
};

Extent parse_extent(const std::string& text) {
  Extent extent;
  const char* end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, extent.width);
  extent.height = extent.width;
  if (result.ec == std::errc{} && result.ptr != end && *result.ptr == 'x')
    result = std::from_chars(result.ptr + 1, end, extent.height);
  constexpr std::int64_t largest = std::int64_t{1} << 20;
  const bool fits = extent.width >= 1 && extent.width <= largest && extent.height >= 1 && extent.height <= largest;
  if (result.ec != std::errc{} || result.ptr != end || !fits)
    throw UsageError("--sizes '" + text + "': N or WxH, for example 1024,1920x1080");
  return extent;
}

/// The first element type that the algorithm takes.
Shape input_shape(const AlgorithmInfo& algorithm, const ParamBox& params, Extent extent, int channels) {
  if (algorithm.input == Kind::none) return {};
  std::string refusal;
  for (const Element element : {Element::u8, Element::f32, Element::i32, Element::u16, Element::u32, Element::f64}) {
    Shape shape{algorithm.input, element,       algorithm.input == Kind::image ? channels : 1,
                extent.width,    extent.height, 1};
    if (algorithm.input == Kind::volume) shape.depth = extent.width;
    if (algorithm.input == Kind::sequence) shape.height = 1;
    try {
      (void)algorithm.output_shape(params, shape);
      return shape;
    } catch (const UsageError& error) {
      if (refusal.empty()) refusal = error.what();
    }
  }
  throw UsageError(std::string(algorithm.name) + " takes none of the sizes' pictures: " + refusal);
}

std::vector<const AlgorithmInfo*> chosen_algorithms(const BenchOptions& options) {
  std::vector<const AlgorithmInfo*> chosen;
  for (const std::string& name : options.algorithms)
    chosen.push_back(&find_algorithm(name));
  if (chosen.empty())
    for (const AlgorithmInfo& algorithm : algorithms())
      chosen.push_back(&algorithm);
  return chosen;
}

bool has_parameter(const AlgorithmInfo& algorithm, const std::string& name) {
  const ParamBox defaults = algorithm.defaults();
  return std::ranges::any_of(defaults.fields(), [&](const FieldRef& field) { return field.name == name; });
}

/// --set goes to every algorithm that has the parameter; one that none has is a mistake.
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

std::vector<int> variants_for(const AlgorithmInfo& algorithm, Backend backend, const BenchOptions& options) {
  std::vector<int> indices;
  const auto known = algorithm.variants_of(backend);
  for (int i = 0; i < static_cast<int>(known.size()); ++i) {
    const auto wanted = [&](const std::string& name) {
      return name == "all" || (name == "default" && i == 0) || name == known[static_cast<std::size_t>(i)].name;
    };
    if (std::ranges::any_of(options.variants, wanted)) indices.push_back(i);
  }
  return indices;
}

std::vector<Backend> chosen_backends(const BenchOptions& options) {
  if (!options.backends.empty()) return options.backends;
  std::vector<Backend> here{Backend::serial, Backend::openmp};
  if (cuda::device_info().available) here.push_back(Backend::cuda);
  return here;
}

std::vector<BenchPoint> plan(const BenchOptions& options) {
  std::vector<BenchPoint> points;
  const auto chosen = chosen_algorithms(options);
  for (const AlgorithmInfo* algorithm : chosen) {
    const ParamBox params = params_for(*algorithm, options, chosen);
    const bool sized = algorithm->input != Kind::none, coloured = algorithm->input == Kind::image;
    for (const std::string& size : sized ? options.sizes : std::vector<std::string>{"1"})
      for (const int channels : coloured ? options.channels : std::vector<int>{1}) {
        const Shape input = input_shape(*algorithm, params, parse_extent(size), channels);
        const Shape output = algorithm->output_shape(params, input);
        for (const Backend backend : chosen_backends(options))
          for (const int variant : variants_for(*algorithm, backend, options))
            for (const int threads : backend == Backend::openmp ? options.threads : std::vector<int>{1})
              points.push_back({.request = {.algorithm = algorithm,
                                            .params = params,
                                            .backend = backend,
                                            .variant = variant,
                                            .threads = threads,
                                            .seed = options.seed},
                                .input = input,
                                .output = output});
      }
  }
  if (points.empty()) throw UsageError("bench: no backend has a variant of that name; see `threadscape list`");
  return points;
}

CopyLimits measure_limits(const std::vector<BenchPoint>& points) {
  CopyLimits limits;
  for (const BenchPoint& point : points) {
    if (point.request.backend != Backend::cuda) {
      if (!limits.host.contains(point.threads())) limits.host[point.threads()] = host_copy_bandwidth(point.threads());
    } else if (cuda::device_info().available && limits.device == 0.0) {
      limits.device = cuda::device_copy_bandwidth();
    }
  }
  return limits;
}

void check_options(const BenchOptions& options) {
  for (const int threads : options.threads)
    if (threads < 0 || threads > max_threads())
      throw UsageError("--threads " + std::to_string(threads) + ": 1.." + std::to_string(max_threads()) +
                       ", or 0 for all");
  if (!options.json.empty()) io::require_writable(options.json);
  if (!options.csv.empty()) io::require_writable(options.csv);
}

}  // namespace

int bench(const BenchOptions& options) {
  check_options(options);
  const std::vector<BenchPoint> points = plan(options);
  const std::span<const Peer> with = options.peers ? peers() : std::span<const Peer>{};
  if (options.peers && with.empty())
    throw BackendAbsent("--peers: this build has none; install OpenCV and build again");

  LongTask task("bench", options.quiet);
  BenchReport report{.results = {}, .limits = measure_limits(points), .environment = environment_json()};
  const SamplingRule rule{options.repetitions, options.min_seconds, options.max_seconds};
  HostArray input;
  for (std::size_t i = 0; i < points.size(); ++i) {
    task.check();
    const BenchPoint& point = points[i];
    if (input.shape() != point.input) {
      input = HostArray();  // before the next one: both might not fit
      input = io::make_synthetic(io::Pattern::photo, point.input, options.seed);
    }
    try {
      for (BenchResult& result : measure(point, input.view(), with, rule, task.token()))
        report.results.push_back(std::move(result));
    } catch (const BackendAbsent& error) {
      report.results.push_back({.point = point, .series = {}, .peer = "", .skipped = error.what()});
    }
    task.progress().report(static_cast<double>(i + 1) / static_cast<double>(points.size()));
  }

  if (!options.json.empty()) io::save_bytes(options.json, dump(bench_json(report)));
  if (!options.csv.empty()) io::save_bytes(options.csv, bench_csv(report));
  if (!options.quiet) std::fputs(bench_table(report).c_str(), stdout);
  const bool any =
      std::ranges::any_of(report.results, [](const BenchResult& result) { return result.skipped.empty(); });
  return static_cast<int>(any ? ExitCode::done : ExitCode::skipped);
}

}  // namespace threadscape::app
