// Tests of volumes on the GPU: every host route into a three-dimensional texture, the ranges of its values, and its
// pictures, against values computed from the geometry.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <random>

#include "compute/core/synthetic.h"
#include "render/capture.h"
#include "render/gl/resource.h"
#include "render/interop/host_upload.h"
#include "render/interop/readback.h"
#include "render/passes/volume_pass.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

using render::SpaceScenery;
using render::VolumeStyle;
using VolumeTextureTest = testing::GlTest;

Shape volume(Element element, std::int64_t width, std::int64_t height, std::int64_t depth) {
  return {Kind::volume, element, 1, width, height, depth};
}

/// A volume of value(x, y, z), with x, y and z along the axes of the shape.
template <class Value>
HostArray filled(const Shape& shape, Value value) {
  HostArray array(shape);
  const auto voxels = array.view().volume<float>();
  for (int z = 0; z < voxels.depth; ++z)
    for (int y = 0; y < voxels.height; ++y)
      for (int x = 0; x < voxels.width; ++x)
        voxels(x, y, z) = static_cast<float>(value(x, y, z));
  return array;
}

TEST_F(VolumeTextureTest, EveryRouteKeepsEveryBit) {
  interop::HostUploader uploader;
  for (const Element element : {Element::u8, Element::u16, Element::f32})
    for (const auto& [width, height, depth] : {std::tuple{1, 1, 1}, {7, 5, 3}, {33, 2, 65}}) {
      const Shape shape = volume(element, width, height, depth);
      SCOPED_TRACE(to_string(shape));
      const HostArray data = make_synthetic(InputPattern::noise, shape, 5);
      gl::Resource written(shape), uploaded(shape), in_parts(shape);
      ASSERT_NE(written.volume(), nullptr);
      written.write(data.view());
      EXPECT_TRUE(testing::same_pixels(written.read().view(), data.view()));
      uploader.upload(data.view(), uploaded);
      EXPECT_TRUE(testing::same_pixels(uploaded.read().view(), data.view()));

      copy(data.view(), uploader.acquire(shape));
      for (int z = 0; z < depth; ++z)
        uploader.submit_slices(*in_parts.volume(), z, 1);
      EXPECT_TRUE(uploader.acquired()) << "the run goes on";
      EXPECT_TRUE(testing::same_pixels(in_parts.read().view(), data.view()));
      EXPECT_THROW(uploader.submit_slices(*in_parts.volume(), depth, 1), UsageError);
      uploader.cancel();
    }
}

TEST_F(VolumeTextureTest, PartsLeaveTheRestAsItWas) {
  const Shape shape = volume(Element::f32, 4, 3, 6);
  gl::VolumeTexture texture(shape);
  texture.clear(std::numeric_limits<float>::quiet_NaN());
  interop::HostUploader uploader;
  const HostArray data = filled(shape, [](int x, int y, int z) { return x + 10 * y + 100 * z; });
  copy(data.view(), uploader.acquire(shape));
  uploader.submit_slices(texture, 2, 2);
  const HostArray read = texture.read();
  for (int z = 0; z < 6; ++z)
    for (int x = 0; x < 4; ++x) {
      const float value = read.view().volume<float>()(x, 1, z);
      if (z == 2 || z == 3)
        EXPECT_EQ(value, static_cast<float>(x + 10 + 100 * z));
      else
        EXPECT_TRUE(std::isnan(value));
    }
}

TEST_F(VolumeTextureTest, WhatNoTextureHoldsIsRefusedAndSaysWhy) {
  GLint limit = 0;
  glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &limit);
  try {
    const gl::VolumeTexture texture(volume(Element::u8, 1, 1, limit + 1));
    FAIL() << "a texture of " << limit + 1 << " slices";
  } catch (const EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(limit)), std::string::npos) << error.what();
  }
  EXPECT_THROW(gl::VolumeTexture(volume(Element::f32, 0, 4, 4)), EnvironmentError);
  EXPECT_THROW(gl::VolumeTexture(volume(Element::f64, 4, 4, 4)), UsageError);
  EXPECT_NE(gl::Resource(volume(Element::f64, 4, 4, 4)).buffer(), nullptr);
  gl::VolumeTexture texture(volume(Element::f32, 4, 4, 4));
  EXPECT_THROW(texture.write(HostArray(volume(Element::f32, 4, 4, 5)).view()), UsageError);
}

