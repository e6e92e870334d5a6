// Parameters of convolution: presets, fields that follow other fields, and the plan that all backends work from.

#include "compute/algorithms/filters/convolution/convolution.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "compute/algorithms/filters/convolution/convolution_alpha.h"
#include "compute/algorithms/filters/convolution/convolution_factors.h"
#include "compute/algorithms/filters/convolution/convolution_large.h"
#include "compute/engines/planes/crop.h"
#include "compute/engines/planes/require_planes.h"
#include "compute/engines/separable/separable.h"
#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

using convolution::Plan;

namespace {

/// Positive integers in the shape of a Gaussian. Up to size 9 they are a row of Pascal's triangle, whose numbers would
/// become too large beyond that; larger masks get exp(-x^2 / (2 sigma^2)) with sigma = radius / 3, in units of 1/64.
std::vector<float> bell(int size) {
  if (size > convolution::max_small_size) {
    std::vector<float> row;
    const int radius = size / 2;
    for (int x = -radius; x <= radius; ++x)
      row.push_back(static_cast<float>(std::lround(64.0 * std::exp(-4.5 * x * x / (radius * radius)))));
    return row;
  }
  std::vector<float> row{1.0f};
  while (static_cast<int>(row.size()) < size) {
    row.push_back(0.0f);
    for (std::size_t i = row.size() - 1; i > 0; --i)
      row[i] += row[i - 1];
  }
  return row;
}

}  // namespace

std::vector<float> Convolution::preset_mask(Preset preset, int size) {
  const int radius = size / 2;
  const std::vector<float> row = bell(size);
  std::vector<float> mask;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      const bool centre = dx == 0 && dy == 0;
      const bool cross = dx == 0 || dy == 0;
      float tap = 0.0f;
      switch (preset) {
        case Preset::custom:
        case Preset::identity:
          tap = centre ? 1.0f : 0.0f;
          break;
        case Preset::box:
          tap = 1.0f;
          break;
        case Preset::gaussian:
          tap = row[static_cast<std::size_t>(dx + radius)] * row[static_cast<std::size_t>(dy + radius)];
          break;
        case Preset::sharpen:
          tap = centre ? static_cast<float>(4 * radius + 1) : cross ? -1.0f : 0.0f;
          break;
        case Preset::edge:
          tap = centre ? static_cast<float>(size * size - 1) : -1.0f;
          break;
        case Preset::emboss:  // light from the upper left; the weights add up to 1
          tap = centre ? 1.0f : std::abs(dx - dy) <= 1 ? static_cast<float>(std::clamp(dx + dy, -2, 2)) : 0.0f;
          break;
      }
      mask.push_back(tap);
    }
  return mask;
}

void Convolution::Params::assigned(std::string_view field) {
  if (field == "preset" && preset != Preset::custom) {
    mask = preset_mask(preset, size);
    divide_by = preset == Preset::box || preset == Preset::gaussian ? DivideBy::sum : DivideBy::divisor;
    divisor = 1.0f;
    bias = 0.0f;
  } else if (field == "size" && preset != Preset::custom) {
    mask = preset_mask(preset, size);
  } else if (field == "mask") {
    preset = Preset::custom;
  } else if (field == "divisor") {
    divide_by = DivideBy::divisor;
  }
}

void Convolution::Params::edited(std::string_view field) {
  if (field != "size" || preset != Preset::custom) return assigned(field);
  const int old_size = static_cast<int>(std::lround(std::sqrt(static_cast<double>(mask.size()))));
  const int move = (size - old_size) / 2;  // Both sizes are odd, so the centres coincide.
  std::vector<float> resized(static_cast<std::size_t>(size * size), 0.0f);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const int old_x = x - move, old_y = y - move;
      if (old_x >= 0 && old_y >= 0 && old_x < old_size && old_y < old_size)
        resized[static_cast<std::size_t>(y * size + x)] = mask[static_cast<std::size_t>(old_y * old_size + old_x)];
    }
  mask = std::move(resized);
}

std::string Convolution::Params::problem() const {
  if (const auto wanted = static_cast<std::size_t>(size) * static_cast<std::size_t>(size); mask.size() != wanted) {
    std::string text = "mask has " + std::to_string(mask.size()) + " values, size " + std::to_string(size) + " needs " +
                       std::to_string(wanted);
    for (int other = 3; other <= convolution::max_size; other += 2)
      if (mask.size() == static_cast<std::size_t>(other * other))
        text += "; for this mask set size=" + std::to_string(other);
    return text;
  }
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (!std::isfinite(mask[i])) return "mask value " + std::to_string(i + 1) + " is not a finite number";
  if (divide_by == DivideBy::divisor && !(std::abs(divisor) > 0.0f))
    return "divisor is 0; any other number is accepted";
  if (!std::isfinite(divisor) || !std::isfinite(bias)) return "divisor and bias must be finite numbers";
  return {};
}

