#pragma once
// The bounds of a heightmap's quadtree, which decide the level of detail of a terrain.

#include <optional>
#include <vector>

#include "render/gl/buffer.h"
#include "render/gl/texture.h"
#include "render/passes/terrain_tree.h"
#include "render/passes/tiled_program.h"

namespace threadscape::render {

/// Computes the bounds of the quadtree of a heightmap on the GPU, and reads them back without blocking a frame.
class TerrainBoundsPass {
 public:
  /// The library must outlive the pass.
  explicit TerrainBoundsPass(const gl::ShaderLibrary& library);

  /// Queues the work. Pending bounds of an earlier heightmap are abandoned.
  void begin(const gl::Texture& heights);
  /// Returns whether bounds are queued that take() has not returned.
  [[nodiscard]] bool pending() const { return pending_; }
  /// Returns the tree once it is available, and nothing before and afterwards. With `wait` it waits for the GPU.
  [[nodiscard]] std::optional<TerrainTree> take(bool wait);
  /// A uniform block with the minimum and the maximum height, valid for all GL commands after begin().
  [[nodiscard]] const gl::Buffer& range() const { return range_; }

 private:
  TiledProgram program_;
  gl::Buffer nodes_, arriving_, range_;
  gl::Fence fence_;
  TerrainLayout layout_;
  bool pending_ = false;
};

}  // namespace threadscape::render
