// CUDA and OpenGL on one picture. Without a CUDA device that drives the GL context the tests are skipped, with the
// reason.

#include <array>
#include <cstdlib>
#include <deque>

#include "compute/core/clip.h"
#include "compute/gpu/device.h"
#include "compute/run/device_executor.h"
#include "render/interop/cuda_gl.h"
#include "render/interop/host_upload.h"
#include "render/interop/route.h"
#include "tests/render/interop/interop_kernels.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/render/gl_test.h"
#include "tests/support/render/pattern.h"

namespace threadscape {

HostArray testing::pattern(const Shape& shape, int phase) {
  HostArray picture(shape);
  for_pixel_type(shape, [&](auto pixel) {
    using T = decltype(pixel);
    const auto view = picture.image<T>();
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x)
        view(x, y) = pattern_pixel<T>(x, y, phase);
  });
  return picture;
}

HostArray testing::volume_pattern(const Shape& shape, int phase) {
  HostArray volume(shape);
  for_pixel_type(shape, [&](auto voxel) {
    using T = decltype(voxel);
    const auto view = volume.view().volume<T>();
    for (int z = 0; z < view.depth; ++z)
      for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x)
          view(x, y, z) = pattern_pixel<T>(x, y, phase + 7 * z);
  });
  return volume;
}

namespace {

using testing::all_formats;
using testing::draw_pattern;
using testing::pattern;
using testing::same_pixels;

Shape shape_of(gl::Format format, int width, int height) {
  const auto& info = gl::info_of(format);
  return Shape::image(info.element, info.channels, width, height);
}

class StagedTest : public testing::GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (!IsSkipped() && !gpu::devices().first().available())
      GTEST_SKIP() << "no CUDA: " << gpu::devices().first().obstacle();
  }
};

class InteropTest : public testing::GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (IsSkipped()) return;
    const interop::RouteReport report = interop::probe_route(context(), gpu::devices().first());
    if (report.cuda_route != interop::Route::interop) GTEST_SKIP() << report.reason;
  }
};

TEST_F(InteropTest, SurfaceWritesArriveInEveryFormat) {
  const auto session = std::make_unique<DeviceExecutor>(gpu::devices().first());
  for (const gl::Format format : all_formats)
    for (const auto& [width, height] : {std::pair{1, 1}, {33, 17}, {640, 480}}) {
      SCOPED_TRACE(::testing::Message() << gl::info_of(format).name << " " << width << "x" << height);
      const Shape shape = shape_of(format, width, height);
      gl::Texture texture(shape);
      interop::CudaGlTexture shared(*session, texture);
      for (int phase = 0; phase < 3; ++phase) {  // registered once, mapped again and again
        {
          interop::MapScope map(shared, *session);
          draw_pattern({{}, map.surface(shared), shape}, phase, session->stream());
        }
        EXPECT_TRUE(same_pixels(texture.read().view(), pattern(shape, phase).view())) << "phase " << phase;
      }
    }
}

constexpr std::tuple<int, int, int> volume_sizes[] = {{1, 1, 1}, {33, 17, 5}, {65, 64, 70}};
constexpr Element volume_elements[] = {Element::u8, Element::u16, Element::f32};

TEST_F(InteropTest, SurfaceWritesArriveInVolumes) {
  const auto session = std::make_unique<DeviceExecutor>(gpu::devices().first());
  for (const Element element : volume_elements)
    for (const auto& [width, height, depth] : volume_sizes) {
      const Shape shape{Kind::volume, element, 1, width, height, depth};
      SCOPED_TRACE(to_string(shape));
      gl::VolumeTexture texture(shape);
      interop::CudaGlTexture shared(*session, texture);
      for (int phase = 0; phase < 3; ++phase) {
        {
          interop::MapScope map(shared, *session);
          testing::draw_volume_pattern({{}, map.surface(shared), shape}, phase, session->stream());
        }
        EXPECT_TRUE(same_pixels(texture.read().view(), testing::volume_pattern(shape, phase).view()))
            << "phase " << phase;
      }
    }
}

