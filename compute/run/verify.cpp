#include "compute/run/verify.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "compute/core/kind_info.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/kernel/philox.h"
#include "compute/registry/registry.h"
#include "compute/registry/steps.h"
#include "compute/run/runner.h"

namespace threadscape {

namespace {

/// Settings of two changes, which are most of the settings of algorithms with many choices, run with every third shape.
/// All elements and extents still meet every choice, and either change alone meets all shapes.
constexpr std::uint64_t combined_every = 3;

struct Assignment {
  std::string name, text;
};

/// The first four filters of the registry with their default parameters, as the text of a list of steps in which every
/// other step is switched off.
std::string some_filters(bool odd_on) {
  // Every filter is swept by itself as well, so a few are enough to test their order and the intermediate pictures.
  constexpr int max_filters = 4;
  std::string text;
  bool odd = false;
  int count = 0;
  for (const AlgorithmInfo& info : algorithms()) {
    if (!is_filter(info) || count == max_filters) continue;
    ++count;
    text += (text.empty() ? "" : " | ") + std::string(odd == odd_on ? "" : "off ") + std::string(info.name);
    odd = !odd;
  }
  return text;
}

/// The values of a field that the sweep uses, as text: both ends of a range, or all choices.
std::vector<std::string> ends(const FieldRef& field) {
  std::vector<std::string> texts;
  const auto at = [&](auto number) { texts.push_back(std::to_string(number)); };
  if (const auto* v = std::get_if<IntValue>(&field.value)) {
    at(v->lo);
    at(v->sweep_hi - (v->sweep_hi - v->lo) % std::max(v->step, 1));
  } else if (const auto* v = std::get_if<FloatValue>(&field.value)) {
    // to_text() writes a float such that reading the text gives the same float.
    for (float end : {v->lo, v->hi})
      texts.push_back(to_text({field.name, "", "", FloatValue{&end, v->lo, v->hi}}));
  } else if (std::holds_alternative<BoolValue>(field.value)) {
    texts = {"true", "false"};
  } else if (const auto* v = std::get_if<ChoiceValue>(&field.value)) {
    texts.assign(v->choices.begin(), v->choices.end());
  } else if (std::holds_alternative<StepsValue>(field.value)) {
    texts = {"", some_filters(false), some_filters(true)};
  }
  return texts;
}

std::string grid_of(std::size_t count, const auto& value) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    float one = value(i);
    text += (i == 0 ? "" : ",") + to_text({"", "", "", FloatValue{&one, one, one}});
  }
  return text;
}

/// Grids with all values at the lower end, with all at the upper end, and with mixed values for every allowed side.
std::vector<std::string> grids(const std::vector<FieldRef>& fields, const GridValue& grid) {
  const std::size_t count = grid.values->size();
  std::vector<std::string> texts{grid_of(count, [&](std::size_t) { return grid.lo; }),
                                 grid_of(count, [&](std::size_t) { return grid.hi; })};
  for (const FieldRef& field : fields) {
    const auto* side = std::get_if<IntValue>(&field.value);
    if (!side || side->value != grid.side) continue;
    for (int k = side->lo; k <= side->hi; k += std::max(side->step, 1))
      texts.push_back(grid_of(static_cast<std::size_t>(k) * static_cast<std::size_t>(k), [&](std::size_t i) {
        // Values in -2..2 in steps of 1/64 have both signs and fractions, and do not saturate every result.
        const auto cell = static_cast<std::uint32_t>(i);
        const std::uint32_t word = philox({{cell, static_cast<std::uint32_t>(k), 0, 0}}, 0).word[0];
        return std::clamp(static_cast<float>(word % 257) / 64.0f - 2.0f, grid.lo, grid.hi);
      }));
  }
  return texts;
}

/// The parameters that the settings start from.
ParamBox first_params(const AlgorithmInfo& algorithm) {
  return algorithm.verify_params != nullptr ? algorithm.verify_params() : algorithm.defaults();
}

void add(std::vector<VerifySetting>& settings, const AlgorithmInfo& algorithm, const std::vector<Assignment>& changes) {
  VerifySetting setting{.label = "", .params = first_params(algorithm), .combined = changes.size() > 1};
  for (const Assignment& change : changes) {
    setting.params.assign(change.name, change.text);
    constexpr std::size_t shown = 40;
    const bool cut = change.text.size() > shown;
    setting.label +=
        (setting.label.empty() ? "" : " ") + change.name + "=" + change.text.substr(0, shown) + (cut ? "..." : "");
  }
  if (setting.label.empty()) setting.label = "defaults";
  if (setting.params.problem().empty()) settings.push_back(std::move(setting));
}

