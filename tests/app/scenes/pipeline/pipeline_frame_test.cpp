// The picture that the pipeline scene draws step by step against what the serial backend draws at once.

#include "app/scenes/pipeline/pipeline_frame.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/scenes/pipeline/pipeline_scene.h"
#include "compute/core/mesh_shapes.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"

namespace threadscape::app {
namespace {

HostArray picture_of(const Rasterize::Params& params, const HostArray& mesh) {
  Runner runner;
  RunRequest request{.algorithm = &find_algorithm("rasterize"), .params = ParamBox::of(params)};
  request.backend = Backend::serial;
  return runner.run(request, mesh.view()).output;
}

int different_pixels(const HostArray& a, const HostArray& b) {
  int count = 0;
  for (int y = 0; y < static_cast<int>(a.shape().height); ++y)
    for (int x = 0; x < static_cast<int>(a.shape().width); ++x)
      count += a.image<Rgba8>()(x, y) == b.image<Rgba8>()(x, y) ? 0 : 1;
  return count;
}

Rasterize::Params small_picture() {
  Rasterize::Params params;
  params.width = 131;
  params.height = 97;
  return params;
}

TEST(PipelineFrame, TheLastStepIsThePictureOfTheSerialBackend) {
  for (const MeshShape shape : {MeshShape::teapot, MeshShape::cube, MeshShape::torus, MeshShape::room})
    for (const float distance : {0.0f, 1.3f}) {
      Rasterize::Params params = small_picture();
      params.distance = distance;
      const HostArray mesh = make_builtin_mesh(shape, 5);
      PipelineFrame frame;
      frame.begin(Rasterize::plan(params, mesh.view()), MeshView(mesh.view()));
      frame.draw(frame.order().size());
      EXPECT_EQ(different_pixels(frame.picture(), picture_of(params, mesh)), 0)
          << mesh_shape_names[static_cast<std::size_t>(shape)] << " " << distance;
    }
}

TEST(PipelineFrame, AllLayersAreTheBlendedPicture) {
  const HostArray mesh = make_builtin_mesh(MeshShape::glass, 3);
  for (std::size_t blend = 0; blend < Rasterize::blend_names.size(); ++blend)
    for (std::size_t order = 0; order < Rasterize::order_names.size(); ++order) {
      Rasterize::Params params = small_picture();
      params.blend = static_cast<rasterize::Blend>(blend);
      params.order = static_cast<rasterize::Order>(order);
      PipelineFrame frame;
      frame.begin(Rasterize::plan(params, mesh.view()), MeshView(mesh.view()));
      const int most = frame.most_layers();
      // There are five panes, which overlap each other, but not all of them at one pixel from every side.
      EXPECT_GE(most, 3);
      EXPECT_LE(most, 5);
      frame.blend(most);
      EXPECT_EQ(different_pixels(frame.picture(), picture_of(params, mesh)), 0)
          << Rasterize::blend_names[blend] << " " << Rasterize::order_names[order];
      // Without any layer, only the opaque wall is there.
      frame.blend(0);
      EXPECT_GT(different_pixels(frame.picture(), picture_of(params, mesh)), 1000);
    }
}

TEST(PipelineFrame, TheSameLayersAreNotBlendedAgain) {
  const HostArray mesh = make_builtin_mesh(MeshShape::glass, 3);
  const Rasterize::Params params = small_picture();
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  PipelineFrame frame;
  frame.begin(plan, MeshView(mesh.view()));
  frame.blend(2);
  const std::uint64_t version = frame.version();
  const HostArray two = frame.picture().clone();
  frame.blend(2);
  EXPECT_EQ(frame.version(), version);
  frame.blend(1);
  EXPECT_GT(frame.version(), version);
  EXPECT_GT(different_pixels(frame.picture(), two), 100);
  // Pictures between do not remain below the layers.
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, frame.opaque(), frame.order().size()}) {
    frame.draw(count);
    frame.blend(2);
    EXPECT_EQ(different_pixels(frame.picture(), two), 0) << count;
    PipelineFrame drawn;
    drawn.begin(plan, MeshView(mesh.view()));
    drawn.draw(drawn.order().size());
    for (int y = 0; y < params.height; y += 9)
      for (int x = 0; x < params.width; x += 7)
        EXPECT_EQ(frame.triangle_at(x, y), drawn.triangle_at(x, y)) << x << ", " << y;
  }
  // A frame that is prepared anew has nothing of the one before.
  Rasterize::Params turned = params;
  turned.azimuth = 100.0f;
  frame.begin(Rasterize::plan(turned, mesh.view()), MeshView(mesh.view()));
  frame.blend(2);
  PipelineFrame fresh;
  fresh.begin(Rasterize::plan(turned, mesh.view()), MeshView(mesh.view()));
  fresh.blend(2);
  EXPECT_EQ(different_pixels(frame.picture(), fresh.picture()), 0);
  EXPECT_GT(different_pixels(frame.picture(), two), 100);
}

