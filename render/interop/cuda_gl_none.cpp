// In builds without CUDA: the same functions, which say so.

#include "compute/core/errors.h"
#include "render/interop/cuda_gl.h"

namespace threadscape::interop {

namespace {

constexpr const char* absent = "this build has no CUDA code";

}  // namespace

struct CudaGlTexture::State {};
struct CudaGlBuffer::State {};
struct MapScope::State {};

bool drives_gl(const gpu::Device&) {
  return false;
}
std::string try_interop(gpu::Device&) {
  return absent;
}

CudaGlTexture::CudaGlTexture() = default;
CudaGlTexture::CudaGlTexture(const gpu::Executor&, const gl::Texture&, CudaAccess) {
  throw BackendAbsent(absent);
}
CudaGlTexture::CudaGlTexture(const gpu::Executor&, const gl::VolumeTexture&, CudaAccess) {
  throw BackendAbsent(absent);
}
CudaGlTexture::~CudaGlTexture() = default;
CudaGlTexture::CudaGlTexture(CudaGlTexture&&) noexcept = default;
CudaGlTexture& CudaGlTexture::operator=(CudaGlTexture&&) noexcept = default;

CudaGlBuffer::CudaGlBuffer() = default;
CudaGlBuffer::CudaGlBuffer(const gpu::Executor&, const gl::Buffer&) {
  throw BackendAbsent(absent);
}
CudaGlBuffer::~CudaGlBuffer() = default;
CudaGlBuffer::CudaGlBuffer(CudaGlBuffer&&) noexcept = default;
CudaGlBuffer& CudaGlBuffer::operator=(CudaGlBuffer&&) noexcept = default;

MapScope::MapScope(std::span<CudaGlTexture* const>, const gpu::Executor&) {
  throw BackendAbsent(absent);
}
MapScope::MapScope(CudaGlTexture&, const gpu::Executor&) {
  throw BackendAbsent(absent);
}
MapScope::MapScope(CudaGlBuffer&, const gpu::Executor&) {
  throw BackendAbsent(absent);
}
MapScope::~MapScope() = default;
std::uint64_t MapScope::surface(const CudaGlTexture&) const {
  throw BackendAbsent(absent);
}
void MapScope::copy_from(const DeviceIn&, const CudaGlTexture&) const {
  throw BackendAbsent(absent);
}
void MapScope::copy_to(const CudaGlTexture&, const DeviceOut&) const {
  throw BackendAbsent(absent);
}
void MapScope::copy_from(const DeviceIn&, const CudaGlBuffer&) const {
  throw BackendAbsent(absent);
}
void MapScope::copy_to(const CudaGlBuffer&, const DeviceOut&) const {
  throw BackendAbsent(absent);
}
DeviceOut MapScope::linear(const CudaGlBuffer&, const Shape&) const {
  throw BackendAbsent(absent);
}
void MapScope::unmap() {}

}  // namespace threadscape::interop
