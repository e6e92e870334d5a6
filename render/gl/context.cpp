#include "render/gl/context.h"

#include <utility>

#include "compute/core/errors.h"
#include "render/gl/context_lost.h"
#include "render/gl/renderer.h"

namespace threadscape::gl {

namespace {

std::string text_of(GLenum name) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text ? text : "unknown";
}

std::string_view name_of_error(GLenum error) {
  switch (error) {
    case GL_INVALID_ENUM:
      return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
      return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
      return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
      return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY:
      return "GL_OUT_OF_MEMORY";
    case GL_CONTEXT_LOST:
      return "GL_CONTEXT_LOST";
    default:
      return "an unknown error";
  }
}

}  // namespace

void Context::load_gl(GLADloadfunc load) {
  const int version = gladLoadGL(load);
  if (version == 0) throw EnvironmentError("OpenGL: no functions could be loaded from the driver");
  vendor_ = text_of(GL_VENDOR);
  renderer_ = text_of(GL_RENDERER);
  version_ = text_of(GL_VERSION);
  if (version < GLAD_MAKE_VERSION(4, 5))
    throw EnvironmentError("OpenGL 4.5 is needed, " + renderer_ + " has " + version_);
  software_ = is_software(renderer_);
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &max_texture_size_);
  glDisable(GL_DITHER);  // on by default, and allowed to change the values that are drawn

  // Messages are synchronous, so that a breakpoint or a stack trace shows the call that caused them.
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DEBUG_SEVERITY_NOTIFICATION, 0, nullptr, GL_FALSE);
  glDebugMessageCallback(&Context::on_message, this);
  for (GLenum code = glGetError(); code != GL_NO_ERROR && code != GL_CONTEXT_LOST;)
    code = glGetError();
  first_error_.clear();
}

void Context::on_message(GLenum source, GLenum type, GLuint, GLenum severity, GLsizei length, const GLchar* text,
                         const void* self) {
  auto& context = *static_cast<Context*>(const_cast<void*>(self));
  const std::string_view words(text, length < 0 ? std::string_view(text).size() : static_cast<std::size_t>(length));
  Severity level = Severity::info;
  // Messages of the shader compiler are reported by Program, and are no failure while a shader is being edited.
  if (type == GL_DEBUG_TYPE_ERROR && source != GL_DEBUG_SOURCE_SHADER_COMPILER)
    level = Severity::error;
  else if (severity == GL_DEBUG_SEVERITY_HIGH || severity == GL_DEBUG_SEVERITY_MEDIUM)
    level = Severity::warning;
  if (level == Severity::error && context.first_error_.empty()) context.first_error_ = words;
  if (context.sink_) context.sink_(level, words);
}

void Context::check(std::string_view what) {
  // Drivers may send no messages in a context without debug support, so the error flag of GL is read as well.
  std::string error;
  for (GLenum code = glGetError(); code != GL_NO_ERROR; code = glGetError()) {
    if (error.empty()) error = name_of_error(code);
    // A lost context reports its loss without end.
    if (code == GL_CONTEXT_LOST) throw ContextLost("OpenGL: " + std::string(what) + ": the context is lost");
  }
  if (!first_error_.empty()) error = std::exchange(first_error_, {});
  if (!error.empty()) throw EnvironmentError("OpenGL: " + std::string(what) + ": " + error);
}

}  // namespace threadscape::gl
