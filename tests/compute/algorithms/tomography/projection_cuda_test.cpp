// Tests of the CUDA kernels of projection against the serial backend: both variants, every method, and geometries that
// need special code paths.

#include <gtest/gtest.h>

#include <vector>

#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape::testing {
namespace {

using ProjectionParams = Projection::Params;

struct ProjectionCase {
  const char* name;
  ProjectionParams params;
};

ProjectionParams beam(Projection::Setup geometry) {
  ProjectionParams params;
  params.geometry = geometry;
  params.phantom = volumes::Phantom::shepp_logan;
  params.voxels = 13;
  params.voxels_y = 17;
  params.voxels_z = 11;
  params.detector_pixels = 21;
  params.detector_rows = 19;
  params.pixel_size = 1.3f;
  params.source_distance = 40;
  params.detector_distance = 20;
  params.arc = 360;
  params.step = 45;
  return params;
}

std::vector<ProjectionCase> projection_cases() {
  std::vector<ProjectionCase> all;
  ProjectionParams source;
  source.pixels = 40;
  all.push_back({"source", source});
  all.push_back({"cone", beam(Projection::Setup::cone)});
  all.push_back({"parallel", beam(Projection::Setup::parallel)});
  ProjectionParams moved = beam(Projection::Setup::cone);
  moved.offset_u = 4.2f;
  moved.offset_v = -30;
  all.push_back({"moved", moved});
  ProjectionParams flat = beam(Projection::Setup::cone);  // several planes along z in one step of the xy-plane
  flat.voxel_size_z = 0.1f;
  flat.voxels_z = 60;
  all.push_back({"flat voxels", flat});
  ProjectionParams slabs = beam(Projection::Setup::cone);
  slabs.slab = 5;
  slabs.voxel_size_y = 0.6f;
  all.push_back({"slabs", slabs});
  ProjectionParams many = beam(Projection::Setup::cone);  // more views than a launch takes, and one row
  many.arc = 90;
  many.step = 2;
  many.row = 7;
  all.push_back({"many views of a row", many});
  ProjectionParams tall =
      beam(Projection::Setup::parallel);  // several blocks of rows, exactly on planes between voxels
  tall.detector_rows = 301;
  tall.pixel_size = 0.5f;
  tall.detector_pixels = 5;
  all.push_back({"tall", tall});
  ProjectionParams large = beam(Projection::Setup::cone);  // more steps than shared memory holds
  large.voxels = 300;
  large.voxels_y = 280;
  large.voxels_z = 3;
  large.source_distance = 900;
  large.detector_distance = 300;
  large.pixel_size = 40;
  large.detector_pixels = 9;
  large.detector_rows = 3;
  large.step = 77;
  all.push_back({"large", large});
  return all;
}

TEST(ProjectionCuda, IsAsExactAsItSays) {
  if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  Runner runner;
  for (ProjectionCase& one : projection_cases())
    for (const auto method :
         {projection::Method::siddon, projection::Method::incremental, projection::Method::joseph}) {
      one.params.method = method;
      const HostArray volume = Projection::make_input(one.params, 0);
      RunRequest request{
          .algorithm = &find_algorithm("projection"), .params = ParamBox::of(one.params), .backend = Backend::serial};
      const HostArray expected = runner.run(request, volume.view()).output;
      request.backend = Backend::cuda;
      for (int variant = 0; variant < 2; ++variant) {
        request.variant = variant;
        const HostArray actual = runner.run(request, volume.view()).output;
        const Tolerance tolerance = Projection::tolerance_of(one.params, volume.shape(), Backend::cuda, variant);
        const auto mismatch = compare(expected.view(), actual.view(), tolerance);
        if (!mismatch) continue;
        ADD_FAILURE() << one.name << ", " << Projection::method_names[static_cast<std::size_t>(method)] << ", "
                      << Projection::cuda_variants[static_cast<std::size_t>(variant)].name << ": "
                      << to_string(*mismatch);
      }
    }
}

}  // namespace
}  // namespace threadscape::testing
