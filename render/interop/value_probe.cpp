#include "render/interop/value_probe.h"

#include <cstring>

namespace threadscape::interop {

bool ValueProbe::request(const gl::Buffer& buffer, std::size_t first, std::size_t bytes) {
  if (bytes > max_bytes || first > buffer.size() || bytes > buffer.size() - first) return false;
  glCopyNamedBufferSubData(buffer.id(), copy_.id(), static_cast<GLintptr>(first), 0, static_cast<GLsizeiptr>(bytes));
  glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  fence_.place();
  pending_ = true;
  return true;
}

std::optional<ValueProbe::Bytes> ValueProbe::poll() {
  if (!pending_ || !fence_.passed()) return {};
  pending_ = false;
  Bytes bytes{};
  std::memcpy(bytes.data(), copy_.data(), max_bytes);
  return bytes;
}

}  // namespace threadscape::interop
