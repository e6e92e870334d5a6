#include "render/gl/framebuffer.h"

#include <algorithm>
#include <atomic>
#include <glm/gtc/type_ptr.hpp>
#include <string>

#include "compute/core/errors.h"

namespace threadscape::gl {

namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

Framebuffer::Framebuffer(int width, int height, Depth depth)
    : serial_(next_serial()), colour_(Format::rgba8, width, height) {
  // The user interface draws the texture as a picture, possibly scaled.
  colour_.set_filter(Filter::linear);
  glCreateFramebuffers(1, &id_);
  glNamedFramebufferTexture(id_, GL_COLOR_ATTACHMENT0, colour_.id(), 0);
  if (depth == Depth::yes) {
    glCreateRenderbuffers(1, &depth_);
    glNamedRenderbufferStorage(depth_, GL_DEPTH_COMPONENT32F, width, height);
    glNamedFramebufferRenderbuffer(id_, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_);
  }
  if (glCheckNamedFramebufferStatus(id_, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    glDeleteFramebuffers(1, &id_);
    glDeleteRenderbuffers(1, &depth_);
    throw EnvironmentError("OpenGL: no framebuffer of " + std::to_string(width) + "x" + std::to_string(height));
  }
}

Framebuffer::~Framebuffer() {
  if (id_) glDeleteFramebuffers(1, &id_);
  if (depth_) glDeleteRenderbuffers(1, &depth_);
}

void Framebuffer::swap(Framebuffer& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(depth_, other.depth_);
  std::swap(serial_, other.serial_);
  std::swap(colour_, other.colour_);
}

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, id_);
  glViewport(0, 0, width(), height());
}

void Framebuffer::clear(const glm::vec4& colour) const {
  // A scissor box left enabled by an earlier draw would limit the clear.
  glDisable(GL_SCISSOR_TEST);
  glClearNamedFramebufferfv(id_, GL_COLOR, 0, glm::value_ptr(colour));
  if (depth_) {
    const float far = 1.0f;
    glClearNamedFramebufferfv(id_, GL_DEPTH, 0, &far);
  }
}

MultisampleTarget::MultisampleTarget(int width, int height, int samples)
    : width_(width), height_(height), samples_(samples) {
  GLint max_samples = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &max_samples);
  const GLsizei count = samples > 1 ? std::min(samples, max_samples) : 0;
  glCreateFramebuffers(1, &id_);
  glCreateRenderbuffers(1, &colour_);
  glCreateRenderbuffers(1, &depth_);
  glNamedRenderbufferStorageMultisample(colour_, count, GL_RGBA8, width, height);
  glNamedRenderbufferStorageMultisample(depth_, count, GL_DEPTH_COMPONENT32F, width, height);
  glNamedFramebufferRenderbuffer(id_, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
  glNamedFramebufferRenderbuffer(id_, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_);
  if (glCheckNamedFramebufferStatus(id_, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return;
  MultisampleTarget().swap(*this);
  throw EnvironmentError("OpenGL: no framebuffer of " + std::to_string(width) + "x" + std::to_string(height) +
                         " with depth");
}

MultisampleTarget::~MultisampleTarget() {
  if (id_) glDeleteFramebuffers(1, &id_);
  if (colour_) glDeleteRenderbuffers(1, &colour_);
  if (depth_) glDeleteRenderbuffers(1, &depth_);
}

void MultisampleTarget::swap(MultisampleTarget& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(colour_, other.colour_);
  std::swap(depth_, other.depth_);
  std::swap(width_, other.width_);
  std::swap(height_, other.height_);
  std::swap(samples_, other.samples_);
}

void MultisampleTarget::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, id_);
  glViewport(0, 0, width_, height_);
}

void MultisampleTarget::resolve(const Framebuffer& to) const {
  glBlitNamedFramebuffer(id_, to.id(), 0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void blit_to_window(const Framebuffer& from, int width, int height) {
  glDisable(GL_SCISSOR_TEST);
  // Mesa's software drivers notice a new size of the window only while its framebuffer is bound. Without that, they
  // copy into the buffer of the old size, and the picture appears shifted over old pixels.
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, width, height);
  const bool same = from.width() == width && from.height() == height;
  glBlitNamedFramebuffer(from.id(), 0, 0, 0, from.width(), from.height(), 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                         same ? GL_NEAREST : GL_LINEAR);
}

}  // namespace threadscape::gl
