// Tests that projections and reconstructions are those of the ASTRA toolbox at equal geometries
// (scripts/reference/projections.py).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/test_files.h"
#include "tests/support/test_paths.h"

namespace threadscape::testing {
namespace {

using nlohmann::json;
using Beam = ScannerParams::Setup;

json astra() {
  return json::parse(read_bytes(test_dir() + "/data/astra.json"));
}

/// A volume that is one voxel high, from values with the indices y, x.
HostArray plane(std::int64_t width, std::int64_t height, const std::vector<float>& values) {
  HostArray volume({Kind::volume, Element::f32, 1, width, 1, height});
  std::ranges::copy(values, reinterpret_cast<float*>(volume.data()));
  return volume;
}

HostArray result(const char* algorithm, ParamBox params, const HostArray& input, Backend backend) {
  Runner runner;
  const RunRequest request{.algorithm = &find_algorithm(algorithm), .params = std::move(params), .backend = backend};
  return runner.run(request, input.view()).output;
}

TEST(Astra, HasTheSameProjections) {
  const json reference = astra();
  const HostArray image = plane(reference["width"].get<std::int64_t>(), reference["height"].get<std::int64_t>(),
                                reference["image"].get<std::vector<float>>());
  using Method = projection::Method;
  for (const json& wanted : reference["cases"]) {
    Projection::Params params;
    params.phantom = ScannerParams::Phantom::file;
    params.geometry = wanted["parallel"].get<bool>() ? Beam::parallel : Beam::cone;
    params.detector_pixels = wanted["columns"].get<int>();
    params.detector_rows = 1;
    params.pixel_size = wanted["pixel"].get<float>();
    params.offset_u = wanted["offset"].get<float>();
    params.source_distance = wanted["source"].get<float>();
    params.detector_distance = wanted["detector"].get<float>();
    params.step = wanted["step"].get<float>();
    params.arc = params.step * (wanted["views"].get<float>() - 1);
    params.turn = wanted["first_angle"].get<float>() + params.arc / 2;
    const auto values = wanted["values"].get<std::vector<double>>();
    const double largest = *std::ranges::max_element(values);
    const bool exact = wanted["method"] == "line";
    for (const Method method : exact ? std::vector{Method::siddon, Method::incremental} : std::vector{Method::joseph})
      for (const Backend backend : {Backend::serial, Backend::openmp}) {
        params.method = method;
        const std::vector<double> views = floats_of(result("projection", ParamBox::of(params), image, backend));
        ASSERT_EQ(views.size(), values.size());
        double worst = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
          worst = std::max(worst, std::abs(views[i] - values[i]));
        EXPECT_LT(worst, 1e-5 * largest) << wanted["name"] << ", method " << static_cast<int>(method);
      }
  }
}

/// ASTRA's error depends on how values are spread back: 0.0457 with exact lengths, 0.0486 with interpolated rays, which
/// the reference states, 0.0527 with strips, and 0.0504 on a GPU (FBP_CUDA of ASTRA 2.5.0 on an H200), which
/// interpolates at the centres of voxels, as the program does.
TEST(Astra, ReconstructsAsWell) {
  const json wanted = astra()["disc"];
  const int side = wanted["side"].get<int>();
  std::vector<float> values;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const double across = x - (side - 1) / 2.0 - 6, along = y - (side - 1) / 2.0 + 4;
      values.push_back(across * across + along * along <= 400 ? 1.0f : 0.0f);
    }
  const HostArray disc = plane(side, side, values);
  Projection::Params scan;
  scan.phantom = ScannerParams::Phantom::file;
  scan.geometry = Beam::parallel;
  scan.method = projection::Method::joseph;
  scan.detector_pixels = wanted["columns"].get<int>();
  scan.detector_rows = 1;
  scan.pixel_size = 1;
  scan.step = 180.0f / wanted["views"].get<float>();
  scan.arc = 180.0f - scan.step;
  const HostArray views = result("projection", ParamBox::of(scan), disc, Backend::serial);
  Reconstruction::Params params;
  static_cast<ScannerParams&>(params) = scan;
  params.voxels = params.voxels_y = side;
  params.voxels_z = 1;
  const HostArray found = result("reconstruction", ParamBox::of(params), views, Backend::openmp);
  const double error = Reconstruction::errors(disc.view(), found.view()).rmse;
  constexpr double of_fbp_cuda = 0.050401;
  EXPECT_NEAR(error, of_fbp_cuda, 0.01 * of_fbp_cuda);
}

}  // namespace
}  // namespace threadscape::testing
