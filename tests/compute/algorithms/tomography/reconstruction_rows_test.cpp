// Tests that the vectors of a filtered backprojection have the bits of its scalar formulas, on each instruction set.

#include "compute/algorithms/tomography/reconstruction/reconstruction_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "compute/algorithms/tomography/reconstruction/openmp/reconstruction_simd.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

using projection::Geometry;
using projection::ViewAngle;
using reconstruction::PaddedRows;

std::vector<double> random_doubles(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> values(-1, 1);
  std::vector<double> result(count);
  for (double& value : result)
    value = values(random);
  return result;
}

void compare_convolution_with_scalars() {
  for (const int n : {1, 7, 32, 45, 131}) {
    const std::vector<double> from = random_doubles(static_cast<std::size_t>(n), 1);
    const std::vector<double> taps = random_doubles(static_cast<std::size_t>(2 * n + reconstruction::row_chunk), 2);
    std::vector<double> actual(static_cast<std::size_t>(n) + 1, 7.0);
    reconstruction::convolve_row(from.data(), n, taps.data() + n, actual.data());
    for (int j = 0; j < n; ++j) {
      double expected = 0;
      for (int k = 0; k < n; ++k)
        expected += taps[static_cast<std::size_t>(n + j - k)] * from[static_cast<std::size_t>(k)];
      EXPECT_EQ(actual[static_cast<std::size_t>(j)], expected) << n << ", " << j;
    }
    EXPECT_EQ(actual.back(), 7.0) << n;
  }
}

/// The view between four pixels, which are 0 outside of the detector.
double value_at(const Geometry& geometry, const std::vector<double>& view, double column, double row) {
  if (!(row > -1 && row < geometry.rows)) return 0;
  const double c = std::floor(column), r = std::floor(row);
  const auto pixel = [&](double at_column, double at_row) {
    const bool there = 0 <= at_column && at_column < geometry.columns && 0 <= at_row && at_row < geometry.rows;
    return there ? view[static_cast<std::size_t>(at_row * geometry.columns + at_column)] : 0.0;
  };
  const double below = (1 - (column - c)) * pixel(c, r) + (column - c) * pixel(c + 1, r);
  const double above = (1 - (column - c)) * pixel(c, r + 1) + (column - c) * pixel(c + 1, r + 1);
  return (1 - (row - r)) * below + (row - r) * above;
}

std::vector<std::pair<const char*, Geometry>> row_cases() {
  Geometry base;
  base.grid = {43, 9, 5, 1.0, 1.1, 0.9};
  base.columns = 31;
  base.rows = 6;
  base.pixel = 1.3;
  base.pixel_v = 0.8;
  base.first_u = -19;
  base.first_v = -2.1;
  base.source_distance = 70;
  base.detector_distance = 25;
  std::vector<std::pair<const char*, Geometry>> all;
  all.emplace_back("cone", base);
  Geometry parallel = base;
  parallel.parallel = true;
  all.emplace_back("parallel", parallel);
  Geometry slice = parallel;  // Voxels at the height of pixels.
  slice.grid.nz = slice.rows = 1;
  slice.first_v = 0;
  all.emplace_back("slice", slice);
  Geometry near = base;  // Some voxels are behind the source, or in its plane.
  near.source_distance = 7;
  all.emplace_back("near", near);
  return all;
}

