// Tests of projection: rays with exact values, columns of the detector, and geometries of scans.

#include "compute/algorithms/tomography/projection/projection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string_view>

#include "compute/algorithms/tomography/detector_columns.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape::testing {
namespace {

using namespace projection;  // NOLINT: the tested functions
using ProjectionParams = Projection::Params;

Ray ray_between(const Point& from, const Point& to) {
  const auto axis = [](double a, double b) { return axis_between(a, b, 1.0, 0); };
  return {axis(from.x, to.x), axis(from.y, to.y), axis(from.z, to.z),
          std::sqrt(std::pow(to.x - from.x, 2) + std::pow(to.y - from.y, 2) + std::pow(to.z - from.z, 2))};
}

/// A different value for every voxel.
double number(int x, int y, int z) {
  return 1 + x + 10 * y + 100 * z;
}
double exact(const Box& box, const Ray& ray) {
  const double value = ray_value(Method::incremental, box, ray, number);
  EXPECT_NEAR(ray_value(Method::siddon, box, ray, number), value, 1e-10 * value);
  return value;
}

constexpr Box small_box{4, 0, 3, 2};  // 4 x 3 x 2 voxels

TEST(ProjectionRays, AlongAnAxis) {
  EXPECT_NEAR(exact(small_box, ray_between({-5, 1.5, 0.5}, {9, 1.5, 0.5})), 11 + 12 + 13 + 14, 1e-12);
  EXPECT_NEAR(exact(small_box, ray_between({9, 1.5, 1.5}, {-5, 1.5, 1.5})), 111 + 112 + 113 + 114, 1e-12);
  EXPECT_NEAR(exact(small_box, ray_between({2.5, -4, 0.5}, {2.5, 7, 0.5})), 3 + 13 + 23, 1e-12);
  EXPECT_NEAR(exact(small_box, ray_between({2.5, 0.5, -4}, {2.5, 0.5, 4})), 3 + 103, 1e-12);
}

TEST(ProjectionRays, WithinAPlaneTheyCountForTheVoxelsAbove) {
  EXPECT_NEAR(exact(small_box, ray_between({-5, 1, 1}, {9, 1, 1})), 111 + 112 + 113 + 114, 1e-12);  // an edge
  EXPECT_NEAR(exact(small_box, ray_between({-5, 1, 0.5}, {9, 1, 0.5})), 11 + 12 + 13 + 14, 1e-12);
  EXPECT_NEAR(exact(small_box, ray_between({0, -1, 0.5}, {0, 5, 0.5})), 1 + 11 + 21, 1e-12);  // the lowest plane
  EXPECT_EQ(exact(small_box, ray_between({4, -1, 0.5}, {4, 5, 0.5})), 0.0);                   // the uppermost
  EXPECT_EQ(exact(small_box, ray_between({-5, 1.5, 2}, {9, 1.5, 2})), 0.0);
  EXPECT_EQ(exact(small_box, ray_between({-5, 3, 0.5}, {9, 3, 0.5})), 0.0);
}

TEST(ProjectionRays, ThroughEdgesAndCorners) {
  const Box cube{3, 0, 3, 3};
  const double diagonal = std::sqrt(3.0) * (1 + 112 + 223);
  EXPECT_NEAR(exact(cube, ray_between({-1, -1, -1}, {4, 4, 4})), diagonal, 1e-10);
  EXPECT_NEAR(exact(cube, ray_between({4, 4, 4}, {-1, -1, -1})), diagonal, 1e-10);
  EXPECT_NEAR(exact(cube, ray_between({-1, -1, 0.5}, {4, 4, 0.5})), std::sqrt(2.0) * (1 + 12 + 23), 1e-10);
  EXPECT_EQ(exact(cube, ray_between({-1, 1, 0.5}, {1, -1, 0.5})), 0.0);  // touches an edge
  EXPECT_EQ(exact(cube, ray_between({-1, 1, 1}, {1, -1, -1})), 0.0);     // touches a corner
  EXPECT_EQ(exact(cube, ray_between({-1, 5, 0.5}, {5, 9, 0.5})), 0.0);
  EXPECT_EQ(exact(cube, ray_between({-9, 1.5, 0.5}, {-1, 1.5, 0.5})), 0.0);  // ends before it
}

TEST(ProjectionRays, EndWhereTheDetectorIs) {
  EXPECT_NEAR(exact(small_box, ray_between({-5, 1.5, 0.5}, {2.5, 1.5, 0.5})), 11 + 12 + 0.5 * 13, 1e-12);
}

TEST(ProjectionRays, ChordsOfACube) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> outside(-30, 40);
  const Box box{10, 0, 10, 10};
  int hits = 0;
  for (int i = 0; i < 20000; ++i) {
    const Ray ray = ray_between({outside(random), outside(random), -20}, {outside(random), outside(random), 31});
    double in = 0, out = 1;
    for (const Axis& axis : {ray.x, ray.y, ray.z}) {
      const double a = -axis.origin / axis.direction, b = (10 - axis.origin) / axis.direction;
      in = std::max(in, std::min(a, b));
      out = std::min(out, std::max(a, b));
    }
    const double chord = std::max(0.0, out - in) * ray.length;
    const auto one = [](int, int, int) { return 1.0f; };
    ASSERT_NEAR(ray_value(Method::incremental, box, ray, one), chord, 1e-10);
    ASSERT_NEAR(ray_value(Method::siddon, box, ray, one), chord, 1e-10);
    hits += chord > 0;
  }
  EXPECT_GT(hits, 1000);
}

