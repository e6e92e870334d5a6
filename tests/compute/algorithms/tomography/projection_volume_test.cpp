// Tests of the projection of whole volumes: exact integrals, phantoms, slabs, and files larger than memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <stop_token>
#include <vector>

#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/gpu/device.h"
#include "compute/io/volumes/volume_file.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

using ProjectionParams = Projection::Params;

HostArray projected(const ProjectionParams& params, const HostArray& volume, Backend backend, int threads = 2) {
  Runner runner;
  const RunRequest request{.algorithm = &find_algorithm("projection"),
                           .params = ParamBox::of(params),
                           .backend = backend,
                           .threads = threads};
  return runner.run(request, volume.view()).output;
}
HostArray projected(const ProjectionParams& params, Backend backend) {
  return projected(params, Projection::make_input(params, 0), backend);
}
const float* voxels(const HostArray& array) {
  return reinterpret_cast<const float*>(array.data());
}
std::string difference(const ProjectionParams& params, const HostArray& volume, const HostArray& expected,
                       const HostArray& actual) {
  const auto mismatch =
      compare(expected.view(), actual.view(), Projection::tolerance_of(params, volume.shape(), Backend::openmp, 0));
  return mismatch ? to_string(*mismatch) : "";
}

/// The maximum, the mean over the rays that hit the volume, and the number of these rays.
void expect_integrals(int pixels, Backend backend, double maximum, double mean, int rays) {
  ProjectionParams params;
  params.pixels = pixels;
  const HostArray volume = Projection::make_input(params, 0);
  const HostArray result = projected(params, volume, backend);
  double high = 0, sum = 0;
  int hits = 0;
  for (std::int64_t i = 0; i < result.shape().items(); ++i) {
    const auto value = static_cast<double>(voxels(result)[i]);
    high = std::max(high, value);
    sum += value;
    hits += value > 0;
  }
  EXPECT_NEAR(high, maximum, maximum * 1e-6);
  EXPECT_NEAR(sum / hits, mean, mean * 1e-6);
  EXPECT_EQ(hits, rays);
}

TEST(ProjectionVolume, ExactIntegralsOfTheCubeWithCavity) {
  expect_integrals(200, Backend::serial, 11844.099, 5977.402, 148778);
  expect_integrals(200, Backend::openmp, 11844.099, 5977.402, 148778);
  expect_integrals(400, Backend::openmp, 23757.332, 11895.197, 598134);
}

TEST(ProjectionVolume, ReportSaysTheSame) {
  ProjectionParams params;
  params.pixels = 200;
  const HostArray volume = Projection::make_input(params, 0);
  const HostArray result = projected(params, volume, Backend::serial);
  EXPECT_EQ(Projection::report(params, volume.view(), result.view()),
            "minimum 0.000, maximum 11844.100, mean 5977.402 over the 148778 rays that hit the volume\n");  // as floats
}

TEST(ProjectionVolume, TheHeadHasTheChordsOfItsEllipsoids) {
  ProjectionParams params;
  params.geometry = Projection::Setup::parallel;
  params.phantom = volumes::Phantom::shepp_logan;
  params.voxels = 96;
  params.detector_pixels = 48;
  params.pixel_size = 2;
  params.source_distance = 400;
  params.detector_distance = 200;
  params.arc = 180;
  params.step = 30;
  for (const auto method : {projection::Method::incremental, projection::Method::joseph}) {
    params.method = method;
    const HostArray result = projected(params, Backend::openmp);
    const projection::Geometry g = params.scanner();
    double error = 0, norm = 0, sum = 0, exact_sum = 0;
    for (int view = 0; view < g.views; ++view) {
      const projection::ViewAngle angle = projection::view_angle(g.angle_of(view));
      for (int row = 0; row < g.rows; ++row)
        for (int column = 0; column < g.columns; ++column) {
          const projection::Point a = g.start(angle, row, column), b = g.pixel_centre(angle, row, column);
          double exact = 0;  // chords of the ellipsoids, lengths in half sides
          for (const volumes::Ellipsoid& e : volumes::shepp_logan_ellipsoids()) {
            const double turn = e.angle * std::numbers::pi / 180, c = std::cos(turn), s = std::sin(turn);
            const auto scaled = [&](double x, double y, double z) {
              return projection::Point{(x * c + y * s) / e.a, (y * c - x * s) / e.b, z / e.c};
            };
            const projection::Point o = scaled(a.x / 48 - e.x, a.y / 48 - e.y, a.z / 48 - e.z);
            const projection::Point d = scaled((b.x - a.x) / 48, (b.y - a.y) / 48, (b.z - a.z) / 48);
            const double dd = d.x * d.x + d.y * d.y + d.z * d.z, od = o.x * d.x + o.y * d.y + o.z * d.z;
            const double root = od * od - dd * (o.x * o.x + o.y * o.y + o.z * o.z - 1);
            if (root > 0) exact += e.value * 2 * std::sqrt(root) / dd * 600;
          }
          const double value = static_cast<double>(result.view().volume<float>()(column, row, view));
          error += (value - exact) * (value - exact);
          norm += exact * exact;
          sum += value;
          exact_sum += exact;
        }
    }
    // Single rays differ between the methods, since interpolation smooths the steps between voxels; the sums of all
    // rays agree.
    const double limit = method == projection::Method::joseph ? 0.08 : 0.14;
    EXPECT_LT(std::sqrt(error / norm), limit) << Projection::method_names[static_cast<std::size_t>(method)];
    EXPECT_NEAR(sum / exact_sum, 1, 0.01) << Projection::method_names[static_cast<std::size_t>(method)];
  }
}

