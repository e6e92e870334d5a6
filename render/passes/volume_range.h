#pragma once
// The range of values of a volume, computed on the GPU: of the whole volume, for window and level, and of each brick,
// so that rays can skip empty bricks.

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>

#include "render/gl/buffer.h"
#include "render/gl/program.h"
#include "render/gl/volume_texture.h"

namespace threadscape::render {

/// The range of values of one volume, computed by VolumeRangePass.
class VolumeRange {
 public:
  /// Minimum and maximum finite value, as of the last begin() whose result is available, usually a frame or two later.
  /// Empty if no value is finite or no result is available.
  [[nodiscard]] const std::optional<glm::vec2>& range();
  /// Returns whether a result is pending.
  [[nodiscard]] bool awaited() const { return awaited_; }
  /// Waits for the pending result.
  void wait();
  /// Pairs of minimum and maximum value of bricks of 8 x 8 x 8 voxels and the voxels around them, x fastest, valid for
  /// all GL commands after begin(). The minimum is above the maximum if no value is finite.
  [[nodiscard]] const gl::Buffer& bricks() const { return spans_; }
  [[nodiscard]] glm::ivec3 brick_count() const { return bricks_; }

 private:
  friend class VolumeRangePass;
  glm::ivec3 size_{0}, bricks_{0};
  gl::Buffer spans_;  ///< The ranges of all levels of the reduction, the bricks first.
  gl::Buffer arriving_;
  gl::Fence fence_;
  bool awaited_ = false;
  std::optional<glm::vec2> range_;
};

/// Computes the ranges of volumes.
class VolumeRangePass {
 public:
  static constexpr int brick_side = 8;  // as in shaders/volume_bricks.comp and volume_march.glsl

  /// The library must outlive the pass.
  explicit VolumeRangePass(const gl::ShaderLibrary& library) : program_(library, "volume_bricks.comp") {}

  /// Queues the work for the current contents of a volume.
  void begin(VolumeRange& range, const gl::VolumeTexture& volume) { begin(range, volume, 0, volume.size().z); }
  /// Queues the work for a volume of which only the slices [first, first + count) have changed since the last begin().
  void begin(VolumeRange& range, const gl::VolumeTexture& volume, int first, int count);

 private:
  gl::Program program_;
};

}  // namespace threadscape::render
