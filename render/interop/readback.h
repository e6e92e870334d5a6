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
  int x = 0, y = 0;           ///< top left pixel
  int width = 0, height = 0;  ///< what of the asked rectangle lies inside the texture
  gl::Format format = gl::Format::rgba8;
  std::vector<double> values;  ///< by row, pixel, channel

  [[nodiscard]] int channels() const { return gl::info_of(format).channels; }
  /// Of the pixel (column, row) inside the rectangle.
  [[nodiscard]] double value(int column, int row, int channel) const {
    return values[(static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column)) *
                      static_cast<std::size_t>(channels()) +
                  static_cast<std::size_t>(channel)];
  }
};

/// Reads pixels without stopping the frame: the copy is queued, the values come a frame or two later. Works on every
/// route, since it reads what is shown.
class PixelProbe {
 public:
  /// Largest rectangle, in pixels per side.
  static constexpr int max_side = 16;

  PixelProbe();

  /// Queues the read. A request that is still under way is dropped. Returns false, and does nothing, when the rectangle
  /// is outside of the texture. Throws UsageError when a side is not in 1..max_side.
  bool request(const gl::Texture& texture, int x, int y, int width = 1, int height = 1);
  /// The same for a voxel of a volume.
  bool request(const gl::VolumeTexture& volume, int x, int y, int z);
  [[nodiscard]] bool pending() const { return pending_; }
  /// The values, once, when they have arrived.
  [[nodiscard]] std::optional<ProbeResult> poll();

 private:
  void begin();
  /// Into the answer, from its pixel `first_pixel` on.
  void read(GLuint texture, glm::ivec3 corner, glm::ivec2 size, int first_pixel);
  void finish();

  gl::Buffer buffer_;
  gl::Fence fence_;
  ProbeResult asked_;
  bool pending_ = false;
};

}  // namespace threadscape::interop