void add_extents(std::vector<Shape>& shapes, Kind kind, Element element, int channels) {
  struct Extent {
    std::int64_t width, height, depth;
  };
  static constexpr Extent flat[]{{1, 1, 1},   {1, 7, 1},     {7, 1, 1},   {31, 33, 1},
                                 {64, 64, 1}, {257, 129, 1}, {1000, 3, 1}};
  static constexpr Extent solid[]{{1, 1, 1}, {7, 1, 3}, {1, 7, 1}, {31, 33, 5}, {64, 16, 16}};
  static constexpr Extent line[]{{1, 1, 1}, {2, 1, 1}, {7, 1, 1}, {1000, 1, 1}, {4096, 1, 1}, {65537, 1, 1}};
  const int dimensions = info_of(kind).dimensions;
  const std::span<const Extent> extents = dimensions == 3   ? std::span<const Extent>(solid)
                                          : dimensions == 2 ? std::span<const Extent>(flat)
                                                            : std::span<const Extent>(line);
  for (const Extent& e : extents)
    shapes.push_back({kind, element, channels, e.width, e.height, e.depth});
}

}  // namespace

std::vector<VerifySetting> verify_settings(const AlgorithmInfo& algorithm) {
  std::vector<VerifySetting> settings;
  add(settings, algorithm, {});
  ParamBox defaults = algorithm.defaults();
  const std::vector<FieldRef> fields = defaults.fields();
  for (const FieldRef& field : fields) {
    const std::string name(field.name);
    for (const std::string& end : ends(field))
      add(settings, algorithm, {{name, end}});
    if (const auto* grid = std::get_if<GridValue>(&field.value))
      for (const std::string& text : grids(fields, *grid))
        add(settings, algorithm, {{name, text}});
    if (!std::holds_alternative<ChoiceValue>(field.value)) continue;
    for (const FieldRef& other : fields) {
      if (!std::holds_alternative<IntValue>(other.value)) continue;
      for (const std::string& choice : ends(field))
        add(settings, algorithm, {{std::string(other.name), ends(other).back()}, {name, choice}});
    }
  }
  return settings;
}

std::vector<Shape> verify_shapes(Kind kind) {
  std::vector<Shape> shapes;
  if (kind == Kind::none) return {Shape{}};
  constexpr Element elements[]{Element::u8,  Element::u16, Element::u32, Element::i32,
                               Element::i64, Element::f32, Element::f64};
  for (const Element element : elements) {
    add_extents(shapes, kind, element, 1);
    if (info_of(kind).coloured) add_extents(shapes, kind, element, 4);
  }
  return shapes;
}

namespace {

/// Sets values below the middle of their range to 0 and the others to white, for bytes, 16-bit integers and floats.
void make_binary(HostArray& pixels) {
  const Shape& shape = pixels.shape();
  const auto threshold = [&]<class T>(T middle, T highest) {
    for (std::int64_t y = 0; y < shape.height; ++y) {
      T* row = reinterpret_cast<T*>(pixels.data() + static_cast<std::size_t>(y) * pixels.pitch());
      for (std::int64_t i = 0; i < shape.width * shape.channels; ++i)
        row[i] = row[i] < middle ? T{0} : highest;
    }
  };
  if (shape.element == Element::u8)
    threshold(std::uint8_t{128}, std::uint8_t{255});
  else if (shape.element == Element::u16)
    threshold(std::uint16_t{32768}, std::uint16_t{65535});
  else if (shape.element == Element::f32)
    threshold(0.5f, 1.0f);
}

/// A row for each variant that is compared with serial, with the reason if it cannot run here.
std::vector<VerifyRow> rows_of(const AlgorithmInfo& algorithm, const VerifyOptions& options) {
  std::vector<VerifyRow> rows;
  for (const Backend backend : options.backends) {
    std::string absent;
    if (backend == Backend::cuda) {
      gpu::Device& device = device_of({.device = options.device});
      absent = device.problem();
      if (absent.empty() && device.runs_kernels() && !algorithm.cuda) absent = "it has no CUDA backend";
    }
    const auto variants = algorithm.variants_of(backend);
    for (int variant = backend == Backend::serial ? 1 : 0; variant < static_cast<int>(variants.size()); ++variant) {
      const std::string_view name = variants[static_cast<std::size_t>(variant)].name;
      const auto names = [&](const std::vector<std::string>& list) {
        return std::ranges::find(list, name) != list.end();
      };
      if ((options.variants.empty() || names(options.variants)) && !names(options.without))
        rows.push_back({.backend = backend, .variant = variant, .compared = 0, .skipped = absent, .failure = ""});
    }
  }
  return rows;
}

/// Noise, or for the last seed a smoother pattern, because flat areas and ramps expose other errors.
HostArray make_input(const AlgorithmInfo& algorithm, const ParamBox& params, const Shape& shape, std::uint64_t seed,
                     bool last_seed) {
  HostArray pixels = make_synthetic(last_seed ? InputPattern::photo : InputPattern::noise, shape, seed);
  try {
    if (algorithm.check_input) algorithm.check_input(params, std::as_const(pixels).view());
  } catch (const UsageError&) {
    make_binary(pixels);  // Hit-or-miss accepts binary pictures only.
  }
  return pixels;
}

/// The shapes of the sweep that the algorithm accepts with these parameters.
std::vector<Shape> accepted(const AlgorithmInfo& algorithm, const VerifySetting& setting) {
  std::vector<Shape> shapes = verify_shapes(algorithm.input);
  std::erase_if(shapes, [&](const Shape& shape) {
    try {
      (void)algorithm.output_shape(setting.params, shape);
      return false;
    } catch (const UsageError&) {
      return true;
    }
  });
  return shapes;
}

void fill(HostArray& array, std::byte value) {
  std::memset(array.data(), std::to_integer<int>(value), array_bytes(array.shape(), 64));
}

/// Backend, variant and threads of a run of the sweep, and its input.
std::string describe_case(const RunRequest& request, const VerifySetting& setting, const Shape& input) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  return std::string(algorithm.name) + " " + std::string(name_of(request.backend)) + " " +
         std::string(algorithm.variants_of(request.backend)[static_cast<std::size_t>(request.variant)].name) +
         (request.backend == Backend::openmp ? " threads " + std::to_string(request.threads) : "") + ", input " +
         to_string(input) + ", " + setting.label + ", seed " + std::to_string(request.seed);
}

