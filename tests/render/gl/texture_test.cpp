#include <cstring>
#include <utility>

#include "compute/core/errors.h"
#include "render/gl/buffer.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

using testing::all_formats;
using testing::random_picture;
using testing::same_pixels;
using TextureTest = testing::GlTest;

TEST_F(TextureTest, EveryFormatAndOddSizesComeBackBitForBit) {
  unsigned seed = 1;
  for (const gl::Format format : all_formats)
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 7}, {7, 1}, {33, 31}, {257, 129}}) {
      SCOPED_TRACE(::testing::Message() << gl::info_of(format).name << " " << width << "x" << height);
      const HostArray picture = random_picture(format, width, height, seed++);
      gl::Texture texture(picture.shape());
      texture.write(picture.view());
      EXPECT_EQ(texture.format(), format);
      EXPECT_TRUE(same_pixels(texture.read().view(), picture.view()));
    }
}

TEST_F(TextureTest, ClearSetsEveryPixel) {
  gl::Texture texture(gl::Format::rgba8, 5, 3);
  texture.clear(1.0f, 0.0f, 0.2f, 1.0f);
  const HostArray read = texture.read();
  const auto pixels = read.image<Rgba8>();
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x)
      EXPECT_EQ(pixels(x, y), (Rgba8{255, 0, 51, 255}));
}

TEST_F(TextureTest, MovingLeavesAnEmptyOneBehind) {
  const HostArray picture = random_picture(gl::Format::r8, 4, 4, 5);
  gl::Texture first(picture.shape());
  first.write(picture.view());
  gl::Texture second(std::move(first));
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): that is what is tested
  gl::Texture third;
  third = std::move(second);
  EXPECT_TRUE(same_pixels(third.read().view(), picture.view()));
}

TEST_F(TextureTest, SizesBeyondTheLimitAreRefusedWithTheNumbers) {
  const int limit = context().max_texture_size();
  try {
    gl::Texture texture(gl::Format::r8, limit + 1, 1);
    FAIL() << "a texture wider than the limit was made";
  } catch (const EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(limit + 1)), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(std::to_string(limit)), std::string::npos) << error.what();
  }
  EXPECT_THROW(gl::Texture(gl::Format::r8, 0, 1), EnvironmentError);
  EXPECT_THROW(gl::Texture(Shape::image(Element::u8, 1, std::int64_t{1} << 40, 1)), EnvironmentError);
}

TEST_F(TextureTest, DataThatDoesNotFitIsRefused) {
  gl::Texture texture(gl::Format::r8, 4, 4);
  EXPECT_THROW(texture.write(HostArray(Shape::image(Element::u8, 1, 4, 5)).view()), UsageError);
  EXPECT_THROW(texture.write(HostArray(Shape::image(Element::u16, 1, 4, 4)).view()), UsageError);
}

TEST(FormatTest, OnlyShapesThatGlCanHoldHaveAFormat) {
  EXPECT_EQ(gl::format_of(Shape::image(Element::u16, 4, 9, 9)), gl::Format::rgba16);
  EXPECT_EQ(gl::format_of({Kind::heightfield, Element::f32, 1, 9, 9, 1}), gl::Format::r32f);
  EXPECT_THROW((void)gl::format_of(Shape::image(Element::i64, 1, 9, 9)), UsageError);
  EXPECT_THROW((void)gl::format_of(Shape::image(Element::u8, 3, 9, 9)), UsageError);
  EXPECT_THROW((void)gl::format_of({Kind::volume, Element::u8, 1, 9, 9, 9}), UsageError);
}

using BufferTest = testing::GlTest;

TEST_F(BufferTest, MappedBuffersShareTheirMemoryWithTheGpu) {
  const gl::Buffer from(gl::BufferUse::upload, 1000), to(gl::BufferUse::download, 1000);
  for (std::size_t i = 0; i < from.size(); ++i)
    from.data()[i] = static_cast<std::byte>(i * 7);
  glCopyNamedBufferSubData(from.id(), to.id(), 0, 0, 1000);
  gl::Fence done;
  EXPECT_TRUE(done.passed());  // not placed yet
  done.place();
  done.wait();
  EXPECT_TRUE(done.passed());
  EXPECT_EQ(std::memcmp(from.data(), to.data(), 1000), 0);
  EXPECT_EQ(gl::Buffer(gl::BufferUse::device, 16).data(), nullptr);
}

}  // namespace
}  // namespace threadscape
