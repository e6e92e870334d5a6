#include "render/gl/buffer.h"

#include <string>

#include "compute/core/errors.h"

namespace threadscape::gl {

Buffer::Buffer(BufferUse use, std::size_t bytes, const void* data) : size_(bytes) {
  // Client storage keeps the memory cached by the CPU, since algorithms read what they wrote (borders, in-place
  // passes).
  constexpr GLbitfield persistent = GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT | GL_MAP_READ_BIT;
  constexpr GLbitfield mapping[] = {0, persistent | GL_MAP_WRITE_BIT, persistent};
  constexpr GLbitfield storage[] = {0, GL_CLIENT_STORAGE_BIT, GL_CLIENT_STORAGE_BIT};
  const auto i = static_cast<std::size_t>(use);

  while (glGetError() != GL_NO_ERROR) {
  }
  glCreateBuffers(1, &id_);
  glNamedBufferStorage(id_, static_cast<GLsizeiptr>(bytes), data, mapping[i] | storage[i]);
  bool good = glGetError() == GL_NO_ERROR;
  if (good && mapping[i] != 0) {
    data_ = static_cast<std::byte*>(glMapNamedBufferRange(id_, 0, static_cast<GLsizeiptr>(bytes), mapping[i]));
    good = data_ != nullptr;
  }
  if (!good) {
    glDeleteBuffers(1, &id_);
    throw EnvironmentError("OpenGL: no memory for a buffer of " + std::to_string(bytes) + " bytes");
  }
}

Buffer::~Buffer() {
  if (id_) glDeleteBuffers(1, &id_);
}

Fence::~Fence() {
  if (sync_) glDeleteSync(sync_);
}

void Fence::place() {
  if (sync_) glDeleteSync(sync_);
  sync_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

bool Fence::passed() {
  if (!sync_) return true;
  // The flush submits the fence itself to the GPU; without it polling could go on for ever.
  const GLenum state = glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  if (state != GL_ALREADY_SIGNALED && state != GL_CONDITION_SATISFIED) return false;
  glDeleteSync(sync_);
  sync_ = nullptr;
  return true;
}

void Fence::wait() {
  if (passed()) return;
  constexpr GLuint64 ten_seconds = 10'000'000'000;
  const GLenum state = glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, ten_seconds);
  if (state == GL_TIMEOUT_EXPIRED || state == GL_WAIT_FAILED)
    throw EnvironmentError("OpenGL: the GPU did not finish its work within 10 seconds");
  glDeleteSync(sync_);
  sync_ = nullptr;
}

}  // namespace threadscape::gl