TEST(ProjectionVolume, MassIsTheSameFromEverySide) {
  ProjectionParams params;
  params.geometry = Projection::Setup::parallel;
  params.phantom = volumes::Phantom::cavity;
  params.voxels = 40;
  params.voxel_size_z = 1.5f;
  params.detector_pixels = 160;
  params.pixel_size = 0.5f;
  params.step = 18;
  const HostArray volume = Projection::make_input(params, 0);
  double mass = 0;
  for (std::int64_t i = 0; i < volume.shape().items(); ++i)
    mass += static_cast<double>(voxels(volume)[i]) * 1.5;
  for (const auto method : {projection::Method::siddon, projection::Method::incremental, projection::Method::joseph}) {
    params.method = method;
    const HostArray result = projected(params, volume, Backend::openmp);
    const Shape& shape = result.shape();
    for (std::int64_t view = 0; view < shape.depth; ++view) {
      double sum = 0;
      for (std::int64_t i = 0; i < shape.width * shape.height; ++i)
        sum += static_cast<double>(voxels(result)[view * shape.width * shape.height + i]) * 0.25;
      EXPECT_NEAR(sum / mass, 1, 0.01) << "view " << view;
    }
  }
}

TEST(ProjectionVolume, SlabsOfAnySizeGiveTheSameSum) {
  ProjectionParams params;
  params.geometry = Projection::Setup::cone;
  params.phantom = volumes::Phantom::shepp_logan;
  params.voxels = 33;
  params.voxels_y = 41;
  params.voxels_z = 27;
  params.voxel_size_y = 0.7f;
  params.voxel_size_z = 1.9f;
  params.detector_pixels = 50;
  params.detector_rows = 37;
  params.offset_u = 3.3f;
  params.offset_v = -2;
  params.pixel_size = 1.7f;
  params.arc = 360;
  params.step = 40;
  const HostArray volume = Projection::make_input(params, 0);
  for (const auto method : {projection::Method::siddon, projection::Method::incremental, projection::Method::joseph}) {
    params.method = method;
    params.slab = 0;
    const HostArray whole = projected(params, volume, Backend::serial);
    for (const int slab : {0, 1, 3, 16, 40, 41, 1000}) {
      params.slab = slab;
      EXPECT_EQ(difference(params, volume, whole, projected(params, volume, Backend::openmp)), "") << slab;
    }
  }
}

TEST(ProjectionVolume, ThreadsChangeNothing) {
  ProjectionParams params;
  params.pixels = 60;
  const HostArray volume = Projection::make_input(params, 0);
  const HostArray one = projected(params, volume, Backend::openmp, 1);
  const HostArray many = projected(params, volume, Backend::openmp, 7);
  EXPECT_TRUE(testing::same_pixels(many, one));
}

TEST(ProjectionVolume, ARowIsTheSinogramOfTheWhole) {
  ProjectionParams params;
  params.pixels = 60;
  const HostArray volume = Projection::make_input(params, 0);
  const HostArray all = projected(params, volume, Backend::serial);
  params.row = 31;
  const HostArray row = projected(params, volume, Backend::serial);
  ASSERT_EQ(row.shape().height, 1);
  for (int view = 0; view < 7; ++view)
    for (int column = 0; column < 60; ++column)
      ASSERT_EQ(row.view().volume<float>()(column, 0, view), all.view().volume<float>()(column, 31, view));
}

