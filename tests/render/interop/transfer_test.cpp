// Tests of transfers from host memory to textures and back: HostUploader, PixelProbe, capture.

#include <chrono>
#include <thread>
#include <vector>

#include "compute/core/errors.h"
#include "render/capture.h"
#include "render/interop/host_upload.h"
#include "render/interop/readback.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

using testing::all_formats;
using testing::random_picture;
using testing::same_pixels;
using testing::texture_of;
using UploadTest = testing::GlTest;
using ProbeTest = testing::GlTest;
using CaptureTest = testing::GlTest;

TEST_F(UploadTest, ManyFramesInFlightKeepTheirOwnPixels) {
  interop::HostUploader uploader;
  std::vector<gl::Texture> textures;
  std::vector<HostArray> pictures;
  for (unsigned frame = 0; frame < 9; ++frame) {
    pictures.push_back(random_picture(gl::Format::rgba8, 301, 203, frame));
    textures.emplace_back(pictures.back().shape());
  }
  // Nothing waits between the frames: a slot that were reused too early would show in an earlier texture.
  for (std::size_t frame = 0; frame < pictures.size(); ++frame) {
    const HostOut slot = uploader.acquire(pictures[frame].shape());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(slot.data) % 64, 0u);
    EXPECT_EQ(slot.pitch % 64, 0u);
    std::thread([&] { copy(pictures[frame].view(), slot); }).join();  // as the worker does
    uploader.submit(textures[frame]);
  }
  for (std::size_t frame = 0; frame < pictures.size(); ++frame)
    EXPECT_TRUE(same_pixels(textures[frame].read().view(), pictures[frame].view())) << "frame " << frame;
}

TEST_F(UploadTest, EveryFormatAndChangingSizes) {
  interop::HostUploader uploader;
  unsigned seed = 0;
  for (const auto& [width, height] : {std::pair{3, 5}, {200, 100}, {1, 1}, {129, 257}})
    for (const gl::Format format : all_formats) {
      SCOPED_TRACE(::testing::Message() << gl::info_of(format).name << " " << width << "x" << height);
      const HostArray picture = random_picture(format, width, height, ++seed);
      gl::Texture texture(picture.shape());
      uploader.upload(picture.view(), texture);
      EXPECT_TRUE(same_pixels(texture.read().view(), picture.view()));
    }
  EXPECT_GT(uploader.bytes(), 0u);
}

TEST_F(UploadTest, MemoryOfALargeResultIsGivenBackAfterSmallOnes) {
  interop::HostUploader uploader;
  const auto upload = [&uploader](int side) {
    const HostArray picture = random_picture(gl::Format::r8, side, side, 1);
    gl::Texture texture(picture.shape());
    uploader.upload(picture.view(), texture);
  };
  const int large = 2048, small = 64;  // 4 MiB, and 4 KiB
  const std::size_t ring = interop::HostUploader::slots * static_cast<std::size_t>(large) * large;
  for (std::size_t i = 0; i < interop::HostUploader::slots; ++i)
    upload(large);
  EXPECT_EQ(uploader.bytes(), ring);
  // Results of two sizes in turns keep the memory: each would cost an allocation otherwise.
  for (int i = 0; i < 20; ++i)
    upload(i % 2 == 0 ? small : large);
  EXPECT_EQ(uploader.bytes(), ring);
  for (int i = 0; i < 20; ++i)
    upload(small);
  EXPECT_LT(uploader.bytes(), ring / 100);
}

TEST_F(UploadTest, UploadsAreTimedAndTimesComeOncePerUpload) {
  interop::HostUploader uploader;
  const HostArray picture = random_picture(gl::Format::r32f, 512, 512, 1);
  gl::Texture texture(picture.shape());
  for (int i = 0; i < 4; ++i)
    uploader.upload(picture.view(), texture);
  glFinish();
  int times = 0;
  while (const auto ms = uploader.poll_upload_ms()) {
    EXPECT_GE(*ms, 0.0);
    EXPECT_LT(*ms, 10000.0);
    ++times;
  }
  EXPECT_EQ(times, 4);
}

TEST_F(UploadTest, MisuseIsRefusedAndLeavesItUsable) {
  interop::HostUploader uploader;
  gl::Texture texture(gl::Format::r8, 8, 8);
  EXPECT_THROW(uploader.submit(texture), UsageError);
  EXPECT_THROW((void)uploader.acquire(Shape::image(Element::f64, 1, 8, 8)), UsageError);
  (void)uploader.acquire(Shape::image(Element::u8, 1, 8, 9));
  EXPECT_THROW((void)uploader.acquire(Shape::image(Element::u8, 1, 8, 8)), UsageError);
  EXPECT_THROW(uploader.submit(texture), UsageError);
  uploader.cancel();
  const HostArray wrong = random_picture(gl::Format::r8, 7, 8, 1);
  EXPECT_THROW(uploader.upload(wrong.view(), texture), UsageError);
  const HostArray picture = random_picture(gl::Format::r8, 8, 8, 1);
  uploader.upload(picture.view(), texture);
  EXPECT_TRUE(same_pixels(texture.read().view(), picture.view()));
}

