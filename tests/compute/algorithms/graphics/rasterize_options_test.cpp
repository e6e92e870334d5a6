// Tests of choices of the rasteriser by worked examples: depths of few bits, blending from the front, contribution
// culling.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "compute/algorithms/graphics/rasterize/rasterize_stages.h"
#include "tests/support/compute/rasterize_testing.h"

namespace threadscape {
namespace {

using namespace rasterize_testing;
using rasterize::Blend;
using rasterize::DepthBits;
using rasterize::Order;

/// The other variants on the CPU make the same picture.
void expect_parity(const Params& params, const HostArray& mesh, const HostArray& expected) {
  for (const Backend backend : {Backend::serial, Backend::openmp}) {
    const std::size_t variants = find_algorithm("rasterize").variants_of(backend).size();
    for (std::size_t variant = 0; variant < variants; ++variant)
      EXPECT_TRUE(same(expected, run(params, mesh, backend, static_cast<int>(variant)))) << variant;
  }
}

std::int64_t different_pixels(const HostArray& a, const HostArray& b) {
  std::int64_t count = 0;
  const auto p = a.image<Rgba8>(), q = b.image<Rgba8>();
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < p.width; ++x)
      count += p(x, y) == q(x, y) ? 0 : 1;
  return count;
}

// ---- Depths of few bits

TEST(RasterizeOptionsTest, TheFewerBitsADepthHasTheMoreSurfacesFight) {
  // Two sheets that cross at an angle of a thousandth.
  Params params = picture_of(MeshShape::crossing, 4, 160, 120);
  params.near_plane = 0.05f;
  const HostArray mesh = Rasterize::make_input(params, 0), fine = run(params, mesh);
  std::int64_t before = 0;
  for (const auto& [bits, steps] : {std::pair{DepthBits::fixed24, 16777215.0f},
                                    {DepthBits::fixed16, 65535.0f},
                                    {DepthBits::fixed8, 255.0f},
                                    {DepthBits::fixed4, 15.0f}}) {
    params.depth_bits = bits;
    params.output = rasterize::Output::picture;
    const HostArray picture = run(params, mesh);
    const std::int64_t wrong = different_pixels(fine, picture);
    EXPECT_GE(wrong, before) << steps;
    before = wrong;
    expect_parity(params, mesh, picture);
    params.output = rasterize::Output::depth;
    const HostArray depth = run(params, mesh);
    expect_parity(params, mesh, depth);
    std::set<float> values;
    for (int y = 0; y < params.height; ++y)
      for (int x = 0; x < params.width; ++x) {
        const float key = depth.image<float>()(x, y) * steps;
        ASSERT_NEAR(key, std::round(key), 0.01f + steps * 1e-7f);
        values.insert(depth.image<float>()(x, y));
      }
    if (bits == DepthBits::fixed4) {
      EXPECT_LE(values.size(), 16u);
    }
  }
  EXPECT_GT(before, 1000);
}

// ---- Blending

/// Half-transparent panes, red in front of green, in front of a white wall. The front pane comes first in the mesh.
HostArray panes() {
  MeshBuilder builder;
  const std::uint32_t white = builder.add_material(plain({1, 1, 1})),
                      red = builder.add_material(plain({1, 0, 0}, 0.5f)),
                      green = builder.add_material(plain({0, 1, 0}, 0.5f));
  add_square(builder, 1, red);
  add_square(builder, 0, green);
  add_square(builder, -1, white);
  return builder.build();
}

TEST(RasterizeOptionsTest, PanesAreBlendedFromTheFrontAsTheFormulaSays) {
  const HostArray mesh = panes();
  Params params = front_view(32, 32);
  params.order = Order::front_to_back;
  const auto middle = [&](Blend blend, float factor) {
    params.blend = blend;
    params.blend_factor = factor;
    const HostArray picture = run(params, mesh);
    expect_parity(params, mesh, picture);
    return picture.image<Rgba8>()(16, 16);
  };
  // Red adds 1/2 and lets 1/2 through, green adds 1/4 and lets 1/4 through: 3/4, 1/2, 1/4, rounded to bytes once.
  EXPECT_EQ(middle(Blend::over, 1.0f), (Rgba8{191, 128, 64, 255}));
  // With opacities of 1/4: 1/4 red, 3/16 green and 9/16 white.
  EXPECT_EQ(middle(Blend::over, 0.5f), (Rgba8{207, 191, 143, 255}));
  EXPECT_EQ(middle(Blend::over, 0.0f), (Rgba8{255, 255, 255, 255}));
  EXPECT_EQ(middle(Blend::additive, 1.0f), (Rgba8{255, 255, 255, 255}));
  EXPECT_EQ(middle(Blend::multiply, 1.0f), (Rgba8{128, 128, 64, 255}));
}

TEST(RasterizeOptionsTest, FromTheFrontAndFromTheBackMakeTheSamePicture) {
  // From the back every layer is rounded to bytes, by at most half a level, and what is behind is multiplied with at
  // most 1 afterwards. From the front only the sum is rounded.
  for (const Blend blend : {Blend::over, Blend::multiply})
    for (const float factor : {1.0f, 0.5f}) {
      Params params = picture_of(MeshShape::glass, 4, 120, 90);
      params.blend = blend;
      params.blend_factor = factor;
      const HostArray mesh = Rasterize::make_input(params, 0), back = run(params, mesh);
      params.order = Order::front_to_back;
      const HostArray front = run(params, mesh);
      expect_parity(params, mesh, front);
      const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
      for (int y = 0; y < params.height; ++y)
        for (int x = 0; x < params.width; ++x) {
          const auto history = pixel_history(plan, MeshView(mesh.view()), x, y);
          const auto layers = std::ranges::count(history, rasterize::Outcome::blended,
                                                 [](const rasterize::FragmentRecord& f) { return f.outcome; });
          const std::uint32_t last = history.empty() ? plan.background : history.back().pixel_after;
          const Rgba8 p = front.image<Rgba8>()(x, y), q = back.image<Rgba8>()(x, y);
          ASSERT_EQ(__builtin_bit_cast(Rgba8, last), p) << x << ", " << y;
          const int most = std::max({std::abs(p.r - q.r), std::abs(p.g - q.g), std::abs(p.b - q.b)});
          ASSERT_LE(most, (layers + 1) / 2 + 1) << x << ", " << y;
        }
    }
}

// ---- Contribution culling

TEST(RasterizeOptionsTest, TrianglesBelowTheThresholdOfAreaAreLeftOut) {
  // On 100 x 100 pixels, 2 units are 92 pixels. The legs of the triangles are 46, 4.6 and 1.15 pixels long, so that
  // their areas are 1058, 10.58 and 0.661 pixels.
  MeshBuilder builder;
  for (const float side : {1.0f, 0.1f, 0.025f})
    builder.add_triangle(add(builder, -1, -1), add(builder, -1 + side, -1), add(builder, -1, -1 + side));
  add(builder, 1, 1);
  const HostArray mesh = builder.build();
  Params params = front_view(100, 100);
  for (const auto& [area, left_out] :
       {std::pair{0.0f, 0u}, {0.6f, 0u}, {0.72f, 1u}, {10.0f, 1u}, {11.2f, 2u}, {64.0f, 2u}}) {
    params.min_area = area;
    const rasterize::Counters counters = count_work(Rasterize::plan(params, mesh.view()), MeshView(mesh.view()));
    EXPECT_EQ(counters.too_small, left_out) << area;
    EXPECT_EQ(counters.rasterised, 3 - left_out) << area;
    params.output = rasterize::Output::overdraw;
    const HostArray overdraw = run(params, mesh);
    expect_parity(params, mesh, overdraw);
    double fragments = 0;
    for (int y = 0; y < params.height; ++y)
      for (int x = 0; x < params.width; ++x)
        fragments += static_cast<double>(overdraw.image<float>()(x, y));
    EXPECT_EQ(fragments, static_cast<double>(counters.fragments));
  }
}

TEST(RasterizeOptionsTest, MaterialsBelowTheThresholdOfOpacityAreLeftOut) {
  MeshBuilder builder;
  const std::uint32_t white = builder.add_material(plain({1, 1, 1})),
                      faint = builder.add_material(plain({0, 0, 0}, 0.2f)),
                      half = builder.add_material(plain({1, 0, 0}, 0.5f));
  add_square(builder, 1, faint);
  add_square(builder, 0, half);
  add_square(builder, -1, white);
  const HostArray mesh = builder.build();
  Params params = front_view(32, 32);
  for (const auto& [least, left_out, middle] : {std::tuple{0.0f, 0u, Rgba8{204, 102, 102, 255}},
                                                {0.3f, 2u, Rgba8{255, 128, 128, 255}},
                                                {1.0f, 4u, Rgba8{255, 255, 255, 255}}}) {
    params.min_opacity = least;
    const HostArray picture = run(params, mesh);
    EXPECT_EQ(picture.image<Rgba8>()(16, 16), middle) << least;
    expect_parity(params, mesh, picture);
    const rasterize::Counters counters = count_work(Rasterize::plan(params, mesh.view()), MeshView(mesh.view()));
    EXPECT_EQ(counters.too_transparent, left_out) << least;
    EXPECT_EQ(counters.rasterised, 6 - left_out) << least;
  }
}

}  // namespace
}  // namespace threadscape