namespace {

/// Sets Plan::exact and the fields that depend on it.
void find_units(Plan& plan) {
  constexpr int max_shift = 16;
  const int count = plan.size * plan.size;
  int shift = 0;
  double scale = 1.0, magnitude = 0.0;
  for (; shift <= max_shift; ++shift, scale *= 2.0) {
    magnitude = 0.0;
    bool whole = true;
    for (int i = 0; i < count; ++i) {
      const double scaled = plan.taps[i] * scale;
      whole = whole && scaled == std::floor(scaled);
      magnitude += std::abs(scaled);
    }
    if (whole) break;
  }
  if (shift > max_shift) return;
  const bool small = plan.size <= convolution::max_small_size;
  if (small ? magnitude * 255.0 >= 16777216.0 : magnitude * 255.0 > convolution::max_exact_sum) return;

  plan.exact = true;
  const double signed_scale = plan.finish.divisor < 0.0f ? -scale : scale;
  plan.unit = static_cast<float>(1.0 / signed_scale);
  plan.magnitude = static_cast<int>(magnitude);
  for (int i = 0; i < count; ++i) {
    plan.units[i] = static_cast<int>(plan.taps[i] * signed_scale);
    plan.max_unit = std::max(plan.max_unit, std::abs(plan.units[i]));
  }
  const double divisor = plan.finish.divisor * signed_scale;  // the divisor of sums in units, positive
  const double bias = plan.finish.bias;
  plan.whole.possible = divisor >= 1.0 && divisor <= max_whole_divisor && divisor == std::floor(divisor) &&
                        std::abs(bias) <= max_whole_bias && bias == std::floor(bias);
  if (!plan.whole.possible) return;
  plan.whole.divisor = static_cast<int>(divisor);
  plan.whole.offset = static_cast<int>(divisor * bias);
  plan.whole.absolute = plan.finish.absolute;
}

/// Sets Plan::factored and the fields that depend on it; needs those of find_units().
void find_factors(Plan& plan) {
  if (plan.size <= convolution::max_small_size) return;
  if (!plan.exact) {
    plan.factored = convolution::real_factors(plan.taps, plan.size, plan.column, plan.row);
    return;
  }
  int column[convolution::max_size], row[convolution::max_size];
  plan.factored = convolution::whole_factors(plan.units, plan.size, column, row);
  if (!plan.factored) return;
  bool fit = true;
  int column_magnitude = 0;
  for (int i = 0; i < plan.size; ++i) {
    plan.column[i] = static_cast<float>(column[i]) * plan.unit;  // factors of units are below 2^24, so nothing rounds
    plan.row[i] = static_cast<float>(row[i]);
    column_magnitude += std::abs(column[i]);
    fit = fit && std::abs(column[i]) <= 32767 && std::abs(row[i]) <= 32767;
  }
  plan.whole_factors = fit && column_magnitude <= separable::max_column_magnitude;
  for (int i = 0; i < plan.size && plan.whole_factors; ++i) {
    plan.unit_column[i] = static_cast<std::int16_t>(column[i]);
    plan.unit_row[i] = static_cast<std::int16_t>(row[i]);
  }
}

}  // namespace

Plan Convolution::plan(const Params& params) {
  if (const std::string problem = params.problem(); !problem.empty()) throw UsageError("convolution: " + problem);
  Plan plan;
  plan.size = params.size;
  plan.radius = params.size / 2;
  std::copy(params.mask.begin(), params.mask.end(), plan.taps);
  plan.border = params.border;
  plan.channels = params.channels;

  double sum = 0.0;
  for (const float tap : params.mask)
    sum += tap;
  switch (params.divide_by) {
    case DivideBy::divisor:
      plan.finish.divisor = params.divisor;
      break;
    // Masks of differences add up to 0, and their sums are not divided. The test is of the sum rounded to float, since
    // that is the divisor.
    case DivideBy::sum:
      plan.finish.divisor = static_cast<float>(sum) == 0.0f ? 1.0f : static_cast<float>(sum);
      break;
    case DivideBy::size:
      plan.finish.divisor = static_cast<float>(params.size * params.size);
      break;
  }
  plan.finish.bias = params.bias;
  plan.finish.real_bias = params.bias / 255.0f;
  plan.finish.absolute = params.absolute;
  find_units(plan);
  find_factors(plan);
  return plan;
}

