// Tests of the times of the stages: which stages each way of drawing has, and that measuring changes nothing.

#include "compute/algorithms/graphics/rasterize/rasterize_clock.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape {
namespace {

using rasterize::StageMilliseconds;
using rasterize::TimedStage;
using RasterizeParams = Rasterize::Params;

struct Timed {
  HostArray output;
  StageMilliseconds stages;
  double repeated_ms = 0.0, total_ms = 0.0;

  [[nodiscard]] bool has(TimedStage stage) const { return stages.present[static_cast<std::size_t>(stage)]; }
};

Timed run_timed(const RasterizeParams& params, const HostArray& mesh, Backend backend, int variant, int threads) {
  rasterize::StageClock clock;
  auto prepared = std::make_shared<rasterize::Prepared>();
  prepared->plan = Rasterize::plan(params, mesh.view());
  prepared->clock = &clock;
  RunRequest request{.algorithm = &find_algorithm("rasterize"),
                     .params = ParamBox::of(params),
                     .backend = backend,
                     .variant = variant,
                     .threads = threads};
  request.preparation = std::move(prepared);
  Runner runner;
  RunResult result = runner.run(request, mesh.view());
  return {.output = std::move(result.output),
          .stages = clock.times(threads),
          .repeated_ms = clock.repeated_ms(threads),
          .total_ms = result.times.compute_ms};
}

HostArray run_plain(const RasterizeParams& params, const HostArray& mesh) {
  Runner runner;
  return runner
      .run({.algorithm = &find_algorithm("rasterize"), .params = ParamBox::of(params), .backend = Backend::serial},
           mesh.view())
      .output;
}

RasterizeParams clocked_picture_of(MeshShape mesh) {
  RasterizeParams params;
  params.mesh = mesh;
  params.subdivision = 8;
  params.width = 200;
  params.height = 150;
  return params;
}

/// Checks that a timed run draws the same picture, and that its stages do not take longer than the run.
void expect_sound(const Timed& timed, const HostArray& plain) {
  EXPECT_FALSE(compare(timed.output.view(), plain.view(), Tolerance::exact()).has_value());
  const double sum = std::accumulate(timed.stages.ms.begin(), timed.stages.ms.end(), 0.0);
  EXPECT_GT(sum, 0.0);
  // Where raster would be negative it is 0, which can add at most the time of the set-up that is repeated.
  EXPECT_LE(sum, timed.total_ms + timed.repeated_ms);
  for (std::size_t i = 0; i < timed.stages.ms.size(); ++i) {
    EXPECT_GE(timed.stages.ms[i], 0.0) << rasterize::timed_stage_names[i];
    if (!timed.stages.present[i]) {
      EXPECT_EQ(timed.stages.ms[i], 0.0) << rasterize::timed_stage_names[i];
    }
  }
}

TEST(RasterizeClockTest, EveryCpuVariantHasTheStagesOfItsMethod) {
  const RasterizeParams params = clocked_picture_of(MeshShape::teapot);
  const HostArray mesh = Rasterize::make_input(params, 0);
  const HostArray plain = run_plain(params, mesh);
  for (const Backend backend : {Backend::serial, Backend::openmp})
    for (int variant = 0; variant < static_cast<int>(find_algorithm("rasterize").variants_of(backend).size());
         ++variant) {
      const Timed timed = run_timed(params, mesh, backend, variant, backend == Backend::serial ? 1 : 2);
      expect_sound(timed, plain);
      const bool tiles = backend == Backend::openmp && variant == 0;
      EXPECT_TRUE(timed.has(TimedStage::vertices));
      EXPECT_EQ(timed.has(TimedStage::set_up), !tiles);
      EXPECT_EQ(timed.has(TimedStage::binning), tiles);
      EXPECT_TRUE(timed.has(TimedStage::raster));
      EXPECT_TRUE(timed.has(TimedStage::shading));
      EXPECT_FALSE(timed.has(TimedStage::blending));
      EXPECT_EQ(timed.repeated_ms > 0.0, !tiles);
    }
}

TEST(RasterizeClockTest, TransparentTrianglesHaveATimeOfTheirOwn) {
  const RasterizeParams params = clocked_picture_of(MeshShape::glass);
  const HostArray mesh = Rasterize::make_input(params, 0);
  const HostArray plain = run_plain(params, mesh);
  for (const Backend backend : {Backend::serial, Backend::openmp}) {
    const Timed timed = run_timed(params, mesh, backend, 0, backend == Backend::serial ? 1 : 2);
    expect_sound(timed, plain);
    EXPECT_TRUE(timed.has(TimedStage::blending));
  }
}

TEST(RasterizeClockTest, WarnockHasNoSetUpOfItsOwn) {
  RasterizeParams params = clocked_picture_of(MeshShape::torus);
  params.visibility = rasterize::Visibility::warnock;
  const HostArray mesh = Rasterize::make_input(params, 0);
  const Timed timed = run_timed(params, mesh, Backend::serial, 0, 1);
  expect_sound(timed, run_plain(params, mesh));
  EXPECT_FALSE(timed.has(TimedStage::set_up));
  EXPECT_TRUE(timed.has(TimedStage::raster));
}

TEST(RasterizeClockTest, TimesOfThreadsAreDividedByTheirNumber) {
  rasterize::StageClock clock;
  clock.add(TimedStage::raster, std::chrono::milliseconds(30));
  clock.add(TimedStage::raster, std::chrono::milliseconds(50));
  clock.add_repeated_set_up(std::chrono::milliseconds(50), std::chrono::milliseconds(20), 1);
  const StageMilliseconds times = clock.times(4);
  // The threads spent 80 ms on drawing, which does the set-up as well. The set-up was measured twice, and its shorter
  // time, 20 ms, is subtracted: (80 - 20) / 4 = 15 ms remain for raster.
  EXPECT_DOUBLE_EQ(times.ms[static_cast<std::size_t>(TimedStage::raster)], 15.0);
  EXPECT_DOUBLE_EQ(times.ms[static_cast<std::size_t>(TimedStage::set_up)], 5.0);
  EXPECT_DOUBLE_EQ(clock.repeated_ms(4), 17.5);
  EXPECT_FALSE(times.present[static_cast<std::size_t>(TimedStage::vertices)]);
}

TEST(RasterizeClockTest, CudaHasTheStagesOfItsDesign) {
  if (!gpu::devices().first().problem().empty()) GTEST_SKIP() << gpu::devices().first().problem();
  for (const MeshShape shape : {MeshShape::teapot, MeshShape::glass}) {
    const RasterizeParams params = clocked_picture_of(shape);
    const HostArray mesh = Rasterize::make_input(params, 0);
    const HostArray plain = run_plain(params, mesh);
    for (int variant = 0; variant < static_cast<int>(Rasterize::cuda_variants.size()); ++variant) {
      const Timed timed = run_timed(params, mesh, Backend::cuda, variant, 1);
      EXPECT_FALSE(compare(timed.output.view(), plain.view(), Tolerance::exact()).has_value());
      EXPECT_TRUE(timed.has(TimedStage::vertices));
      EXPECT_TRUE(timed.has(TimedStage::raster));
      EXPECT_TRUE(timed.has(TimedStage::shading));
      EXPECT_EQ(timed.has(TimedStage::binning),
                Rasterize::cuda_variants[static_cast<std::size_t>(variant)].name != "atomic");
      EXPECT_EQ(timed.has(TimedStage::blending), shape == MeshShape::glass);
      // Events have a resolution of half a microsecond, and a stage has one pair of them, or two with bins.
      const double sum = std::accumulate(timed.stages.ms.begin(), timed.stages.ms.end(), 0.0);
      EXPECT_LE(sum, timed.total_ms + 0.01);
    }
  }
}

}  // namespace
}  // namespace threadscape