TEST(ProjectionVolume, SteepRaysThroughFlatVoxels) {
  ProjectionParams params;
  params.geometry = Projection::Setup::cone;
  params.voxels = 24;
  params.voxels_z = 90;
  params.voxel_size_z = 0.05f;
  params.source_distance = 40;
  params.detector_distance = 20;
  params.detector_pixels = 30;
  params.pixel_size = 0.9f;
  params.phantom = volumes::Phantom::shepp_logan;
  const HostArray volume = Projection::make_input(params, 0);
  for (const auto method : {projection::Method::incremental, projection::Method::joseph}) {
    params.method = method;
    EXPECT_EQ(difference(params, volume, projected(params, volume, Backend::serial),
                         projected(params, volume, Backend::openmp)),
              "");
  }
}

TEST(ProjectionVolume, RefusesVoxelsThatAreNoNumbers) {
  ProjectionParams params;
  params.pixels = 30;
  HostArray volume = Projection::make_input(params, 0);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    reinterpret_cast<float*>(volume.data())[5 + 3 * 12 + 2 * 144] = bad;
    try {
      (void)projected(params, volume, Backend::openmp);
      FAIL();
    } catch (const UsageError& error) {
      EXPECT_STREQ(
          error.what(),
          "voxel 5, 2, 3 (x, y, z) is not a finite number: give voxels outside of the object a number, such as 0");
    }
  }
}

class ProjectionFile : public TestFolder {
 protected:
  HostArray layered(const ProjectionParams& params, LayerReader& reader, LayerRun run) {
    HostArray views(Projection::output_shape(params, reader.shape()));
    std::memset(views.data(), 0xA5, views.shape().bytes());
    run.in = &reader;
    run.out = views.view();
    run.threads = 2;
    run.device = &gpu::devices().first();
    Projection::run_layers(params, run);
    return views;
  }
};

TEST_F(ProjectionFile, IsProjectedSlabBySlab) {
  ProjectionParams params;
  params.pixels = 70;
  params.phantom = volumes::Phantom::half_sphere;
  const HostArray volume = Projection::make_input(params, 0);
  io::save_volume(path("volume.mhd"), volume.view());
  const HostArray expected = projected(params, volume, Backend::serial);
  std::vector<Backend> backends{Backend::serial, Backend::openmp};
  if (gpu::devices().first().available()) backends.push_back(Backend::cuda);
  for (const Backend backend : backends)
    for (const auto method : {projection::Method::incremental, projection::Method::siddon})
      for (const int slab : {1, 8, 0}) {
        params.slab = slab;
        params.method = method;
        io::VolumeReader reader(path("volume.mhd"), {});
        // The memory holds three slabs of four layers each.
        const std::size_t memory = slab == 0 ? 12 * 29 * 29 * sizeof(float) : 0;
        const HostArray actual = layered(params, reader, {.backend = backend, .memory = memory});
        EXPECT_EQ(difference(params, volume, expected, actual), "") << name_of(backend) << " " << slab;
      }
}

/// A reader that checks that layers are read in order, and records the maximum number of layers per read.
class CountingReader final : public LayerReader {
 public:
  explicit CountingReader(const Shape& shape) : shape_(shape) {}
  [[nodiscard]] const Shape& shape() const override { return shape_; }
  void read(std::int64_t first, std::int64_t end, float* to) override {
    EXPECT_EQ(first, next_);
    next_ = end;
    max_layers_ = std::max(max_layers_, end - first);
    std::fill_n(to, (end - first) * shape_.width * shape_.height, first <= 5 && 5 < end ? bad_ : 1.0f);
  }
  Shape shape_;
  std::int64_t next_ = 0, max_layers_ = 0;
  float bad_ = 1.0f;
};

TEST_F(ProjectionFile, MemoryAndStopAreObeyed) {
  ProjectionParams params;
  params.geometry = Projection::Setup::cone;
  params.detector_pixels = 4;
  const Shape shape{Kind::volume, Element::f32, 1, 32, 32, 40};
  CountingReader reader(shape);
  const HostArray views = layered(params, reader, {.memory = 3 * 7 * 32 * 32 * sizeof(float)});
  EXPECT_EQ(reader.next_, 40);
  EXPECT_EQ(reader.max_layers_, 7);

  CountingReader broken(shape);
  broken.bad_ = std::numeric_limits<float>::quiet_NaN();
  params.slab = 3;
  EXPECT_THROW((void)layered(params, broken, {}), UsageError);
  std::stop_source stop;
  stop.request_stop();
  CountingReader again(shape);
  EXPECT_THROW((void)layered(params, again, {.stop = stop.get_token()}), Cancelled);
}

}  // namespace
}  // namespace threadscape::testing
