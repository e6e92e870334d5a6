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
#include "compute/gpu/device.h"

namespace threadscape::interop {

// ---- which device ---------------------------------------------------------------------------------------------------

int cuda_device_of_gl() {
  std::array<int, 16> devices{};
  unsigned count = 0;
  const cudaError_t code =
      cudaGLGetDevices(&count, devices.data(), static_cast<unsigned>(devices.size()), cudaGLDeviceListAll);
  if (code != cudaSuccess) {
    (void)cudaGetLastError();  // "no device" is an answer, not an error that a later check should trip over
    return -1;
  }
  // Several devices in a linked set drive one context; ours is as good as any other of them.
  const auto* const end = devices.data() + std::min<std::size_t>(count, devices.size());
  const int ours = cuda::device_info().index;
  if (std::find(static_cast<const int*>(devices.data()), end, ours) != end) return ours;
  return count > 0 ? devices[0] : -1;
}

std::string try_interop() {
  constexpr int side = 16;
  std::array<unsigned char, side * side> written{};
  for (std::size_t i = 0; i < written.size(); ++i)
    written[i] = static_cast<unsigned char>(i * 37 + 11);
  try {
    gl::Texture texture(gl::Format::r8, side, side);
    texture.clear(0, 0, 0, 0);
    CudaGlTexture shared(texture);
    {
      MapScope map(shared, nullptr);
      cudaResourceDesc resource{};
      TS_CUDA_CHECK(cudaGetSurfaceObjectResourceDesc(&resource, map.surface(shared)));
      TS_CUDA_CHECK(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, written.data(), side, side, side,
                                        cudaMemcpyHostToDevice));
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

struct CudaGlTexture::State {
  cudaGraphicsResource_t resource = nullptr;
  cudaArray_t array = nullptr;  ///< what `surface` was made for
  cudaSurfaceObject_t surface = 0;
  std::vector<gl::Tile> tiles;  ///< The tiles of a picture; empty for a volume.
  bool tiled = false;
  CudaAccess access;

  State(const gl::Texture& texture, CudaAccess use) : tiles(texture.tiles()), tiled(texture.tiled()), access(use) {
    enrol(texture.id(), tiled ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D);
  }
  State(const gl::VolumeTexture& volume, CudaAccess use) : access(use) { enrol(volume.id(), GL_TEXTURE_3D); }
  void enrol(GLuint texture, GLenum target) {
    const unsigned flags =
        access == CudaAccess::write ? cudaGraphicsRegisterFlagsSurfaceLoadStore : cudaGraphicsRegisterFlagsReadOnly;
    TS_CUDA_CHECK(cudaGraphicsGLRegisterImage(&resource, texture, target, flags));
  }
  ~State() {
    if (surface) (void)cudaDestroySurfaceObject(surface);
    (void)cudaGraphicsUnregisterResource(resource);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Mapped now. CUDA may give another array at each map, though it rarely does.
  void refresh_surface() {
    if (tiled || access == CudaAccess::read) return;  // filled by copies, or read by them
    cudaArray_t mapped = nullptr;
    TS_CUDA_CHECK(cudaGraphicsSubResourceGetMappedArray(&mapped, resource, 0, 0));
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
CudaGlTexture::CudaGlTexture(const gl::Texture& texture, CudaAccess access)
    : state_(std::make_unique<State>(texture, access)) {}
CudaGlTexture::CudaGlTexture(const gl::VolumeTexture& volume, CudaAccess access)
    : state_(std::make_unique<State>(volume, access)) {}
CudaGlTexture::~CudaGlTexture() = default;
CudaGlTexture::CudaGlTexture(CudaGlTexture&&) noexcept = default;
CudaGlTexture& CudaGlTexture::operator=(CudaGlTexture&&) noexcept = default;

// ---- CudaGlBuffer ---------------------------------------------------------------------------------------------------

struct CudaGlBuffer::State {
  cudaGraphicsResource_t resource = nullptr;

  explicit State(const gl::Buffer& buffer) {
    TS_CUDA_CHECK(cudaGraphicsGLRegisterBuffer(&resource, buffer.id(), cudaGraphicsRegisterFlagsNone));
  }
  ~State() { (void)cudaGraphicsUnregisterResource(resource); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

CudaGlBuffer::CudaGlBuffer() = default;
CudaGlBuffer::CudaGlBuffer(const gl::Buffer& buffer) : state_(std::make_unique<State>(buffer)) {}
CudaGlBuffer::~CudaGlBuffer() = default;
CudaGlBuffer::CudaGlBuffer(CudaGlBuffer&&) noexcept = default;
CudaGlBuffer& CudaGlBuffer::operator=(CudaGlBuffer&&) noexcept = default;

namespace {

/// Queues a copy between linear memories of one shape.
void copy_linear(const DeviceIn& from, const DeviceOut& to, cudaStream_t stream) {
  if (from.shape.bytes() == 0) return;
  const auto rows = static_cast<std::size_t>(from.shape.height * from.shape.depth);
  const std::size_t row = static_cast<std::size_t>(from.shape.width) * from.shape.pixel_bytes();
  // A single row may be longer than the pitch that CUDA allows.
  TS_CUDA_CHECK(rows == 1 ? cudaMemcpyAsync(to.data, from.data, row, cudaMemcpyDeviceToDevice, stream)
                          : cudaMemcpy2DAsync(to.data, to.pitch, from.data, from.pitch, row, rows,
                                              cudaMemcpyDeviceToDevice, stream));
}

}  // namespace

// ---- MapScope -------------------------------------------------------------------------------------------------------

struct MapScope::State {
  std::vector<CudaGlTexture::State*> textures;
  std::vector<cudaGraphicsResource_t> resources;
  cudaStream_t stream = nullptr;
  bool mapped = false;

  const CudaGlTexture::State& find(const CudaGlTexture::State* texture) const {
    if (!mapped || std::find(textures.begin(), textures.end(), texture) == textures.end())
      throw UsageError("MapScope: this texture is not mapped");
    return *texture;
  }
  void map() {
    TS_CUDA_CHECK(cudaGraphicsMapResources(static_cast<int>(resources.size()), resources.data(), stream));
    mapped = true;
  }
  cudaError_t unmap() {
    if (!std::exchange(mapped, false)) return cudaSuccess;
    return cudaGraphicsUnmapResources(static_cast<int>(resources.size()), resources.data(), stream);
  }
  ~State() {
    const cudaError_t code = unmap();
    // GL would wait for ever, or show rubbish: without a good unmap there is no more CUDA in this run.
    if (code != cudaSuccess)
      cuda::retire_device(std::string("unmapping a GL object failed: ") + cudaGetErrorString(code));
  }
};

MapScope::MapScope(std::span<CudaGlTexture* const> textures, CudaStream stream) : state_(std::make_unique<State>()) {
  state_->stream = stream;
  for (CudaGlTexture* texture : textures) {
    if (texture->empty()) throw UsageError("MapScope: a texture that is not registered");
    state_->textures.push_back(texture->state_.get());
    state_->resources.push_back(texture->state_->resource);
  }
  if (state_->resources.empty()) return;
  state_->map();
  for (CudaGlTexture::State* texture : state_->textures)
    texture->refresh_surface();
}

MapScope::MapScope(CudaGlTexture& texture, CudaStream stream)
    : MapScope(std::array<CudaGlTexture*, 1>{&texture}, stream) {}

MapScope::MapScope(CudaGlBuffer& buffer, CudaStream stream) : state_(std::make_unique<State>()) {
  state_->stream = stream;
  if (buffer.empty()) throw UsageError("MapScope: a buffer that is not registered");
  state_->resources.push_back(buffer.state_->resource);
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
  const CudaGlTexture::State& mapped = state_->find(texture.state_.get());
  const std::size_t pixel = data.shape.pixel_bytes();
  for (const gl::Tile& tile : mapped.tiles) {
    cudaArray_t layer = nullptr;
    TS_CUDA_CHECK(cudaGraphicsSubResourceGetMappedArray(&layer, mapped.resource, static_cast<unsigned>(tile.layer), 0));
    const std::byte* from =
        data.data + static_cast<std::size_t>(tile.y) * data.pitch + static_cast<std::size_t>(tile.x) * pixel;
    TS_CUDA_CHECK(cudaMemcpy2DToArrayAsync(layer, 0, 0, from, data.pitch, static_cast<std::size_t>(tile.width) * pixel,
                                           static_cast<std::size_t>(tile.height), cudaMemcpyDeviceToDevice,
                                           state_->stream));
  }
}

void MapScope::copy_to(const CudaGlTexture& texture, const DeviceOut& data) const {
  const CudaGlTexture::State& mapped = state_->find(texture.state_.get());
  const Shape& shape = data.shape;
  const std::size_t pixel = shape.pixel_bytes();
  for (const gl::Tile& tile : mapped.tiles) {
    cudaArray_t layer = nullptr;
    TS_CUDA_CHECK(cudaGraphicsSubResourceGetMappedArray(&layer, mapped.resource, static_cast<unsigned>(tile.layer), 0));
    std::byte* to =
        data.data + static_cast<std::size_t>(tile.y) * data.pitch + static_cast<std::size_t>(tile.x) * pixel;
    TS_CUDA_CHECK(cudaMemcpy2DFromArrayAsync(to, data.pitch, layer, 0, 0, static_cast<std::size_t>(tile.width) * pixel,
                                             static_cast<std::size_t>(tile.height), cudaMemcpyDeviceToDevice,
                                             state_->stream));
  }
  if (!mapped.tiles.empty()) return;
  cudaMemcpy3DParms volume{};
  TS_CUDA_CHECK(cudaGraphicsSubResourceGetMappedArray(&volume.srcArray, mapped.resource, 0, 0));
  const auto width = static_cast<std::size_t>(shape.width), height = static_cast<std::size_t>(shape.height);
  volume.dstPtr = {.ptr = data.data, .pitch = data.pitch, .xsize = width * pixel, .ysize = height};
  volume.extent = {.width = width, .height = height, .depth = static_cast<std::size_t>(shape.depth)};  // in elements
  volume.kind = cudaMemcpyDeviceToDevice;
  TS_CUDA_CHECK(cudaMemcpy3DAsync(&volume, state_->stream));
}

void MapScope::copy_from(const DeviceIn& data, const CudaGlBuffer& buffer) const {
  copy_linear(data, linear(buffer, data.shape), state_->stream);
}

void MapScope::copy_to(const CudaGlBuffer& buffer, const DeviceOut& data) const {
  copy_linear(linear(buffer, data.shape), data, state_->stream);
}

DeviceOut MapScope::linear(const CudaGlBuffer& buffer, const Shape& shape) const {
  const auto& mapped = state_->resources;
  if (!state_->mapped || buffer.empty() ||
      std::find(mapped.begin(), mapped.end(), buffer.state_->resource) == mapped.end())
    throw UsageError("MapScope: a buffer that is not mapped");
  void* data = nullptr;
  std::size_t bytes = 0;
  TS_CUDA_CHECK(cudaGraphicsResourceGetMappedPointer(&data, &bytes, buffer.state_->resource));
  if (bytes < shape.bytes()) throw UsageError("MapScope: the buffer is too small for " + to_string(shape));
  return {static_cast<std::byte*>(data), shape, static_cast<std::size_t>(shape.width) * shape.pixel_bytes()};
}

void MapScope::unmap() {
  TS_CUDA_CHECK(state_->unmap());
}

}  // namespace threadscape::interop
