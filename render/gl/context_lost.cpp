#include "render/gl/context_lost.h"

#include <glad/gl.h>

namespace threadscape::gl {

void require_context() {
  const GLenum status = glGetGraphicsResetStatus();
  if (status == GL_NO_ERROR) return;
  std::string whose = "for an unknown reason";
  if (status == GL_GUILTY_CONTEXT_RESET) whose = "because of what this program has drawn";
  if (status == GL_INNOCENT_CONTEXT_RESET) whose = "because of another program";
  throw ContextLost("OpenGL: the GPU was reset " + whose + ", and the context is lost");
}

}  // namespace threadscape::gl
