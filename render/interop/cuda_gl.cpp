#include "render/interop/cuda_gl.h"

#include <glad/gl.h>
// cuda_gl_interop.h wants GL's types from <GL/gl.h>; glad has declared them.
#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/gpu/check.h"

namespace threadscape::interop {

// ---- which device ---------------------------------------------------------------------------------------------------

bool drives_gl(const gpu::Device& device) {
  if (!device.runs_kernels()) return false;
  std::array<int, 16> devices{};
  unsigned count = 0;
  const cudaError_t code =
      cudaGLGetDevices(&count, devices.data(), static_cast<unsigned>(devices.size()), cudaGLDeviceListAll);
  if (code != cudaSuccess) {
    (void)cudaGetLastError();  // "no device" is an answer, not an error that a later check should trip over
    return false;
  }
  const auto* const end = devices.data() + std::min<std::size_t>(count, devices.size());
  return std::find(static_cast<const int*>(devices.data()), end, device.info().ordinal) != end;
}

std::string try_interop(gpu::Device& device) {
  constexpr int side = 16;
  std::array<unsigned char, side * side> written{};
  for (std::size_t i = 0; i < written.size(); ++i)
    written[i] = static_cast<unsigned char>(i * 37 + 11);
  try {
    const gpu::Executor executor(device);
    gl::Texture texture(gl::Format::r8, side, side);
    texture.clear(0, 0, 0, 0);
    CudaGlTexture shared(executor, texture);
    {
      MapScope map(shared, executor);
      cudaResourceDesc resource{};
      TS_CUDA_CHECK(cudaGetSurfaceObjectResourceDesc(&resource, map.surface(shared)));
      TS_CUDA_CHECK(cudaMemcpy2DToArrayAsync(resource.res.array.array, 0, 0, written.data(), side, side, side,
                                             cudaMemcpyHostToDevice, executor.stream()));
      map.unmap();
    }
    const HostArray read = texture.read();
    const auto pixels = read.image<std::uint8_t>();
    for (int y = 0; y < side; ++y)
      if (!std::equal(pixels.row(y), pixels.row(y) + side, written.begin() + y * side))
        return "a texture that CUDA wrote reads back wrong";
  } catch (const Error& error) {
    (void)cudaGetLastError();
    return error.what();
  }
  return "";
}

// ---- CudaGlTexture --------------------------------------------------------------------------------------------------

namespace {

/// A resource of CUDA that stands for memory of GL, on the device of an executor.
class Registration {
 public:
  /// `enrol` registers the memory in its argument.
  template <class Enrol>
  Registration(const gpu::Executor& executor, const Enrol& enrol) : device_(executor.device()) {
    if (!device_.runs_kernels()) throw BackendAbsent(device_.info().name + " shares no memory with OpenGL");
    executor.guarded([&] { enrol(resource_); });
    device_.begin_use();
  }
  ~Registration() {
    (void)cudaGraphicsUnregisterResource(resource_);
    (void)device_.end_use();
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  [[nodiscard]] cudaGraphicsResource_t get() const { return resource_; }

 private:
  gpu::Device& device_;
  cudaGraphicsResource_t resource_ = nullptr;
};

}  // namespace

struct CudaGlTexture::State {
  Registration resource;
  cudaArray_t array = nullptr;  ///< what `surface` was made for
  cudaSurfaceObject_t surface = 0;
  std::vector<gl::Tile> tiles;  ///< The tiles of a picture; empty for a volume.
  bool tiled = false;
  CudaAccess access;

  State(const gpu::Executor& executor, const gl::Texture& texture, CudaAccess use)
      : State(executor, texture.id(), texture.tiled() ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D, use) {
    tiles = texture.tiles();
    tiled = texture.tiled();
  }
  State(const gpu::Executor& executor, const gl::VolumeTexture& volume, CudaAccess use)
      : State(executor, volume.id(), GL_TEXTURE_3D, use) {}
  State(const gpu::Executor& executor, GLuint texture, GLenum target, CudaAccess use)
      : resource(executor,
                 [&](cudaGraphicsResource_t& made) {
                   TS_CUDA_CHECK(cudaGraphicsGLRegisterImage(&made, texture, target,
                                                             use == CudaAccess::write
                                                                 ? cudaGraphicsRegisterFlagsSurfaceLoadStore
                                                                 : cudaGraphicsRegisterFlagsReadOnly));
                 }),
        access(use) {}
  ~State() {
    if (surface) (void)cudaDestroySurfaceObject(surface);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Mapped now. CUDA may give another array at each map, though it rarely does.
  void refresh_surface() {
    if (tiled || access == CudaAccess::read) return;  // filled by copies, or read by them
    cudaArray_t mapped = nullptr;
    TS_CUDA_CHECK(cudaGraphicsSubResourceGetMappedArray(&mapped, resource.get(), 0, 0));
    if (surface && mapped == array) return;
    if (surface) TS_CUDA_CHECK(cudaDestroySurfaceObject(std::exchange(surface, 0)));
    cudaResourceDesc description{};
    description.resType = cudaResourceTypeArray;
    description.res.array.array = mapped;
    TS_CUDA_CHECK(cudaCreateSurfaceObject(&surface, &description));
    array = mapped;
  }
};

CudaGlTexture::CudaGlTexture() = default;
CudaGlTexture::CudaGlTexture(const gpu::Executor& executor, const gl::Texture& texture, CudaAccess access)
    : state_(std::make_unique<State>(executor, texture, access)) {}
CudaGlTexture::CudaGlTexture(const gpu::Executor& executor, const gl::VolumeTexture& volume, CudaAccess access)
    : state_(std::make_unique<State>(executor, volume, access)) {}
CudaGlTexture::~CudaGlTexture() = default;
CudaGlTexture::CudaGlTexture(CudaGlTexture&&) noexcept = default;
CudaGlTexture& CudaGlTexture::operator=(CudaGlTexture&&) noexcept = default;

// ---- CudaGlBuffer ---------------------------------------------------------------------------------------------------

struct CudaGlBuffer::State {
  Registration resource;