TEST(PipelineFrame, CollectionEndsAtTheLimitOfTransparentFragments) {
  const HostArray mesh = make_builtin_mesh(MeshShape::glass, 3);
  const rasterize::Plan plan = Rasterize::plan(small_picture(), mesh.view());
  PipelineFrame whole;
  whole.begin(plan, MeshView(mesh.view()));
  whole.blend(whole.most_layers());
  EXPECT_FALSE(whole.layers_left_out());
  const HostArray all = whole.picture().clone();
  whole.blend(0);
  const HostArray opaque = whole.picture().clone();

  PipelineFrame limited;
  limited.begin(plan, MeshView(mesh.view()), 200);
  limited.blend(limited.most_layers());
  EXPECT_TRUE(limited.layers_left_out());
  const int blended = different_pixels(limited.picture(), opaque);
  EXPECT_GT(blended, 0);
  EXPECT_LE(blended, 200);
  EXPECT_GT(different_pixels(limited.picture(), all), 100);

  limited.begin(plan, MeshView(mesh.view()), 0);
  EXPECT_EQ(limited.most_layers(), 0);
  EXPECT_TRUE(limited.layers_left_out());
  limited.begin(plan, MeshView(mesh.view()));
  limited.blend(limited.most_layers());
  EXPECT_FALSE(limited.layers_left_out());
  EXPECT_EQ(different_pixels(limited.picture(), all), 0);
}

TEST(PipelineFrame, SeenTrianglesAreFoundWithoutColours) {
  for (const MeshShape shape : {MeshShape::teapot, MeshShape::glass})
    for (const auto visibility : {rasterize::Visibility::z_buffer, rasterize::Visibility::painter}) {
      const HostArray mesh = make_builtin_mesh(shape, 4);
      Rasterize::Params params = small_picture();
      params.visibility = visibility;
      const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
      PipelineFrame drawn, found;
      drawn.begin(plan, MeshView(mesh.view()));
      drawn.draw(drawn.order().size());
      found.begin(plan, MeshView(mesh.view()));
      found.draw(1);
      const std::uint64_t version = found.version();
      const HostArray before = found.picture().clone();
      found.find_seen();
      EXPECT_EQ(found.version(), version);
      EXPECT_EQ(different_pixels(found.picture(), before), 0);
      for (int y = 0; y < params.height; ++y)
        for (int x = 0; x < params.width; ++x)
          ASSERT_EQ(found.triangle_at(x, y), drawn.triangle_at(x, y)) << x << ", " << y;
      // The colours that were left out are drawn when they are asked for.
      found.draw(found.order().size());
      EXPECT_EQ(different_pixels(found.picture(), drawn.picture()), 0);
    }
}

TEST(PipelineScene, OpenGlRefusesHugeMeshesWithTheirNumberOfTriangles) {
  EXPECT_EQ(PipelineScene::hardware_problem(PipelineScene::max_hardware_triangles), "");
  const std::string problem = PipelineScene::hardware_problem(PipelineScene::max_hardware_triangles + 1);
  EXPECT_NE(problem.find("4000001"), std::string::npos) << problem;
  EXPECT_NE(problem.find("4000000"), std::string::npos) << problem;
}

TEST(PipelineFrame, StepsBackAndForthGiveTheSamePicture) {
  const HostArray mesh = make_builtin_mesh(MeshShape::teapot, 4);
  const Rasterize::Params params = small_picture();
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  PipelineFrame forth, back;
  forth.begin(plan, MeshView(mesh.view()));
  back.begin(plan, MeshView(mesh.view()));
  back.draw(900);
  for (const std::size_t count : {0u, 1u, 100u, 700u, 300u}) {
    forth.draw(0);
    forth.draw(count / 2);
    forth.draw(count);
    back.draw(count);
    EXPECT_EQ(different_pixels(forth.picture(), back.picture()), 0) << count;
  }
  EXPECT_GE(back.most_fragments(), 2);
  EXPECT_LT(back.lowest_depth(), back.highest_depth());
}

TEST(PipelineFrame, TheTriangleAtAPixelIsTheLastVisibleOneOfItsHistory) {
  const HostArray mesh = make_builtin_mesh(MeshShape::teapot, 4);
  const Rasterize::Params params = small_picture();
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  PipelineFrame frame;
  frame.begin(plan, MeshView(mesh.view()));
  frame.draw(frame.order().size());
  for (int y = 0; y < params.height; y += 11)
    for (int x = 0; x < params.width; x += 7) {
      std::uint32_t seen = 0;
      for (const rasterize::FragmentRecord& fragment : rasterize::pixel_history(plan, MeshView(mesh.view()), x, y))
        if (fragment.outcome == rasterize::Outcome::visible) seen = fragment.triangle + 1;
      EXPECT_EQ(frame.triangle_at(x, y), seen) << x << ", " << y;
    }
}

