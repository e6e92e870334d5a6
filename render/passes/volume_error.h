#pragma once
// The errors of a volume against the ground truth, for a reconstruction and its phantom. They are summed on the GPU
// from the displayed textures, so that no voxels have to be read back.

#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <vector>

#include "render/gl/buffer.h"
#include "render/gl/program.h"
#include "render/gl/volume_texture.h"

namespace threadscape::render {

/// The error over the voxels of a box that are finite numbers; in an unfinished volume some are NaN.
struct VolumeError {
  double voxels = 0.0;         ///< Number of finite voxels.
  double squares = 0.0;        ///< Sum of squared differences.
  double truth_squares = 0.0;  ///< Sum of squared voxels of the truth.
  double largest = 0.0;        ///< Maximum absolute difference.
  [[nodiscard]] double rmse() const;
  /// Norm of the difference divided by the norm of the truth: 0 for equal volumes, 1 for a volume of zeros.
  [[nodiscard]] double relative() const;
};

/// A box of voxels of a texture.
struct VolumeBox {
  glm::ivec3 low{0}, size{1};
};

/// Computes errors on the GPU.
class VolumeErrorPass {
 public:
  static constexpr std::size_t max_boxes = 4;

  /// The library must outlive the pass.
  explicit VolumeErrorPass(const gl::ShaderLibrary& library) : program_(library, "volume_errors.comp") {}

  /// Queues the work for up to max_boxes boxes of two volumes of the same size. Pending work is abandoned.
  void begin(const gl::VolumeTexture& volume, const gl::VolumeTexture& truth, std::span<const VolumeBox> boxes);
  /// Returns whether work is queued that poll() has not returned.
  [[nodiscard]] bool awaited() const { return !asked_.empty(); }
  /// Returns the errors of all boxes once they are available, and nothing before and afterwards.
  [[nodiscard]] std::optional<std::vector<VolumeError>> poll();

 private:
  gl::Program program_;
  gl::Buffer sums_, arriving_;
  gl::Fence fence_;
  std::vector<int> asked_;  ///< Number of partial sums of each box; empty if nothing is pending.
};

}  // namespace threadscape::render
