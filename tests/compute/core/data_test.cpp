#include "compute/core/data.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "compute/core/border.h"
#include "compute/core/scratch.h"

namespace threadscape {
namespace {

TEST(Shape, CountsBytes) {
  const Shape shape = Shape::image(Element::u16, 4, 10, 3);
  EXPECT_EQ(shape.items(), 30);
  EXPECT_EQ(shape.pixel_bytes(), 8u);
  EXPECT_EQ(shape.bytes(), 240u);
  EXPECT_EQ(Shape{}.items(), 0);
  EXPECT_EQ(to_string(shape), "10x3 16-bit RGBA image");
  EXPECT_EQ(to_string(Shape{}), "nothing");
}

TEST(HostArray, RowsOfImagesAreAligned) {
  for (const int width : {1, 63, 64, 65, 1000}) {
    HostArray array(Shape::image(Element::u8, 1, width, 3));
    EXPECT_EQ(array.pitch() % 64, 0u);
    EXPECT_GE(array.pitch(), static_cast<std::size_t>(width));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0u);
    EXPECT_LE(array.pitch() * 3, HostArray::bytes_for(array.shape()));
  }
}

TEST(HostArray, SequencesAndVolumesAreContiguous) {
  EXPECT_EQ(HostArray({Kind::sequence, Element::i32, 1, 7, 1, 1}).pitch(), 28u);
  HostArray volume({Kind::volume, Element::f32, 1, 5, 4, 3});
  const auto view = volume.view().volume<float>();
  EXPECT_EQ(view.pitch, 5);
  EXPECT_EQ(view.slice_pitch, 20);
}

TEST(HostArray, OfNothingIsEmpty) {
  EXPECT_TRUE(HostArray().empty());
  EXPECT_TRUE(HostArray(Shape{}).empty());
}

TEST(HostArray, RefusesWhatNoMemoryHolds) {
  const std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_THROW(HostArray(Shape::image(Element::u8, 1, huge, 1)), EnvironmentError);
  EXPECT_THROW(HostArray(Shape::image(Element::f32, 4, 2'000'000'000, 2'000'000'000)), EnvironmentError);
  EXPECT_THROW(HostArray(Shape::image(Element::u8, 1, -1, 1)), EnvironmentError);
  EXPECT_THROW(HostArray(Shape::image(Element::u8, 1, 7'000'000, 7'000'000)), EnvironmentError);  // 49 TB
}

TEST(DataView, RefusesTheWrongPixelType) {
  HostArray array(Shape::image(Element::u8, 4, 2, 2));
  EXPECT_NO_THROW((void)array.image<Rgba8>());
  EXPECT_THROW((void)array.image<std::uint8_t>(), UsageError);
  EXPECT_THROW((void)array.image<Rgba32f>(), UsageError);
}

TEST(Copy, GoesBetweenPitches) {
  const Shape shape = Shape::image(Element::u8, 1, 5, 4);
  HostArray padded(shape);
  std::uint8_t packed[20];
  for (std::uint8_t i = 0; i < 20; ++i)
    packed[i] = i;
  copy(HostIn{reinterpret_cast<const std::byte*>(packed), shape, 5}, padded.view());
  EXPECT_EQ(padded.image<std::uint8_t>()(4, 3), 19);

  std::uint8_t back[20] = {};
  copy(padded.clone().view(), HostOut{reinterpret_cast<std::byte*>(back), shape, 5});
  EXPECT_EQ(std::memcmp(packed, back, sizeof back), 0);
}

TEST(Copy, RefusesDifferentShapes) {
  HostArray a(Shape::image(Element::u8, 1, 5, 4)), b(Shape::image(Element::u8, 1, 4, 5));
  EXPECT_THROW(copy(a.view(), b.view()), UsageError);
}

TEST(Scratch, HandsOutAlignedPiecesAndRefusesMore) {
  HostScratch scratch;
  scratch.reset(HostScratch::padded(100) + HostScratch::padded(3 * sizeof(double)));
  const auto bytes = scratch.take<std::uint8_t>(100);
  const auto numbers = scratch.take<double>(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 256, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers.data()) % 256, 0u);
  EXPECT_THROW((void)scratch.take<std::uint8_t>(1), std::logic_error);
  const std::size_t size = scratch.size();
  scratch.reset(10);  // The block never shrinks.
  EXPECT_EQ(scratch.size(), size);
  EXPECT_NO_THROW((void)scratch.take<std::uint8_t>(size));
}

// Compares with the definitions, written out for the signal a b c d.
TEST(Border, FoldsFarOutside) {
  const auto row = [](Border border, int n, int from, int to) {
    std::string text;
    for (int i = from; i <= to; ++i) {
      const int index = border_index(i, n, border);
      text += index < 0 ? '0' : static_cast<char>('a' + index);
    }
    return text;
  };
  EXPECT_EQ(row(Border::mirror, 4, -5, 8), "bcdcbabcdcbabc");
  EXPECT_EQ(row(Border::reflect, 4, -5, 8), "ddcbaabcddcbaa");
  EXPECT_EQ(row(Border::wrap, 4, -5, 8), "dabcdabcdabcda");
  EXPECT_EQ(row(Border::clamp, 4, -5, 8), "aaaaaabcdddddd");
  EXPECT_EQ(row(Border::zero, 4, -2, 5), "00abcd00");
  for (const Border border : {Border::mirror, Border::reflect, Border::wrap, Border::clamp})
    EXPECT_EQ(row(border, 1, -4, 4), "aaaaaaaaa");
}

TEST(Luma, IsRoundedAndKeepsGrey) {
  EXPECT_EQ(luma(Rgba8{255, 0, 0, 0}), 76);   // 76.245
  EXPECT_EQ(luma(Rgba8{0, 255, 0, 0}), 150);  // 149.685
  EXPECT_EQ(luma(Rgba8{0, 0, 255, 0}), 29);   // 29.07
  for (int v = 0; v < 256; ++v) {
    const auto g = static_cast<std::uint8_t>(v);
    EXPECT_EQ(luma(Rgba8{g, g, g, 255}), g);
  }
  EXPECT_EQ(luma(Rgba16{65535, 65535, 65535, 0}), 65535);
  EXPECT_EQ(luma(Rgba16{0, 1000, 0, 0}), 587);
  EXPECT_EQ(luma(Rgba32f{0.0f, 2.0f, 0.0f, 0.0f}), 2.0f * 0.587f);
}

}  // namespace
}  // namespace threadscape
