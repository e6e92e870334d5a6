#include "compute/algorithms/terrain/heights.h"

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/core/height_range.h"
#include "compute/core/machine.h"

namespace threadscape::terrain {

namespace {

constexpr int default_level = 9;

}  // namespace

void require_heights(std::string_view algorithm, const Shape& input) {
  const bool known = input.element == Element::u8 || input.element == Element::u16 || input.element == Element::f32;
  if (input.kind != Kind::heightfield || !known || input.channels != 1)
    throw UsageError(std::string(algorithm) + " takes 8-bit, 16-bit or float heightfields, not " + to_string(input));
}

Shape float_heights(const Shape& input) {
  return {Kind::heightfield, Element::f32, 1, input.width, input.height, 1};
}

std::string range_report(const HostIn& heights) {
  return height_range_text(heights);
}

Shape default_shape() {
  constexpr std::int64_t side = (1 << default_level) + 1;
  return {Kind::heightfield, Element::f32, 1, side, side, 1};
}

HostArray default_terrain(std::uint64_t seed) {
  DiamondSquare::Params params;
  params.n = default_level;
  HostArray heights(DiamondSquare::output_shape(params, {}));
  HostScratch scratch;
  scratch.reset(DiamondSquare::scratch_bytes(params, {}, Backend::openmp, 0));
  DiamondSquare::openmp(
      params, {.in = {}, .out = heights.view(), .scratch = &scratch, .threads = hardware_threads(), .seed = seed});
  return heights;
}

}  // namespace threadscape::terrain
