// Tests of pictures larger than the maximum texture, with a small limit set for the purpose: everything that draws or
// reads them gives the same result as without tiles.

#include <cstdlib>

#include "render/capture.h"
#include "render/gl/pending_read.h"
#include "render/interop/host_upload.h"
#include "render/interop/readback.h"
#include "render/passes/image_pass.h"
#include "render/passes/statistics_pass.h"
#include "render/passes/terrain_pass.h"
#include "tests/support/render/terrain_testing.h"

namespace threadscape {
namespace {

using testing::random_picture;

/// Sets the maximum side of textures for its lifetime.
class Limit {
 public:
  explicit Limit(int side) { setenv("TS_TEXTURE_LIMIT", std::to_string(side).c_str(), 1); }
  ~Limit() { unsetenv("TS_TEXTURE_LIMIT"); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
};

gl::Texture tiled(HostIn pixels, int limit = 33) {
  const Limit small(limit);
  gl::Texture texture(pixels.shape);
  texture.write(pixels);
  return texture;
}

/// The maximum difference of any channel.
int apart(const HostArray& a, const HostArray& b) {
  const auto x = a.image<Rgba8>(), y = b.image<Rgba8>();
  int max_difference = 0;
  for (int row = 0; row < x.height; ++row)
    for (int column = 0; column < x.width; ++column)
      for (const auto channel : {&Rgba8::r, &Rgba8::g, &Rgba8::b})
        max_difference = std::max(max_difference, std::abs(x(column, row).*channel - y(column, row).*channel));
  return max_difference;
}

using TilesTest = testing::GlTest;

TEST_F(TilesTest, CoverThePictureAndShareTheirBorders) {
  for (const auto& [width, height, columns, rows] :
       {std::array{33, 33, 1, 1}, {34, 33, 2, 1}, {65, 129, 2, 4}, {66, 20, 3, 1}, {200, 5, 7, 1}}) {
    const HostArray pixels = random_picture(gl::Format::r16, width, height, 3);
    const gl::Texture texture = tiled(pixels.view());
    EXPECT_EQ(texture.tiled(), width > 33 || height > 33);
    EXPECT_EQ(texture.tile_counts(), (std::array{columns, rows}));
    int right = 0, bottom = 0;
    for (const gl::Tile& tile : texture.tiles()) {
      EXPECT_GT(tile.width, tile.x > 0 ? 1 : 0);
      EXPECT_LE(tile.width, width > 33 ? 33 : width);
      right = std::max(right, tile.x + tile.width);
      bottom = std::max(bottom, tile.y + tile.height);
    }
    EXPECT_EQ(right, width);
    EXPECT_EQ(bottom, height);
    EXPECT_TRUE(testing::same_pixels(texture.read().view(), pixels.view())) << width << "x" << height;
  }
}

TEST_F(TilesTest, UploadsAndProbesKnowThem) {
  const HostArray pixels = random_picture(gl::Format::r32f, 100, 70, 4);
  gl::Texture texture = tiled(HostArray(pixels.shape()).view());
  interop::HostUploader uploader;
  uploader.upload(pixels.view(), texture);
  EXPECT_TRUE(testing::same_pixels(texture.read().view(), pixels.view()));
  EXPECT_TRUE(testing::same_pixels(gl::PendingRead(texture).wait(), pixels.view()));
  const auto values = pixels.image<float>();
  interop::PixelProbe probe;
  for (const auto& [x, y] : {std::pair{0, 0}, {25, 27}, {32, 32}, {60, 60}, {95, 64}}) {
    ASSERT_TRUE(probe.request(texture, x, y, 16, 10));
    std::optional<interop::ProbeResult> read;
    while (!read)
      read = probe.poll();
    for (int row = 0; row < read->height; ++row)
      for (int column = 0; column < read->width; ++column)
        EXPECT_EQ(read->value(column, row, 0), static_cast<double>(values(x + column, y + row)));
  }
}

TEST_F(TilesTest, PicturesLookTheSame) {
  const gl::ShaderLibrary shaders;
  render::ImagePass pass(shaders);
  const HostArray a = random_picture(gl::Format::rgba8, 150, 90, 6), b = random_picture(gl::Format::rgba8, 150, 90, 7);
  const gl::Texture whole_a = testing::texture_of(a.view()), whole_b = testing::texture_of(b.view());
  const gl::Texture tiled_a = tiled(a.view()), tiled_b = tiled(b.view());
  gl::Framebuffer target(120, 80);
  for (const render::ViewMode mode : {render::ViewMode::single, render::ViewMode::split, render::ViewMode::difference})
    for (const float zoom : {0.3f, 1.0f, 1.7f, 5.0f}) {
      render::ImageViewSettings settings{.zoom = zoom, .centre = {70.0f, 50.0f}, .mode = mode};
      settings.filter = zoom == 5.0f ? render::Magnify::smooth : render::Magnify::nearest;
      const auto draw = [&](const gl::Texture& first, const gl::Texture& second) {
        target.bind();
        pass.draw(first, &second, settings, 120, 80);
        return render::capture(target);
      };
      EXPECT_LE(apart(draw(whole_a, whole_b), draw(tiled_a, tiled_b)), 2)  // weights of the filter are rounded
          << "mode " << static_cast<int>(mode) << " zoom " << zoom;
    }
}

TEST_F(TilesTest, StatisticsAreTheSame) {
  const gl::ShaderLibrary shaders;
  render::StatisticsPass pass(shaders);
  const HostArray a = random_picture(gl::Format::r32f, 100, 70, 8), b = random_picture(gl::Format::r32f, 100, 70, 9);
  const auto statistics = [&](const gl::Texture& first, const gl::Texture& second) {
    pass.begin(&first, &second, true);
    while (!pass.done())
      pass.step(1000);
    return pass.result();
  };
  const auto whole = statistics(testing::texture_of(a.view()), testing::texture_of(b.view()));
  const auto parts = statistics(tiled(a.view()), tiled(b.view()));
  EXPECT_EQ(whole.first->counts, parts.first->counts);
  EXPECT_EQ(whole.second->counts, parts.second->counts);
  EXPECT_EQ(whole.second->low, parts.second->low);
  EXPECT_EQ(whole.similarity->mean_squared_error, parts.similarity->mean_squared_error);
  EXPECT_EQ(whole.similarity->ssim, parts.similarity->ssim);
}

TEST_F(TilesTest, TerrainsLookTheSame) {
  const gl::ShaderLibrary shaders;
  for (const int width : {257, 190}) {
    const gl::Texture whole = testing::heightmap(width, 257, testing::hills);
    const gl::Texture parts = tiled(whole.read().view(), 65);
    ASSERT_TRUE(parts.tiled());
    const auto draw = [&](const gl::Texture& heights) {
      render::TerrainPass pass(shaders);
      gl::Framebuffer target(240, 150);
      do
        pass.draw(heights, 1, {}, {}, {}, target);
      while (pass.unfinished());
      return std::pair{render::capture(target), pass.figures().triangles};
    };
    const auto [first, triangles] = draw(whole);
    const auto [second, same] = draw(parts);
    EXPECT_EQ(triangles, same);
    EXPECT_LE(apart(first, second), 8);  // slopes are differences of filtered heights
  }
}

}  // namespace
}  // namespace threadscape
