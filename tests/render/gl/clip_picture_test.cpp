// Tests of the picture of a clip: it is the newest frame, and follows the data.

#include "render/gl/clip_picture.h"

#include "compute/core/synthetic.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

using ClipPictureTest = testing::GlTest;

TEST_F(ClipPictureTest, IsTheNewestFrameOfAClip) {
  gl::ClipPicture pictures;
  std::uint64_t version = 0;
  for (const Shape& shape :
       {Shape{Kind::clip, Element::u8, 1, 13, 7, 5}, Shape{Kind::clip, Element::u8, 4, 13, 7, 3},
        Shape{Kind::clip, Element::f32, 1, 9, 6, 2}, Shape{Kind::clip, Element::u16, 4, 9, 6, 1}}) {
    SCOPED_TRACE(to_string(shape));
    gl::Resource resource(shape);
    for (const std::uint64_t seed : {1u, 2u}) {
      HostArray clip(shape);
      for (std::int64_t i = 0; i < shape.depth; ++i)
        copy(make_synthetic(InputPattern::noise, frame_shape(shape), 10 * seed + static_cast<std::uint64_t>(i)).view(),
             frame_of(clip.view(), i));
      resource.write(clip.view());
      const gl::Texture* const picture = pictures.of(&resource, ++version);
      ASSERT_NE(picture, nullptr);
      EXPECT_EQ(pictures.of(&resource, version), picture) << "the same data have the same picture";
      HostArray newest(frame_shape(shape));
      copy(frame_of(std::as_const(clip).view(), shape.depth - 1), newest.view());
      EXPECT_TRUE(testing::same_pixels(picture->read().view(), newest.view()));
    }
  }
}

TEST_F(ClipPictureTest, IsTheTextureOfAPictureAndNothingOfOtherData) {
  gl::ClipPicture pictures;
  const gl::Resource image(Shape::image(Element::u8, 4, 5, 4)), numbers({Kind::sequence, Element::i32, 1, 10, 1, 1});
  EXPECT_EQ(pictures.of(&image, 1), image.texture());
  EXPECT_EQ(pictures.of(&numbers, 2), nullptr);
  EXPECT_EQ(pictures.of(nullptr, 3), nullptr);
}

}  // namespace
}  // namespace threadscape
