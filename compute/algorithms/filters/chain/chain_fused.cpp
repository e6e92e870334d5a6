// Which steps of a chain one fused kernel can run, and the stages that stand for them.

#include "compute/algorithms/filters/chain/chain_fused.h"
#include "compute/core/border.h"

#include "compute/algorithms/edges/prewitt/prewitt.h"
#include "compute/algorithms/edges/scharr/scharr.h"
#include "compute/algorithms/edges/sobel/sobel.h"
#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/algorithms/smoothing/mean/mean.h"
#include "compute/algorithms/smoothing/median/median.h"
#include "compute/algorithms/smoothing/threshold_mean/threshold_mean.h"
#include "compute/algorithms/smoothing/weighted_mean/weighted_mean.h"

namespace threadscape::chain {
namespace {

constexpr int size = 2 * Stage::radius + 1;
using MaybeStage = std::optional<Stage>;

template <class Params, class Filter>
Stage stage_with(const Params& params, const Filter& filter) {
  return {params.border, decltype(Stage::filter)(filter)};
}

MaybeStage stage_of(const Mean::Params& params) {
  if (params.size != size) return {};
  return stage_with(params, mean::MeanPatches<Stage::radius>{});
}

MaybeStage stage_of(const convolution::Plan& plan) {
  if (plan.size != size) return {};
  const convolution::TiledPlan tiled = convolution::tiled_plan(plan);
  if (!convolution::SmallConvolutionPatches::possible(tiled)) return {};
  return stage_with(plan, convolution::SmallConvolutionPatches(tiled));
}

MaybeStage stage_of(const WeightedMean::Params& params) {
  if (params.size != size) return {};
  // A convolution with the weights 1 2 1, 2 4 2, 1 2 1 has the 8-bit sums and the rounding of the weighted mean.
  Convolution::Params mask;
  mask.size = params.size;
  mask.preset = Convolution::Preset::gaussian;
  mask.mask = Convolution::preset_mask(mask.preset, mask.size);
  mask.divide_by = Convolution::DivideBy::sum;
  mask.border = params.border;
  mask.channels = params.channels;
  return stage_of(Convolution::plan(mask));
}

MaybeStage stage_of(const Median::Params& params) {
  if (params.size != size || !Median::plan(params).is_median()) return {};
  return stage_with(params, median::MedianPatches{});
}

MaybeStage stage_of(const ThresholdMean::Params& params) {
  if (params.size != size) return {};
  return stage_with(params, threshold_mean::ThresholdMeanPatches<1>(params.threshold));
}

MaybeStage stage_of(const Laplacian::Params& params) {
  using laplacian::LaplacianPatches, laplacian::Neighbours;
  const laplacian::OutputU16x2 output(params.output);
  switch (params.kind) {
    case Neighbours::four:
      return stage_with(params, LaplacianPatches<Neighbours::four>{output, {}});
    case Neighbours::eight:
      return stage_with(params, LaplacianPatches<Neighbours::eight>{output, {}});
    default:
      return {};
  }
}

template <class Mask>
MaybeStage edges(const gradient::Params& params) {
  using gradient::MaskFactors, gradient::Norm;
  if (!gradient::plan_of<Mask>(params).plain()) return {};
  if (params.norm == Norm::l1) return stage_with(params, Edges<Norm::l1>{MaskFactors::of<Mask>()});
  return stage_with(params, Edges<Norm::l2>{MaskFactors::of<Mask>()});
}

/// The stage of a step, found by the name of its algorithm; empty if no stage does its work.
MaybeStage stage_of_any(const Step& step) {
  const std::string_view name = step.algorithm->name;
  const ParamBox& params = step.params;
  if (name == Mean::name) return stage_of(params.as<Mean::Params>());
  if (name == WeightedMean::name) return stage_of(params.as<WeightedMean::Params>());
  if (name == "convolution") return stage_of(Convolution::plan(params.as<Convolution::Params>()));
  if (name == "median") return stage_of(params.as<Median::Params>());
  if (name == "threshold_mean") return stage_of(params.as<ThresholdMean::Params>());
  if (name == "laplacian") return stage_of(params.as<Laplacian::Params>());
  if (name == Sobel::name && params.as<Sobel::Params>().size == size)
    return edges<gradient::SobelMask>(params.as<Sobel::Params>());
  if (name == Prewitt::name) return edges<gradient::PrewittMask>(params.as<Prewitt::Params>());
  if (name == Scharr::name) return edges<gradient::ScharrMask>(params.as<Scharr::Params>());
  return {};
}

bool by_luma(const Step& step) {
  for (const FieldRef& field : step.params.fields())
    if (field.name == "channels") return to_text(field) == channels_names[static_cast<std::size_t>(Channels::luma)];
  return false;
}

}  // namespace

std::optional<Stage> stage_of(const Step& step, const Shape& input) {
  if (!holds<std::uint8_t>(input) && !(holds<Rgba8>(input) && !by_luma(step))) return {};
  MaybeStage stage = stage_of_any(step);
  // Stages know values outside, but no weights, and their results have the size of the input.
  if (stage && (stage->border == Border::shrink || stage->border == Border::crop)) return {};
  return stage;
}

Stages stages_of(std::span<const Step* const> steps, const Shape& input) {
  Stages stages;
  bool all_wrap = true;
  for (const Step* step : steps.first(std::min<std::size_t>(steps.size(), max_stages))) {
    const std::optional<Stage> stage = stage_of(*step, input);
    if (!stage || (stage->border == Border::wrap && !all_wrap)) break;
    all_wrap = all_wrap && stage->border == Border::wrap;
    stages.stage[stages.count++] = *stage;
  }
  return stages;
}

}  // namespace threadscape::chain
