// Tests of total variation between the iterations of SIRT: steps whose minimum is known, and views that are too few.

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_tv.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"

namespace threadscape {
namespace variation_testing {
namespace {

/// Memory for TotalVariation, as HostScratch has it.
struct Memory {
  std::vector<std::vector<double>> parts;
  template <class T>
  std::span<T> take(std::size_t count) {
    return parts.emplace_back(count);
  }
};

/// Of two levels that share one border, each moves towards the other by the weight over its number of voxels (Condat:
/// IEEE Signal Process. Lett. 20(11), 2013, describes the exact solution along a line).
TEST(TotalVariation, TwoLevelsApproachEachOther) {
  for (int axis = 0; axis < 3; ++axis) {
    volumes::VolumeGrid grid{.nx = axis == 0 ? 10 : 1, .ny = axis == 1 ? 10 : 1, .nz = axis == 2 ? 10 : 1};
    std::vector<double> start(10, 1.0), x;
    std::fill(start.begin() + 4, start.end(), 3.0);
    Memory memory;
    const reconstruction::TotalVariation<double> variation(grid, 0.6, memory);
    for (int k = 0; k < 200; ++k) {  // Vectors are kept, so that ten steps at a time approach the minimum.
      x = start;
      variation(x.data(), -1e9, [&](const auto& layer) {
        for (int y = 0; y < grid.ny; ++y)
          layer(y);
      });
    }
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_NEAR(x[i], i < 4 ? 1.0 + 0.6 / 4 : 3.0 - 0.6 / 6, 1e-9) << axis << " " << i;
  }
}

TEST(TotalVariation, AWeightThatIsLargeLeavesTheMean) {
  const volumes::VolumeGrid grid{.nx = 5, .ny = 4, .nz = 3};
  std::vector<double> start(60), x;
  for (std::size_t i = 0; i < 60; ++i)
    start[i] = static_cast<double>(i * 37 % 11);
  const double mean = std::accumulate(start.begin(), start.end(), 0.0) / 60;
  Memory memory;
  const reconstruction::TotalVariation<double> variation(grid, 1000.0, memory);
  for (int k = 0; k < 200; ++k) {
    x = start;
    variation(x.data(), -1e9, [&](const auto& layer) {
      for (int y = 0; y < grid.ny; ++y)
        layer(y);
    });
  }
  for (const double value : x)
    EXPECT_NEAR(value, mean, 1e-9);
}

double error_of(const char* iterations, const char* tv, Backend backend) {
  RunRequest request{.algorithm = &find_algorithm("reconstruction"), .params = {}, .backend = backend, .threads = 1};
  request.params = request.algorithm->defaults();
  const std::array<std::array<const char*, 2>, 12> settings{{{"phantom", "shepp_logan"},
                                                             {"geometry", "parallel"},
                                                             {"method", "sirt"},
                                                             {"iterations", iterations},
                                                             {"voxels", "48"},
                                                             {"voxels_z", "1"},
                                                             {"detector_pixels", "72"},
                                                             {"detector_rows", "1"},
                                                             {"pixel_size", "1"},
                                                             {"arc", "165"},
                                                             {"step", "15"},
                                                             {"tv", tv}}};
  for (const auto& [name, value] : settings)
    request.params.assign(name, value);
  const auto params = request.params.as<Reconstruction::Params>();
  Runner runner;
  const HostArray views = Reconstruction::make_input(params, 1);
  return Reconstruction::errors(Reconstruction::truth(params)->view(), runner.run(request, views.view()).output.view())
      .relative;
}

/// Twelve views of a head of ellipsoids.
TEST(TotalVariation, FindsMoreInFewViews) {
  EXPECT_LT(error_of("800", "0.0005", Backend::openmp), 0.8 * error_of("800", "0", Backend::openmp));
  EXPECT_NEAR(error_of("60", "0.0005", Backend::serial), error_of("60", "0.0005", Backend::openmp), 1e-4);
}

}  // namespace
}  // namespace variation_testing
}  // namespace threadscape
