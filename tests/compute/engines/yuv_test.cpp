// The conversion of video frames from YUV to RGB: results of libswscale (scripts/reference/yuv.py), the exact formula
// of ITU-R BT.601 and BT.709, and equality of all backends.

#include "compute/core/yuv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "compute/core/errors.h"
#include "generated/cuda_backend.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/compute/test_files.h"
#if TS_HAS_CUDA
#include "compute/core/clip.h"
#include "compute/engines/yuv/device_clip.h"
#include "compute/engines/yuv/device_frames.h"
#include "compute/engines/yuv/yuv_cuda.h"
#include "compute/gpu/buffer.h"
#include "compute/gpu/device.h"
#include "compute/run/verify.h"
#endif

namespace threadscape {
namespace {

/// Planes that own their bytes. Rows are longer than the frame, and what is behind its columns must not be used.
struct OwnPlanes {
  std::vector<std::uint8_t> y, u, v;
  YuvPlanes planes;

  OwnPlanes(int width, int height, bool nv12, bool full_range, bool bt709, unsigned seed) {
    const int columns = (width + 1) / 2, rows = (height + 1) / 2;
    planes = {.width = width,
              .height = height,
              .y_pitch = width + 3,
              .u_pitch = nv12 ? 2 * columns + 5 : columns + 2,
              .v_pitch = nv12 ? 0 : columns + 7,
              .full_range = full_range,
              .bt709 = bt709};
    std::mt19937 random(seed);
    const auto fill = [&](std::vector<std::uint8_t>& bytes, std::ptrdiff_t count) {
      bytes.resize(static_cast<std::size_t>(count));
      for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(random());
    };
    fill(y, planes.y_pitch * height);
    fill(u, planes.u_pitch * rows);
    fill(v, planes.v_pitch * rows);
    planes.y = y.data();
    planes.u = u.data();
    planes.v = nv12 ? nullptr : v.data();
  }
};

HostArray picture_for(const YuvPlanes& planes) {
  return HostArray(Shape::image(Element::u8, 4, planes.width, planes.height));
}

/// Calls f(planes) for both layouts, ranges and standards, in sizes with every kind of rest.
template <class F>
void for_all_planes(const F& f) {
  unsigned seed = 1;
  for (const auto& [width, height] :
       std::vector<std::pair<int, int>>{{1, 1}, {2, 1}, {1, 2}, {3, 3}, {16, 2}, {31, 5}, {64, 4}, {67, 33}, {257, 7}})
    for (const bool nv12 : {false, true})
      for (const bool full_range : {false, true})
        for (const bool bt709 : {false, true}) {
          SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + (nv12 ? " NV12" : " planar"));
          f(OwnPlanes(width, height, nv12, full_range, bt709, seed++));
        }
}

TEST(Yuv, EqualsLibswscaleWithinALevel) {
  const nlohmann::json cases = nlohmann::json::parse(read_bytes(test_dir() + "/data/yuv.json")).at("cases");
  ASSERT_EQ(cases.size(), 4u);
  for (const nlohmann::json& one : cases) {
    const int width = one.at("width"), height = one.at("height");
    const std::string y = from_hex(one.at("y")), u = from_hex(one.at("u")), v = from_hex(one.at("v"));
    const std::string rgb = from_hex(one.at("rgb"));
    const auto bytes = [](const std::string& text) { return reinterpret_cast<const std::uint8_t*>(text.data()); };
    const YuvPlanes planes{.width = width,
                           .height = height,
                           .y = bytes(y),
                           .u = bytes(u),
                           .v = bytes(v),
                           .y_pitch = width,
                           .u_pitch = width / 2,
                           .v_pitch = width / 2,
                           .full_range = one.at("full_range"),
                           .bt709 = one.at("bt709")};
    HostArray picture = picture_for(planes);
    yuv_to_rgba(planes, picture.view());
    // Both compute with integers of some bits and round once; neither has the exact value.
    constexpr int tolerance = 1;
    for (int i = 0; i < width * height; ++i) {
      const Rgba8 pixel = picture.image<Rgba8>()(i % width, i / width);
      const std::uint8_t* const wanted = bytes(rgb) + std::ptrdiff_t{3} * i;
      ASSERT_NEAR(pixel.r, wanted[0], tolerance) << i;
      ASSERT_NEAR(pixel.g, wanted[1], tolerance) << i;
      ASSERT_NEAR(pixel.b, wanted[2], tolerance) << i;
      ASSERT_EQ(pixel.a, 255);
    }
  }
}

TEST(Yuv, IsTheFormulaOfTheStandardsWithinALevel) {
  for (const bool full_range : {false, true})
    for (const bool bt709 : {false, true}) {
      const double kr = bt709 ? 0.2126 : 0.299, kb = bt709 ? 0.0722 : 0.114;
      const YuvFactors factors = yuv_factors(full_range, bt709);
      // The exact value and the rounded one may be on both sides of a limit between levels, which is half a level each,
      // and products lose less than 3/32 of a level.
      constexpr double tolerance = 0.65;
      for (int u = 0; u < 256; u += 3)
        for (int v = 0; v < 256; v += 3) {
          const YuvColour colour = yuv_colour(factors, u, v);
          for (int y = 0; y < 256; ++y) {
            const double grey = full_range ? y : (y - 16) * 255.0 / 219;
            const double stretch = full_range ? 1 : 255.0 / 224, pb = (u - 128) * stretch, pr = (v - 128) * stretch;
            const double red = grey + 2 * (1 - kr) * pr, blue = grey + 2 * (1 - kb) * pb;
            const double green = (grey - kr * red - kb * blue) / (1 - kr - kb);
            const Rgba8 pixel = yuv_pixel(factors, colour, y);
            ASSERT_NEAR(pixel.r, std::clamp(red, 0.0, 255.0), tolerance) << y << " " << u << " " << v;
            ASSERT_NEAR(pixel.g, std::clamp(green, 0.0, 255.0), tolerance) << y << " " << u << " " << v;
            ASSERT_NEAR(pixel.b, std::clamp(blue, 0.0, 255.0), tolerance) << y << " " << u << " " << v;
          }
        }
    }
}

TEST(Yuv, BlackWhiteAndGreysStayGrey) {
  for (const bool bt709 : {false, true}) {
    const YuvFactors limited = yuv_factors(false, bt709), full = yuv_factors(true, bt709);
    for (const auto& [factors, y, level] : {std::tuple{limited, 16, 0},
                                            {limited, 235, 255},
                                            {limited, 0, 0},
                                            {limited, 255, 255},
                                            {full, 0, 0},
                                            {full, 255, 255},
                                            {full, 77, 77}}) {
      const Rgba8 pixel = yuv_pixel(factors, yuv_colour(factors, 128, 128), y);
      EXPECT_EQ(pixel, (Rgba8{static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(level),
                              static_cast<std::uint8_t>(level), 255}));
    }
  }
}

TEST(Yuv, VectorsAndThreadsGiveTheBitsOfTheReference) {
  for_all_planes([](const OwnPlanes& own) {
    HostArray reference = picture_for(own.planes);
    yuv_to_rgba_serial(own.planes, reference.view());
    for (const int threads : {1, 3}) {
      HostArray picture = picture_for(own.planes);
      yuv_to_rgba(own.planes, picture.view(), threads);
      EXPECT_TRUE(testing::same_pixels(picture, reference)) << threads << " threads";
    }
  });
}

TEST(Yuv, RefusesAPictureOfAnotherShape) {
  const OwnPlanes own(4, 4, false, true, true, 1);
  HostArray small(Shape::image(Element::u8, 4, 3, 4)), grey(Shape::image(Element::u8, 1, 4, 4));
  EXPECT_THROW(yuv_to_rgba(own.planes, small.view()), UsageError);
  EXPECT_THROW(yuv_to_rgba_serial(own.planes, grey.view()), UsageError);
}

#if TS_HAS_CUDA
TEST(Yuv, TheGpuGivesTheBitsOfTheReference) {
  if (!gpu::devices().first().problem().empty()) GTEST_SKIP() << gpu::devices().first().problem();
  gpu::Device& device = gpu::devices().first();
  const gpu::Stream stream(device);
  /// A plane as one row of bytes on the device.
  const auto uploaded = [&](const std::vector<std::uint8_t>& bytes, gpu::DeviceArray& to) {
    const Shape shape = Shape::image(Element::u8, 1, static_cast<std::int64_t>(bytes.size()), 1);
    to.reshape(shape);
    gpu::upload({reinterpret_cast<const std::byte*>(bytes.data()), shape, bytes.size()}, to.view(), stream.get());
    return reinterpret_cast<const std::uint8_t*>(to.view().data);
  };
  for_all_planes([&](const OwnPlanes& own) {
    HostArray reference = picture_for(own.planes), picture = picture_for(own.planes);
    yuv_to_rgba_serial(own.planes, reference.view());
    gpu::DeviceArray y(device), u(device), v(device), result(device);
    YuvPlanes planes = own.planes;
    planes.y = uploaded(own.y, y);
    planes.u = uploaded(own.u, u);
    if (planes.v != nullptr) planes.v = uploaded(own.v, v);
    result.reshape(picture.shape());
    cuda::yuv_to_rgba(planes, {.linear = result.view(), .surface = 0, .shape = picture.shape()}, stream.get());
    gpu::download(std::as_const(result).view(), picture.view(), stream.get());
    stream.wait();
    EXPECT_TRUE(testing::same_pixels(picture, reference));
  });
}

/// The picture that a frame makes on the device, by a stream of its own.
HostArray converted(cuda::DeviceFrame& frame) {
  gpu::Device& device = gpu::devices().first();
  const gpu::Stream stream(device);
  HostArray picture(frame.shape());
  gpu::DeviceArray result(device);
  result.reshape(picture.shape());
  frame.convert(result.view(), stream.get());
  frame.converted(stream.get());
  gpu::download(std::as_const(result).view(), picture.view(), stream.get());
  stream.wait();
  return picture;
}

TEST(DeviceFrames, PlanesBecomeThePicturesOfTheReference) {
  if (!gpu::devices().first().problem().empty()) GTEST_SKIP() << gpu::devices().first().problem();
  const std::unique_ptr<cuda::DeviceFrames> frames = cuda::make_device_frames(gpu::devices().first());
  for_all_planes([&](const OwnPlanes& own) {
    HostArray reference = picture_for(own.planes);
    yuv_to_rgba_serial(own.planes, reference.view());
    const std::unique_ptr<cuda::DeviceFrame> frame = frames->upload(own.planes);
    ASSERT_EQ(frame->shape(), reference.shape());
    EXPECT_TRUE(testing::same_pixels(converted(*frame), reference));
    EXPECT_GE(frame->times().upload_ms, 0);
    EXPECT_GE(frame->times().convert_ms, 0);
  });
}

TEST(DeviceFrames, PixelsOfAnyTypeArriveAsTheyAre) {
  if (!gpu::devices().first().problem().empty()) GTEST_SKIP() << gpu::devices().first().problem();
  const std::unique_ptr<cuda::DeviceFrames> frames = cuda::make_device_frames(gpu::devices().first());
  std::mt19937 random(7);
  for (const Shape& shape : {Shape::image(Element::u8, 4, 67, 5), Shape::image(Element::u8, 1, 1, 1),
                             Shape::image(Element::u16, 4, 33, 9), Shape::image(Element::u16, 1, 300, 2)}) {
    SCOPED_TRACE(to_string(shape));
    HostArray pixels(shape);
    const std::size_t row = static_cast<std::size_t>(shape.width) * shape.pixel_bytes();
    for (std::size_t y = 0; y < static_cast<std::size_t>(shape.height); ++y)
      for (std::size_t x = 0; x < row; ++x)
        pixels.data()[y * pixels.pitch() + x] = static_cast<std::byte>(random());
    const std::unique_ptr<cuda::DeviceFrame> frame = frames->upload(std::as_const(pixels).view());
    const HostArray picture = converted(*frame);
    for (std::size_t y = 0; y < static_cast<std::size_t>(shape.height); ++y)
      EXPECT_EQ(std::memcmp(pixels.data() + y * pixels.pitch(), picture.data() + y * picture.pitch(), row), 0);
  }
}

TEST(DeviceFrames, FramesOutliveWhatUploadsThemAndKeepTheirContents) {
  if (!gpu::devices().first().problem().empty()) GTEST_SKIP() << gpu::devices().first().problem();
  std::unique_ptr<cuda::DeviceFrames> frames = cuda::make_device_frames(gpu::devices().first());
  const OwnPlanes first(67, 33, false, true, true, 1), second(67, 33, true, false, false, 2);
  std::unique_ptr<cuda::DeviceFrame> kept = frames->upload(first.planes);
  // The memory of a frame that is gone serves the next ones, and not that of the one that is kept.
  for (int i = 0; i < 5; ++i)
    (void)frames->upload(second.planes);
  frames.reset();
  HostArray reference = picture_for(first.planes);
  yuv_to_rgba_serial(first.planes, reference.view());
  EXPECT_TRUE(testing::same_pixels(converted(*kept), reference));
}

TEST(DeviceFrames, MakeAClipOfFramesInAnyNumber) {
  if (!gpu::devices().first().problem().empty()) GTEST_SKIP() << gpu::devices().first().problem();
  const std::unique_ptr<cuda::DeviceFrames> frames = cuda::make_device_frames(gpu::devices().first());
  std::vector<std::shared_ptr<cuda::DeviceFrame>> all;
  std::vector<HostArray> references;
  // More frames than the ring of page-locked memory has, and rows that are no multiple of what one store writes.
  for (unsigned i = 0; i < 20; ++i) {
    const OwnPlanes own(67, 33, i % 2 == 0, true, true, i + 1);
    all.push_back(frames->upload(own.planes));
    references.push_back(picture_for(own.planes));
    yuv_to_rgba_serial(own.planes, references.back().view());
  }
  const std::shared_ptr<cuda::DeviceFrame> clip = cuda::make_device_clip(all);
  for (int turn = 0; turn < 2; ++turn) {
    const HostArray made = converted(*clip);
    ASSERT_EQ(made.shape(), clip_shape(references.front().shape(), 20));
    for (std::size_t i = 0; i < references.size(); ++i) {
      SCOPED_TRACE(i);
      const HostIn frame = frame_of(made.view(), static_cast<std::int64_t>(i));
      EXPECT_FALSE(compare(frame, references[i].view(), Tolerance::exact()));
    }
  }
  EXPECT_GT(clip->times().convert_ms, 0);
}

TEST(DeviceFrames, RefuseAPictureOfAnotherShape) {
  if (!gpu::devices().first().problem().empty()) GTEST_SKIP() << gpu::devices().first().problem();
  const std::unique_ptr<cuda::DeviceFrames> frames = cuda::make_device_frames(gpu::devices().first());
  const OwnPlanes own(4, 4, false, true, true, 1);
  gpu::Device& device = gpu::devices().first();
  const gpu::Stream stream(device);
  gpu::DeviceArray small(device);
  small.reshape(Shape::image(Element::u8, 4, 3, 4));
  EXPECT_THROW(frames->upload(own.planes)->convert(small.view(), stream.get()), UsageError);
  const HostArray pixels(Shape::image(Element::u16, 1, 4, 4));
  EXPECT_THROW(frames->upload(pixels.view())->convert(small.view(), stream.get()), UsageError);
}
#endif

}  // namespace
}  // namespace threadscape
