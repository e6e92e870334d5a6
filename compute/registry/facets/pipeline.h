#pragma once
// The pictures of the stages of the graphics pipeline. An algorithm with this facet draws a mesh by Rasterize::Params.

#include <cstdint>

#include "compute/core/params.h"

namespace threadscape {

/// What is drawn of a mesh: everything, the depth of what is visible, the number of fragments on each pixel, or a term
/// of the lighting alone.
enum class PipelinePicture : std::uint8_t {
  all,
  depth,
  overdraw,
  emission,
  ambient,
  diffuse,
  specular,
  refraction,
  reflection
};

struct PipelineFacet {
  /// Parameters with which the algorithm draws this picture of the same view, so every backend can make it.
  ParamBox (*picture)(const ParamBox&, PipelinePicture);
};

}  // namespace threadscape
