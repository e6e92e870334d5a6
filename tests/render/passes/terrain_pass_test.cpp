// Tests of the terrain pass: no cracks at any level of detail, an error within its bound, and the shading models.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <optional>
#include <tuple>

#include "render/capture.h"
#include "render/passes/terrain_camera.h"
#include "render/passes/terrain_pass.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/render/terrain_testing.h"

namespace threadscape {
namespace {

using render::Light;
using render::Shading;
using render::Surface;
using render::TerrainSettings;
using testing::heightmap;
using testing::hills;

/// Settings for white ground in plain light, without water, fog and shadows.
TerrainSettings bare() {
  TerrainSettings s;
  s.light = Light::plain;
  s.surface = Surface::white;
  s.shadows = s.walls = false;
  s.sea_level = s.fog = 0.0f;
  s.samples = 1;
  return s;
}

/// The maximum distance of a patch from the points of the heightmap, at the full and at the half level.
std::pair<float, float> patch_errors(ImageView<const float> h, int x, int y, int level) {
  constexpr int side = render::TerrainLayout::side;
  const int step = 1 << level, extent = side * step;
  std::pair<float, float> worst{0.0f, 0.0f};
  for (int py = y * extent; py <= std::min((y + 1) * extent, h.height - 1); ++py)
    for (int px = x * extent; px <= std::min((x + 1) * extent, h.width - 1); ++px) {
      // The block of 2 x 2 cells, its centre, and the position of the point between the centre and the edges.
      const auto block = [&](int at, int size) {
        const int low = std::min(at / (2 * step) * 2 * step, (size - 2) / (2 * step) * 2 * step);
        const int middle = std::min(low + step, size - 1), high = std::min(low + 2 * step, size - 1);
        const int end = at > middle ? high : low;
        const float part = end == middle ? 0.0f : static_cast<float>(at - middle) / static_cast<float>(end - middle);
        const float bent = static_cast<float>(middle - low) / static_cast<float>(high - low);
        return std::tuple{low, middle, high, end, part, bent};
      };
      const auto [x0, xm, x1, xe, u, x_bent] = block(px, h.width);
      const auto [y0, ym, y1, ye, v, y_bent] = block(py, h.height);
      const float centre = h(xm, ym), corner = h(xe, ye), near = std::min(u, v), far = std::max(u, v);
      const float edge = u >= v ? h(xe, ym) : h(xm, ye);
      const float straight = u >= v ? std::lerp(h(xe, y0), h(xe, y1), y_bent) : std::lerp(h(x0, ye), h(x1, ye), x_bent);
      const auto gap = [&](float at_edge) {
        return std::abs(h(px, py) - (centre + far * (at_edge - centre) + near * (corner - at_edge)));
      };
      worst = {std::max(worst.first, gap(edge)), std::max(worst.second, gap(straight))};
    }
  return worst;
}

class TerrainPassTest : public testing::GlTest {
 protected:
  HostArray draw(const gl::Texture& heights, const TerrainSettings& settings, int width = 320, int height = 240,
                 glm::vec3 backdrop = {0.0f, 0.0f, 0.0f}) {
    const gl::ShaderLibrary shaders;
    render::TerrainPass pass(shaders);
    pass.set_culling(cull_);
    gl::Framebuffer target(width, height);
    do
      pass.draw(heights, 1, {}, settings, backdrop, target);
    while (pass.unfinished());
    figures_ = pass.figures();
    return render::capture(target);
  }
  render::TerrainFigures figures_;
  bool cull_ = true;
};

TEST_F(TerrainPassTest, NoCracksFromBelowAtAnyLevelOfDetail) {
  for (const auto& [width, height] : {std::pair{257, 257}, {513, 513}, {300, 190}, {65, 129}, {3, 3}}) {
    const gl::Texture heights = heightmap(width, height, hills);
    for (const float error : {0.0f, 0.3f, 1.0f, 3.0f, 12.0f, 64.0f})
      for (const float azimuth : {20.0f, 250.0f}) {
        SCOPED_TRACE(::testing::Message() << width << "x" << height << " error " << error << " from " << azimuth);
        TerrainSettings s = bare();
        s.cull = false;
        s.ambient = s.diffuse = s.specular = 0.0f;
        s.pixel_error = error;
        s.elevation = -60.0f;
        s.azimuth = azimuth;
        s.distance = 0.16f;
        s.fov = 30.0f;
        // Only the terrain is in view, so the backdrop is visible through cracks only.
        const HostArray picture = draw(heights, s, 160, 120, {1.0f, 1.0f, 1.0f});
        const auto pixels = picture.image<Rgba8>();
        int bright = 0;
        for (int y = 0; y < pixels.height; ++y)
          for (int x = 0; x < pixels.width; ++x)
            bright += pixels(x, y).r > 0 ? 1 : 0;
        EXPECT_EQ(bright, 0);
      }
  }
}

TEST_F(TerrainPassTest, TheErrorBoundHoldsAndSavesTriangles) {
  // In an orthographic view from the side a height is a position on the screen, so the outline shows the error in
  // pixels.
  const gl::Texture heights = heightmap(513, 513, hills);
  TerrainSettings s = bare();
  s.projection = render::Projection::orthographic;
  s.elevation = 0.0f;
  s.azimuth = 180.0f;
  s.distance = 1.5f;
  s.exaggeration = 4.0f;
  s.ambient = 1.0f;
  s.target_y = 0.3f;
  const auto outline = [&](const HostArray& picture) {
    std::vector<int> top;
    const auto pixels = picture.image<Rgba8>();
    for (int x = 0; x < pixels.width; ++x) {
      int y = 0;
      while (y < pixels.height && pixels(x, y).r == 0)
        ++y;
      top.push_back(y);
    }
    return top;
  };
  s.budget = 32000;
  for (const bool cull : {false, true}) {
    SCOPED_TRACE(cull ? "without back faces" : "with back faces");
    // Below a high rim without walls the back faces of the terrain behind it are visible.
    s.cull = s.walls = cull;
    s.pixel_error = 0.0f;
    const std::vector<int> full = outline(draw(heights, s, 640, 480));
    const std::int64_t all = figures_.triangles;
    EXPECT_EQ(all, 512 * 512 * 2 + (cull ? 4 * 512 * 2 : 0));
    for (const float error : {1.0f, 4.0f}) {
      s.pixel_error = error;
      const std::vector<int> drawn = outline(draw(heights, s, 640, 480));
      EXPECT_EQ(figures_.pixel_error, error);
      EXPECT_LT(figures_.triangles, all);
      for (std::size_t x = 0; x < full.size(); ++x)
        EXPECT_LE(std::abs(full[x] - drawn[x]), error + 1.0f) << "column " << x;  // an outline counts whole pixels
    }
  }
}

TEST_F(TerrainPassTest, BoundsAreErrorsOfTheTrianglesAsTheyAreDrawn) {
  // The expected bounds are computed on the host, point by point. The GPU's are exact up to level 3, and may be
  // slightly larger above.
  for (const int width : {129, 101}) {
    const int height = 65;
    const gl::Texture heights = heightmap(width, height, hills);
    const HostArray read = heights.read();
    const auto h = read.image<float>();
    const gl::ShaderLibrary shaders;
    render::TerrainBoundsPass pass(shaders);
    pass.begin(heights);
    const std::optional<render::TerrainTree> tree = pass.take(true);
    ASSERT_TRUE(tree);
    const render::TerrainLayout& layout = tree->layout();
    for (int level = 0; level < layout.levels(); ++level)
      for (int y = 0; y < layout.nodes(level).y; ++y)
        for (int x = 0; x < layout.nodes(level).x; ++x) {
          SCOPED_TRACE(::testing::Message() << width << " level " << level << " node " << x << ", " << y);
          const render::TerrainBounds& bounds = tree->bounds(x, y, level);
          const auto [whole, half] = patch_errors(h, x, y, level);
          EXPECT_GE(bounds.error, whole - 1e-5f);
          EXPECT_GE(bounds.half_error, half - 1e-5f);
          EXPECT_LE(bounds.error, level <= 3 ? whole + 1e-5f : 1.5f * whole);
          EXPECT_LE(bounds.half_error, level <= 3 ? half + 1e-5f : 1.5f * half);
        }
  }
}

TEST_F(TerrainPassTest, TheBudgetIsKept) {
  const gl::Texture heights = heightmap(1025, 1025, hills);
  TerrainSettings s = bare();
  s.pixel_error = 0.0f;
  s.budget = 200;
  (void)draw(heights, s);
  EXPECT_LE(figures_.triangles, 200000);
  EXPECT_GT(figures_.pixel_error, 0.0f);
  // An error of 0 draws every cell as soon as the budget allows, and ends the search also where it does not.
  s.pixel_error = 0.0f;
  (void)draw(heights, s, 320, 240);
  EXPECT_GT(figures_.pixel_error, 0.0f);
  s.budget = 32000;
  (void)draw(heights, s, 320, 240);
  EXPECT_EQ(figures_.pixel_error, 0.0f);
  const gl::Texture level = heightmap(513, 513, [](double, double) { return 0.5; });
  (void)draw(level, s, 320, 240);
  s.budget = 200;
  (void)draw(level, s, 320, 240);
  EXPECT_LE(figures_.triangles, 210000);
}

TEST_F(TerrainPassTest, WhatIsOutOfSightChangesNoPixel) {
  const gl::Texture heights = heightmap(513, 513, hills);
  TerrainSettings s = bare();
  s.pixel_error = 1.0f;
  s.distance = 0.4f;
  s.target_x = 0.2f;
  for (const float azimuth : {0.0f, 77.0f, 200.0f}) {
    s.azimuth = azimuth;
    cull_ = true;
    const HostArray culled = draw(heights, s);
    const std::int64_t fewer = figures_.triangles;
    cull_ = false;
    const HostArray all = draw(heights, s);
    EXPECT_LT(fewer, figures_.triangles);
    EXPECT_TRUE(testing::same_pixels(culled.view(), all.view())) << "from " << azimuth;
  }
}

/// The grey level at the centre of a plane that rises to the south.
class PlaneTest : public TerrainPassTest {
 protected:
  static constexpr float rise = render::base_relief;  ///< Rise of the plane over a length of 1.
  [[nodiscard]] int grey(const TerrainSettings& settings) {
    const gl::Texture plane = heightmap(33, 33, [](float, float y) { return y; });
    const HostArray picture = draw(plane, settings, 64, 64);
    const Rgba8 pixel = picture.image<Rgba8>()(32, 32);
    EXPECT_EQ(pixel.r, pixel.g);
    EXPECT_EQ(pixel.r, pixel.b);
    return pixel.r;
  }
  static constexpr Shading models[] = {Shading::flat, Shading::gouraud, Shading::phong, Shading::blinn_phong};
};

TEST_F(PlaneTest, DiffuseLightIsTheCosine) {
  TerrainSettings s = bare();
  s.ambient = 0.1f;
  s.diffuse = 0.8f;
  s.specular = 0.0f;
  s.elevation = 60.0f;
  const glm::vec3 normal = glm::normalize(glm::vec3(0.0f, 1.0f, -rise));
  for (const Shading model : models)
    for (const float sun : {10.0f, 45.0f, 90.0f}) {
      s.shading = model;
      s.sun_elevation = sun;
      s.sun_azimuth = 30.0f;
      const float cosine = std::max(glm::dot(normal, render::direction(30.0f, sun)), 0.0f);
      EXPECT_NEAR(grey(s), 255.0f * (0.1f + 0.8f * cosine), 1.5f) << static_cast<int>(model) << " sun " << sun;
    }
}

TEST_F(PlaneTest, HighlightsFollowTheirModels) {
  TerrainSettings s = bare();
  s.ambient = s.diffuse = 0.0f;
  s.specular = 0.9f;
  s.shininess = 5.0f;
  s.projection = render::Projection::orthographic;
  s.elevation = 50.0f;
  s.azimuth = 180.0f;
  s.sun_azimuth = 350.0f;
  s.sun_elevation = 60.0f;
  const glm::vec3 normal = glm::normalize(glm::vec3(0.0f, 1.0f, -rise));
  const glm::vec3 sun = render::direction(350.0f, 60.0f), view = render::direction(180.0f, 50.0f);
  const glm::vec3 mirrored = 2.0f * glm::dot(normal, sun) * normal - sun;
  const float phong = 0.9f * std::pow(std::max(glm::dot(mirrored, view), 0.0f), 5.0f);
  const float blinn = 0.9f * std::pow(std::max(glm::dot(normal, glm::normalize(sun + view)), 0.0f), 20.0f);
  for (const Shading model : models) {
    s.shading = model;
    const bool half_vector = model == Shading::flat || model == Shading::blinn_phong;
    EXPECT_NEAR(grey(s), 255.0f * (half_vector ? blinn : phong), 1.5f) << static_cast<int>(model);
  }
}

TEST_F(TerrainPassTest, BackFacesAreLeftOutOnDemand) {
  const gl::Texture heights = heightmap(65, 65, hills);
  TerrainSettings s = bare();
  s.ambient = 1.0f;
  s.elevation = -60.0f;
  const auto lit = [&] {
    const HostArray picture = draw(heights, s, 64, 64);
    return picture.image<Rgba8>()(32, 32).r > 0;
  };
  s.cull = true;
  EXPECT_FALSE(lit());
  s.cull = false;
  EXPECT_TRUE(lit());
}

TEST_F(TerrainPassTest, ACompletePassFinishesTheSamePictureInOneFrame) {
  const gl::Texture heights = heightmap(257, 190, hills);
  const TerrainSettings settings;
  const HostArray patient = draw(heights, settings);
  const gl::ShaderLibrary shaders;
  render::TerrainPass pass(shaders);
  pass.prefer_completeness();
  gl::Framebuffer target(320, 240);
  pass.draw(heights, 1, {}, settings, {}, target);
  EXPECT_FALSE(pass.unfinished());
  const HostArray complete = render::capture(target);
  EXPECT_TRUE(testing::same_pixels(complete, patient));
}

/// Compiling takes up to a third of a second, so that it must not happen in a later frame than the first.
TEST_F(TerrainPassTest, TheFirstFrameCompilesAllPrograms) {
  const gl::Texture heights = heightmap(65, 65, hills);
  const gl::ShaderLibrary shaders;
  render::TerrainPass pass(shaders);
  const gl::Framebuffer target(64, 48);
  const TerrainSettings settings;
  ASSERT_TRUE(settings.shadows);
  pass.draw(heights, 1, {}, settings, {}, target);
  ASSERT_TRUE(pass.unfinished()) << "the light map is not computed in one frame";
  const std::size_t programs = pass.programs();
  EXPECT_GT(programs, 0U);
  while (pass.unfinished())
    pass.draw(heights, 1, {}, settings, {}, target);
  pass.draw(heights, 1, {}, settings, {}, target);
  EXPECT_EQ(pass.programs(), programs);
}

TEST_F(TerrainPassTest, EverySettingDraws) {
  const gl::Texture heights = heightmap(129, 129, hills);
  gl::Texture picture(gl::Format::rgba8, 16, 16, gl::Levels::all);
  picture.clear(0.2f, 0.5f, 0.8f, 1.0f);
  picture.make_mips();
  const gl::ShaderLibrary shaders;
  render::TerrainPass pass(shaders);
  gl::Framebuffer target(64, 48);
  ParamBox box = ParamBox::of(TerrainSettings{});
  const auto draw_box = [&] {
    do
      pass.draw(heights, 1, {.drape = &picture, .detail = &picture}, box.as<TerrainSettings>(), {}, target);
    while (pass.unfinished());
    context().check("a setting");
  };
  for (const FieldRef& field : box.fields())
    if (const auto* choice = std::get_if<ChoiceValue>(&field.value))
      for (int i = 0; i < static_cast<int>(choice->choices.size()); ++i) {
        SCOPED_TRACE(std::string(field.name) + " " + std::string(choice->choices[static_cast<std::size_t>(i)]));
        choice->set(i);
        EXPECT_NO_THROW(draw_box());
      }
}

TEST(TerrainCamera, AnOrbitStaysAboveTheGround) {
  for (const float target : {0.0f, 0.1f, 0.3f}) {
    TerrainSettings s;
    s.target_y = target;
    s.distance = 1.5f;
    for (int step = 0; step < 40; ++step) {
      render::orbit(s, 9.0f, -6.0f);
      const render::TerrainCamera camera(s, {640, 480}, glm::vec3(-0.5f), glm::vec3(0.5f));
      EXPECT_GE(camera.eye.y, 0.0f) << "target at " << target << ", elevation " << s.elevation;
    }
    EXPECT_LT(s.elevation, 1.1f) << "it comes down to the ground";
    render::orbit(s, 0.0f, 30.0f);
    EXPECT_GT(s.elevation, 15.0f);
  }
  TerrainSettings below;  // Settings may state a view from below, which a drag does not throw upwards.
  below.distance = 1.5f;
  below.elevation = -40.0f;
  render::orbit(below, 5.0f, -10.0f);
  EXPECT_EQ(below.elevation, -40.0f);
}

}  // namespace
}  // namespace threadscape
