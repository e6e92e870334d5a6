#include "compute/algorithms/terrain/heights.h"

#include "compute/io/heightfield_file.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"

namespace threadscape::terrain {

namespace {

constexpr int default_level = 9;

RunRequest default_request(std::uint64_t seed) {
  const AlgorithmInfo& algorithm = find_algorithm("diamond_square");
  RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .seed = seed};
  request.params.assign("n", std::to_string(default_level));
  return request;
}

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
  return io::range_text(heights);
}

Shape default_shape() {
  constexpr std::int64_t side = (1 << default_level) + 1;
  return {Kind::heightfield, Element::f32, 1, side, side, 1};
}

HostArray default_terrain(std::uint64_t seed) {
  return Runner().run(default_request(seed), {}).output;
}

}  // namespace threadscape::terrain