TEST_F(VolumeTextureTest, ProbeReadsOneVoxel) {
  const Shape shape = volume(Element::f32, 5, 4, 3);
  gl::VolumeTexture texture(shape);
  texture.write(filled(shape, [](int x, int y, int z) { return x + 10 * y + 100 * z; }).view());
  interop::PixelProbe probe;
  ASSERT_TRUE(probe.request(texture, 4, 1, 2));
  std::optional<interop::ProbeResult> result;
  while (!(result = probe.poll()))
    glFinish();
  EXPECT_EQ(result->value(0, 0, 0), 214.0);
  EXPECT_FALSE(probe.request(texture, 5, 0, 0));
  EXPECT_FALSE(probe.request(texture, 0, 0, -1));
}

class VolumeRangeTest : public testing::GlTest {
 protected:
  gl::ShaderLibrary library_;
};

TEST_F(VolumeRangeTest, LeastAndLargestOfAllAndOfBricks) {
  render::VolumeRangePass pass(library_);
  std::mt19937 random(3);
  for (const auto& [width, height, depth] : {std::tuple{1, 1, 1}, {8, 8, 8}, {37, 9, 70}, {130, 65, 20}}) {
    const Shape shape = volume(Element::f32, width, height, depth);
    SCOPED_TRACE(to_string(shape));
    const HostArray data =
        filled(shape, [&](int, int, int) { return static_cast<double>(random() % 100000) / 100.0 - 300.0; });
    gl::VolumeTexture texture(shape);
    texture.write(data.view());
    render::VolumeRange range;
    pass.begin(range, texture);
    range.wait();
    const auto* first = reinterpret_cast<const float*>(data.data());
    const auto [low, high] = std::minmax_element(first, first + shape.items());
    ASSERT_TRUE(range.range());
    EXPECT_EQ(range.range()->x, *low);
    EXPECT_EQ(range.range()->y, *high);
    EXPECT_EQ(range.brick_count(), (glm::ivec3(width, height, depth) + 7) / 8);
  }
}

TEST_F(VolumeRangeTest, WhatIsNoNumberDoesNotCountAndPartsAreEnough) {
  render::VolumeRangePass pass(library_);
  const Shape shape = volume(Element::f32, 20, 10, 30);
  gl::VolumeTexture texture(shape);
  texture.clear(std::numeric_limits<float>::quiet_NaN());
  render::VolumeRange range;
  pass.begin(range, texture);
  range.wait();
  EXPECT_FALSE(range.range());
  HostArray data = filled(shape, [](int x, int, int z) { return z == 13 ? x : 1000; });
  data.view().volume<float>()(7, 7, 13) = std::numeric_limits<float>::infinity();
  texture.write_slices(data.data() + 13 * 20 * 10 * sizeof(float), 13, 1);
  pass.begin(range, texture, 13, 1);
  range.wait();
  ASSERT_TRUE(range.range());
  EXPECT_EQ(*range.range(), glm::vec2(0, 19));
}

class VolumePassTest : public testing::GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (IsSkipped()) return;
    pass_ = std::make_unique<render::VolumePass>(library_);
    ranges_ = std::make_unique<render::VolumeRangePass>(library_);
    scenery_.background = {0, 0, 0, 1};
    scenery_.camera = {20.0f, 15.0f, 4.0f, {0, 0, 0}, 30.0f};
    scenery_.volume.tone = {0.0f, 1.0f, render::ColourMap::none, false};
    scenery_.samples = 1;
  }
  void hold(const HostArray& voxels) {
    texture_ = gl::VolumeTexture(voxels.shape());
    texture_.write(voxels.view());
    range_ = {};
    ranges_->begin(range_, texture_);
    scenery_.volume.voxels = &texture_;
    scenery_.volume.range = &range_;
  }
  HostArray picture(int width = 160, int height = 120) {
    const gl::Framebuffer target(width, height);
    pass_->draw(scenery_, target);
    return render::capture(target);
  }
  /// The interval in which the ray through a pixel is inside the box.
  [[nodiscard]] std::pair<glm::vec3, glm::vec3> crossing(int x, int y, glm::ivec2 size = {160, 120}) const {
    const glm::vec3 eye = scenery_.camera.eye();
    const glm::vec3 way = scenery_.camera.through(glm::vec2(x, y) + 0.5f, size);
    const glm::vec3 a = (scenery_.volume.low - eye) / way, b = (scenery_.volume.high - eye) / way;
    const glm::vec3 near = glm::min(a, b), far = glm::max(a, b);
    const float in = std::max({near.x, near.y, near.z}), out = std::min({far.x, far.y, far.z});
    if (in >= out) return {glm::vec3(0.0f), glm::vec3(0.0f)};
    return {eye + in * way, eye + out * way};
  }

  gl::ShaderLibrary library_;
  std::unique_ptr<render::VolumePass> pass_;
  std::unique_ptr<render::VolumeRangePass> ranges_;
  gl::VolumeTexture texture_;
  render::VolumeRange range_;
  SpaceScenery scenery_;
};