namespace convolution {

void check(const Plan& plan) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::logic_error(std::string("convolution plan: ") + what);
  };
  require(plan.size >= 3 && plan.size <= max_size && plan.size % 2 == 1, "its size is not odd or out of range");
  require(plan.radius == plan.size / 2, "its radius is not that of its size");
  require(plan.size > max_small_size || !plan.factored, "factors of a mask that has kernels of its own");
  require(!plan.whole_factors || (plan.factored && plan.exact), "integer factors without factors of an exact mask");
  const int count = plan.size * plan.size;
  int magnitude = 0, largest = 0;
  for (int i = 0; i < count && plan.exact; ++i) {
    require(static_cast<float>(plan.units[i]) * plan.unit == plan.taps[i], "units that are not its taps");
    magnitude += std::abs(plan.units[i]);
    largest = std::max(largest, std::abs(plan.units[i]));
  }
  require(magnitude == plan.magnitude && largest == plan.max_unit, "a magnitude that is not that of its units");
  for (int i = 0; i < count && plan.whole_factors; ++i)
    require(plan.unit_column[i / plan.size] * plan.unit_row[i % plan.size] == plan.units[i],
            "integer factors whose product is another mask");
}

bool rounds_in_two_passes(const Plan& plan, const Shape& input) {
  return (input.element == Element::f32 ? plan.order<float>() : plan.order<std::uint8_t>()) == Order::factors;
}

bool in_two_passes(const Plan& plan, const Shape& input) {
  return rounds_in_two_passes(plan, input) || (input.element == Element::u8 && plan.whole_factors);
}

separable::Plan two_passes(const Plan& plan) {
  separable::Plan passes;
  passes.radius = plan.radius;
  passes.border = plan.border == Border::shrink ? Border::zero : plan.border;
  passes.channels = plan.channels;
  passes.result = separable::Result::divided;
  passes.finish = plan.unit_finish();
  passes.in_floats = !plan.whole_factors;
  passes.below_2_24 = plan.exact && 255.0 * plan.magnitude < 16777216.0;
  int column_magnitude = 0;
  for (int i = 0; i < plan.size; ++i) {
    passes.whole.column[0][i] = plan.unit_column[i];
    passes.whole.row[0][i] = plan.unit_row[i];
    passes.real.column[0][i] = plan.column[i];
    passes.real.row[0][i] = plan.row[i];
    column_magnitude += std::abs(plan.unit_column[i]);
  }
  passes.wide = 255 * column_magnitude > 32767;
  return passes;
}

}  // namespace convolution

Shape Convolution::output_shape(const Params& params, const Shape& input) {
  require_planes_of<std::uint8_t, float>("convolution", "8-bit, 16-bit and float images, grey or RGBA", input);
  return cropped_shape("convolution", input, params.border, params.size / 2);
}

std::size_t Convolution::scratch_bytes(const Params& params, const Shape& input, Backend backend, int variant) {
  if (counts_alpha(params, input)) {
    using namespace weighted_alpha;
    Params ignored = params;
    ignored.alpha = Alpha::ignored;
    return own_bytes(input, output_shape(params, input)) + scratch_bytes(ignored, colours_of(input), backend, variant) +
           scratch_bytes(ignored, weights_of(input), backend, variant);
  }
  const std::size_t crop = crop_bytes(input, params.border);
  if (backend != Backend::cuda) return crop;
  const std::size_t mask = DeviceScratch::padded(convolution::max_taps * sizeof(convolution::Tap));
  const std::size_t more = crop + (params.border == Border::shrink ? mask : 0);
  const std::string_view name = cuda_variants[static_cast<std::size_t>(variant)].name;
  if (name == "global") return mask + more;
  const bool large = params.size > convolution::max_small_size;
  return more + (name == "tiled" && large ? DeviceScratch::padded(convolution::max_mask_bytes) : 0);
}

void Convolution::serial(const Params& params, const HostRun& run) {
  if (counts_alpha(params, run.in.shape))
    return convolution::with_alpha<HostOut>(params, run, convolution::serial, convolution::mix);
  with_crop(plan(params), params.size / 2, run, convolution::serial);
}

void Convolution::openmp(const Params& params, const HostRun& run) {
  if (counts_alpha(params, run.in.shape))
    return convolution::with_alpha<HostOut>(params, run, convolution::openmp, convolution::mix);
  with_crop(plan(params), params.size / 2, run, convolution::openmp);
}

AlgorithmInfo describe_convolution() {
  return describe<SixteenBit<Convolution>>("convolution");
}

}  // namespace threadscape
