#include "render/gl/timer.h"

namespace threadscape::gl {

GpuTimer::GpuTimer() {
  glCreateQueries(GL_TIMESTAMP, static_cast<GLsizei>(queries_.size()), queries_.data());
}

GpuTimer::~GpuTimer() {
  glDeleteQueries(static_cast<GLsizei>(queries_.size()), queries_.data());
}

bool GpuTimer::begin() {
  open_ = pending_ < pairs;
  if (open_) glQueryCounter(queries_[2 * ((first_ + pending_) % pairs)], GL_TIMESTAMP);
  return open_;
}

void GpuTimer::end() {
  if (!open_) return;
  open_ = false;
  glQueryCounter(queries_[2 * ((first_ + pending_) % pairs) + 1], GL_TIMESTAMP);
  ++pending_;
}

std::optional<double> GpuTimer::poll_ms() {
  if (pending_ == 0) return {};
  const GLuint start = queries_[2 * first_], stop = queries_[2 * first_ + 1];
  GLint ready = GL_FALSE;
  glGetQueryObjectiv(stop, GL_QUERY_RESULT_AVAILABLE, &ready);
  if (!ready) return {};
  GLuint64 from = 0, to = 0;
  glGetQueryObjectui64v(start, GL_QUERY_RESULT, &from);
  glGetQueryObjectui64v(stop, GL_QUERY_RESULT, &to);
  first_ = (first_ + 1) % pairs;
  --pending_;
  return to > from ? static_cast<double>(to - from) * 1e-6 : 0.0;
}

}  // namespace threadscape::gl