/// From a level of 0.12 on the volume is opaque; below that the background shines through.
float blended(float level) {
  const float t = std::clamp(level / 0.12f, 0.0f, 1.0f);
  return std::min(level, 1.0f) * t * t * (3.0f - 2.0f * t);
}

TEST_F(VolumePassTest, SumOfAnEvenBoxIsTheLengthOfTheWay) {
  hold(filled(volume(Element::f32, 20, 12, 16), [](int, int, int) { return 0.8; }));
  scenery_.volume.low = {-0.5f, -0.4f, -0.3f};
  scenery_.volume.high = {0.5f, 0.4f, 0.3f};
  scenery_.volume.style = VolumeStyle::sum;
  scenery_.volume.density = 0.7f;
  const HostArray shown = picture();
  int inside = 0;
  for (int y = 0; y < 120; y += 3)
    for (int x = 0; x < 160; x += 3) {
      const auto [in, out] = crossing(x, y);
      inside += in != out;
      const float level = glm::distance(in, out) * 0.8f * 0.7f;
      EXPECT_NEAR(shown.image<Rgba8>()(x, y).r, 255.0f * blended(level), 1.6f) << x << ", " << y;
    }
  EXPECT_GT(inside, 100);
}

TEST_F(VolumePassTest, SumOfASphereIsItsChord) {
  constexpr int side = 64;
  constexpr float radius = 0.4f;
  hold(filled(volume(Element::f32, side, side, side), [](int x, int y, int z) {
    const glm::vec3 at = (glm::vec3(x, y, z) + 0.5f) / float(side) - 0.5f;
    return glm::length(at) <= radius ? 1.0 : 0.0;
  }));
  scenery_.volume.style = VolumeStyle::sum;
  scenery_.volume.density = 1.0f;
  const HostArray shown = picture();
  for (int y = 0; y < 120; y += 5)
    for (int x = 0; x < 160; x += 5) {
      const glm::vec3 eye = scenery_.camera.eye(), way = scenery_.camera.through(glm::vec2(x, y) + 0.5f, {160, 120});
      const float off = glm::length(glm::cross(eye, way));
      if (std::abs(off - radius) < 0.03f) continue;  // where the voxels' steps are seen
      const float chord = off < radius ? 2.0f * std::sqrt(radius * radius - off * off) : 0.0f;
      EXPECT_NEAR(shown.image<Rgba8>()(x, y).r, 255.0f * blended(chord), 9.0f) << x << ", " << y;
    }
}

/// A ramp along y, the third axis of the texture, which also detects confused axes.
TEST_F(VolumePassTest, SumOfARampAndItsLargestValue) {
  constexpr int depth = 64;
  hold(filled(volume(Element::f32, 8, 9, depth), [](int, int, int z) { return (z + 0.5) / depth; }));
  scenery_.volume.style = VolumeStyle::sum;
  scenery_.volume.density = 1.2f;
  const HostArray sum = picture();
  scenery_.volume.style = VolumeStyle::maximum;
  const HostArray largest = picture();
  for (int y = 1; y < 120; y += 4)
    for (int x = 1; x < 160; x += 4) {
      const auto [in, out] = crossing(x, y);
      if (glm::distance(in, out) < 0.05f) continue;
      const float level = 1.2f * glm::distance(in, out) * (0.5f * (in.y + out.y) + 0.5f);
      EXPECT_NEAR(sum.image<Rgba8>()(x, y).r, 255.0f * blended(level), 3.0f) << x << ", " << y;
      EXPECT_NEAR(largest.image<Rgba8>()(x, y).r, 255.0f * blended(std::max(in.y, out.y) + 0.5f), 6.0f);
    }
}

TEST_F(VolumePassTest, VeilsAbsorbExponentially) {
  hold(filled(volume(Element::f32, 16, 16, 16), [](int, int, int) { return 1.0; }));
  scenery_.volume.style = VolumeStyle::shaded;
  scenery_.volume.surfaces = 0.0f;
  scenery_.volume.density = 1.5f;
  const HostArray shown = picture();
  for (int y = 2; y < 120; y += 6)
    for (int x = 2; x < 160; x += 6) {
      const auto [in, out] = crossing(x, y);
      const float cover = 1.0f - std::exp(-1.5f * glm::distance(in, out));
      EXPECT_NEAR(shown.image<Rgba8>()(x, y).r, 255.0f * 0.55f * cover, 1.6f) << x << ", " << y;
    }
}

