#pragma once
// The working memory of each backend in bytes, for Morphology::scratch_bytes().

#include <cstddef>

#include "compute/algorithms/morphology/morphology/morphology_plan.h"
#include "compute/core/shape.h"

namespace threadscape::morphology {

inline constexpr int serial_pictures = 2;
[[nodiscard]] std::size_t serial_scratch_bytes(const Shape& input);
[[nodiscard]] std::size_t openmp_scratch_bytes(const Plan& plan, const Shape& input, int variant);
[[nodiscard]] std::size_t cuda_scratch_bytes(const Plan& plan, const Shape& input, int variant);

}  // namespace threadscape::morphology
