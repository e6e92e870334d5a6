#pragma once
// The picture of a mesh on its way: drawn triangle by triangle, and blended layer by layer, on the host. It computes
// what the backends compute, by the functions that they share.

#include <cstdint>
#include <vector>

#include "compute/algorithms/graphics/rasterize/rasterize_stages.h"
#include "compute/core/data.h"

namespace threadscape::app {

class PipelineFrame {
 public:
  /// The most triangles and pixels that are followed one by one. Larger pictures would make the window wait.
  static constexpr std::uint32_t max_triangles = 100000;
  static constexpr std::int64_t max_pixels = std::int64_t{1} << 22;

  /// Runs vertex stage, clipping and set-up of all triangles. `mesh` must stay valid.
  void begin(const rasterize::Plan& plan, const MeshView& mesh);
  [[nodiscard]] const rasterize::Plan& plan() const { return plan_; }
  [[nodiscard]] const MeshView& mesh() const { return mesh_; }
  [[nodiscard]] const std::vector<rasterize::TriangleStages>& triangles() const { return triangles_; }
  /// The order of drawing: opaque triangles as in the mesh, then transparent ones.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  [[nodiscard]] std::size_t opaque() const { return opaque_; }

  /// Draws the first `count` triangles of the order.
  void draw(std::size_t count);
  /// Draws all opaque triangles, and then up to `layers` transparent fragments of each pixel, in the order of blending.
  void blend(int layers);
  /// The most transparent fragments in front of the opaque surface of any pixel.
  [[nodiscard]] int most_layers();

  /// The picture after draw() or blend(), RGBA8.
  [[nodiscard]] const HostArray& picture() const { return picture_; }
  /// Grows by one whenever picture() changes.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  /// The triangle that is seen at a pixel after draw(), plus 1; 0 for none.
  [[nodiscard]] std::uint32_t triangle_at(int x, int y) const { return seen_[place(x, y)]; }
  /// The range of depths of all pieces, 0..1.
  [[nodiscard]] float lowest_depth() const { return lowest_; }
  [[nodiscard]] float highest_depth() const { return highest_; }
  /// The most fragments that fall on any pixel.
  [[nodiscard]] int most_fragments();

 private:
  /// A transparent fragment of a pixel.
  struct Layer {
    std::size_t pixel;
    std::uint64_t key;
    rasterize::Colour colour;
  };

  [[nodiscard]] std::size_t place(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(plan_.width) + static_cast<std::size_t>(x);
  }
  void clear();
  void draw_triangle(std::uint32_t triangle);
  void collect_layers();
  [[nodiscard]] std::uint32_t& pixel(std::size_t place);

  rasterize::Plan plan_;
  MeshView mesh_;
  std::vector<rasterize::TriangleStages> triangles_;
  std::vector<std::uint32_t> order_;
  std::size_t opaque_ = 0;
  std::size_t drawn_ = 0;  ///< How many triangles of the order picture_ holds.
  bool blended_ = false;   ///< picture_ holds layers, not whole transparent triangles.
  HostArray picture_;
  std::vector<std::uint32_t> keys_, seen_;
  std::vector<Layer> layers_;
  bool layers_known_ = false;
  int most_layers_ = 0, most_fragments_ = -1;
  float lowest_ = 0.0f, highest_ = 1.0f;
  std::uint64_t version_ = 0;
};

}  // namespace threadscape::app
