#pragma once
// A second, simple implementation of seam carving to test against. It works on whole pictures, one seam at a time, and
// computes everything anew for each seam.

#include <cmath>
#include <limits>
#include <vector>

#include "compute/algorithms/seams/seam_carving/seam_carving.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {

using CarvingParams = SeamCarving::Params;

inline HostArray carved(const CarvingParams& params, const HostArray& in, Backend backend = Backend::serial,
                        int variant = 0, int threads = 1, int parts_at_once = 0) {
  Runner runner;
  return runner
      .run({.algorithm = &find_algorithm("seam_carving"),
            .params = ParamBox::of(params),
            .backend = backend,
            .variant = variant,
            .threads = threads,
            .parts_at_once = parts_at_once},
           in.view())
      .output;
}

/// A picture as a vector of rows.
template <class T>
using Grid = std::vector<std::vector<T>>;

template <class T>
Grid<T> grid_of(const HostArray& picture) {
  Grid<T> grid;
  for (int y = 0; y < picture.shape().height; ++y)
    grid.emplace_back(picture.image<T>().row(y), picture.image<T>().row(y) + picture.shape().width);
  return grid;
}
template <class T>
HostArray array_of(const Grid<T>& grid) {
  HostArray array(Shape::image(PixelTraits<T>::element, PixelTraits<T>::channels,
                               static_cast<std::int64_t>(grid[0].size()), static_cast<std::int64_t>(grid.size())));
  for (std::size_t y = 0; y < grid.size(); ++y)
    std::copy(grid[y].begin(), grid[y].end(), array.image<T>().row(static_cast<int>(y)));
  return array;
}
template <class T>
Grid<T> transposed(const Grid<T>& grid) {
  Grid<T> result(grid[0].size(), std::vector<T>(grid.size()));
  for (std::size_t y = 0; y < grid.size(); ++y)
    for (std::size_t x = 0; x < grid[y].size(); ++x)
      result[x][y] = grid[y][x];
  return result;
}

inline float grey_level(std::uint8_t p) {
  return p;
}
inline float grey_level(std::uint16_t p) {
  return p;
}
inline float grey_level(float p) {
  return p;
}
template <class Colour>
float grey_level(const Colour& p) {
  const float red_and_green = static_cast<float>(p.r) + static_cast<float>(p.g);
  const float sum = red_and_green + static_cast<float>(p.b);
  return sum / 3.0f;
}

/// The energy of the step of a seam from (from, y - 1) to (x, y). In the top row, `from` equals x.
inline float step_energy(const Grid<float>& grey, SeamCarving::Energy energy, int x, int y, int from) {
  const int width = static_cast<int>(grey[0].size()), height = static_cast<int>(grey.size());
  const auto g = [&](int column, int row) {
    column = column < 0 ? 0 : column >= width ? width - 1 : column;
    row = row < 0 ? 0 : row >= height ? height - 1 : row;
    return grey[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  };
  if (energy == SeamCarving::Energy::forward) {
    const float straight = std::fabs(g(x + 1, y) - g(x - 1, y));
    if (y == 0 || from == x) return straight;
    return straight + std::fabs(g(x, y - 1) - (from < x ? g(x - 1, y) : g(x + 1, y)));
  }
  float dx = g(x + 1, y) - g(x - 1, y), dy = g(x, y + 1) - g(x, y - 1);
  if (energy == SeamCarving::Energy::sobel) {
    const float across = g(x + 1, y - 1) - g(x - 1, y - 1), across_below = g(x + 1, y + 1) - g(x - 1, y + 1);
    const float down = g(x - 1, y + 1) - g(x - 1, y - 1), down_right = g(x + 1, y + 1) - g(x + 1, y - 1);
    dx = (across + across_below) + 2 * dx;
    dy = (down + down_right) + 2 * dy;
  }
  const float xx = dx * dx, yy = dy * dy;
  return std::sqrt(xx + yy);
}

struct Seam {
  std::vector<int> x;
  float energy = std::numeric_limits<float>::infinity();
};

/// The seam of lowest energy. Among equal ones, it is the one that is leftmost in the bottom row, then in the row
/// above, and so on.
inline Seam min_energy_seam(const Grid<float>& grey, SeamCarving::Energy energy) {
  const int width = static_cast<int>(grey[0].size()), height = static_cast<int>(grey.size());
  const bool forward = energy == SeamCarving::Energy::forward;
  Grid<float> total(static_cast<std::size_t>(height), std::vector<float>(static_cast<std::size_t>(width)));
  Grid<int> parent(static_cast<std::size_t>(height), std::vector<int>(static_cast<std::size_t>(width)));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto row = static_cast<std::size_t>(y), column = static_cast<std::size_t>(x);
      if (y == 0) {
        total[row][column] = step_energy(grey, energy, x, y, x);
        continue;
      }
      float best = std::numeric_limits<float>::infinity();
      for (int from = std::max(x - 1, 0); from <= std::min(x + 1, width - 1); ++from) {
        float sum = total[row - 1][static_cast<std::size_t>(from)];
        if (forward) sum += step_energy(grey, energy, x, y, from);
        if (sum >= best) continue;
        best = sum;
        parent[row][column] = from;
      }
      total[row][column] = forward ? best : best + step_energy(grey, energy, x, y, x);
    }
  Seam seam;
  seam.x.resize(static_cast<std::size_t>(height));
  for (int x = 0; x < width; ++x)
    if (total.back()[static_cast<std::size_t>(x)] < seam.energy) {
      seam.energy = total.back()[static_cast<std::size_t>(x)];
      seam.x.back() = x;
    }
  for (std::size_t y = seam.x.size() - 1; y > 0; --y)
    seam.x[y - 1] = parent[y][static_cast<std::size_t>(seam.x[y])];
  return seam;
}

