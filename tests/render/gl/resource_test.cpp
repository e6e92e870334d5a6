// Tests of GPU memory for data of any kind, and of the host route that fills it.

#include "render/gl/resource.h"

#include <cstdlib>
#include <vector>

#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "render/interop/host_upload.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

using ResourceTest = testing::GlTest;

const std::vector<Shape> shapes{
    Shape::image(Element::u8, 4, 13, 7),          {Kind::heightfield, Element::f32, 1, 33, 33, 1},
    {Kind::heightfield, Element::u8, 1, 5, 9, 1}, {Kind::sequence, Element::i32, 1, 1001, 1, 1},
    {Kind::sequence, Element::u32, 1, 0, 1, 1},   {Kind::scalar, Element::i64, 1, 1, 1, 1},
    {Kind::volume, Element::f32, 1, 5, 3, 2},     {Kind::volume, Element::f64, 1, 5, 3, 2},
};

TEST_F(ResourceTest, WhatIsWrittenIsReadInEveryKind) {
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(to_string(shape));
    gl::Resource resource(shape);
    EXPECT_TRUE(resource.fits(shape));
    EXPECT_EQ(resource.texture() != nullptr, shape.kind == Kind::image || shape.kind == Kind::heightfield);
    EXPECT_EQ(resource.volume() != nullptr, gl::VolumeTexture::can_hold(shape));
    EXPECT_EQ(resource.buffer() == nullptr, resource.texture() != nullptr || resource.volume() != nullptr);
    const HostArray data = make_synthetic(InputPattern::noise, shape, 3);
    resource.write(data.view());
    EXPECT_TRUE(testing::same_pixels(resource.read(), data));
  }
}

TEST_F(ResourceTest, PartsAddUpToTheWhole) {
  std::vector<Shape> larger = shapes;  // and some of several parts, the last of which is smaller
  larger.insert(larger.end(), {Shape::image(Element::u8, 4, 1500, 701),
                               {Kind::heightfield, Element::f32, 1, 700, 999, 1},
                               {Kind::volume, Element::f32, 1, 300, 200, 11},
                               {Kind::sequence, Element::u32, 1, 1'000'003, 1, 1}});
  for (const char* limit : {"", "512"}) {  // pictures of several tiles
    if (*limit != '\0') setenv("TS_TEXTURE_LIMIT", limit, 1);
    for (const Shape& shape : larger) {
      SCOPED_TRACE(to_string(shape));
      gl::Resource resource(shape);
      const HostArray data = make_synthetic(InputPattern::noise, shape, 7);
      const int parts = resource.write_parts();
      EXPECT_EQ(parts > 1, shape.bytes() > (std::size_t{1} << 20)) << parts;
      for (int part = parts; part-- > 0;)
        resource.write_part(data.view(), part);
      EXPECT_TRUE(testing::same_pixels(resource.read(), data));
    }
    unsetenv("TS_TEXTURE_LIMIT");
  }
}

TEST_F(ResourceTest, UploadsArriveInEveryKind) {
  interop::HostUploader uploader;
  for (std::uint64_t round = 0; round < 3; ++round)
    for (const Shape& shape : shapes) {
      SCOPED_TRACE(to_string(shape));
      gl::Resource resource(shape);
      const HostArray data = make_synthetic(InputPattern::noise, shape, round);
      uploader.upload(data.view(), resource);
      EXPECT_TRUE(testing::same_pixels(resource.read(), data));
    }
}

TEST_F(ResourceTest, OtherShapesAreRefused) {
  gl::Resource resource(shapes[3]);
  const HostArray other = make_synthetic(InputPattern::noise, shapes[5]);
  EXPECT_THROW(resource.write(other.view()), UsageError);
  EXPECT_THROW(resource.write_part(other.view(), 0), UsageError);
  interop::HostUploader uploader;
  EXPECT_THROW(uploader.upload(other.view(), resource), UsageError);
  EXPECT_FALSE(uploader.acquired());
  EXPECT_TRUE(gl::Resource().empty());
  EXPECT_FALSE(gl::Resource().fits({}));
}

}  // namespace
}  // namespace threadscape
