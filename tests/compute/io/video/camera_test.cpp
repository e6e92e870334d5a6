// Cameras, through calls of the system that a camera in memory answers: no machine of the tests needs one.

#include <gtest/gtest.h>

#include <linux/videodev2.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>

#include "compute/core/errors.h"
#include "compute/io/video/camera.h"
#include "compute/io/video/test_scene.h"
#include "tests/support/compute/scoped_limit.h"

namespace threadscape::io {
namespace {

/// A camera in memory. Its members say how it behaves.
struct FakeCamera {
  std::uint32_t format = V4L2_PIX_FMT_YUYV;
  std::uint32_t width = 112, height = 64;
  int open_error = 0;
  int stream_error = 0;    ///< The error of VIDIOC_STREAMON.
  int frames = 5;          ///< After these the camera vanishes.
  bool silent = false;     ///< Gives nothing at all.
  bool records = true;     ///< If true, it can record.
  int damaged = -1;        ///< The number of a frame that is damaged.
  std::uint32_t used = 0;  ///< The stated bytes of a frame; 0 = all.

  int sent = 0, closed = 0, unmapped = 0;
  std::deque<std::uint32_t> queue;
  std::vector<std::vector<std::uint8_t>> buffers;

  [[nodiscard]] std::size_t bytes() const {
    const std::size_t pixels = std::size_t{width} * height;
    return format == V4L2_PIX_FMT_YUYV ? pixels * 2 : format == V4L2_PIX_FMT_GREY ? pixels : pixels * 3 / 2;
  }

  /// A grey frame with the bar code of its number: Y is 16..235 in the formats with colours, U and V are 128.
  void draw(std::vector<std::uint8_t>& to) const {
    HostArray grey(Shape::image(Element::u8, 1, width, height));
    std::memset(grey.data(), 100, grey.pitch() * height);
    draw_frame_code(grey.view(), sent);
    std::fill(to.begin(), to.end(), std::uint8_t{128});
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::uint32_t x = 0; x < width; ++x) {
        const int value = grey.image<std::uint8_t>()(static_cast<int>(x), static_cast<int>(y));
        const auto luma = static_cast<std::uint8_t>(format == V4L2_PIX_FMT_GREY ? value : 16 + value * 219 / 255);
        to[(std::size_t{y} * width + x) * (format == V4L2_PIX_FMT_YUYV ? 2 : 1)] = luma;
      }
  }

  int control(unsigned long request, void* argument) {
    switch (request) {
      case VIDIOC_QUERYCAP: {
        auto& can = *static_cast<v4l2_capability*>(argument);
        std::memcpy(can.card, "Fake", 5);
        can.capabilities = V4L2_CAP_STREAMING | (records ? V4L2_CAP_VIDEO_CAPTURE : V4L2_CAP_VIDEO_OUTPUT);
        return 0;
      }
      case VIDIOC_G_FMT:
      case VIDIOC_S_FMT: {
        auto& pixels = static_cast<v4l2_format*>(argument)->fmt.pix;
        // A driver answers a wish that it cannot meet with what it can.
        pixels.pixelformat = format;
        pixels.width = width;
        pixels.height = height;
        pixels.bytesperline = width * (format == V4L2_PIX_FMT_YUYV ? 2 : 1);
        return 0;
      }
      case VIDIOC_G_PARM:
        static_cast<v4l2_streamparm*>(argument)->parm.capture.timeperframe = {1, 15};
        return 0;
      case VIDIOC_REQBUFS:
        static_cast<v4l2_requestbuffers*>(argument)->count = 3;
        return 0;
      case VIDIOC_QUERYBUF: {
        auto& buffer = *static_cast<v4l2_buffer*>(argument);
        buffer.length = static_cast<std::uint32_t>(bytes());
        buffers.emplace_back(bytes());
        return 0;
      }
      case VIDIOC_QBUF:
        queue.push_back(static_cast<v4l2_buffer*>(argument)->index);
        return 0;
      case VIDIOC_DQBUF:
        return give(*static_cast<v4l2_buffer*>(argument));
      case VIDIOC_STREAMON:
        errno = stream_error;
        return stream_error != 0 ? -1 : 0;
      default:
        return 0;
    }
  }

  int give(v4l2_buffer& buffer) {
    if (sent >= frames || queue.empty()) {
      errno = ENODEV;
      return -1;
    }
    buffer.index = queue.front();
    queue.pop_front();
    draw(buffers[buffer.index]);
    buffer.bytesused = used > 0 ? used : static_cast<std::uint32_t>(bytes());
    buffer.flags = sent == damaged ? V4L2_BUF_FLAG_ERROR : 0;
    ++sent;
    return 0;
  }

