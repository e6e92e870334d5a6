#pragma once

#include <optional>
#include <vector>

#include "render/gl/buffer.h"
#include "render/gl/texture.h"
#include "render/passes/terrain_tree.h"
#include "render/passes/tiled_program.h"

namespace threadscape::render {

/// Finds the bounds of a heightmap's quadtree on the GPU, and brings them to the CPU without stopping a frame.
class TerrainBoundsPass {
 public:
  /// The library must outlive the pass.
  explicit TerrainBoundsPass(const gl::ShaderLibrary& library);

  /// Queues the work. Bounds of an earlier heightmap that have not arrived are given up.
  void begin(const gl::Texture& heights);
  [[nodiscard]] bool pending() const { return pending_; }
  /// The tree, once, when it has arrived; waits for it if asked to.
  [[nodiscard]] std::optional<TerrainTree> take(bool wait);
  /// A uniform block with the lowest and the highest height, right for everything that is queued after begin().
  [[nodiscard]] const gl::Buffer& range() const { return range_; }

 private:
  TiledProgram program_;
  gl::Buffer nodes_, arriving_, range_;
  gl::Fence fence_;
  TerrainLayout layout_;
  bool pending_ = false;
};

}  // namespace threadscape::render
