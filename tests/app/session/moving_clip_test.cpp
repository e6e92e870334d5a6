// The newest frames of a moving picture as a clip, in host memory and as frames on the device.

#include "app/session/moving_clip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "compute/core/clip.h"
#include "compute/core/errors.h"
#include "compute/engines/yuv/device_clip.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

/// A frame whose device is the host: its conversion fills the picture with a number.
class NumberedFrame final : public cuda::DeviceFrame {
 public:
  NumberedFrame(const Shape& shape, int number) : shape_(shape), number_(number) {}
  [[nodiscard]] const Shape& shape() const override { return shape_; }
  void convert(const DeviceOut& picture, CudaStream) override {
    ASSERT_EQ(picture.shape, shape_);
    for (std::int64_t y = 0; y < shape_.height; ++y)
      std::memset(picture.data + picture.pitch * static_cast<std::size_t>(y), number_,
                  static_cast<std::size_t>(shape_.width) * shape_.pixel_bytes());
  }
  void converted(CudaStream) override {}
  /// Milliseconds from which a sum shows which frames were asked.
  [[nodiscard]] Times times() const override {
    return {.upload_ms = 100.0 * number_, .convert_ms = static_cast<double>(number_)};
  }

 private:
  Shape shape_;
  int number_;
};

const Shape small = Shape::image(Element::u8, 4, 5, 3), large = Shape::image(Element::u8, 4, 6, 3);

/// A frame filled with a number, in host memory and perhaps on the device.
Source frame(int number, const Shape& shape = small, bool on_device = true) {
  Source made;
  made.path = "video.mp4";
  made.picture.colour = io::FileColour::rgb;
  made.picture.pixels = HostArray(shape);
  std::fill_n(made.picture.pixels.data(), made.picture.pixels.pitch() * static_cast<std::size_t>(shape.height),
              static_cast<std::byte>(number));
  if (on_device) made.on_device = std::make_shared<NumberedFrame>(shape, number);
  return made;
}

/// The first byte of each frame of a clip.
std::vector<int> numbers_of(HostIn clip) {
  std::vector<int> numbers;
  for (std::int64_t i = 0; i < clip.shape.depth; ++i)
    numbers.push_back(static_cast<int>(*frame_of(clip, i).data));
  return numbers;
}

/// The numbers of the frames that the clip makes on the "device"; none if it is not there.
std::vector<int> numbers_on_device(const Source& clip) {
  if (!clip.on_device) return {};
  HostArray made(clip.picture.pixels.shape());
  clip.on_device->convert({made.data(), made.shape(), made.pitch()}, {});
  EXPECT_TRUE(testing::same_pixels(made, clip.picture.pixels));
  return numbers_of(std::as_const(made).view());
}

using Numbers = std::vector<int>;

TEST(MovingClip, HasTheNewestFramesInBothMemories) {
  MovingClip clip(3);
  std::vector<Numbers> host, device;
  for (int i = 1; i <= 5; ++i) {
    clip.push(frame(i));
    const auto source = clip.source();
    EXPECT_EQ(source->path, "video.mp4");
    EXPECT_EQ(source->picture.colour, io::FileColour::rgb);
    host.push_back(numbers_of(std::as_const(source->picture.pixels).view()));
    device.push_back(numbers_on_device(*source));
  }
  EXPECT_EQ(host, (std::vector<Numbers>{{1}, {1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 5}}));
  EXPECT_EQ(device, host);
}

TEST(MovingClip, IsOnTheDeviceOnlyWithAllOfItsFrames) {
  MovingClip clip(3);
  const auto push = [&](int number, bool on_device) {
    clip.push(frame(number, small, on_device));
    return numbers_on_device(*clip.source());
  };
  EXPECT_EQ(push(1, false), Numbers());
  EXPECT_EQ(push(2, true), Numbers());
  EXPECT_EQ(push(3, true), Numbers());
  EXPECT_EQ(push(4, true), (Numbers{2, 3, 4}));
  EXPECT_EQ(push(5, false), Numbers());
}

TEST(MovingClip, AFrameOfAnotherSizeBeginsAgain) {
  MovingClip clip(3);
  clip.push(frame(1));
  clip.push(frame(2));
  clip.push(frame(3, large));
  EXPECT_EQ(numbers_on_device(*clip.source()), Numbers{3});
  clip.push(frame(4, large));
  EXPECT_EQ(numbers_on_device(*clip.source()), (Numbers{3, 4}));
}

TEST(MovingClip, KeepsTheNewestFramesInAnotherNumberOfThem) {
  MovingClip clip(4);
  for (int i = 1; i <= 4; ++i)
    clip.push(frame(i));
  clip.resize(2);
  EXPECT_EQ(numbers_on_device(*clip.source()), (Numbers{3, 4}));
  clip.push(frame(5));
  EXPECT_EQ(numbers_on_device(*clip.source()), (Numbers{4, 5}));
  clip.resize(3);
  clip.push(frame(6));
  EXPECT_EQ(numbers_on_device(*clip.source()), (Numbers{4, 5, 6}));
}

TEST(MovingClip, LentClipsStayAsTheyAre) {
  MovingClip clip(2);
  clip.push(frame(1));
  const auto first = clip.source();
  for (int i = 2; i <= 6; ++i)
    clip.push(frame(i));
  EXPECT_EQ(numbers_on_device(*first), Numbers{1});
}

TEST(DeviceClip, HasTheUploadOfTheNewestFrameAndAllConversions) {
  MovingClip clip(3);
  for (int i = 1; i <= 3; ++i)
    clip.push(frame(i));
  const auto source = clip.source();
  EXPECT_EQ(source->on_device->shape(), clip_shape(small, 3));
  EXPECT_EQ(source->on_device->times().upload_ms, 300);
  EXPECT_EQ(source->on_device->times().convert_ms, 6);
}

TEST(DeviceClip, RefusesMemoryOfAnotherShape) {
  MovingClip clip(2);
  clip.push(frame(1));
  HostArray other(clip_shape(small, 2));
  EXPECT_THROW(clip.source()->on_device->convert({other.data(), other.shape(), other.pitch()}, {}), UsageError);
}

}  // namespace
}  // namespace threadscape::app
