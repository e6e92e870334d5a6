#pragma once
// The picture that stands for data of any kind where pictures are drawn.

#include <cstdint>

#include "compute/core/clip.h"
#include "render/gl/resource.h"

namespace threadscape::gl {

/// Makes the newest frame of a clip a texture, because clips are held in a buffer, which algorithms take. Everything
/// else that is held as a texture is its own picture. Needs the GL context. Move-only.
class ClipPicture {
 public:
  /// The texture that shows the data: that of the resource, or for a clip a copy of its newest frame, which lives until
  /// the next call. `version` is another number whenever the data may have changed. Null if there are no data, or if
  /// they are no pictures. Throws EnvironmentError if GL cannot create the texture.
  [[nodiscard]] const Texture* of(const Resource* data, std::uint64_t version);

 private:
  Texture newest_;
  std::uint64_t version_ = 0;
  GLuint from_ = 0;  ///< The buffer that newest_ was copied from.
};

}  // namespace threadscape::gl