TEST_F(VolumePassTest, LinesAreHiddenByWhatIsInFrontOfThem) {
  hold(filled(volume(Element::f32, 16, 16, 16), [](int, int, int) { return 1.0; }));
  scenery_.volume.style = VolumeStyle::shaded;
  scenery_.volume.surfaces = 4.0f;
  scenery_.volume.density = 40.0f;
  scenery_.camera.azimuth = scenery_.camera.elevation = 0.0f;  // from -y
  const auto red_at_middle = [&](float y) {
    scenery_.lines = {{{-0.1f, y, 0.0f}, {0.1f, y, 0.0f}, {1, 0, 0, 1}, 5.0f, false}};
    const Rgba8 pixel = picture().image<Rgba8>()(80, 60);
    return pixel.r - pixel.g;
  };
  EXPECT_GT(red_at_middle(-0.7f), 250) << "in front";
  EXPECT_LT(red_at_middle(0.0f), 20) << "inside";
  EXPECT_LT(red_at_middle(0.7f), 20) << "behind";
  scenery_.volume.style = VolumeStyle::off;
  EXPECT_GT(red_at_middle(0.7f), 250);
}

TEST_F(VolumePassTest, SlicesShowTheirVoxels) {
  const Shape shape = volume(Element::f32, 6, 5, 4);
  const HostArray data = filled(shape, [](int x, int y, int z) { return x + 6 * y + 30 * z; });
  hold(data);
  render::SlicePass slices(library_);
  const gl::Framebuffer target(10, 9);
  target.bind();
  target.clear({0, 1, 0, 1});
  // The slice z = 2 is drawn with one pixel per voxel, rows from top to bottom, in a corner of the target.
  const render::VolumeSlice slice{{0, 0, 2.5f / 4}, {1, 0, 0}, {0, 1, 0}};
  const render::VolumeTone tone{0.0f, 255.0f, render::ColourMap::none, false};
  slices.draw(texture_, slice, tone, render::Magnify::nearest, {{3, 2}, {7, 6}}, {0, 0}, {6, 5}, {1, 0, 0, 1}, 9);
  const HostArray shown = render::capture(target);
  const auto pixels = shown.image<Rgba8>();
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 6; ++x)
      EXPECT_EQ(pixels(3 + x, 2 + y).r, x + 6 * y + 60) << x << ", " << y;
  EXPECT_EQ(pixels(9, 4).r, 255) << "background within the rectangle";
  EXPECT_EQ(pixels(2, 4).g, 255) << "untouched beside it";
  const render::VolumeTone negative{0.0f, 255.0f, render::ColourMap::none, true};
  slices.draw(texture_, slice, negative, render::Magnify::nearest, {{3, 2}, {7, 6}}, {0, 0}, {6, 5}, {1, 0, 0, 1}, 9);
  EXPECT_EQ(render::capture(target).image<Rgba8>()(3, 2).r, 255 - 60);
}

TEST(OrbitCameraTest, FitsAndProjectsWhatItLooksAt) {
  render::OrbitCamera camera{30.0f, 25.0f, 3.0f, {0, 0, 0}, 32.0f};
  std::vector<glm::vec3> points;
  for (int corner = 0; corner < 8; ++corner)
    points.emplace_back(corner & 1 ? 5.0f : -1.0f, corner & 2 ? 1.0f : -2.0f, corner & 4 ? 0.5f : -0.5f);
  const glm::ivec2 view{640, 360};
  camera.fit(points, view);
  glm::vec2 least{1e9f}, most{-1e9f};
  for (const glm::vec3& point : points) {
    const glm::vec3 at = camera.project(point, view);
    EXPECT_GT(at.z, 0.0f);
    least = glm::min(least, glm::vec2(at));
    most = glm::max(most, glm::vec2(at));
    const glm::vec3 way = camera.through(glm::vec2(at), view);
    EXPECT_NEAR(glm::dot(way, glm::normalize(point - camera.eye())), 1.0f, 1e-5f);
  }
  EXPECT_GE(least.x, 0.0f);
  EXPECT_GE(least.y, 0.0f);
  EXPECT_LE(most.x, 640.0f);
  EXPECT_LE(most.y, 360.0f);
  EXPECT_GT(std::max((most.x - least.x) / 640.0f, (most.y - least.y) / 360.0f), 0.8f);
}

}  // namespace
}  // namespace threadscape
