#include "app/lab/lab_plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/bench/bench_suite.h"
#include "app/report/text.h"
#include "app/session/validation.h"
#include "compute/core/clip.h"
#include "compute/core/errors.h"
#include "compute/core/kind_info.h"
#include "compute/registry/registry.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string part = text.substr(begin, end - begin);
    std::erase(part, ' ');
    if (!part.empty()) parts.push_back(std::move(part));
    begin = end + 1;
  }
  if (parts.empty()) throw UsageError("no values: for example 1,2,4");
  return parts;
}

std::int64_t whole_number(const std::string& text, std::int64_t most) {
  std::int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || number < 1 || number > most)
    throw UsageError("'" + text + "': a whole number is wanted, 1.." + std::to_string(most));
  return number;
}

/// The loaded shape at another width, with the same proportions, or the usual shape where nothing is loaded. A sequence
/// has `width` values.
Shape scaled(const Work& work, const Shape& loaded, double width) {
  if (loaded.kind == Kind::none)
    return input_shape(*work.algorithm, work.params, {std::llround(width), std::llround(width)}, 1);
  Shape shape = loaded;
  const double factor = width / static_cast<double>(loaded.width);
  const auto side = [factor](std::int64_t length) {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(length) * factor));
  };
  const int dimensions = info_of(loaded.kind).dimensions;
  shape.width = std::llround(width);
  if (dimensions > 1) shape.height = side(loaded.height);
  if (dimensions > 2 && !is_moving(loaded.kind)) shape.depth = side(loaded.depth);
  return shape;
}

/// The point for one run; the length of a sequence goes into the parameter `count` where there is one.
PlannedPoint planned(const Work& work, const ParamBox& params, const Shape& input, Backend backend, int variant,
                     int threads) {
  BenchPoint point{.request = RunRequest{.algorithm = work.algorithm,
                                         .params = sized_params(*work.algorithm, params, {input.width, input.height}),
                                         .backend = backend,
                                         .variant = variant,
                                         .threads = threads,
                                         .seed = work.seed,
                                         .device = work.device},
                   .input = input,
                   .output = {}};
  point.request.params.check();
  point.output = work.algorithm->output_shape(point.request.params, input);
  return {.point = std::move(point), .rule = {}};
}

/// A sweep in progress of being planned.
class Planner {
 public:
  Planner(const LabChoice& choice, const Work& work, const Shape& loaded)
      : choice_(choice), work_(work), loaded_(loaded) {}

  /// Adds the work on every chosen backend.
  void add_backends(const ParamBox& params, const Shape& input, bool all_variants) {
    for (const Backend backend : backends) {
      if (!choice_.backends[static_cast<std::size_t>(backend)] || !why_absent(backend, work_.device).empty()) continue;
      const auto variants = static_cast<int>(work_.algorithm->variants_of(backend).size());
      const int own = backend == work_.backend ? work_.variant : 0;
      for (int variant = 0; variant < variants; ++variant)
        if (all_variants || variant == own)
          points.push_back(planned(work_, params, input, backend, variant, work_.threads));
    }
  }
  void add_threads(int threads, const Shape& input) {
    const int variant = work_.backend == Backend::openmp ? work_.variant : 0;
    points.push_back(planned(work_, work_.params, input, Backend::openmp, variant, threads));
  }
  /// The input of a run with these parameters: the loaded one, or what the algorithm makes from the parameters, where
  /// nothing is loaded and the input has no size of its own, or where the loaded input is what it makes from the
  /// present parameters.
  [[nodiscard]] Shape present(const ParamBox& params) const {
    const auto& own = work_.algorithm->own_input;
    const bool nothing = loaded_.kind == Kind::none;
    if (own && ((nothing && !has_sizes(*work_.algorithm)) || own->shape(work_.params) == loaded_))
      return own->shape(params);
    return nothing ? input_shape(*work_.algorithm, params, {1024, 1024}, 1) : loaded_;
  }
  /// The present input, `factor` times as large in its last dimension; of clips in their height.
  [[nodiscard]] Shape grown(std::int64_t factor) const {
    Shape shape = present(work_.params);
    const int dimensions = is_moving(shape.kind) ? 2 : info_of(shape.kind).dimensions;
    (dimensions == 1 ? shape.width : dimensions == 2 ? shape.height : shape.depth) *= factor;
    return shape;
  }

  std::vector<PlannedPoint> points;

 private:
  const LabChoice& choice_;
  const Work& work_;
  const Shape& loaded_;
};

std::string powers_of_two(int most) {
  std::string text;
  for (int threads = 1; threads < most; threads *= 2)
    text += std::to_string(threads) + ",";
  return text + std::to_string(most);
}

