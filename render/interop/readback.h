#pragma once

#include <optional>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "render/gl/buffer.h"
#include "render/gl/texture.h"
#include "render/gl/volume_texture.h"

namespace threadscape::interop {

/// A small rectangle of a texture with its exact values: integers 0..255 or 0..65535, floats as they are.
struct ProbeResult {
  int x = 0, y = 0;           ///< Top left pixel of the rectangle.
  int width = 0, height = 0;  ///< Part of the requested rectangle inside the texture.
  gl::Format format = gl::Format::rgba8;
  std::vector<double> values;  ///< Ordered by row, pixel, channel.

  [[nodiscard]] int channels() const { return gl::info_of(format).channels; }
  /// The value of a channel of the pixel (column, row), counted from the corner of the rectangle.
  [[nodiscard]] double value(int column, int row, int channel) const {
    return values[(static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column)) *
                      static_cast<std::size_t>(channels()) +
                  static_cast<std::size_t>(channel)];
  }
};

/// Reads pixels without stalling the frame: the copy is queued, and the values are there a frame or two later. Works on
/// every route, since it reads the displayed texture.
class PixelProbe {
 public:
  /// Largest rectangle of a probe for which nothing else is stated, in pixels per side.
  static constexpr int default_side = 16;

  /// A probe that reads rectangles of at most `max_side` pixels per side.
  explicit PixelProbe(int max_side = default_side);

  /// Queues the read. A request that is not answered yet is dropped. Returns false, and does nothing, when the
  /// rectangle is outside of the texture. Throws UsageError when a side is not in 1..max_side of the constructor.
  bool request(const gl::Texture& texture, int x, int y, int width = 1, int height = 1);
  /// Queues the read of one voxel. Returns false, and does nothing, when it is outside of the volume.
  bool request(const gl::VolumeTexture& volume, int x, int y, int z);
  [[nodiscard]] bool pending() const { return pending_; }
  /// The values, once, when they have arrived.
  [[nodiscard]] std::optional<ProbeResult> poll();

 private:
  void begin();
  /// Queues the read of a rectangle into the buffer, from pixel `first_pixel` of the answer on.
  void read(GLuint texture, glm::ivec3 corner, glm::ivec2 size, int first_pixel);
  void finish();

  int max_side_;
  gl::Buffer buffer_;
  gl::Fence fence_;
  ProbeResult asked_;
  bool pending_ = false;
};

}  // namespace threadscape::interop
