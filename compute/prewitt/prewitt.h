#pragma once
// Edges by the Prewitt masks: differences across the pixel, averaged along the edge with equal weights.
// The kernels are in compute/neighbourhood/gradient*.

#include <string_view>

#include "compute/neighbourhood/gradient.h"

namespace threadscape {

struct Prewitt {
  static constexpr std::string_view title = "Prewitt edges";
  static constexpr std::string_view summary = "Strength or direction of edges from 3x3 masks of plain differences";
  static constexpr std::string_view group = "Edges";
  static constexpr std::string_view source = "Prewitt: Object Enhancement and Extraction, 1970";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr auto cuda_variants = gradient::cuda_variants;

  using Norm = gradient::Norm;
  using Params = gradient::Params;

  [[nodiscard]] static gradient::Plan plan(const Params& params) {
    return gradient::plan_of<gradient::PrewittMask>(params);
  }

  static Shape output_shape(const Params&, const Shape& input) { return gradient::output_shape("prewitt", input); }
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int) { return 0; }
  static void serial(const Params& params, const HostRun& run) { gradient::serial(plan(params), run); }
  static void openmp(const Params& params, const HostRun& run) { gradient::openmp(plan(params), run); }
  static void cuda(const Params& params, const DeviceRun& run) { gradient::cuda(plan(params), run); }
};

}  // namespace threadscape
