// Tests of the backends of reconstruction against each other: beams, moved detectors, voxels and pixels of different
// sizes, and more views than a part has.

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape::testing {
namespace {

using ReconstructionParams = Reconstruction::Params;
using Beam = ScannerParams::Setup;

HostArray reconstructed_by(const ReconstructionParams& params, const HostArray& views, Backend backend, int threads = 2,
                           int parts_at_once = 0) {
  Runner runner;
  const RunRequest request{.algorithm = &find_algorithm("reconstruction"),
                           .params = ParamBox::of(params),
                           .backend = backend,
                           .threads = threads,
                           .parts_at_once = parts_at_once};
  return runner.run(request, views.view()).output;
}

std::vector<std::pair<const char*, ReconstructionParams>> reconstruction_cases() {
  std::vector<std::pair<const char*, ReconstructionParams>> all;
  ReconstructionParams base;
  base.pixel_size = 1.4f;
  base.source_distance = 80;
  base.detector_distance = 30;
  base.voxels = 13;
  base.voxels_y = 18;
  base.voxels_z = 21;
  base.detector_pixels = 23;
  base.detector_rows = 19;
  base.step = 24;
  base.iterations = 3;
  all.emplace_back("cone", base);
  ReconstructionParams parallel = base;
  parallel.geometry = Beam::parallel;
  parallel.arc = 180;
  all.emplace_back("parallel", parallel);
  ReconstructionParams moved = base;
  moved.voxel_size_z = 2.5f;
  moved.voxel_size_y = 0.7f;
  moved.offset_u = 4.2f;
  moved.offset_v = -9;
  all.emplace_back("moved", moved);
  ReconstructionParams wide = base;  // rows further apart than two vectors reach
  wide.pixel_size = 0.3f;
  wide.detector_rows = 70;
  all.emplace_back("wide", wide);
  ReconstructionParams many = base;  // several parts of fdk, several blocks of columns and of voxels along z
  many.step = 2.5f;
  many.voxels_z = 140;
  many.voxel_size_z = 0.1f;
  many.detector_pixels = 150;
  many.pixel_size = 0.3f;
  many.detector_rows = 9;
  many.arc = 300;
  many.iterations = 1;
  all.emplace_back("many", many);
  ReconstructionParams flat = base;  // fewer layers along z than a vector has lanes
  flat.voxels_z = 3;
  flat.voxel_size_z = 2.5f;
  flat.voxels = 37;
  all.emplace_back("flat", flat);
  ReconstructionParams source = base;
  source.geometry = Beam::source;
  source.pixels = 31;
  source.arc = 90;
  source.step = 15;
  all.emplace_back("source", source);
  return all;
}

TEST(ReconstructionBackends, AreAsNearAsTheySay) {
  const bool cuda = gpu::devices().first().available();
  for (const auto& one_case : reconstruction_cases()) {
    const auto& name = one_case.first;
    auto params = one_case.second;
    const HostArray views = Reconstruction::make_input(params, 0);
    for (const auto method : {Reconstruction::Method::fdk, Reconstruction::Method::sirt}) {
      params.method = method;
      const HostArray expected = reconstructed_by(params, views, Backend::serial);
      const auto check = [&](const char* backend, const HostArray& actual) {
        const auto mismatch = compare(expected.view(), actual.view(),
                                      Reconstruction::tolerance_of(params, views.shape(), Backend::openmp, 0));
        EXPECT_FALSE(mismatch) << name << ", " << Reconstruction::method_names[static_cast<std::size_t>(method)] << ", "
                               << backend << ": " << to_string(*mismatch);
      };
      const HostArray one = reconstructed_by(params, views, Backend::openmp, 1);
      check("openmp", one);
      EXPECT_FALSE(compare(one.view(), reconstructed_by(params, views, Backend::openmp, 5).view(), Tolerance::exact()));
      if (!cuda) continue;
      check("cuda", reconstructed_by(params, views, Backend::cuda));
      check("cuda in parts", reconstructed_by(params, views, Backend::cuda, 0, 1));
    }
  }
}

}  // namespace
}  // namespace threadscape::testing
