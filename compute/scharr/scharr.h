#pragma once
// Edges by the Scharr masks: differences across the pixel, averaged along the edge with weights 3 10 3. Edges of all
// directions answer more evenly than with Sobel. Results are four times those of Sobel, and not scaled down.
// The kernels are in compute/neighbourhood/gradient*.

#include <string_view>

#include "compute/neighbourhood/gradient.h"

namespace threadscape {

struct Scharr {
  static constexpr std::string_view title = "Scharr edges";
  static constexpr std::string_view summary = "Strength or direction of edges from 3x3 masks that favour no direction";
  static constexpr std::string_view group = "Edges";
  static constexpr std::string_view source = "Scharr: Optimal Operators in Digital Image Processing, 2000";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr auto cuda_variants = gradient::cuda_variants;

  using Norm = gradient::Norm;
  using Params = gradient::Params;

  [[nodiscard]] static gradient::Plan plan(const Params& params) {
    return gradient::plan_of<gradient::ScharrMask>(params);
  }

  static Shape output_shape(const Params&, const Shape& input) { return gradient::output_shape("scharr", input); }
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int) { return 0; }
  static void serial(const Params& params, const HostRun& run) { gradient::serial(plan(params), run); }
  static void openmp(const Params& params, const HostRun& run) { gradient::openmp(plan(params), run); }
  static void cuda(const Params& params, const DeviceRun& run) { gradient::cuda(plan(params), run); }
};

}  // namespace threadscape