  CameraCalls calls() {
    return {.open =
                [this](const char*) {
                  errno = open_error;
                  return open_error != 0 ? -1 : 42;
                },
            .control = [this](int, unsigned long request, void* argument) { return control(request, argument); },
            .map = [this](int, std::size_t, std::int64_t) -> void* { return buffers.back().data(); },
            .unmap = [this](void*, std::size_t) { ++unmapped; },
            .wait = [this](int, int) { return silent ? 0 : 1; },
            .close = [this](int) { ++closed; }};
  }
};

std::string error_of(FakeCamera& camera) {
  try {
    (void)open_camera("/dev/video7", {}, camera.calls());
  } catch (const EnvironmentError& error) {
    return error.what();
  }
  return "";
}

TEST(Camera, FramesOfEveryFormatAreReadUntilItVanishes) {
  for (const std::uint32_t format : {V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_NV12, V4L2_PIX_FMT_YUV420, V4L2_PIX_FMT_GREY}) {
    FakeCamera fake{.format = format};
    {
      const auto source = open_camera("/dev/video7", {}, fake.calls());
      EXPECT_EQ(source->info().width, 112);
      EXPECT_EQ(source->info().frames_per_second, 15);
      EXPECT_FALSE(source->info().seekable);
      EXPECT_EQ(source->count(), -1);
      EXPECT_THROW(source->seek(0), UsageError);
      Frame frame;
      for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(source->next(frame));
        EXPECT_EQ(frame.index, i);
        EXPECT_EQ(read_frame_code(frame.pixels.view()), i);
      }
      // Y of 100 * 219 / 255 + 16 is a grey of 100, within one step for each rounding.
      if (frame.pixels.shape().channels == 4) {
        EXPECT_NEAR(frame.pixels.image<Rgba8>()(50, 10).b, 100, 2);
      }
      EXPECT_FALSE(source->next(frame));
      EXPECT_NE(source->note().find("gives no more frames"), std::string::npos) << source->note();
    }
    EXPECT_EQ(fake.closed, 1);
    EXPECT_EQ(fake.unmapped, 3);
  }
}

TEST(Camera, OddSizesStayWithinTheirBuffers) {
  FakeCamera fake{.format = V4L2_PIX_FMT_GREY, .width = 33, .height = 17, .frames = 2};
  const auto source = open_camera("/dev/video7", {}, fake.calls());
  Frame frame;
  EXPECT_TRUE(source->next(frame));
  EXPECT_EQ(frame.pixels.shape(), Shape::image(Element::u8, 1, 33, 17));
}

TEST(Camera, DamagedAndShortFramesAreLeftOut) {
  FakeCamera one{.damaged = 2};
  const auto source = open_camera("/dev/video7", {}, one.calls());
  Frame frame;
  int frames = 0;
  while (source->next(frame))
    ++frames;
  EXPECT_EQ(frames, 4);
  FakeCamera all{.frames = 1000, .used = 100};
  const auto damaged = open_camera("/dev/video7", {}, all.calls());
  EXPECT_FALSE(damaged->next(frame));
  EXPECT_NE(damaged->note().find("damaged"), std::string::npos) << damaged->note();
}

TEST(Camera, ASilentCameraEndsAndAStopEndsTheWait) {
  const ScopedLimit silence(Limit::silence, 1);
  FakeCamera fake{.silent = true};
  Frame frame;
  const auto source = open_camera("/dev/video7", {}, fake.calls());
  EXPECT_FALSE(source->next(frame));
  EXPECT_NE(source->note().find("nothing came for 1 s"), std::string::npos) << source->note();
  std::stop_source stop;
  const auto waiting = open_camera("/dev/video7", {.stop = stop.get_token()}, fake.calls());
  stop.request_stop();
  EXPECT_THROW((void)waiting->next(frame), Cancelled);
}

TEST(Camera, RefusalsNameTheirCure) {
  for (const auto& [error, cure] : std::vector<std::pair<int, std::string>>{
           {ENOENT, "plug one in"}, {EACCES, "group video"}, {EBUSY, "close that"}}) {
    FakeCamera fake{.open_error = error};
    EXPECT_NE(error_of(fake).find(cure), std::string::npos) << error_of(fake);
    EXPECT_NE(error_of(fake).find("/dev/video7"), std::string::npos);
  }
  FakeCamera busy{.stream_error = EBUSY};
  EXPECT_NE(error_of(busy).find("another program"), std::string::npos);
  EXPECT_EQ(busy.closed, 1) << "a camera that does not start is closed";
  FakeCamera output{.records = false};
  EXPECT_NE(error_of(output).find("records no pictures"), std::string::npos);
  FakeCamera strange{.format = V4L2_PIX_FMT_SBGGR8};
  EXPECT_NE(error_of(strange).find("none of the formats"), std::string::npos);
  FakeCamera huge{.width = 1 << 20};
  EXPECT_NE(error_of(huge).find("size"), std::string::npos);
}

TEST(Camera, TheListSaysWhyThereIsNone) {
  const auto kinds = camera_kinds();
  ASSERT_FALSE(kinds.empty());
  for (const FrameSourceKind& kind : kinds)
    EXPECT_NE(kind.open.empty(), kind.why.empty()) << "either a name to open, or a reason";
}

}  // namespace
}  // namespace threadscape::io
