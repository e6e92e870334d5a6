#include "app/analysis/roofline.h"

#include <algorithm>

namespace threadscape::app {

double Roofline::attainable(const Ceiling& memory, const Ceiling& arithmetic, double intensity) {
  return std::min(memory.per_second * intensity, arithmetic.per_second);
}

double Roofline::ridge(const Ceiling& memory, const Ceiling& arithmetic) {
  return arithmetic.per_second / memory.per_second;
}

Roofline roofline_of(const MeasuredCeilings& measured) {
  Roofline roofline{.memories = measured.reading, .arithmetics = measured.arithmetic};
  std::ranges::sort(roofline.memories, {}, &Ceiling::per_second);
  std::ranges::sort(roofline.arithmetics, {}, &Ceiling::per_second);
  return roofline;
}

RooflineBound bound_of(const Roofline& roofline, const RooflinePoint& point) {
  const auto of_memory = [&](const Ceiling& memory) {
    return RooflineBound{true, memory, point.operations / (memory.per_second * point.intensity)};
  };
  const auto of_arithmetic = [&](const Ceiling& arithmetic) {
    return RooflineBound{false, arithmetic, point.operations / arithmetic.per_second};
  };
  RooflineBound bound = of_arithmetic(roofline.arithmetics.back());
  if (bound.share > 1.0) return bound;
  if (const RooflineBound memory = of_memory(roofline.memories.back()); memory.share > bound.share) bound = memory;
  if (bound.share > 1.0) return bound;
  // Ceilings below the point do not bound it.
  const auto lower = [&bound](const RooflineBound& other) {
    if (other.share <= 1.0 && other.share > bound.share) bound = other;
  };
  for (const Ceiling& memory : roofline.memories)
    lower(of_memory(memory));
  for (const Ceiling& arithmetic : roofline.arithmetics)
    lower(of_arithmetic(arithmetic));
  return bound;
}

}  // namespace threadscape::app
