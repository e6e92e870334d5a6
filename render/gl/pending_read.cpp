#include "render/gl/pending_read.h"

#include <algorithm>

namespace threadscape::gl {

namespace {

/// Directs the pixels that GL reads into a buffer for its lifetime.
class PackBuffer {
 public:
  explicit PackBuffer(const Buffer& buffer) { glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer.id()); }
  ~PackBuffer() { glBindBuffer(GL_PIXEL_PACK_BUFFER, 0); }
  PackBuffer(const PackBuffer&) = delete;
  PackBuffer& operator=(const PackBuffer&) = delete;
};

}  // namespace

// GL has no empty buffers, but an empty sequence is a valid result.
template <class Copy>
PendingRead::PendingRead(const Shape& shape, Copy copy)
    : shape_(shape), memory_(BufferUse::download, std::max<std::size_t>(shape.bytes(), 1)) {
  glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  copy();
  glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  arrived_.place();
}

PendingRead::PendingRead(const Texture& texture, const Shape& shape)
    : PendingRead(shape, [&] {
        const PackBuffer bound(memory_);
        texture.copy_to(nullptr, row_bytes());
      }) {}

PendingRead::PendingRead(const VolumeTexture& volume)
    : PendingRead(volume.shape(), [&] {
        const PackBuffer bound(memory_);
        volume.copy_to(nullptr);
      }) {}

PendingRead::PendingRead(const Buffer& buffer, const Shape& shape)
    : PendingRead(shape, [&] {
        if (shape.bytes() == 0) return;
        glCopyNamedBufferSubData(buffer.id(), memory_.id(), 0, 0, static_cast<GLsizeiptr>(shape.bytes()));
      }) {}

std::optional<HostIn> PendingRead::poll() {
  if (!arrived_.passed()) return {};
  return contents();
}

HostIn PendingRead::wait() {
  arrived_.wait();
  return contents();
}

}  // namespace threadscape::gl
