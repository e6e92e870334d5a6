#pragma once
// What values a volume has: as a whole, for window and level, and brick by brick, so that a ray can leap over what is
// empty. Found on the GPU.

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>

#include "render/gl/buffer.h"
#include "render/gl/program.h"
#include "render/gl/volume_texture.h"

namespace threadscape::render {

/// Of one volume; made by VolumeRangePass.
class VolumeRange {
 public:
  /// Least and largest finite value of the last begin() that has arrived, a frame or two later. None when there is
  /// none, or none has arrived yet.
  [[nodiscard]] const std::optional<glm::vec2>& range();
  [[nodiscard]] bool awaited() const { return awaited_; }
  /// Waits for it.
  void wait();
  /// Pairs of least and largest value for bricks of 8 x 8 x 8 voxels with their surroundings, x fastest, right for
  /// everything that is queued after begin(); least > largest where nothing is finite.
  [[nodiscard]] const gl::Buffer& bricks() const { return spans_; }
  [[nodiscard]] glm::ivec3 brick_count() const { return bricks_; }

 private:
  friend class VolumeRangePass;
  glm::ivec3 size_{0}, bricks_{0};
  gl::Buffer spans_;  ///< all levels, the bricks first
  gl::Buffer arriving_;
  gl::Fence fence_;
  bool awaited_ = false;
  std::optional<glm::vec2> range_;
};

class VolumeRangePass {
 public:
  static constexpr int brick_side = 8;  // as in shaders/volume_bricks.comp and volume_march.glsl

  /// The library must outlive the pass.
  explicit VolumeRangePass(const gl::ShaderLibrary& library) : program_(library, "volume_bricks.comp") {}

  /// Queues the work for a volume as it is now.
  void begin(VolumeRange& range, const gl::VolumeTexture& volume) { begin(range, volume, 0, volume.size().z); }
  /// The same where only slices [first, first + count) have changed since.
  void begin(VolumeRange& range, const gl::VolumeTexture& volume, int first, int count);

 private:
  gl::Program program_;
};

}  // namespace threadscape::render
