// Tests of the ways to walk over a triangle, and of depth_sort: orders that change and cycles that are split.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "compute/algorithms/graphics/rasterize/rasterize_host.h"
#include "tests/support/compute/rasterize_testing.h"

namespace threadscape {
namespace {

using namespace rasterize_testing;
using rasterize::Visibility;

// ---- Halves

TEST(RasterizeSpansTest, TheHalvesOfATriangleHaveTheSpansOfItsEdgeFunctions) {
  std::mt19937 random(5);
  rasterize::Plan plan;
  plan.width = 96;
  plan.height = 80;
  plan.culling = rasterize::Culling::none;
  std::int64_t rows = 0, through_corners = 0;
  for (int i = 0; i < 20000; ++i) {
    // Every second triangle has corners on centres of pixels and halfway between them, so that edges go through centres
    // and some are horizontal. Some reach out of the picture.
    const int grid = i % 2 == 0 ? 128 : 1, range = i % 3 == 0 ? 12 : 110;
    rasterize::Piece piece{};
    for (rasterize::ScreenVertex& v : piece.corner) {
      v.x = static_cast<int>(random() % static_cast<unsigned>(range * 256)) / grid * grid - 1280;
      v.y = static_cast<int>(random() % static_cast<unsigned>(range * 256)) / grid * grid - 1280;
    }
    bool swapped = false;
    if (set_up(piece.corner, plan, piece.screen, swapped) != rasterize::Fate::drawn) continue;
    if (piece.screen.x1 < piece.screen.x0 || piece.screen.y1 < piece.screen.y0) continue;
    for (const auto& [y0, y1] : {std::pair{0, 80}, {7, 41}}) {
      int next = std::max(y0, piece.screen.y0);
      const auto expect_empty_until = [&](int end) {
        for (; next < end; ++next) {
          const rasterize::Span span = row_span(piece.screen, next);
          ASSERT_GT(span.first, span.last) << i << " row " << next;
        }
      };
      for_each_span_of_halves(piece, y0, y1, [&](int y, const rasterize::Span& span) {
        expect_empty_until(y);
        const rasterize::Span expected = row_span(piece.screen, y);
        ASSERT_EQ(span.first, expected.first) << i << " row " << y;
        ASSERT_EQ(span.last, expected.last) << i << " row " << y;
        next = y + 1;
        ++rows;
        for (const rasterize::ScreenVertex& v : piece.corner)
          through_corners += v.y == y * 256 ? 1 : 0;
      });
      expect_empty_until(std::min(y1 - 1, piece.screen.y1) + 1);
    }
  }
  EXPECT_GT(rows, 100000);
  EXPECT_GT(through_corners, 1000);
}

TEST(RasterizeSpansTest, ADecisionVariableFollowsAnEdgeOfSlopeTwoFifths) {
  // The left edge goes from (0, 0) to (2, 5), to the right by 2/5 of a pixel in each row: 0, 0.4, 0.8, 1.2, 1.6, 2. The
  // first pixels that are not left of it are 0, 1, 1, 2, 2.
  rasterize::Piece piece{};
  piece.corner[0] = {0, 0, 0.5f, 1.0f};
  piece.corner[1] = {10 * 256, 0, 0.5f, 1.0f};
  piece.corner[2] = {2 * 256, 5 * 256, 0.5f, 1.0f};
  rasterize::Plan plan;
  plan.width = plan.height = 20;
  plan.culling = rasterize::Culling::none;
  bool swapped = false;
  ASSERT_EQ(set_up(piece.corner, plan, piece.screen, swapped), rasterize::Fate::drawn);
  std::vector<int> first;
  for_each_span_of_halves(piece, 0, 20, [&](int, const rasterize::Span& span) { first.push_back(span.first); });
  EXPECT_EQ(first, (std::vector<int>{0, 1, 1, 2, 2}));
}

// ---- depth_sort

/// The work of depth_sort on the opaque triangles of a mesh.
rasterize::DepthSortCounts sort_of(const Params& params, const HostArray& mesh) {
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  HostArray out(Rasterize::output_shape(params, mesh.shape()));
  HostScratch scratch;
  scratch.reset(Rasterize::scratch_bytes(params, mesh.shape(), Backend::serial, 0));
  HostRun run;
  run.in = mesh.view();
  run.out = out.view();
  run.scratch = &scratch;
  const rasterize::HostFrame frame = rasterize::make_frame(run, plan);
  transform_vertices(frame, 0, plan.vertices);
  std::ranges::fill(frame.visible, rasterize::nothing_visible(plan.depth_bits));
  return draw_rows_depth_sort(frame, {0, plan.height, 0});
}

/// Three bars, each of which is over the next one at one end and under the one before it at the other (the cyclic
/// overlap of figure 1.23 of a survey of programming for GPUs). Each bar is a long triangle.
HostArray cycle() {
  MeshBuilder builder;
  for (int i = 0; i < 3; ++i) {
    const std::uint32_t material =
        builder.add_material(plain({i == 0 ? 1.0f : 0.1f, i == 1 ? 1.0f : 0.1f, i == 2 ? 1.0f : 0.1f}));
    const double angle = 2 * std::numbers::pi / 3 * i, c = std::cos(angle), s = std::sin(angle);
    const auto corner = [&](double x, double y, double z) {
      return add(builder, static_cast<float>(c * x - s * y), static_cast<float>(s * x + c * y), static_cast<float>(z));
    };
    builder.add_triangle(corner(-1.2, -0.5, -0.6), corner(1.0, -0.62, 0.5), corner(1.0, -0.38, 0.5), material);
  }
  return builder.build();
}

TEST(RasterizeDepthSortTest, ThreeTrianglesThatOverlapCyclicallyAreSplit) {
  const HostArray mesh = cycle();
  for (const auto projection : {rasterize::Projection::orthographic, rasterize::Projection::perspective}) {
    Params params = front_view(160, 140);
    params.projection = projection;
    const HostArray expected = run(params, mesh);
    params.visibility = Visibility::painter;
    EXPECT_FALSE(same(expected, run(params, mesh))) << "no order of whole triangles is right";
    params.visibility = Visibility::depth_sort;
    EXPECT_TRUE(same(expected, run(params, mesh)));
    const rasterize::DepthSortCounts counts = sort_of(params, mesh);
    EXPECT_FALSE(counts.gave_up);
    EXPECT_GE(counts.splits, 1u);
    EXPECT_LE(counts.splits, 3u);
  }
}

TEST(RasterizeDepthSortTest, ALongTriangleAndASmallOneBehindItAreExchanged) {
  // The long one has the farthest point, but the small one is behind it where both are.
  MeshBuilder builder;
  const std::uint32_t red = builder.add_material(plain({1, 0, 0})), blue = builder.add_material(plain({0, 0, 1}));
  builder.add_triangle(add(builder, -1, -1, -1), add(builder, 1, -1, 1), add(builder, 1, 1, 1), red);
  builder.add_triangle(add(builder, 0.5f, -0.9f, -0.6f), add(builder, 0.9f, -0.9f, -0.6f), add(builder, 0.9f, 0, -0.6f),
                       blue);
  const HostArray mesh = builder.build();
  Params params = front_view(90, 90);
  const HostArray expected = run(params, mesh);
  params.visibility = Visibility::depth_sort;
  EXPECT_TRUE(same(expected, run(params, mesh)));
  const rasterize::DepthSortCounts counts = sort_of(params, mesh);
  EXPECT_EQ(counts.exchanges, 1u);
  EXPECT_EQ(counts.splits, 0u);
}

TEST(RasterizeDepthSortTest, MeshesLookAsInTheDepthBuffer) {
  // Handle and spout of the teapot go into its body, so that triangles cut each other.
  for (const MeshShape shape :
       {MeshShape::teapot, MeshShape::room, MeshShape::crossing, MeshShape::glass, MeshShape::torus}) {
    Params params = picture_of(shape, 4, 150, 110);
    const HostArray mesh = Rasterize::make_input(params, 0);
    for (const auto bits :
         {rasterize::DepthBits::float32, rasterize::DepthBits::fixed16, rasterize::DepthBits::fixed4}) {
      params.depth_bits = bits;
      params.visibility = Visibility::z_buffer;
      const HostArray expected = run(params, mesh);
      params.visibility = Visibility::depth_sort;
      EXPECT_TRUE(same(expected, run(params, mesh))) << static_cast<int>(shape);
      EXPECT_TRUE(same(expected, run(params, mesh, Backend::openmp))) << static_cast<int>(shape);
      EXPECT_FALSE(sort_of(params, mesh).gave_up) << static_cast<int>(shape) << " " << static_cast<int>(bits);
    }
  }
}

}  // namespace
}  // namespace threadscape
