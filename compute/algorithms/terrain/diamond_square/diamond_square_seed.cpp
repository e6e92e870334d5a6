// The grid that a terrain starts from: four random corners, or a coarse map from a file.

#include <algorithm>
#include <filesystem>
#include <memory>

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/algorithms/terrain/diamond_square/diamond_square_xorwow.h"
#include "compute/core/border.h"
#include "compute/core/file_cache.h"
#include "compute/core/parameter_file.h"

namespace threadscape::diamond_square {

namespace {

std::shared_ptr<const HostArray> read_map(const std::filesystem::path& path) {
  return std::make_shared<const HostArray>(read_parameter_file(ParameterFile::heightfield, path));
}

std::shared_ptr<const HostArray> coarse_map(const DiamondSquare::Params& params) {
  static FileCache<HostArray, 1> cache(read_map);
  return cache.get(params.seed_grid);
}

/// Converts a value of a map to a height. Grey levels of 8 or 16 bits are scaled so that white is 255 or the amplitude;
/// floats are heights already.
template <class Height, class Value>
Height height_from(Value value, const DiamondSquare::Params& params) {
  if constexpr (std::is_same_v<Value, float>) {
    if constexpr (std::is_same_v<Height, float>) return value;
    return static_cast<Height>(std::clamp(std::floor(value + 0.5f), 0.0f, 255.0f));
  } else if constexpr (std::is_same_v<Height, float>) {
    return static_cast<float>(value) / static_cast<float>(white<Value>) * params.amplitude;
  } else {
    return static_cast<Height>(sizeof(Value) == 1 ? value : (value + 128) / 257);
  }
}

/// The random height of the corner (x, y) of level 0, where x and y are 0 or 1.
template <class Height>
Height random_corner(const Plan& plan, int x, int y) {
  const int number = 2 * y + x;
  return corner_height<Height>(plan, plan.random == Random::philox
                                         ? random_u16_of(random_block(plan.seed, 0, 0, 0, 0), number)
                                         : first_number(plan.random, plan.seed, number));
}

}  // namespace

int start_level(const DiamondSquare::Params& params) {
  if (params.seed_grid.empty()) return 0;
  const Shape shape = coarse_map(params)->shape();
  const std::string size = std::to_string(shape.width) + "x" + std::to_string(shape.height);
  const auto refuse = [&](const std::string& reason) {
    throw UsageError("diamond_square: seed_grid '" + params.seed_grid + "' has " + size + " points: " + reason);
  };
  if (shape.width != shape.height) refuse("it is not square");
  int level = 0;
  while (level < max_levels && cells_of(level) + 1 < shape.width)
    ++level;
  if (cells_of(level) + 1 != shape.width) refuse("its side is not 2^m + 1 (2, 3, 5, 9, 17, ...)");
  if (level > params.n)
    refuse("it is larger than the terrain, which has " + std::to_string(cells_of(params.n) + 1) +
           " a side (n = " + std::to_string(params.n) + ")");
  return level;
}

template <class Height>
std::vector<Height> start_grid(const DiamondSquare::Params& params, const Plan& plan) {
  const int cells = cells_of(plan.first), side = cells + 1;
  std::vector<Height> grid(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  const auto fill = [&](const auto& height) {
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        // With Edges::wrap the last column and row are copies of the first.
        const int from_x = random_index(plan, plan.first, x), from_y = random_index(plan, plan.first, y);
        grid[static_cast<std::size_t>(y) * static_cast<std::size_t>(side) + static_cast<std::size_t>(x)] =
            height(from_x, from_y);
      }
  };
  if (params.seed_grid.empty()) {
    fill([&](int x, int y) { return random_corner<Height>(plan, x, y); });
    return grid;
  }
  const std::shared_ptr<const HostArray> map = coarse_map(params);
  const auto fill_from = [&]<class Value>(Value) {
    const auto values = map->image<Value>();
    fill([&](int x, int y) { return height_from<Height>(values(x, y), params); });
  };
  if (map->shape().element == Element::u8)
    fill_from(std::uint8_t{});
  else if (map->shape().element == Element::u16)
    fill_from(std::uint16_t{});
  else
    fill_from(float{});
  return grid;
}

template std::vector<std::uint8_t> start_grid(const DiamondSquare::Params&, const Plan&);
template std::vector<float> start_grid(const DiamondSquare::Params&, const Plan&);

}  // namespace threadscape::diamond_square