TEST(ProjectionRays, SiddonIsIncremental) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> outside(-9, 15);
  const Box box{7, 0, 5, 6};
  for (int i = 0; i < 20000; ++i)
    (void)exact(box, ray_between({outside(random), -4, outside(random)}, {outside(random), 12, outside(random)}));
}

TEST(ProjectionRays, JosephInterpolatesWhatIsLinear) {
  const Box box{20, 0, 20, 20};
  const auto linear = [](int x, int y, int z) { return 3 + 0.5 * x - 0.25 * y + 2 * z; };
  const Ray ray = ray_between({2.3, -10, 3.1}, {15.2, 30, 14.7});  // leaves through the far face
  double sum = 0;
  for (int j = 0; j < 20; ++j) {
    const double alpha = (j + 0.5 + 10) / 40;
    sum += 3 + 0.5 * (ray.x.at(alpha) - 0.5) - 0.25 * j + 2 * (ray.z.at(alpha) - 0.5);
  }
  EXPECT_NEAR(ray_value(Method::joseph, box, ray, linear), sum * ray.length / 40, 1e-9);
}

// ---- the path of a detector column

TEST(ProjectionColumns, StepsFoundByThemselvesAreTheStepsInOrder) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> outside(-9, 15);
  const Box box{7, 1, 5, 6};
  for (int i = 0; i < 2000; ++i) {
    const bool tie = i % 10 == 0;
    const Ray ray = tie ? ray_between({-3.0 - i % 3, -3, 0}, {13.0 - i % 3, 13, 0})
                        : ray_between({outside(random), -4, 1}, {outside(random), 12, 1});
    const ExactPath path(box, ray, tie ? 0.0 : 40.0);
    double length = 0, before = 0;
    for (int s = 0; s < path.steps(); ++s) {
      const ColumnStep step = path.step(s);
      ASSERT_GE(static_cast<double>(step.end), before);
      before = static_cast<double>(step.end);
      length += static_cast<double>(step.length);
      if (step.length < 1e-6f) continue;
      const double middle = path.range.in + static_cast<double>(step.end - step.length / 2);
      const int x = voxel_at(ray.x.at(middle), 0, box.x1), y = voxel_at(ray.y.at(middle), box.y0, box.y1);
      ASSERT_EQ(step.a, column_of(box, x, y)) << i << " step " << s;
    }
    if (path.steps() > 0) {
      ASSERT_NEAR(length, path.range.out - path.range.in, 1e-5);
    }
  }
}

TEST(ProjectionColumns, AHeightBelowAPlaneStaysBelow) {
  const RowHeight height = RowHeight::at({3.0 - 1e-12, 0.0, 0.0}, 0.5, 0.0);
  EXPECT_EQ(height.base, 2);
  EXPECT_LT(height.fraction, 1.0f);
  EXPECT_EQ(RowHeight::at({3.0, 0.0, 0.0}, 0.5, 0.0).base, 3);
}

// ---- geometry

TEST(ProjectionGeometry, PresetsOfTheSourceProject) {
  ProjectionParams params;
  for (const auto& [pixels, voxels] : {std::pair{400, 168}, {600, 252}, {1000, 420}, {1500, 630}}) {
    params.pixels = pixels;
    const Geometry g = params.scanner();
    EXPECT_EQ(g.grid.nx, voxels);
    EXPECT_EQ(g.grid.voxel_x, 100);
    EXPECT_EQ(g.views, 7);
    EXPECT_EQ(g.first_u, -(85.0 * pixels / 2 - 42));
    EXPECT_EQ(g.source_distance, 6.0 * 42 * pixels);
    EXPECT_EQ(g.detector_distance, 1.5 * 42 * pixels);
  }
  params.pixels = 201;  // odd: exactly centred
  EXPECT_EQ(params.scanner().u_of(100), 0.0);
}

TEST(ProjectionGeometry, SourceAndDetectorTurnTogether) {
  ProjectionParams params;
  params.geometry = Projection::Setup::cone;
  params.detector_pixels = 5;
  params.detector_rows = 3;
  const Geometry g = params.scanner();
  for (const double degrees : {-45.0, 0.0, 90.0, 270.0, 33.0}) {
    const ViewAngle angle = view_angle(degrees);
    EXPECT_NEAR(angle.sine, std::sin(degrees * std::numbers::pi / 180), 1e-15);
    const Point source = g.source(angle), pixel = g.pixel_centre(angle, 1, 2);
    EXPECT_NEAR(source.x * pixel.y - source.y * pixel.x, 0, 1e-9);  // the middle pixel is opposite
    EXPECT_NEAR(std::hypot(source.x - pixel.x, source.y - pixel.y), 600, 1e-9);
  }
  EXPECT_EQ(view_angle(90).cosine, 0.0);
  EXPECT_EQ(view_angle(-180).sine, 0.0);
}