TEST(PipelineFrame, FragmentsOfATriangleAreThoseOfTheHistoriesOfAllPixels) {
  Rasterize::Params params = small_picture();
  params.width = 44;
  params.height = 33;
  for (const MeshShape shape : {MeshShape::cube, MeshShape::torus, MeshShape::glass}) {
    const HostArray mesh = make_builtin_mesh(shape, 3);
    const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
    PipelineFrame frame;
    frame.begin(plan, MeshView(mesh.view()));
    std::vector<PipelineFrame::FragmentCounts> expected(plan.triangles);
    for (int y = 0; y < params.height; ++y)
      for (int x = 0; x < params.width; ++x)
        for (const rasterize::FragmentRecord& fragment : rasterize::pixel_history(plan, MeshView(mesh.view()), x, y)) {
          using rasterize::Outcome;
          PipelineFrame::FragmentCounts& counts = expected[fragment.triangle];
          const bool lost = fragment.outcome == Outcome::lost_depth || fragment.outcome == Outcome::lost_far;
          ++counts.covered;
          if (!lost) ++counts.passed;
          if (!lost && fragment.outcome != Outcome::covered) ++counts.visible;
        }
    std::uint64_t visible = 0, replaced = 0;
    for (std::uint32_t t = 0; t < plan.triangles; ++t) {
      const PipelineFrame::FragmentCounts counts = frame.count_fragments(t);
      EXPECT_EQ(counts.covered, expected[t].covered) << t;
      EXPECT_EQ(counts.passed, expected[t].passed) << t;
      EXPECT_EQ(counts.visible, expected[t].visible) << t;
      visible += counts.visible;
      replaced += counts.passed - counts.visible;
    }
    EXPECT_GT(visible, 100u);
    if (shape == MeshShape::torus) {
      EXPECT_GT(replaced, 0u);
    }
  }
}

TEST(PipelineScene, AnEditedMatrixIsPutIntoTheParametersOrRefused) {
  Rasterize::Params params = small_picture();
  const HostArray mesh = make_builtin_mesh(MeshShape::cube, 1);
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  const auto change = [&params](PipelineMatrix which, const std::optional<rasterize::Matrix>& matrix) {
    params = PipelineScene::with_matrix(params, which, matrix);
  };
  rasterize::Matrix view = plan.camera.view;
  view.m[3] += 0.5f;
  change(PipelineMatrix::view, view);
  EXPECT_EQ(Rasterize::plan(params, mesh.view()).camera.view.m[3], view.m[3]);
  rasterize::Matrix flat = plan.camera.projection;
  for (int i = 0; i < 4; ++i)
    flat.m[4 + i] = 0.0f;
  EXPECT_THROW(change(PipelineMatrix::projection, flat), UsageError);
  change(PipelineMatrix::view, {});
  EXPECT_EQ(params, small_picture());
  rasterize::Matrix moved;
  moved.m[7] = 2.0f;
  change(PipelineMatrix::model, moved);
  EXPECT_EQ(params.model[7], 2.0f);
  change(PipelineMatrix::model, {});
  EXPECT_EQ(params, small_picture());
}

TEST(StageCosts, EveryBackendIsMeasuredOrSaysWhyNot) {
  const Rasterize::Params params = small_picture();
  auto source = std::make_shared<Source>();
  source->picture.pixels = make_builtin_mesh(MeshShape::torus, 4);
  RunRequest request{.algorithm = &find_algorithm("rasterize"), .params = ParamBox::of(params)};
  request.backend = Backend::openmp;
  request.variant = 2;
  request.threads = 2;
  StageMeasurement measurement;
  measurement.start(request, source);
  while (measurement.running())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const StageMeasurement::Results results = measurement.results();
  for (std::size_t i = 0; i < results.size(); ++i) {
    ASSERT_TRUE(results[i].has_value());
    const StageCosts& costs = *results[i];
    if (!costs.problem.empty()) {
      EXPECT_EQ(stage_cost_backends[i], Backend::cuda) << costs.problem;
      continue;
    }
    EXPECT_GT(costs.total_ms, 0.0);
    double sum = costs.rest_ms;
    for (const double ms : costs.stages.ms)
      sum += ms;
    EXPECT_GE(sum, 0.99 * costs.total_ms);
  }
  EXPECT_EQ(results[1]->variant, "scanline");
  EXPECT_EQ(results[1]->threads, 2);
}

TEST(StageCosts, AStoppedMeasurementKeepsNothingHalf) {
  Rasterize::Params params = small_picture();
  auto source = std::make_shared<Source>();
  source->picture.pixels = make_builtin_mesh(MeshShape::torus, 64);
  Runner runner;
  std::stop_source stop;
  stop.request_stop();
  const RunRequest request{.algorithm = &find_algorithm("rasterize"), .params = ParamBox::of(params)};
  EXPECT_THROW((void)stage_costs_of(runner, request, source->picture.pixels.view(), stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace threadscape::app