interop::ProbeResult wait_for(interop::PixelProbe& probe) {
  for (int i = 0; i < 10000; ++i) {
    if (auto result = probe.poll()) return *result;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  throw EnvironmentError("the probe never answered");
}

template <class T>
void expect_values(const interop::ProbeResult& result, const HostArray& picture) {
  for (int y = 0; y < result.height; ++y)
    for (int x = 0; x < result.width; ++x)
      for (int c = 0; c < result.channels(); ++c) {
        const auto* row = picture.data() + picture.pitch() * static_cast<std::size_t>(result.y + y);
        const auto* values = reinterpret_cast<const T*>(row);
        EXPECT_EQ(result.value(x, y, c), static_cast<double>(values[(result.x + x) * result.channels() + c]));
      }
}

TEST_F(ProbeTest, ValuesAreExactInEveryFormat) {
  interop::PixelProbe probe;
  for (const gl::Format format : all_formats) {
    SCOPED_TRACE(gl::info_of(format).name);
    const HostArray picture = random_picture(format, 40, 30, 3);
    const gl::Texture texture = texture_of(picture.view());
    ASSERT_TRUE(probe.request(texture, 17, 11, 9, 9));
    EXPECT_TRUE(probe.pending());
    const auto result = wait_for(probe);
    EXPECT_FALSE(probe.pending());
    EXPECT_EQ(result.width, 9);
    switch (gl::info_of(format).element) {
      case Element::u8:
        expect_values<std::uint8_t>(result, picture);
        break;
      case Element::u16:
        expect_values<std::uint16_t>(result, picture);
        break;
      default:
        expect_values<float>(result, picture);
        break;
    }
  }
}

TEST_F(ProbeTest, TheRectangleIsCutAtTheEdges) {
  interop::PixelProbe probe;
  const HostArray picture = random_picture(gl::Format::rgba8, 20, 10, 4);
  const gl::Texture texture = texture_of(picture.view());
  ASSERT_TRUE(probe.request(texture, -3, 8, 9, 9));
  const auto result = wait_for(probe);
  EXPECT_EQ(result.x, 0);
  EXPECT_EQ(result.y, 8);
  EXPECT_EQ(result.width, 6);
  EXPECT_EQ(result.height, 2);
  expect_values<std::uint8_t>(result, picture);
  EXPECT_FALSE(probe.request(texture, 20, 0));
  EXPECT_FALSE(probe.request(texture, 0, -1));
  EXPECT_FALSE(probe.pending());
  EXPECT_FALSE(probe.poll().has_value());
  EXPECT_THROW(probe.request(texture, 0, 0, 17, 1), UsageError);
}

TEST_F(ProbeTest, TheLastOfSeveralRequestsCounts) {
  interop::PixelProbe probe;
  const HostArray picture = random_picture(gl::Format::r16, 20, 10, 4);
  const gl::Texture texture = texture_of(picture.view());
  for (int x = 0; x < 20; ++x)
    ASSERT_TRUE(probe.request(texture, x, 3));
  const auto result = wait_for(probe);
  EXPECT_EQ(result.x, 19);
  expect_values<std::uint16_t>(result, picture);
}

TEST_F(CaptureTest, TheTopRowComesFirst) {
  const gl::Framebuffer frame(7, 5, gl::Framebuffer::Depth::yes);
  frame.clear({0.0f, 0.0f, 1.0f, 1.0f});
  // One red pixel in the upper left corner; GL counts from the bottom.
  frame.bind();
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 4, 1, 1);
  glClearColor(1.0f, 0.0f, 0.0f, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
  const HostArray picture = render::capture(frame);
  gl::PendingRead read = render::begin_capture(frame);
  EXPECT_TRUE(same_pixels(render::flip_rows(read.wait()).view(), picture.view()));
  const auto pixels = picture.image<Rgba8>();
  EXPECT_EQ(pixels.width, 7);
  EXPECT_EQ(pixels.height, 5);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x)
      EXPECT_EQ(pixels(x, y), x == 0 && y == 0 ? (Rgba8{255, 0, 0, 255}) : (Rgba8{0, 0, 255, 255})) << x << "," << y;
}

}  // namespace
}  // namespace threadscape