  State(const gpu::Executor& executor, const gl::Buffer& buffer)
      : resource(executor, [&](cudaGraphicsResource_t& made) {
          TS_CUDA_CHECK(cudaGraphicsGLRegisterBuffer(&made, buffer.id(), cudaGraphicsRegisterFlagsNone));
        }) {}
};

CudaGlBuffer::CudaGlBuffer() = default;
CudaGlBuffer::CudaGlBuffer(const gpu::Executor& executor, const gl::Buffer& buffer)
    : state_(std::make_unique<State>(executor, buffer)) {}
CudaGlBuffer::~CudaGlBuffer() = default;
CudaGlBuffer::CudaGlBuffer(CudaGlBuffer&&) noexcept = default;
CudaGlBuffer& CudaGlBuffer::operator=(CudaGlBuffer&&) noexcept = default;

namespace {

/// Queues a copy between linear memories of one shape.
void copy_linear(const DeviceIn& from, const DeviceOut& to, const gpu::Executor& executor) {
  if (from.shape.bytes() == 0) return;
  const gpu::CopyRows rows{.from = from.data,
                           .from_pitch = from.pitch,
                           .to = to.data,
                           .to_pitch = to.pitch,
                           .row_bytes = static_cast<std::size_t>(from.shape.width) * from.shape.pixel_bytes(),
                           .rows = static_cast<std::size_t>(from.shape.height * from.shape.depth)};
  executor.guarded([&] { executor.device().copy(rows, gpu::CopyKind::within_device, executor.stream()); });
}

}  // namespace

// ---- MapScope -------------------------------------------------------------------------------------------------------

struct MapScope::State {
  std::vector<CudaGlTexture::State*> textures;
  std::vector<cudaGraphicsResource_t> resources;
  const gpu::Executor& executor;
  CudaStream stream;
  bool mapped = false;

  explicit State(const gpu::Executor& of) : executor(of), stream(of.stream()) {}