TEST_F(StagedTest, VolumesArriveOnTheStagedRoute) {
  const auto session = std::make_unique<DeviceExecutor>(gpu::devices().first());
  interop::HostUploader uploader;
  for (const Element element : volume_elements)
    for (const auto& [width, height, depth] : volume_sizes) {
      const Shape shape{Kind::volume, element, 1, width, height, depth};
      SCOPED_TRACE(to_string(shape));
      gl::Resource resource(shape);
      const DeviceOut linear = session->linear_output(shape);
      testing::draw_volume_pattern({linear, 0, shape}, 3, session->stream());
      session->queue_download();
      session->wait();
      uploader.upload(session->downloaded(), resource);
      EXPECT_TRUE(same_pixels(resource.read().view(), testing::volume_pattern(shape, 3).view()));
    }
}

TEST_F(InteropTest, SeveralTexturesAreMappedTogether) {
  const auto session = std::make_unique<DeviceExecutor>(gpu::devices().first());
  const Shape shape = shape_of(gl::Format::rgba8, 200, 100);
  std::deque<gl::Texture> textures;
  std::deque<interop::CudaGlTexture> shared;  // after the textures: destroyed before them
  for (int i = 0; i < 3; ++i)
    shared.emplace_back(*session, textures.emplace_back(shape));
  const std::array<interop::CudaGlTexture*, 3> all{&shared[0], &shared[1], &shared[2]};
  {
    interop::MapScope map(all, *session);
    for (std::size_t i = 0; i < 3; ++i)
      draw_pattern({{}, map.surface(shared[i]), shape}, static_cast<int>(i) * 50, session->stream());
    map.unmap();
    EXPECT_THROW((void)map.surface(shared[0]), UsageError);
  }
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(same_pixels(textures[i].read().view(), pattern(shape, static_cast<int>(i) * 50).view()));
}

TEST_F(InteropTest, ATextureThatIsNotMappedHasNoSurface) {
  const auto session = std::make_unique<DeviceExecutor>(gpu::devices().first());
  gl::Texture first(gl::Format::r8, 8, 8), second(gl::Format::r8, 8, 8);
  interop::CudaGlTexture mapped(*session, first), other(*session, second);
  const interop::MapScope map(mapped, *session);
  EXPECT_NE(map.surface(mapped), 0u);
  EXPECT_THROW((void)map.surface(other), UsageError);
}

TEST_F(StagedTest, TheStagedRouteGivesTheSamePixels) {
  const auto session = std::make_unique<DeviceExecutor>(gpu::devices().first());
  interop::HostUploader uploader;
  int phase = 0;
  for (const gl::Format format : all_formats)
    for (const auto& [width, height] : {std::pair{1, 1}, {33, 17}, {640, 480}}) {
      SCOPED_TRACE(::testing::Message() << gl::info_of(format).name << " " << width << "x" << height);
      const Shape shape = shape_of(format, width, height);
      gl::Texture texture(shape);
      const DeviceOut linear = session->linear_output(shape);
      draw_pattern({linear, 0, shape}, ++phase, session->stream());
      session->queue_download();
      session->wait();
      uploader.upload(session->downloaded(), texture);
      EXPECT_TRUE(same_pixels(texture.read().view(), pattern(shape, phase).view()));
    }
}

TEST_F(StagedTest, OfSeveralResultsTheLastArrives) {
  const auto session = std::make_unique<DeviceExecutor>(gpu::devices().first());
  interop::HostUploader uploader;
  const Shape shape = shape_of(gl::Format::r16, 300, 200);
  gl::Texture texture(shape);
  for (int phase = 0; phase < 3; ++phase) {
    const DeviceOut linear = session->linear_output(shape);
    draw_pattern({linear, 0, shape}, phase, session->stream());
    session->queue_download();
  }
  session->wait();
  uploader.upload(session->downloaded(), texture);
  EXPECT_TRUE(same_pixels(texture.read().view(), pattern(shape, 2).view()));
}

