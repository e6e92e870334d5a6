// Videos, animations and numbered pictures that were written frame by frame are read again complete and in order.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "compute/core/errors.h"
#include "compute/io/frame_source.h"
#include "compute/io/frame_writer.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::io {
namespace {

HostArray random_picture(const Shape& shape, unsigned seed) {
  HostArray picture(shape);
  std::mt19937 random(seed);
  for (std::int64_t y = 0; y < shape.height; ++y)
    for (std::size_t i = 0; i < static_cast<std::size_t>(shape.width) * shape.pixel_bytes(); ++i)
      picture.data()[static_cast<std::size_t>(y) * picture.pitch() + i] = static_cast<std::byte>(random());
  return picture;
}

bool equal(HostIn a, HostIn b) {
  if (a.shape != b.shape) return false;
  for (std::int64_t y = 0; y < a.shape.height; ++y)
    if (std::memcmp(a.data + static_cast<std::size_t>(y) * a.pitch, b.data + static_cast<std::size_t>(y) * b.pitch,
                    static_cast<std::size_t>(a.shape.width) * a.shape.pixel_bytes()) != 0)
      return false;
  return true;
}

class FrameWriters : public TestFolder {};

TEST_F(FrameWriters, NumberedPicturesKeepEveryBitAndMayChangeTheirSize) {
  const auto writer = make_frame_writer(path("f_%04d.png"), {.colour = FileColour::rgba});
  std::vector<HostArray> frames;
  frames.push_back(random_picture(Shape::image(Element::u8, 4, 31, 17), 1));
  frames.push_back(random_picture(Shape::image(Element::u16, 1, 5, 9), 2));
  for (const HostArray& frame : frames)
    writer->add(frame.view());
  writer->finish();
  EXPECT_EQ(names(), (std::vector<std::string>{"f_0000.png", "f_0001.png"}));
  const auto source = open_frames(path("f_%04d.png"));
  Frame frame;
  for (const HostArray& expected : frames) {
    ASSERT_TRUE(source->next(frame));
    EXPECT_TRUE(equal(frame.pixels.view(), expected.view()));
  }
}

TEST_F(FrameWriters, PathsOfFramesAreKnown) {
  for (const char* name : {"a.gif", "a.GIF", "f%03d.png"})
    EXPECT_TRUE(writes_frames(name)) << name;
  for (const char* name : {"a.png", "a", "a.raw"})
    EXPECT_FALSE(writes_frames(name)) << name;
  EXPECT_THROW(require_frame_path("f%03d.xyz"), UsageError);
  EXPECT_THROW(require_frame_path(path("missing/a.gif")), Error);
}

}  // namespace
}  // namespace threadscape::io
