// Tests of the pages of TIFF files as frames: all of them come through, each with its own size, type and colours.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "compute/io/pictures/clip_file.h"
#include "compute/io/pictures/image_file.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/frame_writer.h"
#include "generated/file_libraries.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

/// A picture whose bytes count on from `first`, with steps between rows.
HostArray counting_picture(const Shape& shape, int first) {
  HostArray picture(shape);
  const auto bytes = static_cast<std::size_t>(shape.width) * shape.pixel_bytes();
  for (std::size_t y = 0; y < static_cast<std::size_t>(shape.height); ++y)
    for (std::size_t i = 0; i < bytes; ++i)
      picture.data()[y * picture.pitch() + i] =
          static_cast<std::byte>((i * 7 + y * 13 + static_cast<std::size_t>(first)) % 61);
  return picture;
}

class TiffFrames : public TestFolder {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    if (!TS_HAS_TIFF) GTEST_SKIP() << "without libtiff";
  }
  /// Writes pages of these shapes, and returns their pixels.
  std::vector<HostArray> write(const std::string& name, const std::vector<Shape>& shapes, std::int64_t stated) const {
    std::vector<HostArray> pages;
    const auto writer = io::make_frame_writer(path(name), {.frames = stated});
    for (const Shape& shape : shapes) {
      pages.push_back(counting_picture(shape, static_cast<int>(pages.size())));
      io::PictureFacts facts;
      facts.per_metre_x = facts.per_metre_y = 1000.0 * static_cast<double>(pages.size());
      writer->add_with(std::as_const(pages.back()).view(), {.colour = io::FileColour::rgba, .picture = facts});
    }
    writer->finish();
    return pages;
  }
};

TEST_F(TiffFrames, EveryPageKeepsItsSizeItsTypeAndItsResolution) {
  const std::vector<Shape> shapes{Shape::image(Element::u8, 1, 7, 5), Shape::image(Element::u16, 4, 300, 200),
                                  Shape::image(Element::f32, 1, 1, 1), Shape::image(Element::u8, 4, 9, 9)};
  // BigTIFF is written where the number of pages is not known.
  for (const std::int64_t stated : {std::int64_t{4}, std::int64_t{0}}) {
    const std::vector<HostArray> pages = write("pages.tif", shapes, stated);
    EXPECT_EQ(read_bytes(path("pages.tif"))[2], stated > 0 ? '\x2a' : '\x2b');
    EXPECT_TRUE(io::has_several_frames(path("pages.tif")));
    const auto source = io::open_frames(path("pages.tif"));
    ASSERT_EQ(source->count(), 4);
    io::Frame frame;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      ASSERT_TRUE(source->next(frame));
      EXPECT_EQ(frame.pixels.shape(), shapes[i]);
      EXPECT_TRUE(testing::same_pixels(frame.pixels, pages[i])) << "page " << i;
      EXPECT_NEAR(frame.stated.facts.per_metre_x, 1000.0 * static_cast<double>(i + 1), 0.1);
      EXPECT_EQ(frame.stated.settings.empty(), shapes[i].channels == 1) << "alpha is not full";
    }
    EXPECT_FALSE(source->next(frame));
    EXPECT_EQ(source->note(), "");
    source->seek(1);
    ASSERT_TRUE(source->next(frame));
    EXPECT_TRUE(testing::same_pixels(frame.pixels, pages[1]));
  }
}

TEST_F(TiffFrames, AFileOfEqualPagesIsAClip) {
  const Shape shape = Shape::image(Element::u8, 1, 6, 4);
  const std::vector<HostArray> pages = write("pages.tif", {shape, shape, shape}, 3);
  EXPECT_EQ(io::load_clip(path("pages.tif")).pixels.shape().depth, 3);
  EXPECT_TRUE(testing::same_pixels(io::load_picture(path("pages.tif")).pixels, pages[0]));
  (void)write("page.tif", {shape}, 1);
  EXPECT_FALSE(io::has_several_frames(path("page.tif")));
}

TEST_F(TiffFrames, AListOfPagesThatIsDamagedEndsWithANote) {
  const Shape shape = Shape::image(Element::u8, 1, 6, 4);
  (void)write("pages.tif", {shape, shape, shape}, 3);
  const std::string bytes = read_bytes(path("pages.tif"));
  write_bytes(path("pages.tif"), bytes.substr(0, bytes.size() - 40));
  const auto source = io::open_frames(path("pages.tif"));
  EXPECT_EQ(source->count(), 2);
  EXPECT_NE(source->note().find("its list of pages is damaged after page 2"), std::string::npos) << source->note();
}

}  // namespace
}  // namespace threadscape