/// The best of the greedy paths that the source document describes: each starts at a pixel of the top row and takes the
/// step of lowest energy.
inline Seam greedy_seam(const Grid<float>& grey, SeamCarving::Energy energy) {
  const int width = static_cast<int>(grey[0].size()), height = static_cast<int>(grey.size());
  Seam best;
  for (int start = 0; start < width; ++start) {
    Seam seam{{start}, step_energy(grey, energy, start, 0, start)};
    for (int y = 1; y < height; ++y) {
      const int from = seam.x.back();
      int to = -1;
      float least = std::numeric_limits<float>::infinity();
      for (int x = std::max(from - 1, 0); x <= std::min(from + 1, width - 1); ++x)
        if (step_energy(grey, energy, x, y, from) < least) {
          least = step_energy(grey, energy, x, y, from);
          to = x;
        }
      seam.x.push_back(to);
      seam.energy += least;
    }
    if (seam.energy < best.energy) best = seam;
  }
  return best;
}

template <class T>
void take_out(Grid<T>& grid, const Seam& seam) {
  for (std::size_t y = 0; y < grid.size(); ++y)
    grid[y].erase(grid[y].begin() + seam.x[y]);
}

/// The result of carving: for each pixel the number of the seam that removes it (0 = none), and the energy of each
/// seam.
struct Carved {
  Grid<std::uint16_t> order;
  std::vector<float> energies;
};
template <class Pixel>
Carved carve_plainly(const HostArray& in, const CarvingParams& params, int seams) {
  Grid<float> grey;
  Grid<std::uint16_t> columns;
  for (const auto& row : grid_of<Pixel>(in)) {
    grey.emplace_back();
    columns.emplace_back();
    for (const Pixel& pixel : row) {
      columns.back().push_back(static_cast<std::uint16_t>(grey.back().size()));
      grey.back().push_back(grey_level(pixel));
    }
  }
  Carved result;
  result.order.assign(grey.size(), std::vector<std::uint16_t>(grey[0].size()));
  for (int i = 1; i <= seams; ++i) {
    const Seam seam =
        params.path == SeamCarving::Path::dp ? min_energy_seam(grey, params.energy) : greedy_seam(grey, params.energy);
    for (std::size_t y = 0; y < grey.size(); ++y)
      result.order[y][columns[y][static_cast<std::size_t>(seam.x[y])]] = static_cast<std::uint16_t>(i);
    result.energies.push_back(seam.energy);
    take_out(grey, seam);
    take_out(columns, seam);
  }
  return result;
}

}  // namespace threadscape::testing
