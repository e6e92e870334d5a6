#pragma once
// A lesson in kernel fusion: variant `fused` of a chain. One kernel (chain_fused.cu) applies up to eight 3x3 filters
// one after another to a tile in shared memory, so that the intermediate pictures never leave the processor:
//
//   separate    picture -> [filter 1] -> picture -> [filter 2] -> picture -> [filter 3] -> picture
//   fused       picture -> [load tile -> filter 1 -> filter 2 -> filter 3 -> store tile] -> picture
//
// Textbooks teach fusion as the remedy for kernels that are limited by memory. Here it does not pay. Milliseconds on an
// H200, 4096 x 4096 grey bytes (docs/benchmarks/README.md):
//
//   steps                   2 convolutions   3        5        5 means   5 mixed
//   separate                0.023            0.033    0.053    0.052     0.060
//   fused                   0.043            0.057    0.090    0.083     0.098
//
// Why it is slower:
//   - There is little to save. An intermediate picture has 16 MB, and the second-level cache holds 50 MB: the next
//     kernel reads it from there, not from device memory.
//   - The halo grows by a pixel on every side with every stage, and each stage but the last computes part of it again
//     in every block: with five stages a grey tile of 480 x 32 results starts from 512 x 42 pixels, 40 % more, and one
//     of 224 x 16 in colour from 256 x 26, 86 % more.
//   - One kernel holds the code of all filters and needs the registers of the most demanding one, up to 80 per thread.
//     So three blocks of 256 threads share a processor, 37 % of the threads that it could hold, and they keep only half
//     of its issue slots busy. Separate kernels get as many registers as each of them needs.
//   - The kernel interprets the chain: a branch picks the filter for every patch, and a barrier ends every stage.
//
// Fusion does pay where the intermediates exceed the second-level cache, where filters are pointwise (no halo), or
// where the sequence is known when the kernel is compiled (no interpretation, registers for this sequence alone).
//
// A stage holds a filter of patches (compute/engines/patches/patch_filter.h) as a value: the same code that the
// filter's own kernel runs. So a kernel takes the stages of any chain as its argument, and a new filter is one more
// type here and one more line in stage_of_any() of chain_fused.cpp.

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

/// A value of one of these types, as std::variant, but trivially copyable: it is an argument of a kernel.
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
  /// Calls visitor(filter) with the value in its own type; does nothing for a default-constructed OneOf.
  template <class Visitor>
  TS_HD void visit(const Visitor& visitor) const {
    int i = 0;
    ((index_ == i++ ? visitor(*reinterpret_cast<const Filters*>(bytes_)) : void()), ...);
  }

 private:
  int index_ = -1;
  alignas(4) unsigned char bytes_[std::max({sizeof(Filters)...})] = {};
};

/// Gradient filters share the code for the Scharr mask, which multiplies by both weights; the weights themselves, those
/// of any mask, are in GradientPatches::factors. This keeps the kernel shorter.
template <gradient::Norm norm>
using Edges = gradient::GradientPatches<gradient::ScharrMask, norm>;

/// A 3x3 filter of a fused kernel.
struct Stage {
  static constexpr int radius = 1;
  Border border = Border::mirror;
  OneOf<mean::MeanPatches<radius>, convolution::SmallConvolutionPatches, median::MedianPatches,
        threshold_mean::ThresholdMeanPatches<1>, laplacian::LaplacianPatches<laplacian::Neighbours::four>,
        laplacian::LaplacianPatches<laplacian::Neighbours::eight>, Edges<gradient::Norm::l1>, Edges<gradient::Norm::l2>>
      filter;
};

/// The number of stages is limited by shared memory: tiles grow by a pixel on every side for each stage.
inline constexpr int max_stages = 8;
/// The first `count` of `stage` run one after another.
struct Stages {
  int count = 0;
  Stage stage[max_stages];
};

/// The stage that does the work of `step` on pictures of this shape. Empty for steps that a fused kernel cannot run:
/// all but 3x3 filters of 8-bit pictures, in colour channel by channel.
[[nodiscard]] std::optional<Stage> stage_of(const Step& step, const Shape& input);

/// The stages for the first of these steps, as many as one kernel can run; none of the steps may be off, and `input` is
/// the shape of all pictures. Border::wrap needs pixels from the far end of the picture, which a tile does not hold. So
/// a stage may wrap only if all stages before it wrap as well: the tile is then loaded with the far end around it, and
/// filtering these surroundings gives what the next stage needs.
[[nodiscard]] Stages stages_of(std::span<const Step* const> steps, const Shape& input);

/// Queues one kernel that runs the stages from run.in to run.out.
void launch_fused(const Stages& stages, const DeviceRun& run);

}  // namespace threadscape::chain
