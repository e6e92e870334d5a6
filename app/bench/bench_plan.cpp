#include "app/bench/bench_plan.h"

#include <algorithm>
#include <charconv>
#include <stop_token>

#include "app/bench/bench_predict.h"
#include "app/bench/deadline.h"
#include "app/bench/peer_list.h"
#include "app/bench/resample.h"
#include "app/bench/time_budget.h"
#include "app/measure/report_table.h"
#include "app/measure/report_text.h"
#include "app/report/long_task.h"
#include "app/report/text.h"
#include "app/session/run_options.h"
#include "compute/core/bandwidth.h"
#include "compute/core/clip.h"
#include "compute/core/kind_info.h"
#include "compute/core/printable.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/gpu/device_ceilings.h"
#include "compute/io/file_writer.h"
#include "compute/io/pictures/image_file.h"
#include "compute/io/standard_stream.h"
#include "compute/registry/registry.h"
#include "compute/run/device_bench.h"
#include "compute/run/device_group.h"

namespace threadscape::app {

namespace {

bool has_parameter(const AlgorithmInfo& algorithm, const std::string& name) {
  const ParamBox defaults = algorithm.defaults();
  return std::ranges::any_of(defaults.fields(), [&](const FieldRef& field) { return field.name == name; });
}

/// The algorithm's parameters, of which the input's file may state some. A value of --set is assigned to every
/// algorithm that has the parameter; make_params() throws UsageError for one that none of the chosen algorithms has.
ParamBox params_for(const AlgorithmInfo& algorithm, const BenchOptions& options,
                    const std::vector<const AlgorithmInfo*>& chosen, const io::Settings& file = {},
                    const std::string& swept = "") {
  AlgorithmOptions own;
  own.preset = options.preset;
  auto sets = options.sets;
  if (!options.sweep_name.empty()) sets.emplace_back(options.sweep_name, swept);
  for (const auto& set : sets) {
    const bool known = std::ranges::any_of(chosen, [&](const auto* other) { return has_parameter(*other, set.first); });
    if (!known || has_parameter(algorithm, set.first)) own.sets.push_back(set);
  }
  return make_params(algorithm, own, file);
}

std::vector<Backend> chosen_backends(const BenchOptions& options) {
  if (!options.backends.empty()) return options.backends;
  std::vector<Backend> here{Backend::serial, Backend::openmp};
  if (options.predict || device_of({.device = options.device}).usable()) here.push_back(Backend::cuda);
  return here;
}

/// Returns whether the point works on an input that the algorithm makes itself.
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

HostIn SharedInput::of(const BenchPoint& point) {
  if (point.file) return point.file->data.view();
  if (!made_for_ || !same_input(*made_for_, point)) {
    made_for_.reset();
    input_ = HostArray();  // Freed first, since both might not fit into memory.
    input_ = make_input(point);
    made_for_ = point;
  }
  return input_.view();
}

HostArray make_input(const BenchPoint& point) {
  const RunRequest& request = point.request;
  return brings_input(point) ? request.algorithm->own_input->make(request.params, request.seed)
                             : make_synthetic(InputPattern::photo, point.input, request.seed);
}

CopyLimits measure_limits(const std::vector<PlannedPoint>& points, CopyLimits limits) {
  for (const auto& [point, rule, left_out] : points) {
    if (!left_out.empty()) continue;
    if (point.request.backend != Backend::cuda) {
      if (!limits.host.contains(point.threads())) limits.host[point.threads()] = host_copy_bandwidth(point.threads());
      if (point.output.kind == Kind::scalar && !limits.host_read.contains(point.threads()))
        limits.host_read[point.threads()] = host_read_bandwidth(point.threads());
    } else if (gpu::Device& device = device_of(point.request); device.usable() && limits.device == 0.0) {
      limits.device = cuda::device_copy_bandwidth(device);
      limits.device_ceilings = cuda::device_ceilings(device);
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

namespace {

/// The shape of an input of this size with numbers of this type, which the algorithm may refuse.
Shape sized_shape(const AlgorithmInfo& algorithm, const ParamBox& params, const Extent& extent, int channels,
                  Element element) {
  const KindInfo& kind = info_of(algorithm.input);
  Shape shape{algorithm.input, element, kind.coloured ? channels : 1, extent.width, extent.height, 1};
  if (kind.dimensions == 3) shape.depth = extent.width;
  // The parameters decide how many frames an algorithm uses.
  if (is_moving(algorithm.input)) shape.depth = algorithm.own_input ? algorithm.own_input->shape(params).depth : 1;
  if (kind.dimensions == 1) shape.height = 1;
  return shape;
}

}  // namespace

Shape input_shape(const AlgorithmInfo& algorithm, const ParamBox& params, const Extent& extent, int channels) {
  if (!has_sizes(algorithm)) return algorithm.own_input ? algorithm.own_input->shape(params) : Shape{};
  constexpr std::int64_t max_side = std::int64_t{1} << 20;
  const KindInfo& kind = info_of(algorithm.input);
  if (kind.dimensions > 1 && std::max(extent.width, extent.height) > max_side)
    throw UsageError("size " + to_string(extent) + ": a side of up to " + std::to_string(max_side) + " is accepted");
  // A refusal that does not name the shape says more than one that only refuses this type of numbers.
  std::string refusal, other_refusal;
  for (const Element element :
       {Element::u8, Element::f32, Element::i32, Element::u16, Element::u32, Element::f64, Element::i64}) {
    const Shape shape = sized_shape(algorithm, params, extent, channels, element);
    try {
      (void)algorithm.output_shape(params, shape);
      return shape;
    } catch (const UsageError& error) {
      const std::string text = error.what();
      (text.find(to_string(shape)) != std::string::npos ? refusal : other_refusal) = text;
    }
  }
  throw UsageError(std::string(algorithm.name) + " takes no input of size " + to_string(extent) + ": " +
                   (other_refusal.empty() ? refusal : other_refusal));
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

namespace {

/// The runs of an algorithm that a benchmark without a suite measures: an input and parameters on every chosen backend,
/// in every chosen variant, by every chosen number of threads.
class Planner {
 public:
  explicit Planner(const BenchOptions& options)
      : options_(options), chosen_(find_algorithms(options.algorithms)), rule_(sampling_rule(options, {})) {}

  std::vector<PlannedPoint> plan() {
    for (const AlgorithmInfo* algorithm : chosen_)
      for (const std::string& swept :
           options_.sweep_name.empty() ? std::vector<std::string>{""} : options_.sweep_values)
        options_.input.empty() ? add_sizes(*algorithm, swept) : add_file(*algorithm, swept);
    return std::move(points_);
  }

 private:
  void add_sizes(const AlgorithmInfo& algorithm, const std::string& swept) {
    const std::vector<std::string> usual_sizes{"1024", "4096"}, usual_lengths{"1048576", "16777216"};
    const ParamBox chosen_params = params_for(algorithm, options_, chosen_, {}, swept);
    const auto& usual = info_of(algorithm.input).dimensions == 1 ? usual_lengths : usual_sizes;
    const auto& sizes = options_.sizes.empty() ? usual : options_.sizes;
    for (const std::string& size : has_sizes(algorithm) ? sizes : std::vector<std::string>{"1"})
      for (const int channels : info_of(algorithm.input).coloured ? options_.channels : std::vector<int>{1}) {
        const Extent extent = parse_extent("--sizes", size);
        BenchPoint point{.request = RunRequest{.algorithm = &algorithm}, .input = {}, .output = {}};
        point.request.params = sized_params(algorithm, chosen_params, extent);
        try {
          point.input = input_shape(algorithm, point.request.params, extent, channels);
        } catch (const UsageError& error) {
          // Where all algorithms are measured, nobody has asked for this one in this size.
          if (!options_.algorithms.empty()) throw;
          point.input = sized_shape(algorithm, point.request.params, extent, channels, Element::u8);
          leave_out(std::move(point), error.what());
          continue;
        }
        add_runs(std::move(point));
      }
  }

  /// Adds a point that is not measured.
  void leave_out(BenchPoint point, std::string why) {
    point.request.backend = chosen_backends(options_).front();
    points_.push_back({.point = std::move(point), .rule = rule_, .left_out = std::move(why)});
  }

  /// Reads the file as this algorithm takes it, and resamples it to the sizes.
  void add_file(const AlgorithmInfo& algorithm, const std::string& swept) {
    RunRequest request{.algorithm = &algorithm, .params = params_for(algorithm, options_, chosen_, {}, swept)};
    io::Loaded picture = load_input(request, options_.input, {});
    if (!options_.quiet && !picture.note.empty()) print(stderr, "bench: " + picture.note + "\n");
    std::vector<Shape> shapes;
    for (const std::string& size : options_.sizes) {
      const Extent extent = parse_extent("--sizes", size);
      const Shape& own = picture.pixels.shape();
      Shape& shape = shapes.emplace_back(sized_shape(algorithm, request.params, extent, own.channels, own.element));
      if (is_moving(own.kind)) shape.depth = own.depth;
    }
    if (shapes.empty()) shapes.push_back(picture.pixels.shape());
    for (const Shape& shape : shapes) {
      request.params = sized_params(algorithm, params_for(algorithm, options_, chosen_, picture.settings, swept),
                                    {shape.width, shape.height});
      auto file = std::make_shared<InputFile>();
      file->name = options_.input.filename().string();
      file->data = shape == picture.pixels.shape() && shapes.size() == 1 ? std::move(picture.pixels)
                                                                         : resampled(picture.pixels.view(), shape);
      add_runs({.request = request, .input = shape, .output = {}, .file = std::move(file)});
    }
  }

  void add_runs(BenchPoint point) {
    const AlgorithmInfo& algorithm = *point.request.algorithm;
    const std::vector<int> one_thread{1}, all_threads{0};
    point.output = algorithm.output_shape(point.request.params, point.input);
    point.request.seed = options_.seed;
    point.request.device = options_.device;
    for (const Backend backend : chosen_backends(options_))
      for (const auto& [variant, route] : ways_of(algorithm, backend))
        for (const int threads : backend != Backend::openmp ? one_thread
                                 : options_.threads.empty() ? all_threads
                                                            : options_.threads) {
          point.request.backend = backend;
          point.request.variant = variant;
          point.request.route = route;
          point.request.threads = threads;
          point.request.devices = backend == Backend::cuda ? options_.devices : std::vector<gpu::Device*>{};
          if (is_divided(point.request)) require_divisible(point.request);
          points_.push_back({.point = point, .rule = rule_});
        }
  }

  /// The variants that are measured, each with the route that is forced; "" for none.
  std::vector<std::pair<int, std::string>> ways_of(const AlgorithmInfo& algorithm, Backend backend) const {
    std::vector<std::pair<int, std::string>> ways;
    if (options_.routes)
      for (const Route& route : algorithm.routes_of(backend))
        ways.emplace_back(0, route.name);
    else
      for (const int variant : variants_for(algorithm, backend, options_.variants))
        ways.emplace_back(variant, "");
    return ways;
  }

  const BenchOptions& options_;
  std::vector<const AlgorithmInfo*> chosen_;
  SamplingRule rule_;
  std::vector<PlannedPoint> points_;
};

}  // namespace

std::vector<PlannedPoint> plan(const BenchOptions& options) {
  std::vector<PlannedPoint> points = Planner(options).plan();
  if (points.empty() && options.routes)
    throw UsageError("bench --routes: these algorithms have one way of computing a run on each of these backends");
  if (points.empty()) throw UsageError("bench: no backend has a variant of that name; see `threadscape list`");
  return points;
}

namespace {

/// Calls `take`, which measures this point. Where it throws an error that is tolerated, the point is skipped.
template <class Take>
std::vector<Measurement> tolerating(Missing tolerated, const BenchPoint& point, const Take& take) {
  try {
    return take();
  } catch (const BackendAbsent& error) {
    return {skipped(point, error.what())};
  } catch (const RouteUnfit& error) {
    return {skipped(point, error.what())};
  } catch (const EnvironmentError& error) {
    if (tolerated != Missing::any) throw;
    return {skipped(point, error.what())};
  }
}

}  // namespace

Report measure_all(const std::vector<PlannedPoint>& points, const BenchOptions& options, Missing tolerated) {
  const std::vector<Peer> with = options.peers ? peers_of(points, OpenGlPeer::included) : std::vector<Peer>{};
  if (options.peers && !options.quiet)
    for (const std::string& absent : absent_peers(points))
      print(stderr, "bench: " + absent + "\n");
  LongTask task("bench", options.quiet);
  Report report{.environment = environment_of(device_of({.device = options.device})), .limits = measure_limits(points)};
  std::optional<RowPredictor> predictor;
  if (options.predict) predictor.emplace(options, report.limits);
  SharedInput input;
  std::vector<std::pair<std::size_t, std::size_t>> to_count;  // Points and their rows.
  for (std::size_t i = 0; i < points.size(); ++i) {
    task.check();
    const BenchPoint& point = points[i].point;
    PredictedTime predicted;
    const auto take = [&] {
      if (predictor) predicted = predictor->of(point, task.token());
      if (!points[i].left_out.empty()) return std::vector{skipped(point, points[i].left_out)};
      return measure(point, input.of(point), with, points[i].rule, task.token());
    };
    std::vector<Measurement> rows = tolerating(tolerated, point, take);
    rows.front().predicted = std::move(predicted);
    if (options.counters && point.request.backend == Backend::cuda && rows.front().skipped.empty())
      to_count.emplace_back(i, report.rows.size());
    for (Measurement& row : rows)
      report.add(std::move(row));
    task.progress().report(static_cast<double>(i + 1) / static_cast<double>(points.size()));
  }
  for (const auto& [point, row] : to_count) {
    task.check();
    count_on_gpu(points[point].point, input.of(points[point].point), report.rows[row]);
  }
  return report;
}

namespace {

/// Measures a point as the budget allows. A point without an estimate is run once to find how long it takes. One that
/// takes far longer than expected is ended and skipped.
Measurement measure_point(const TimeBudget& budget, const BenchPoint& point, const SamplingRule& rule,
                          SharedInput& input, const std::stop_token& stop) {
  const double allowed = budget.allowance();
  if (allowed <= 0.0) return skipped(point, "no time is left of " + budget.text());
  const auto too_slow = [&](double milliseconds) {
    Measurement result = skipped(point, "too slow for " + budget.text());
    result.estimated_ms = milliseconds;
    return result;
  };
  const std::optional<double> estimate = budget.estimate(point);
  std::optional<SamplingRule> fitting = estimate ? budget.fitting(rule, *estimate) : std::nullopt;
  if (estimate && !fitting) return too_slow(*estimate);
  const double limit = std::min(std::max(3.0 * allowed, 5.0), budget.seconds() - budget.elapsed());
  const Deadline deadline(stop, limit);
  try {
    const HostIn in = input.of(point);
    if (!estimate) {
      const SamplingRule once{.repetitions = 1, .min_seconds = 0.0, .max_seconds = 0.0, .warm_up_runs = 0};
      Measurement result = measure(point, in, {}, once, deadline.token()).front();
      fitting = budget.fitting(rule, result.samples.compute.front());
      if (!fitting) return result;
    }
    return measure(point, in, {}, *fitting, deadline.token()).front();
  } catch (const Cancelled&) {
    if (stop.stop_requested()) throw;
    return too_slow(limit * 1e3);
  }
}

/// Predicts the time of a point, if that takes no longer than a point may.
PredictedTime predict_within(const TimeBudget& budget, RowPredictor& predictor, const BenchPoint& point,
                             const std::stop_token& stop) {
  const double allowed = budget.allowance();
  const auto too_long = [&] { return PredictedTime{.why_none = "its prediction takes too long for " + budget.text()}; };
  if (allowed <= 0.0) return too_long();
  const Deadline deadline(stop, allowed);
  try {
    return predictor.of(point, deadline.token());
  } catch (const Cancelled&) {
    if (stop.stop_requested()) throw;
    return too_long();
  }
}

}  // namespace

Report measure_within(TimeBudget& budget, const std::vector<PlannedPoint>& points, const BenchOptions& options,
                      const CopyLimits& known, LongTask& task) {
  gpu::Device& device = device_of(points.empty() ? RunRequest{} : points.front().point.request);
  Report report{.environment = environment_of(device), .limits = known};
  std::optional<RowPredictor> predictor;
  if (options.predict) {
    report.limits = measure_limits(points, known);
    predictor.emplace(options, report.limits);
  }
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < points.size(); ++i)
    order.emplace_back(work_of(points[i].point), i);
  std::ranges::stable_sort(order, {}, &std::pair<double, std::size_t>::first);
  std::vector<std::vector<Measurement>> results(points.size());
  SharedInput input;
  for (const auto& by_work : order) {
    const std::size_t i = by_work.second;
    task.check();
    const PlannedPoint& planned = points[i];
    PredictedTime predicted;
    if (predictor) predicted = predict_within(budget, *predictor, planned.point, task.token());
    if (!planned.left_out.empty()) {
      results[i] = {skipped(planned.point, planned.left_out)};
      results[i].front().predicted = std::move(predicted);
      if (predictor) budget.next();
      continue;
    }
    results[i] = tolerating(Missing::any, planned.point, [&] {
      return std::vector{measure_point(budget, planned.point, planned.rule, input, task.token())};
    });
    results[i].front().predicted = std::move(predicted);
    if (const Samples& samples = results[i].front().samples; !samples.compute.empty())
      budget.record(planned.point, samples.median());
    budget.next();
    task.progress().report(budget.elapsed() / budget.seconds());
  }
  // The copies take seconds, on a busy machine many. Short budgets are left to the points.
  constexpr double seconds_of_copies = 30.0;
  if (!predictor && budget.seconds() - budget.elapsed() > seconds_of_copies)
    report.limits = measure_limits(points, known);
  for (std::vector<Measurement>& of_point : results)
    for (Measurement& row : of_point)
      report.add(std::move(row));
  return report;
}

void write_reports(const BenchOptions& options, const Report& report, const Json& json) {
  if (!options.json.empty()) io::save_bytes(options.json, report_text(json));
  if (!options.csv.empty()) io::save_bytes(options.csv, report_csv(report));
}

std::FILE* text_stream(const BenchOptions& options) {
  return io::is_standard_stream(options.json) || io::is_standard_stream(options.csv) ? stderr : stdout;
}

ExitCode outcome(const Report& report) {
  const bool predicted = std::ranges::any_of(report.rows, [](const auto& row) { return row.predicted.ms > 0.0; });
  return report.measured().empty() && !predicted ? ExitCode::skipped : ExitCode::done;
}

}  // namespace threadscape::app