TEST(ProjectionGeometry, AFullCircleDoesNotRepeatItsFirstView) {
  ProjectionParams params;
  params.arc = 360;
  params.step = 0.1f;
  EXPECT_EQ(params.views(), 3600);
  params.step = 7;
  EXPECT_EQ(params.views(), 52);
  params.arc = 0;
  EXPECT_EQ(params.views(), 1);
  params.arc = 90;
  params.step = 0.001f;
  EXPECT_NE(params.problem(), "");
}

TEST(ProjectionGeometry, RaysOfAParallelBeamHaveNoEnds) {
  HostArray ones({Kind::volume, Element::f32, 1, 8, 1, 512});
  std::fill_n(reinterpret_cast<float*>(ones.data()), 8 * 512, 1.0f);
  const AlgorithmInfo& projection = find_algorithm("projection");
  for (const Backend backend : {Backend::serial, Backend::openmp})
    for (const char* distance : {"1", "200", "1000"}) {
      RunRequest request{.algorithm = &projection, .params = projection.defaults(), .backend = backend};
      for (const auto& [name, value] : {std::pair{"phantom", "file"},
                                        {"geometry", "parallel"},
                                        {"arc", "0"},
                                        {"step", "1"},
                                        {"detector_pixels", "4"},
                                        {"detector_rows", "1"},
                                        {"detector_distance", distance},
                                        {"source_distance", distance}})
        request.params.assign(name, value);
      const HostArray views = Runner().run(request, ones.view()).output;
      for (int i = 0; i < 4; ++i)  // Rounding of lengths that are not whole numbers, relative to 512 voxels.
        EXPECT_NEAR(reinterpret_cast<const float*>(views.data())[i], 512.0f, 512 * 1e-6f) << distance;
    }
}

TEST(ProjectionGeometry, ADetectorInsideOfTheVolumeIsRefused) {
  ProjectionParams params;
  params.geometry = Projection::Setup::cone;
  params.voxels = 100;
  params.source_distance = 400;
  params.detector_distance = 49;
  try {
    (void)params.scanner();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("detector_distance = 49.000000: the detector is inside"),
              std::string::npos)
        << error.what();
  }
  params.arc = 0;  // One view, in which the plane of the detector is beyond the face of the volume.
  params.detector_distance = 51;
  EXPECT_NO_THROW((void)params.scanner());
  params.arc = 90;
  EXPECT_THROW((void)params.scanner(), UsageError) << "it meets the corners";
  params.offset_u = 400;  // The detector passes beside the volume.
  EXPECT_NO_THROW((void)params.scanner());
}

TEST(ProjectionGeometry, RefusesWhatCannotBe) {
  ParamBox box = ParamBox::of(ProjectionParams{});
  for (const char* name : {"source_distance", "detector_distance", "pixel_size", "voxel_size", "step"}) {
    if (!std::string_view(name).ends_with("_distance")) {  // 0 stands for a distance that follows from the volume.
      EXPECT_THROW(box.assign(name, "0"), UsageError) << name;
    }
    EXPECT_THROW(box.assign(name, "-1"), UsageError) << name;
  }
  ProjectionParams params;
  params.geometry = Projection::Setup::cone;
  params.source_distance = 60;
  EXPECT_THROW((void)params.scanner(), UsageError);
  params.source_distance = 400;
  params.row = 128;
  EXPECT_THROW((void)params.scanner(), UsageError);
  params.phantom = volumes::Phantom::file;
  EXPECT_THROW((void)Projection::make_input(params, 0), UsageError);
}

/// Without distances of the user the source and the detector are outside of any volume.
TEST(ProjectionGeometry, DistancesFollowFromTheVolume) {
  Projection::Params params;
  params.geometry = ScannerParams::Setup::cone;
  const auto shape = [](int x, int z, int y) { return Shape{Kind::volume, Element::f32, 1, x, z, y}; };
  const projection::Geometry usual = params.scanner(shape(128, 128, 128));
  EXPECT_EQ(usual.source_distance, 400.0);
  EXPECT_EQ(usual.detector_distance, 200.0);
  EXPECT_EQ(usual.pixel, 2.25);
  EXPECT_EQ(params.scanner(shape(512, 20, 30)).source_distance, 1600.0);
  EXPECT_EQ(params.scanner(shape(20, 512, 30)).detector_distance, 800.0);
  params.pixel_size_v = 3.0f;
  const projection::Geometry oblong = params.scanner(shape(128, 128, 128));
  EXPECT_EQ(oblong.v_of(1) - oblong.v_of(0), 3.0);
  EXPECT_EQ(oblong.u_of(1) - oblong.u_of(0), 2.25);
  EXPECT_EQ(oblong.v_of(0) + oblong.v_of(oblong.rows - 1), 0.0);
}

}  // namespace
}  // namespace threadscape::testing
