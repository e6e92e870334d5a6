#pragma once
// Runs of 3x3 filters that one CUDA kernel applies one after another to a tile in shared memory (chain_fused.cu), and
// how they are found in a chain.
//
// A stage is a filter of patches (compute/engines/patches/patch_filter.h), the very code that the filter's own kernel
// runs, as a value. So a kernel takes the stages of any chain as its argument, and a new filter is one more type here
// and one more line in stage_of().

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

#include "compute/algorithms/edges/laplacian/laplacian_tiled.h"
#include "compute/algorithms/filters/convolution/cuda/convolution_tiled.h"
#include "compute/algorithms/smoothing/mean/mean_tiled.h"
#include "compute/algorithms/smoothing/median/cuda/median_tiled.h"
#include "compute/algorithms/smoothing/threshold_mean/threshold_mean_tiled.h"
#include "compute/engines/gradient/gradient_tiled.h"
#include "compute/registry/steps.h"

namespace threadscape::chain {

/// A value of one of these types. Kernels get it as it is, so it is plain bytes.
template <class... Filters>
class OneOf {
 public:
  OneOf() = default;
  template <class Filter>
  requires(std::is_same_v<Filter, Filters> || ...) explicit OneOf(const Filter& filter) {
    static_assert(std::is_trivially_copyable_v<Filter>);
    int i = 0;
    ((std::is_same_v<Filter, Filters> ? void(index_ = i++) : void(i++)), ...);
    std::memcpy(bytes_, &filter, sizeof(Filter));
  }
  /// Calls visitor(filter) with the value as what it is.
  template <class Visitor>
  TS_HD void visit(const Visitor& visitor) const {
    int i = 0;
    ((index_ == i++ ? visitor(*reinterpret_cast<const Filters*>(bytes_)) : void()), ...);
  }

 private:
  int index_ = -1;
  alignas(4) unsigned char bytes_[std::max({sizeof(Filters)...})] = {};
};

/// The heaviest mask stands for all: its code multiplies by both weights, and those of the others are in the factors.
template <gradient::Norm norm>
using Edges = gradient::GradientPatches<gradient::ScharrMask, norm>;

struct Stage {
  static constexpr int radius = 1;
  Border border = Border::mirror;
  OneOf<mean::MeanPatches<radius>, convolution::SmallConvolutionPatches, median::MedianPatches,
        threshold_mean::ThresholdMeanPatches<1>, laplacian::LaplacianPatches<laplacian::Neighbours::four>,
        laplacian::LaplacianPatches<laplacian::Neighbours::eight>, Edges<gradient::Norm::l1>, Edges<gradient::Norm::l2>>
      filter;
};

/// Tiles grow by a pixel on every side for each stage.
inline constexpr int most_stages = 8;
struct Stages {
  int count = 0;
  Stage stage[most_stages];
};

/// The stage that a step is for pictures of this shape, if it is one: 3x3 filters of bytes, colours channel by channel.
[[nodiscard]] std::optional<Stage> stage_of(const Step& step, const Shape& input);

/// As many of these steps, from the first on, as one kernel can run; they are on, and all pictures have this shape. A
/// tile does not see the far end of the picture that Border::wrap wants, unless all stages before it wrap as well: then
/// the filtered surroundings of the tile are what is there.
[[nodiscard]] Stages stages_of(std::span<const Step* const> steps, const Shape& input);

void launch_fused(const Stages& stages, const DeviceRun& run);

}  // namespace threadscape::chain
