#pragma once
// The loss of the OpenGL context: the GPU was reset, after a hang for example, and every object of OpenGL is gone.

#include <string>

#include "compute/core/errors.h"

namespace threadscape::gl {

/// Nothing can be drawn any more by this context. Objects of OpenGL may still be destroyed.
class ContextLost : public EnvironmentError {
 public:
  using EnvironmentError::EnvironmentError;
};

/// Throws ContextLost if the current context was lost. Windows ask for contexts that report it; drivers may not.
void require_context();

}  // namespace threadscape::gl
