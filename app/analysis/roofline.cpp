#include "app/analysis/roofline.h"

#include <algorithm>

namespace threadscape::app {

double Roofline::attainable(const Ceiling& memory, const Ceiling& arithmetic, double intensity) {
  return std::min(memory.per_second * intensity, arithmetic.per_second);
}

double Roofline::ridge(const Ceiling& memory, const Ceiling& arithmetic) {
  return arithmetic.per_second / memory.per_second;
}

RooflineBound bound_of(const Roofline& roofline, const RooflinePoint& point) {
  std::vector<RooflineBound> bounds;
  for (const Ceiling& memory : roofline.memories)
    bounds.push_back({true, memory, point.operations / (memory.per_second * point.intensity)});
  for (const Ceiling& arithmetic : roofline.arithmetics)
    bounds.push_back({false, arithmetic, point.operations / arithmetic.per_second});
  // A share above 1 says that the point is above the ceiling, which therefore does not bound it.
  const auto key = [](const RooflineBound& bound) { return bound.share <= 1.0 ? 1.0 - bound.share : bound.share; };
  return *std::ranges::min_element(bounds, {}, key);
}

}  // namespace threadscape::app
