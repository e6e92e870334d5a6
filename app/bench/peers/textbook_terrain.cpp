// Loops of a textbook for terrains: their growth, and what is made of their heights.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "app/bench/peers/textbook_loops.h"
#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/algorithms/terrain/normalise/normalise.h"
#include "compute/algorithms/terrain/slope/slope.h"
#include "compute/algorithms/terrain/terrace/terrace.h"
#include "compute/algorithms/terrain/thermal_erosion/thermal_erosion.h"

namespace threadscape::app::textbook {
namespace {

bool heights_supported(const ParamBox&, const Shape&) {
  return true;
}
template <class Height>
const Height* heights_of(HostIn view, int y) {
  return reinterpret_cast<const Height*>(view.data + static_cast<std::size_t>(y) * view.pitch);
}
/// Calls f(row) with a function that returns the row y of heights, whose type is that of the field.
template <class F>
void with_rows(HostIn in, const F& f) {
  terrain::with_heights(in.shape, [&]<class Height>(Height) { f([&](int y) { return heights_of<Height>(in, y); }); });
}

// ---- Diamond-square

/// Grows a terrain in place, with the random numbers of seed 0. Eight cells of a row share a block of them.
template <class Height>
void grow(const DiamondSquare::Params& params, HostOut out) {
  using namespace threadscape::diamond_square;  // NOLINT: its numbers and heights
  const Plan plan = DiamondSquare::plan(params, 0);
  const int side = cells_of(plan.n);
  const auto row = [&](int y) { return reinterpret_cast<Height*>(out.data + static_cast<std::size_t>(y) * out.pitch); };
  const std::vector<Height> corners = start_grid<Height>(params, plan);
  row(0)[0] = corners[0];
  row(0)[side] = corners[1];
  row(side)[0] = corners[2];
  row(side)[side] = corners[3];
  for (int level = 1, step = side; level <= plan.n; ++level, step /= 2) {
    const int half = step / 2;
    int group = -1;
    PhiloxBlock block{};
    const auto number = [&](int x, int y) {
      if (x / 16 != group) block = random_block(plan.seed, level, group = x / 16, y, x % 2);
      return random_u16_of(block, x / 2 % 8);
    };
    for (int y = half; y < side; y += step) {
      const Height *const above = row(y - half), *const below = row(y + half);
      group = -1;
      for (int x = half; x < side; x += step) {
        const auto upper = static_cast<SumOf<Height>>(above[x - half]) + above[x + half];
        const auto lower = static_cast<SumOf<Height>>(below[x - half]) + below[x + half];
        row(y)[x] = new_height<Height>(plan, level, upper + lower, 4, number(x / half, y / half));
      }
    }
    for (int y = 0; y <= side; y += half) {
      Height* const here = row(y);
      group = -1;
      for (int x = y % step == 0 ? half : 0; x <= side; x += step) {
        SumOf<Height> across{0}, down{0};
        if (x > 0) across += here[x - half];
        if (x < side) across += here[x + half];
        if (y > 0) down += row(y - half)[x];
        if (y < side) down += row(y + half)[x];
        const int neighbours = x == 0 || y == 0 || x == side || y == side ? 3 : 4;
        here[x] = new_height<Height>(plan, level, across + down, neighbours, number(x / half, y / half));
      }
    }
  }
}
void diamond_square(HostIn, HostOut out, int, const ParamBox& params) {
  const auto& p = params.as<DiamondSquare::Params>();
  threadscape::diamond_square::with_height(p.mode, [&]<class Height>(Height) { grow<Height>(p, out); });
}
bool diamond_square_supports(const ParamBox& params, const Shape&) {
  const auto& p = params.as<DiamondSquare::Params>();
  return p.edges == DiamondSquare::Edges::three && p.levels == 0 && p.last_step == DiamondSquare::LastStep::square &&
         p.random == DiamondSquare::Random::philox && p.seed_grid.empty();
}

// ---- Heights

void normalise(HostIn in, HostOut out, int, const ParamBox& params) {
  const auto& p = params.as<Normalise::Params>();
  const int width = static_cast<int>(in.shape.width), height = static_cast<int>(in.shape.height);
  with_rows(in, [&](const auto& row) {
    auto lowest = row(0)[0], highest = lowest;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        lowest = std::min(lowest, row(y)[x]);
        highest = std::max(highest, row(y)[x]);
      }
    const auto low = static_cast<float>(lowest), high = static_cast<float>(highest);
    const float factor = high > low ? (p.high - p.low) / (high - low) : 0.0f;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        floats_of(out, y)[x] = p.low + (static_cast<float>(row(y)[x]) - low) * factor;
  });
}

void terrace(HostIn in, HostOut out, int, const ParamBox& params) {
  const auto& p = params.as<Terrace::Params>();
  const float ramp = p.flat < 1.0f ? 1.0f / (1.0f - p.flat) : 0.0f;
  with_rows(in, [&](const auto& row) {
    for (int y = 0; y < static_cast<int>(in.shape.height); ++y)
      for (int x = 0; x < static_cast<int>(in.shape.width); ++x) {
        const float steps = static_cast<float>(row(y)[x]) / p.step, whole = std::floor(steps);
        floats_of(out, y)[x] = p.step * (whole + std::max(steps - whole - p.flat, 0.0f) * ramp);
      }
  });
}

void slope(HostIn in, HostOut out, int, const ParamBox& params) {
  const float scale = params.as<Slope::Params>().scale;
  const int width = static_cast<int>(in.shape.width), height = static_cast<int>(in.shape.height);
  with_rows(in, [&](const auto& row) {
    const auto at = [&](int x, int y) { return static_cast<float>(row(y)[x]); };
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int left = std::max(x - 1, 0), right = std::min(x + 1, width - 1);
        const int above = std::max(y - 1, 0), below = std::min(y + 1, height - 1);
        const float along = (at(right, y) - at(left, y)) * (right - left == 2 ? 0.5f : 1.0f);
        const float down = (at(x, below) - at(x, above)) * (below - above == 2 ? 0.5f : 1.0f);
        const float gx = along * scale, gy = down * scale, square = gx * gx + gy * gy;
        row_of(out, y)[x] = static_cast<Byte>(std::sqrt(square) / std::sqrt(square + 1.0f) * 255.0f + 0.5f);
      }
  });
}
bool slope_supports(const ParamBox& params, const Shape&) {
  return params.as<Slope::Params>().map == threadscape::slope::Map::slope;
}