void compare_layers_with_scalars() {
  for (const auto& [name, geometry] : row_cases()) {
    const volumes::VolumeGrid& grid = geometry.grid;
    const PaddedRows layout(geometry);
    const std::vector<double> view = random_doubles(static_cast<std::size_t>(geometry.columns * geometry.rows), 3);
    std::vector<double> padded(layout.count, 0.0);
    double* const pixels = padded.data() + layout.origin;
    for (int row = 0; row < geometry.rows; ++row)
      for (int column = 0; column < geometry.columns; ++column)
        pixels[row * layout.pitch + column] = view[static_cast<std::size_t>(row * geometry.columns + column)];
    int hit = 0;
    for (const double degrees : {0.0, 33.0, 90.0, 201.0}) {
      ViewAngle angle = projection::view_angle(degrees);
      angle.share = 0.7;
      for (int y = 0; y < grid.ny; ++y) {
        std::vector<double> actual(static_cast<std::size_t>(grid.nx * grid.nz), 0.25);
        const int end = reconstruction::back_project_layer(geometry, angle, pixels, y, actual.data());
        ASSERT_LE(end, grid.nx);
        ASSERT_GT(end, grid.nx - 8);
        for (int z = 0; z < grid.nz; ++z)
          for (int x = 0; x < grid.nx; ++x) {
            const auto position = reconstruction::detector_position(geometry, angle, x, y);
            const double value =
                position.weight * value_at(geometry, view, position.column, position.first_row + z * position.row);
            const double expected = x < end ? 0.25 + value : 0.25;
            EXPECT_EQ(actual[static_cast<std::size_t>(x + z * grid.nx)], expected)
                << name << ", " << degrees << ": " << x << ", " << y << ", " << z;
            hit += value != 0 ? 1 : 0;
          }
      }
    }
    EXPECT_GT(hit, grid.nx) << name;
  }
}

void compare_tiles_with_columns() {
  constexpr int width = reconstruction::tile_width;
  for (const auto& [name, geometry] : row_cases()) {
    const int nz = geometry.grid.nz, y0 = 2, y1 = 7;
    const reconstruction::FilteredLayout layout(geometry);
    std::vector<ViewAngle> angles;
    for (const double degrees : {0.0, 33.0, 90.0, 201.0})
      angles.push_back(projection::view_angle(degrees));
    std::vector<float> views(layout.view * angles.size() + 2 * reconstruction::max_lanes, 0.0f);
    const std::vector<double> values = random_doubles(views.size(), 4);
    for (std::size_t view = 0; view < angles.size(); ++view)
      for (int column = 0; column < geometry.columns; ++column)
        for (int row = 0; row < geometry.rows; ++row) {
          const std::size_t at =
              layout.view * view + static_cast<std::size_t>(layout.origin + column * layout.pitch + row);
          views[at] = static_cast<float>(values[at]);
        }
    int hit = 0;
    for (const int x0 : {0, 16, 32}) {
      const int x1 = std::min(x0 + width, geometry.grid.nx);
      std::vector<float> columns(static_cast<std::size_t>(width * (y1 - y0) * reconstruction::max_lanes), 0.25f);
      std::vector<float> rows = columns;
      reconstruction::back_project_tile(
          {&geometry, views.data(), angles, x0, x1, y0, y1, columns.data(), reconstruction::max_lanes, false});
      reconstruction::back_project_tile({&geometry, views.data(), angles, x0, x1, y0, y1, rows.data(), width, true});
      for (int y = 0; y < y1 - y0; ++y)
        for (int z = 0; z < nz; ++z)
          for (int x = 0; x < x1 - x0; ++x) {
            const float expected =
                columns[static_cast<std::size_t>((y * (x1 - x0) + x) * reconstruction::max_lanes + z)];
            EXPECT_EQ(rows[static_cast<std::size_t>((y * nz + z) * width + x)], expected)
                << name << ": " << x0 + x << ", " << y0 + y << ", " << z;
            hit += expected != 0.25f ? 1 : 0;
          }
    }
    EXPECT_GT(hit, geometry.grid.nx) << name;
  }
}

TEST(ReconstructionRows, ConvolveInTheOrderOfAScalarSum) {
  for_each_simd_target(compare_convolution_with_scalars);
}
TEST(ReconstructionRows, BackProjectTheBitsOfTheFormulas) {
  for_each_simd_target(compare_layers_with_scalars);
}
TEST(ReconstructionRows, HaveInTilesTheBitsOfColumns) {
  for_each_simd_target(compare_tiles_with_columns);
}

}  // namespace
}  // namespace threadscape::testing
