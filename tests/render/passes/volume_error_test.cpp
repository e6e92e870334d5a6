// Tests of the errors of a volume against another one: the sums of the GPU are compared with those of a loop in double.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "render/passes/volume_error.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

using render::VolumeBox;
using render::VolumeError;
using VolumeErrorTest = testing::GlTest;

HostArray noise(const Shape& shape, unsigned seed) {
  HostArray array(shape);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> values(-1.0f, 2.0f);
  const auto voxels = array.view().volume<float>();
  for (int z = 0; z < voxels.depth; ++z)
    for (int y = 0; y < voxels.height; ++y)
      for (int x = 0; x < voxels.width; ++x)
        voxels(x, y, z) = values(random);
  return array;
}

gl::VolumeTexture texture_of(const HostArray& array) {
  gl::VolumeTexture texture(array.shape());
  texture.write(array.view());
  return texture;
}

VolumeError expected(const HostArray& volume, const HostArray& truth, const VolumeBox& box) {
  VolumeError error;
  const auto a = volume.view().volume<float>(), b = truth.view().volume<float>();
  for (int z = box.low.z; z < box.low.z + box.size.z; ++z)
    for (int y = box.low.y; y < box.low.y + box.size.y; ++y)
      for (int x = box.low.x; x < box.low.x + box.size.x; ++x) {
        const double value = static_cast<double>(a(x, y, z)), wanted = static_cast<double>(b(x, y, z));
        if (!std::isfinite(value)) continue;
        error.voxels += 1;
        error.squares += (value - wanted) * (value - wanted);
        error.truth_squares += wanted * wanted;
        error.largest = std::max(error.largest, std::abs(value - wanted));
      }
  return error;
}

std::vector<VolumeError> counted(render::VolumeErrorPass& pass) {
  for (;;)
    if (auto found = pass.poll()) return *found;
}

TEST_F(VolumeErrorTest, SumsAreThoseOfALoop) {
  const gl::ShaderLibrary library;
  render::VolumeErrorPass pass(library);
  for (const auto& [width, height, depth] : {std::array{1, 1, 1}, {7, 5, 3}, {33, 2, 65}, {61, 40, 47}}) {
    const Shape shape{Kind::volume, Element::f32, 1, width, height, depth};
    SCOPED_TRACE(to_string(shape));
    HostArray volume = noise(shape, 1);
    const HostArray truth = noise(shape, 2);
    volume.view().volume<float>()(width / 2, 0, depth - 1) = std::numeric_limits<float>::quiet_NaN();
    const gl::VolumeTexture a = texture_of(volume), b = texture_of(truth);
    const std::array boxes{VolumeBox{{0, 0, 0}, {width, height, depth}},
                           VolumeBox{{0, 0, depth / 2}, {width, height, 1}},
                           VolumeBox{{width - 1, 0, 0}, {1, height, depth}}};
    EXPECT_FALSE(pass.awaited());
    pass.begin(a, b, boxes);
    EXPECT_TRUE(pass.awaited());
    const std::vector<VolumeError> found = counted(pass);
    EXPECT_FALSE(pass.awaited());
    ASSERT_EQ(found.size(), boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const VolumeError wanted = expected(volume, truth, boxes[i]);
      EXPECT_EQ(found[i].voxels, wanted.voxels);
      EXPECT_NEAR(found[i].squares, wanted.squares, 1e-5 * wanted.squares);
      EXPECT_NEAR(found[i].truth_squares, wanted.truth_squares, 1e-5 * wanted.truth_squares);
      EXPECT_NEAR(found[i].largest, wanted.largest, 1e-6);
      EXPECT_NEAR(found[i].rmse(), wanted.rmse(), 1e-5);
      EXPECT_NEAR(found[i].relative(), wanted.relative(), 1e-5);
    }
  }
}

TEST_F(VolumeErrorTest, EqualVolumesAreNotOff) {
  const HostArray volume = noise({Kind::volume, Element::f32, 1, 19, 8, 5}, 3);
  const gl::VolumeTexture texture = texture_of(volume);
  const gl::ShaderLibrary library;
  render::VolumeErrorPass pass(library);
  pass.begin(texture, texture, std::array{VolumeBox{{0, 0, 0}, {19, 8, 5}}});
  const std::vector<VolumeError> found = counted(pass);
  EXPECT_EQ(found.front().rmse(), 0.0);
  EXPECT_EQ(found.front().largest, 0.0);
  EXPECT_EQ(found.front().voxels, 19.0 * 8 * 5);
  EXPECT_EQ(VolumeError{}.relative(), 0.0) << "nothing was counted";
}

}  // namespace
}  // namespace threadscape