/// What slides to a cell from a neighbour.
float sliding(float height, float neighbour, float talus) {
  const float difference = neighbour - height;
  if (difference > talus) return difference - talus;
  if (difference < -talus) return difference + talus;
  return 0.0f;
}
void thermal_erosion(HostIn in, HostOut out, int, const ParamBox& params) {
  const auto& p = params.as<ThermalErosion::Params>();
  const int width = static_cast<int>(in.shape.width), height = static_cast<int>(in.shape.height);
  const float talus = p.talus, diagonal = p.talus * 1.41421356f;
  const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  std::vector<float> from(count), to(count);
  with_rows(in, [&](const auto& row) {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        from[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] =
            static_cast<float>(row(y)[x]);
  });
  const auto cell = [&](int x, int y, bool inside) {
    const float* h = from.data() + static_cast<std::ptrdiff_t>(y) * width + x;
    const auto slides = [&](int dx, int dy, float steepest) {
      if (!inside && (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height)) return 0.0f;
      return sliding(*h, h[static_cast<std::ptrdiff_t>(dy) * width + dx], steepest);
    };
    const float straight = (slides(-1, 0, talus) + slides(1, 0, talus)) + (slides(0, -1, talus) + slides(0, 1, talus));
    const float corners =
        (slides(-1, -1, diagonal) + slides(1, -1, diagonal)) + (slides(-1, 1, diagonal) + slides(1, 1, diagonal));
    to[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] =
        *h + (straight * 0.125f + corners * 0.0625f);
  };
  for (int i = 0; i < p.iterations; ++i) {
    for (int y = 0; y < height; ++y) {
      const bool rim = y == 0 || y == height - 1;
      cell(0, y, false);
      for (int x = 1; x < width - 1; ++x)
        cell(x, y, !rim);
      if (width > 1) cell(width - 1, y, false);
    }
    std::swap(from, to);
  }
  for (int y = 0; y < height; ++y)
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(y) * width, width, floats_of(out, y));
}

}  // namespace

std::span<const Peer> terrain_peers() {
  static const std::array all{
      Peer{"diamond_square", "textbook", diamond_square, diamond_square_supports, Backend::serial},
      Peer{"normalise", "textbook", normalise, heights_supported, Backend::serial},
      Peer{"terrace", "textbook", terrace, heights_supported, Backend::serial},
      Peer{"slope", "textbook", slope, slope_supports, Backend::serial},
      Peer{"thermal_erosion", "textbook", thermal_erosion, heights_supported, Backend::serial}};
  return all;
}

}  // namespace threadscape::app::textbook
