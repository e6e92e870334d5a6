// Tests of reconstruction: the projector and its transpose match, filtered backprojection finds the projected object,
// SIRT comes closer with every iteration, and contradicting input is rejected.

#include "compute/algorithms/tomography/reconstruction/reconstruction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "compute/algorithms/tomography/projection/openmp/back_projection.h"
#include "compute/algorithms/tomography/projection/openmp/projection_openmp.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape::testing {
namespace {

using namespace reconstruction;  // NOLINT: the tested functions
using ReconstructionParams = Reconstruction::Params;
using Beam = ScannerParams::Setup;
using Phantom = ScannerParams::Phantom;

float* values(HostArray& array) {
  return reinterpret_cast<float*>(array.data());
}

HostArray reconstructed(const ReconstructionParams& params, const HostArray& views) {
  Runner runner;
  const RunRequest request{
      .algorithm = &find_algorithm("reconstruction"), .params = ParamBox::of(params), .backend = Backend::openmp};
  return runner.run(request, views.view()).output;
}

/// A small scan.
ReconstructionParams small_scan(Beam geometry = Beam::cone, Phantom phantom = Phantom::shepp_logan) {
  ReconstructionParams params;
  params.phantom = phantom;
  params.geometry = geometry;
  params.voxels = 24;
  params.detector_pixels = 40;
  params.pixel_size = geometry == Beam::parallel ? 1.0f : 1.4f;
  params.source_distance = 80;
  params.detector_distance = 30;
  params.step = 5;
  return params;
}

// ---- the projector and its transpose

/// Compares <A x, y> with <x, A' y> for random x and y.
void expect_pair(const ReconstructionParams& params, int threads) {
  const projection::Geometry g = params.projector().scanner();
  std::mt19937 random(11);
  std::uniform_real_distribution<float> number(-1, 1);
  HostArray x(g.grid.shape()), y(Shape{Kind::volume, Element::f32, 1, g.columns, g.rows, g.views}), forward(y.shape()),
      back(x.shape());
  std::generate_n(values(x), x.shape().items(), [&] { return number(random); });
  std::generate_n(values(y), y.shape().items(), [&] { return number(random); });
  std::fill_n(values(forward), y.shape().items(), 0.0f);

  HostScratch scratch;
  scratch.reset(projection::openmp_scratch_bytes(g, 0) + projection::back_scratch_bytes(g));
  HostRun run;
  run.scratch = &scratch;
  run.threads = threads;
  projection::add_slabs(g, projection::Method::incremental, 0, values(x), forward.view().volume<float>(), run);

  std::vector<float> rays(projection::ray_count(g), 0.0f);
  const auto from = y.view().volume<float>();
  for (int view = 0; view < g.views; ++view)
    for (int column = 0; column < g.columns; ++column)
      for (int row = 0; row < g.rows; ++row)
        rays[static_cast<std::size_t>(row) +
             static_cast<std::size_t>(column + view * g.columns) * projection::ray_pitch(g)] = from(column, row, view);
  projection::back_project(g, rays.data(), run, [&](const projection::Box& box, const float* columns) {
    for (int j = box.y0; j < box.y1; ++j)
      for (int i = 0; i < g.grid.nx; ++i)
        for (int k = 0; k < g.grid.nz; ++k)
          values(back)[g.grid.index(i, j, k)] =
              columns[projection::column_of(box, i, j) * projection::column_pitch(g.grid.nz) + 1 + k];
  });
  const auto dot = [](HostArray& a, HostArray& b, double& norm) {
    double sum = 0;
    for (std::int64_t i = 0; i < a.shape().items(); ++i) {
      const double product = static_cast<double>(values(a)[i]) * static_cast<double>(values(b)[i]);
      sum += product;
      norm += std::abs(product);
    }
    return sum;
  };
  double norm = 0, other_norm = 0;
  const double left = dot(forward, y, norm), right = dot(x, back, other_norm);
  // Random numbers of both signs nearly cancel, so the error is relative to the sum of the absolute terms.
  EXPECT_NEAR(left, right, 1e-6 * std::max(norm, other_norm));
  EXPECT_NEAR(left, right, 1e-5 * std::max(std::abs(left), 0.05 * norm));
}

TEST(ReconstructionPair, BackProjectionIsTheTransposeOfProjection) {
  for (const Beam geometry : {Beam::cone, Beam::parallel}) {
    ReconstructionParams params = small_scan(geometry);
    params.voxels = 17;
    params.voxels_y = 29;
    params.voxels_z = 13;
    params.step = 30;
    expect_pair(params, 2);
    params.voxel_size_y = 0.6f;
    params.voxel_size_z = 1.7f;
    params.offset_u = 3.3f;
    params.offset_v = -2.1f;
    params.detector_rows = 21;
    expect_pair(params, 1);
    params.voxel_size_z = 0.2f;  // several planes along z in one step
    params.voxels_z = 80;
    expect_pair(params, 3);
  }
  ReconstructionParams source = small_scan(Beam::source);
  source.pixels = 61;
  source.arc = 90;
  source.step = 15;
  expect_pair(source, 2);
}

// ---- filtered backprojection

TEST(ReconstructionFilter, TapsOfTheRampAreThoseOfTheBook) {
  EXPECT_EQ(filter_tap(Filter::ramp, 0), 0.25);
  EXPECT_EQ(filter_tap(Filter::ramp, 2), 0.0);
  EXPECT_NEAR(filter_tap(Filter::ramp, -3), -1 / (9 * std::numbers::pi * std::numbers::pi), 1e-15);
  for (const Filter filter : {Filter::ramp, Filter::shepp_logan, Filter::hann}) {
    double sum = 0;  // the filter removes constants
    for (int n = -100000; n <= 100000; ++n)
      sum += filter_tap(filter, n);
    EXPECT_NEAR(sum, 0, 1e-5);
  }
}

TEST(ReconstructionCoverage, SharesOfALineAddUp) {
  for (const float arc : {200.0f, 230.0f, 300.0f}) {
    ReconstructionParams params = small_scan();
    params.arc = arc;
    params.step = 1;
    const projection::Geometry g = params.projector().scanner();
    const Coverage coverage = Coverage::of(g);
    ASSERT_EQ(coverage.kind, arc < 210 ? Coverage::Kind::limited : Coverage::Kind::half) << arc;
    if (coverage.kind == Coverage::Kind::limited) continue;
    const double far = g.source_distance + g.detector_distance, degree = std::numbers::pi / 180;
    for (int view = 0; view < g.views; ++view)
      for (const double gamma : {-0.9, -0.4, 0.0, 0.3, 1.0}) {
        const double angle = gamma * coverage.fan, u = far * std::tan(angle);
        double sum = coverage.share(g, g.view(view).place, u);
        for (const double turn : {180 - 2 * angle / degree, -180 - 2 * angle / degree}) {
          const double other = view + turn;  // an angle between views, for which the formula holds as well
          if (other < -0.5 || other > g.views - 0.5) continue;
          sum += coverage.share(g, (other + 0.5) * degree, -u);
        }
        EXPECT_NEAR(sum, 1, 0.02) << "arc " << arc << " view " << view << " gamma " << gamma;
      }
  }
}

/// The mean and the maximum deviation from `expected` of the voxels at the centre of the volume, within `reach` of each
/// half side.
std::pair<double, double> inner_error(const HostArray& volume, double expected, double reach) {
  const Shape& s = volume.shape();
  double sum = 0, most = 0;
  std::int64_t count = 0;
  const auto inside = [&](std::int64_t i, std::int64_t n) {
    return std::abs((static_cast<double>(i) + 0.5) * 2 / static_cast<double>(n) - 1) < reach;
  };
  const auto voxels = volume.view().volume<float>();
  for (int y = 0; y < s.depth; ++y)
    for (int z = 0; z < s.height; ++z)
      for (int x = 0; x < s.width; ++x)
        if (inside(x, s.width) && inside(y, s.depth) && inside(z, s.height)) {
          const double error = static_cast<double>(voxels(x, z, y)) - expected;
          sum += error;
          most = std::max(most, std::abs(error));
          ++count;
        }
  return {sum / static_cast<double>(count), most};
}

TEST(ReconstructionFdk, ACubeHasItsAttenuation) {
  struct Case {
    const char* name;
    Beam geometry;
    float arc, step;
  };
  for (const Case& one :
       {Case{"cone, full circle", Beam::cone, 360, 2}, Case{"cone, Parker", Beam::cone, 240, 2},
        Case{"cone, steps that do not close", Beam::cone, 360, 3.5f},
        Case{"parallel, half circle", Beam::parallel, 180, 2}, Case{"parallel, overscan", Beam::parallel, 230, 2},
        Case{"parallel, full circle", Beam::parallel, 360, 2}})
    for (const Filter filter : {Filter::ramp, Filter::shepp_logan, Filter::hann}) {
      ReconstructionParams params = small_scan(one.geometry, Phantom::cube);
      params.detector_pixels = one.geometry == Beam::parallel ? 56 : 80;  // every view contains the whole cube
      params.pixel_size = one.geometry == Beam::parallel ? 0.7f : 0.9f;
      params.source_distance = 200;
      params.detector_distance = 50;
      params.arc = one.arc;
      params.step = one.step;
      params.filter = filter;
      const HostArray volume = reconstructed(params, Reconstruction::make_input(params, 0));
      const auto [mean, most] = inner_error(volume, 1, 0.6);
      EXPECT_NEAR(mean, 0, 0.01) << one.name;
      EXPECT_LT(most, 0.06) << one.name;
    }
}

TEST(ReconstructionFdk, LengthsHaveAUnit) {
  // The object is the same, but ten times as large, so a tenth of the attenuation per length gives the same views.
  ReconstructionParams params = small_scan(Beam::cone, Phantom::cube);
  params.voxel_size_z = 0.5f;
  params.voxels_z = 48;
  const HostArray views = Reconstruction::make_input(params, 0), volume = reconstructed(params, views);
  ReconstructionParams larger = params;
  for (float ReconstructionParams::*length :
       {static_cast<float ReconstructionParams::*>(&ReconstructionParams::voxel_size),
        static_cast<float ReconstructionParams::*>(&ReconstructionParams::voxel_size_z),
        static_cast<float ReconstructionParams::*>(&ReconstructionParams::pixel_size),
        static_cast<float ReconstructionParams::*>(&ReconstructionParams::source_distance),
        static_cast<float ReconstructionParams::*>(&ReconstructionParams::detector_distance)})
    larger.*length *= 10;
  HostArray scaled = reconstructed(larger, views);
  std::for_each_n(values(scaled), scaled.shape().items(), [](float& v) { v *= 10; });
  EXPECT_FALSE(compare(volume.view(), scaled.view(), {.abs = 1e-4, .rel = 1e-4}));
}

TEST(ReconstructionFdk, FindsTheHead) {
  ReconstructionParams params;  // the defaults
  const HostArray views = Reconstruction::make_input(params, 0);
  const auto truth = Reconstruction::truth(params);
  ASSERT_TRUE(truth);
  const auto error = [&] { return Reconstruction::errors(truth->view(), reconstructed(params, views).view()); };
  const auto full = error();
  EXPECT_LT(full.relative, 0.36);
  EXPECT_LT(full.rmse, 0.09);
  params.filter = Filter::hann;
  EXPECT_LT(error().relative, 0.5);
}

TEST(ReconstructionFdk, AMovedDetectorSeesTheSame) {
  ReconstructionParams params = small_scan(Beam::cone, Phantom::cube);
  params.detector_pixels = 64;
  const HostArray volume = reconstructed(params, Reconstruction::make_input(params, 0));
  params.offset_u = 5 * params.pixel_size;  // by whole pixels, none of the object is lost
  params.offset_v = -3 * params.pixel_size;
  const HostArray moved = reconstructed(params, Reconstruction::make_input(params, 0));
  EXPECT_FALSE(compare(volume.view(), moved.view(), {.abs = 2e-3, .rel = 0}));
}

/// A detector that sees one half of the object and a little of the other sees every line of a full turn at least once.
/// With all rays counting half, the middle would be twice as bright as the rim.
TEST(ReconstructionFdk, AHalfFanFindsWhatTheWholeFanFinds) {
  for (const Beam beam : {Beam::cone, Beam::parallel})
    for (const float side : {1.0f, -1.0f}) {
      ReconstructionParams params = small_scan(beam);
      params.voxels = 48;
      params.source_distance = 160;
      params.detector_distance = 60;
      params.detector_pixels = beam == Beam::cone ? 96 : 72;
      params.pixel_size = 1.0f;
      params.step = 2;
      const auto truth = Reconstruction::truth(params);
      const auto error = [&] {
        const HostArray views = Reconstruction::make_input(params, 0);
        return Reconstruction::errors(truth->view(), reconstructed(params, views).view()).rmse;
      };
      const double whole = error();
      const int pixels = params.detector_pixels;
      params.detector_rows = pixels;
      params.detector_pixels = pixels * 5 / 8;
      params.offset_u = side * 0.5f * static_cast<float>(pixels - params.detector_pixels);
      // In a cone opposite rays of a line are one ray in the middle plane alone, so that a little is lost elsewhere.
      EXPECT_LT(error(), (beam == Beam::cone ? 1.15 : 1.05) * whole)
          << (beam == Beam::cone ? "cone" : "parallel") << " side " << side;
      const Coverage coverage = Coverage::of(params.projector().scanner());
      const double overlap = 0.125 * pixels;  // The shorter side: an eighth of the whole detector.
      EXPECT_NEAR(coverage.overlap, beam == Beam::cone ? std::atan(overlap / 220) : overlap, 1e-9);
    }
}

TEST(ReconstructionFdk, ReversedAndTurnedScansFindTheSameObject) {
  for (const float arc : {360.0f, 240.0f}) {
    ReconstructionParams params = small_scan(Beam::cone, Phantom::cube);
    params.arc = arc;
    const HostArray forwards = reconstructed(params, Reconstruction::make_input(params, 0));
    params.reverse = true;
    const HostArray backwards = reconstructed(params, Reconstruction::make_input(params, 0));
    // The cube is its own mirror image, and a reversed scan is the mirror image of a scan.
    HostArray mirrored(forwards.shape());
    const auto from = forwards.view().volume<float>();
    const auto to = mirrored.view().volume<float>();
    for (int y = 0; y < from.depth; ++y)
      for (int z = 0; z < from.height; ++z)
        for (int x = 0; x < from.width; ++x)
          to(x, z, y) = from(static_cast<int>(from.width) - 1 - x, z, y);
    EXPECT_FALSE(compare(mirrored.view(), backwards.view(), {.abs = 2e-4, .rel = 0})) << arc;
    params.reverse = false;
    params.turn = 90;
    const HostArray turned = reconstructed(params, Reconstruction::make_input(params, 0));
    EXPECT_LT(Reconstruction::errors(Reconstruction::truth(params)->view(), turned.view()).rmse,
              1.02 * Reconstruction::errors(Reconstruction::truth(params)->view(), forwards.view()).rmse)
        << arc;
  }
}

/// Scanners often end where they began. The two views of that angle then count half each.
TEST(ReconstructionFdk, BothEndsOfAFullTurnCountHalf) {
  const ReconstructionParams params = small_scan();
  const HostArray views = Reconstruction::make_input(params, 0);
  const std::size_t row = static_cast<std::size_t>(views.shape().width * views.shape().height);
  Shape more = views.shape();
  ++more.depth;
  HostArray closed(more);
  float* end = std::copy_n(values(const_cast<HostArray&>(views)), views.shape().items(), values(closed));
  std::copy_n(values(closed), row, end);
  const HostArray once = reconstructed(params, views), twice = reconstructed(params, closed);
  EXPECT_FALSE(compare(once.view(), twice.view(), {.abs = 1e-5, .rel = 1e-4}));
  EXPECT_NE(Reconstruction::report(params, closed.view(), twice.view()).find("both ends of the full turn"),
            std::string::npos);
}

// ---- SIRT

TEST(ReconstructionSirt, EveryStepComesNearer) {
  ReconstructionParams params = small_scan();
  params.method = Reconstruction::Method::sirt;
  const HostArray views = Reconstruction::make_input(params, 0);
  const auto truth = Reconstruction::truth(params);
  for (const bool nonnegative : {true, false}) {
    params.nonnegative = nonnegative;
    double error = 1, residual = std::numeric_limits<double>::infinity();
    for (const int iterations : {1, 2, 3, 5, 8, 13}) {
      params.iterations = iterations;
      const HostArray volume = reconstructed(params, views);
      const double now = Reconstruction::errors(truth->view(), volume.view()).relative;
      EXPECT_LT(now, error) << iterations;
      error = now;
      const std::string report = Reconstruction::report(params, views.view(), volume.view());
      const double left = std::stod(report.substr(report.find("relative residual ") + 18));
      EXPECT_LT(left, residual) << iterations;
      residual = left;
      if (nonnegative) {
        const float* voxels = reinterpret_cast<const float*>(volume.data());
        EXPECT_GE(*std::min_element(voxels, voxels + volume.shape().items()), 0.0f);
      }
    }
    EXPECT_LT(error, 0.6);
    EXPECT_LT(residual, 0.17);
  }
}

// ---- rejected input

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(ReconstructionInput, HasToBeWhatTheScannerMakes) {
  ReconstructionParams params = small_scan();
  const HostArray views = Reconstruction::make_input(params, 0);
  EXPECT_EQ(views.shape(), Reconstruction::input_shape(params));
  params.step = 7;
  EXPECT_EQ(refusal([&] { (void)params.scanner(views.shape()); }),
            "the input holds 72 views of 40 x 40 pixels, arc = 360.000000 in steps of 7.000000 degrees are 52 views");
  params.step = 0;
  EXPECT_EQ(params.scanner(views.shape()).angle_step, 5.0);
  params.arc = 0;
  EXPECT_NE(refusal([&] { (void)params.scanner(views.shape()); }), "");
  params.geometry = Beam::source;
  params.pixels = 41;
  EXPECT_NE(refusal([&] { (void)params.scanner(views.shape()); }).find("makes views of 41 x 41"), std::string::npos);

  HostArray broken = views.clone();
  values(broken)[40 * 40 * 3 + 40 * 2 + 7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(refusal([&] { (void)reconstructed(small_scan(), broken); }),
            "the value in column 7, row 2 of view 3 is not a finite number");
  params = small_scan();
  params.phantom = Phantom::file;
  EXPECT_NE(refusal([&] { (void)Reconstruction::make_input(params, 0); }), "");
  EXPECT_FALSE(Reconstruction::truth(params));
  params.source_distance = 10;
  EXPECT_NE(refusal([&] { (void)params.scanner(views.shape()); }), "");
}

TEST(ReconstructionInput, ErrorsAreWhatTheySay) {
  HostArray a(Shape{Kind::volume, Element::f32, 1, 2, 1, 2}), b(a.shape());
  for (int i = 0; i < 4; ++i) {
    values(a)[i] = static_cast<float>(i);
    values(b)[i] = static_cast<float>(i) + (i == 3 ? 2.0f : 0.0f);
  }
  const auto errors = Reconstruction::errors(std::as_const(a).view(), std::as_const(b).view());
  EXPECT_DOUBLE_EQ(errors.rmse, 1.0);
  EXPECT_DOUBLE_EQ(errors.relative, 2 / std::sqrt(14.0));
  EXPECT_DOUBLE_EQ(errors.max, 2.0);
}

TEST(ReconstructionReport, SaysWhatIsLimited) {
  ReconstructionParams params = small_scan();
  params.arc = 90;
  const HostArray views = Reconstruction::make_input(params, 0);
  const std::string report = Reconstruction::report(params, views.view(), reconstructed(params, views).view());
  EXPECT_NE(report.find("against the phantom: RMSE"), std::string::npos) << report;
  EXPECT_NE(report.find("limited angle: 95.0 degrees"), std::string::npos) << report;
}

}  // namespace
}  // namespace threadscape::testing
