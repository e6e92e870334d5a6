// Tests of results that become inputs of another kind: values and shapes, and which kinds are refused.

#include "compute/core/kind_conversion.h"
#include "compute/core/clip.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "compute/core/mesh.h"
#include "compute/core/mesh_shapes.h"

namespace threadscape {
namespace {

constexpr std::array all_kinds{Kind::image,  Kind::heightfield, Kind::volume, Kind::sequence,
                               Kind::scalar, Kind::mesh,        Kind::clip};

HostArray heights(int width, int height) {
  HostArray array({Kind::heightfield, Element::f32, 1, width, height, 1});
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      array.image<float>()(x, y) = static_cast<float>(10 * y + x) - 3.5f;
  return array;
}

TEST(KindConversion, OnlySurfacesBecomeAnotherKind) {
  for (const Kind from : all_kinds)
    for (const Kind to : all_kinds) {
      const bool surface = from == Kind::image || from == Kind::heightfield;
      const bool expected = from == to || (from == Kind::clip && to == Kind::image) ||
                            (surface && (to == Kind::image || to == Kind::heightfield || to == Kind::mesh));
      EXPECT_EQ(is_convertible(from, to), expected) << name_of(from) << " to " << name_of(to);
    }
  EXPECT_FALSE(is_convertible(Kind::none, Kind::none));
  EXPECT_FALSE(is_convertible(Kind::image, Kind::none));
}

TEST(KindConversion, HeightsAreGreyLevelsAndBack) {
  const HostArray from = heights(7, 3);
  const HostArray picture = convert_kind(from.view(), Kind::image);
  EXPECT_EQ(picture.shape(), Shape::image(Element::f32, 1, 7, 3));
  const HostArray again = convert_kind(picture.view(), Kind::heightfield);
  EXPECT_EQ(again.shape(), from.shape());
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 7; ++x) {
      EXPECT_EQ(picture.image<float>()(x, y), from.image<float>()(x, y));
      EXPECT_EQ(again.image<float>()(x, y), from.image<float>()(x, y));
    }
}

TEST(KindConversion, ColoursBecomeTheirLumaAsHeights) {
  HostArray picture(Shape::image(Element::u8, 4, 2, 1));
  picture.image<Rgba8>()(0, 0) = {255, 255, 255, 255};
  picture.image<Rgba8>()(1, 0) = {100, 0, 0, 255};
  const HostArray made = convert_kind(picture.view(), Kind::heightfield);
  EXPECT_EQ(made.shape(), (Shape{Kind::heightfield, Element::u8, 1, 2, 1, 1}));
  EXPECT_EQ(made.image<std::uint8_t>()(0, 0), 255);
  EXPECT_EQ(made.image<std::uint8_t>()(1, 0), 30);  // 0.299 * 100, rounded
}

TEST(KindConversion, AMeshIsThatOfTheHeights) {
  const HostArray from = heights(5, 4);
  const HostArray mesh = convert_kind(convert_kind(from.view(), Kind::image).view(), Kind::mesh);
  const HostArray expected = mesh_of_heights(from.view());
  ASSERT_EQ(mesh.shape(), expected.shape());
  EXPECT_EQ(std::memcmp(mesh.data(), expected.data(), expected.shape().bytes()), 0);
  EXPECT_EQ(MeshView(mesh.view()).triangles(), 2 * 4 * 3);
}

TEST(KindConversion, TheShapeIsKnownBeforeTheData) {
  for (const Kind from : all_kinds)
    for (const Kind to : all_kinds) {
      if (from == Kind::mesh || !is_convertible(from, to)) continue;
      const bool flat = from == Kind::image || from == Kind::heightfield;
      HostArray data(Shape{from, Element::u8, 1, 6, flat ? 4 : 1, 1});
      std::memset(data.data(), 7, HostArray::bytes_for(data.shape()));
      EXPECT_EQ(convert_kind(std::as_const(data).view(), to).shape(), converted_shape(data.shape(), to));
    }
}

TEST(KindConversion, RefusalsNameTheKinds) {
  const auto why = [](const Shape& shape, Kind to) {
    try {
      (void)converted_shape(shape, to);
      return std::string();
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(why({Kind::volume, Element::f32, 1, 4, 4, 4}, Kind::image), "a volume cannot become a picture");
  EXPECT_EQ(why(Shape::image(Element::u8, 1, 4, 4), Kind::sequence), "a picture cannot become a sequence");
  EXPECT_NE(why({Kind::heightfield, Element::f32, 1, 1, 4, 1}, Kind::mesh).find("at least 2x2"), std::string::npos);
}

}  // namespace
}  // namespace threadscape