  const CudaGlTexture::State& find(const CudaGlTexture::State* texture) const {
    if (!mapped || std::find(textures.begin(), textures.end(), texture) == textures.end())
      throw UsageError("MapScope: this texture is not mapped");
    return *texture;
  }
  void map() {
    executor.guarded([&] {
      TS_CUDA_CHECK(cudaGraphicsMapResources(static_cast<int>(resources.size()), resources.data(), stream));
      mapped = true;
      for (CudaGlTexture::State* texture : textures)
        texture->refresh_surface();
    });
  }
  cudaError_t unmap() {
    if (!std::exchange(mapped, false)) return cudaSuccess;
    return cudaGraphicsUnmapResources(static_cast<int>(resources.size()), resources.data(), stream);
  }
  ~State() {
    const cudaError_t code = unmap();
    // GL would wait for ever, or show rubbish, so nothing more is done on the device.
    if (code != cudaSuccess) executor.fail(std::string("unmapping a GL object failed: ") + cudaGetErrorString(code));
  }
};

MapScope::MapScope(std::span<CudaGlTexture* const> textures, const gpu::Executor& executor)
    : state_(std::make_unique<State>(executor)) {
  for (CudaGlTexture* texture : textures) {
    if (texture->empty()) throw UsageError("MapScope: a texture that is not registered");
    state_->textures.push_back(texture->state_.get());
    state_->resources.push_back(texture->state_->resource.get());
  }
  if (!state_->resources.empty()) state_->map();
}

MapScope::MapScope(CudaGlTexture& texture, const gpu::Executor& executor)
    : MapScope(std::array<CudaGlTexture*, 1>{&texture}, executor) {}

MapScope::MapScope(CudaGlBuffer& buffer, const gpu::Executor& executor) : state_(std::make_unique<State>(executor)) {
  if (buffer.empty()) throw UsageError("MapScope: a buffer that is not registered");
  state_->resources.push_back(buffer.state_->resource.get());
  state_->map();
}

MapScope::~MapScope() = default;

std::uint64_t MapScope::surface(const CudaGlTexture& texture) const {
  const CudaGlTexture::State& mapped = state_->find(texture.state_.get());
  if (mapped.tiled) throw UsageError("MapScope: a tiled texture has no surface for all of it");
  if (mapped.access == CudaAccess::read) throw UsageError("MapScope: a texture that is only read has no surface");
  return mapped.surface;
}

void MapScope::copy_from(const DeviceIn& data, const CudaGlTexture& texture) const {
  state_->executor.guarded([&] {
    const CudaGlTexture::State& mapped = state_->find(texture.state_.get());
    const std::size_t pixel = data.shape.pixel_bytes();
    for (const gl::Tile& tile : mapped.tiles) {
      cudaArray_t layer = nullptr;
      TS_CUDA_CHECK(
          cudaGraphicsSubResourceGetMappedArray(&layer, mapped.resource.get(), static_cast<unsigned>(tile.layer), 0));
      const std::byte* from =
          data.data + static_cast<std::size_t>(tile.y) * data.pitch + static_cast<std::size_t>(tile.x) * pixel;
      TS_CUDA_CHECK(
          cudaMemcpy2DToArrayAsync(layer, 0, 0, from, data.pitch, static_cast<std::size_t>(tile.width) * pixel,
                                   static_cast<std::size_t>(tile.height), cudaMemcpyDeviceToDevice, state_->stream));
    }
  });
}

void MapScope::copy_to(const CudaGlTexture& texture, const DeviceOut& data) const {
  state_->executor.guarded([&] {
    const CudaGlTexture::State& mapped = state_->find(texture.state_.get());
    const Shape& shape = data.shape;
    const std::size_t pixel = shape.pixel_bytes();
    for (const gl::Tile& tile : mapped.tiles) {
      cudaArray_t layer = nullptr;
      TS_CUDA_CHECK(
          cudaGraphicsSubResourceGetMappedArray(&layer, mapped.resource.get(), static_cast<unsigned>(tile.layer), 0));
      std::byte* to =
          data.data + static_cast<std::size_t>(tile.y) * data.pitch + static_cast<std::size_t>(tile.x) * pixel;
      TS_CUDA_CHECK(
          cudaMemcpy2DFromArrayAsync(to, data.pitch, layer, 0, 0, static_cast<std::size_t>(tile.width) * pixel,
                                     static_cast<std::size_t>(tile.height), cudaMemcpyDeviceToDevice, state_->stream));
    }
    if (!mapped.tiles.empty()) return;
    cudaMemcpy3DParms volume{};
    TS_CUDA_CHECK(cudaGraphicsSubResourceGetMappedArray(&volume.srcArray, mapped.resource.get(), 0, 0));
    const auto width = static_cast<std::size_t>(shape.width), height = static_cast<std::size_t>(shape.height);
    volume.dstPtr = {.ptr = data.data, .pitch = data.pitch, .xsize = width * pixel, .ysize = height};
    volume.extent = {.width = width, .height = height, .depth = static_cast<std::size_t>(shape.depth)};  // in elements
    volume.kind = cudaMemcpyDeviceToDevice;
    TS_CUDA_CHECK(cudaMemcpy3DAsync(&volume, state_->stream));
  });
}

void MapScope::copy_from(const DeviceIn& data, const CudaGlBuffer& buffer) const {
  copy_linear(data, linear(buffer, data.shape), state_->executor);
}

void MapScope::copy_to(const CudaGlBuffer& buffer, const DeviceOut& data) const {
  copy_linear(linear(buffer, data.shape), data, state_->executor);
}

DeviceOut MapScope::linear(const CudaGlBuffer& buffer, const Shape& shape) const {
  const auto& mapped = state_->resources;
  if (!state_->mapped || buffer.empty() ||
      std::find(mapped.begin(), mapped.end(), buffer.state_->resource.get()) == mapped.end())
    throw UsageError("MapScope: a buffer that is not mapped");
  void* data = nullptr;
  std::size_t bytes = 0;
  state_->executor.guarded(
      [&] { TS_CUDA_CHECK(cudaGraphicsResourceGetMappedPointer(&data, &bytes, buffer.state_->resource.get())); });
  if (bytes < shape.bytes()) throw UsageError("MapScope: the buffer is too small for " + to_string(shape));
  return {static_cast<std::byte*>(data), shape, static_cast<std::size_t>(shape.width) * shape.pixel_bytes()};
}

void MapScope::unmap() {
  state_->executor.guarded([&] { TS_CUDA_CHECK(state_->unmap()); });
}

}  // namespace threadscape::interop
