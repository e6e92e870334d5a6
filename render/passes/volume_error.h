#pragma once
// How far a volume is from what it should be: the figures of a reconstruction beside its phantom. Added up on the GPU
// from the textures that are on show, so that no voxel has to come back for it.

#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <vector>

#include "render/gl/buffer.h"
#include "render/gl/program.h"
#include "render/gl/volume_texture.h"

namespace threadscape::render {

/// Of the voxels of a box that are finite numbers: those of an unfinished volume are not all.
struct VolumeError {
  double voxels = 0.0, squares = 0.0, truth_squares = 0.0;  ///< sums over the voxels
  double largest = 0.0;                                     ///< of the differences without their signs
  [[nodiscard]] double rmse() const;
  /// Root of the squares over that of the truth's squares: 0 is equal, 1 as far off as nothing at all.
  [[nodiscard]] double relative() const;
};

/// Voxels of a texture.
struct VolumeBox {
  glm::ivec3 low{0}, size{1};
};

class VolumeErrorPass {
 public:
  static constexpr std::size_t most_boxes = 4;

  /// The library must outlive the pass.
  explicit VolumeErrorPass(const gl::ShaderLibrary& library) : program_(library, "volume_errors.comp") {}

  /// Queues the work for some boxes, most_boxes at most, of two volumes of one size. One that is under way is dropped.
  void begin(const gl::VolumeTexture& volume, const gl::VolumeTexture& truth, std::span<const VolumeBox> boxes);
  [[nodiscard]] bool awaited() const { return !asked_.empty(); }
  /// One for each box, once, when they have arrived.
  [[nodiscard]] std::optional<std::vector<VolumeError>> poll();

 private:
  gl::Program program_;
  gl::Buffer sums_, arriving_;
  gl::Fence fence_;
  std::vector<int> asked_;  ///< sums of each box
};

}  // namespace threadscape::render