/// Bytes of all values, so that floats take all forms: NaN with any payload, infinities, denormal numbers, -0.
HostArray random_bits(const Shape& shape) {
  HostArray data(shape);
  std::uint32_t state = 1;
  const std::size_t bytes = data.pitch() * static_cast<std::size_t>(shape.height * shape.depth);
  for (std::size_t i = 0; i < bytes; ++i) {
    state = state * 1664525u + 1013904223u;
    data.data()[i] = static_cast<std::byte>(state >> 24);
  }
  return data;
}

/// The data that CUDA reads from the GL memory of `resource`, copied on the device.
HostArray read_by_cuda(const gl::Resource& resource) {
  const auto session = std::make_unique<DeviceExecutor>(gpu::devices().first());
  const DeviceOut linear = session->linear_output(resource.shape());
  if (const gl::Buffer* buffer = resource.buffer()) {
    interop::CudaGlBuffer shared(*session, *buffer);
    interop::MapScope map(shared, *session);
    map.copy_to(shared, linear);
    map.unmap();
  } else {
    interop::CudaGlTexture shared =
        resource.texture() != nullptr ? interop::CudaGlTexture(*session, *resource.texture(), interop::CudaAccess::read)
                                      : interop::CudaGlTexture(*session, *resource.volume(), interop::CudaAccess::read);
    interop::MapScope map(shared, *session);
    EXPECT_THROW((void)map.surface(shared), UsageError);
    map.copy_to(shared, linear);
    map.unmap();
  }
  HostArray data(resource.shape());
  session->download(data.view());
  return data;
}

/// One upload serves the display and the kernels: all bits of the data have to arrive.
void expect_arrives(const Shape& shape) {
  SCOPED_TRACE(to_string(shape));
  const HostArray data = random_bits(shape);
  gl::Resource resource(shape);
  resource.write(data.view());
  EXPECT_TRUE(testing::same_pixels(read_by_cuda(resource), data));
}

TEST_F(InteropTest, CudaReadsTheBitsOfTexturesInEveryFormat) {
  for (const gl::Format format : all_formats)
    for (const auto& [width, height] : {std::pair{1, 1}, {33, 17}, {640, 480}})
      expect_arrives(shape_of(format, width, height));
}

TEST_F(InteropTest, CudaReadsTheBitsOfTiles) {
  setenv("TS_TEXTURE_LIMIT", "64", 1);
  for (const gl::Format format : all_formats)
    expect_arrives(shape_of(format, 200, 130));
  unsetenv("TS_TEXTURE_LIMIT");
}

TEST_F(InteropTest, CudaReadsTheBitsOfVolumes) {
  for (const Element element : volume_elements)
    for (const auto& [width, height, depth] : volume_sizes)
      expect_arrives({Kind::volume, element, 1, width, height, depth});
}

TEST_F(InteropTest, CudaReadsTheBitsOfBuffers) {
  for (const Element element : {Element::i32, Element::f32, Element::u8})
    expect_arrives({.kind = Kind::sequence, .element = element, .width = 100'003});
}

TEST_F(InteropTest, CudaWritesTheBitsOfBuffers) {
  for (const Shape& shape :
       {Shape{.kind = Kind::sequence, .element = Element::f32, .width = 100'003},
        clip_shape(Shape::image(Element::u8, 4, 67, 33), 5), clip_shape(Shape::image(Element::u16, 1, 5, 1), 1)}) {
    SCOPED_TRACE(to_string(shape));
    const HostArray data = random_bits(shape);
    const auto session = std::make_unique<DeviceExecutor>(gpu::devices().first());
    const DeviceOut linear = session->linear_output(shape);
    gl::Resource source(shape), target(shape);
    source.write(data.view());
    interop::CudaGlBuffer from(*session, *source.buffer()), to(*session, *target.buffer());
    {
      interop::MapScope map(from, *session);
      map.copy_to(from, linear);
      map.unmap();
    }
    interop::MapScope map(to, *session);
    map.copy_from(linear, to);
    EXPECT_THROW(map.copy_from(linear, from), UsageError) << "a buffer that is not mapped";
    map.unmap();
    EXPECT_TRUE(testing::same_pixels(target.read(), data));
  }
}

}  // namespace
}  // namespace threadscape