/// Runs the cases of the sweep on all backends and variants. Before a run the output is filled with another byte than
/// the output of the reference was, so that values that a backend forgets to write show up as differences.
class Sweep {
 public:
  Sweep(const AlgorithmInfo& algorithm, const VerifyOptions& options, const std::stop_token& stop)
      : algorithm_(algorithm), options_(options), stop_(stop) {}

  /// Counts the results that equal those of serial in `rows`, and notes the first failure of each row there.
  void run_case(std::vector<VerifyRow>& rows, const VerifySetting& setting, const Shape& input, std::uint64_t seed) {
    const Shape output = algorithm_.output_shape(setting.params, input);
    const HostArray pixels = make_input(algorithm_, setting.params, input, seed, seed + 1 == options_.seeds);
    RunRequest request{.algorithm = &algorithm_,
                       .params = setting.params,
                       .backend = Backend::serial,
                       .seed = seed,
                       .device = options_.device};
    HostArray expected(output);
    fill(expected, std::byte{0x5A});
    runner_.run_into(request, pixels.view(), expected.view(), stop_);

    HostArray actual(output);
    const std::vector<int> once{1};
    for (VerifyRow& row : rows) {
      if (!row.skipped.empty() || !row.failure.empty()) continue;
      request.backend = row.backend;
      request.variant = row.variant;
      request.parts_at_once = row.compared % 2 == 0 ? 0 : 3;  // Every second run is split.
      for (const int threads : row.backend == Backend::openmp ? options_.threads : once) {
        request.threads = threads;
        fill(actual, std::byte{0xA5});
        const std::string difference = run_one(request, pixels, expected, actual);
        if (!difference.empty()) {
          row.failure = describe_case(request, setting, input) + ": " + difference;
          break;
        }
        ++row.compared;
      }
    }
  }

 private:
  /// What is wrong with the result of this run; "" if it equals `expected`.
  std::string run_one(const RunRequest& request, const HostArray& input, const HostArray& expected, HostArray& actual) {
    try {
      runner_.run_into(request, input.view(), actual.view(), stop_);
    } catch (const Cancelled&) {
      throw;
    } catch (const std::exception& error) {
      return error.what();
    }
    const auto mismatch = compare(expected.view(), actual.view(), tolerance_of(request, input.shape()));
    return mismatch ? to_string(*mismatch) : "";
  }

  const AlgorithmInfo& algorithm_;
  const VerifyOptions& options_;
  std::stop_token stop_;
  Runner runner_;
};

}  // namespace

std::vector<VerifyRow> verify(const AlgorithmInfo& algorithm, const VerifyOptions& options, const std::stop_token& stop,
                              Progress* progress) {
  Sweep sweep(algorithm, options, stop);
  std::vector<VerifyRow> rows = rows_of(algorithm, options);
  const bool any = std::ranges::any_of(rows, [](const VerifyRow& row) { return row.skipped.empty(); });
  const std::vector<VerifySetting> settings = verify_settings(algorithm);
  for (std::size_t i = 0; any && i < settings.size(); ++i) {
    const std::vector<Shape> shapes = accepted(algorithm, settings[i]);
    // Few shapes, as of algorithms without an input, would leave settings of two changes without any.
    const bool thinned = settings[i].combined && shapes.size() >= combined_every;
    const std::uint64_t every = std::max(options.every, thinned ? combined_every : 1);
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      if ((i + k) % every != 0) continue;
      // The defaults, which come first, run with the inputs of all seeds; the other settings with one seed in turn.
      const std::uint64_t first = i == 0 ? 0 : i % options.seeds, end = i == 0 ? options.seeds : first + 1;
      for (std::uint64_t seed = first; seed < end; ++seed)
        sweep.run_case(rows, settings[i], shapes[k], seed);
    }
    if (progress) progress->report(static_cast<double>(i + 1) / static_cast<double>(settings.size()));
  }
  for (VerifyRow& row : rows)
    if (row.skipped.empty() && row.failure.empty() && row.compared == 0)
      row.failure = std::string(algorithm.name) + ": no case of the sweep fits its input";
  return rows;
}

}  // namespace threadscape