/// Throws UsageError if the parameters of the algorithm determine its input, so that there is no size to vary.
void require_sizes(const AlgorithmInfo& algorithm) {
  if (!has_sizes(algorithm))
    throw UsageError(std::string(algorithm.name) + " has no size beside its parameters: vary one of them");
}

std::string values_of_parameter(const ParamBox& params, const std::string& name) {
  const auto fields = params.fields();
  const auto field = std::ranges::find(fields, name, &FieldRef::name);
  return field == fields.end() ? "" : to_text(*field);
}

}  // namespace

std::string_view name_of(Vary vary) {
  constexpr std::array<std::string_view, 7> names{"size",     "threads", "threads and size", "parameter", "variants",
                                                  "backends", "suite"};
  return names[static_cast<std::size_t>(vary)];
}

void choose_sweep(LabChoice& choice, const std::string& vary, const std::string& values) {
  constexpr std::string_view prefix = "params.";
  choice.vary = Vary::parameter;
  for (const Vary known : all_of_vary) {
    std::string name(name_of(known));
    std::ranges::replace(name, ' ', '-');
    if (name == vary && known != Vary::parameter) choice.vary = known;
  }
  choice.values = values;
  choice.suite = values;
  if (choice.vary == Vary::parameter) choice.parameter = vary.starts_with(prefix) ? vary.substr(prefix.size()) : vary;
}

std::vector<std::string> sweepable_parameters(const ParamBox& params) {
  std::vector<std::string> names;
  for (const Parameter& param : parameters_of(params))
    if (param.number() || (param.json.starts_with('"') && !param.text.empty())) names.push_back(param.name);
  return names;
}

std::string usual_values(const LabChoice& choice, const Work& work, const Shape& loaded) {
  switch (choice.vary) {
    case Vary::threads:
    case Vary::threads_and_size:
      return powers_of_two(hardware_threads());
    case Vary::size:
      if (info_of(work.algorithm->input).dimensions == 1) return "1024,16384,262144,4194304";
      if (info_of(work.algorithm->input).dimensions == 3 && !is_moving(work.algorithm->input)) return "16,32,64,128";
      return loaded.kind == Kind::none || loaded.width < 1024 ? "64,128,256,512,1024" : "128,256,512,1024,2048";
    case Vary::parameter:
      return values_of_parameter(work.params, choice.parameter);
    default:
      return "";
  }
}

std::vector<PlannedPoint> lab_points(const LabChoice& choice, const Work& work, const Shape& loaded) {
  constexpr std::int64_t max_width = std::int64_t{1} << 30;
  if (choice.vary != Vary::suite && sketch::has_sketched_kernels(*work.algorithm))
    throw UsageError("a run of a sketch with kernels has no time of the kernels: the page Code compares their costs");
  Planner planner(choice, work, loaded);
  switch (choice.vary) {
    case Vary::size:
      require_sizes(*work.algorithm);
      for (const std::string& value : split(choice.values))
        planner.add_backends(work.params, scaled(work, loaded, static_cast<double>(whole_number(value, max_width))),
                             false);
      break;
    case Vary::threads:
    case Vary::threads_and_size:
      if (choice.vary == Vary::threads_and_size) require_sizes(*work.algorithm);
      for (const std::string& value : split(choice.values)) {
        const auto threads = static_cast<int>(whole_number(value, max_threads()));
        planner.add_threads(threads,
                            choice.vary == Vary::threads ? planner.present(work.params) : planner.grown(threads));
      }
      break;
    case Vary::parameter:
      if (length_follows(*work.algorithm, choice.parameter))
        throw UsageError("count follows from the input: vary the size");
      for (const std::string& value : split(choice.values)) {
        ParamBox params = work.params;
        params.assign(choice.parameter, value);
        params.check();
        planner.add_backends(params, planner.present(params), false);
      }
      break;
    case Vary::variants:
    case Vary::backends:
      planner.add_backends(work.params, planner.present(work.params), choice.vary == Vary::variants);
      break;
    case Vary::suite:
      planner.points = plan(load_suite(choice.suite), {.device = work.device});
      break;
  }
  if (planner.points.empty()) throw UsageError("no backend is chosen that this machine has");
  if (choice.vary != Vary::suite)
    for (PlannedPoint& point : planner.points)
      point.rule = {.repetitions = 9, .min_seconds = 0.05, .max_seconds = 3.0, .precision = choice.precision};
  for (PlannedPoint& point : planner.points)
    point.rule.cold = point.rule.cold || choice.cold;
  return planner.points;
}

}  // namespace threadscape::app
