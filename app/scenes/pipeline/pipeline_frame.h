#pragma once
// The picture of a mesh on its way: drawn triangle by triangle, and blended layer by layer, on the host. It computes
// what the backends compute, by the functions that they share.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compute/algorithms/graphics/rasterize/rasterize_stages.h"
#include "compute/core/data.h"

namespace threadscape::app {

class PipelineFrame {
 public:
  /// The most triangles and pixels that are followed one by one. Larger pictures would make the window wait.
  static constexpr std::uint32_t max_triangles = 100000;
  static constexpr std::int64_t max_pixels = std::int64_t{1} << 22;
  /// The most transparent fragments that blend() keeps. They take 512 MiB.
  static constexpr std::size_t max_layer_fragments = std::size_t{1} << 24;

  /// Runs vertex stage, clipping and set-up of all triangles. `mesh` must stay valid. blend() keeps up to `fragments`
  /// transparent fragments.
  void begin(const rasterize::Plan& plan, const MeshView& mesh, std::size_t fragments = max_layer_fragments);
  [[nodiscard]] const rasterize::Plan& plan() const { return plan_; }
  [[nodiscard]] const MeshView& mesh() const { return mesh_; }
  [[nodiscard]] const std::vector<rasterize::TriangleStages>& triangles() const { return triangles_; }
  /// The order of drawing: opaque triangles as in the mesh, then transparent ones.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  [[nodiscard]] std::size_t opaque() const { return opaque_; }

  /// Draws the first `count` triangles of the order.
  void draw(std::size_t count);
  /// Finds the triangles that are seen once all are drawn, for triangle_at(), without computing a colour. picture()
  /// stays as it is.
  void find_seen();
  /// Draws all opaque triangles, and then up to `layers` transparent fragments of each pixel, in the order of blending.
  /// Does nothing if picture() already shows that.
  void blend(int layers);
  /// The most transparent fragments in front of the opaque surface of any pixel, of those that are kept.
  [[nodiscard]] int most_layers();
  /// Returns true if there are more transparent fragments than are kept. blend() then leaves out those that come last
  /// in order(). Known after blend() or most_layers().
  [[nodiscard]] bool layers_left_out() const { return layers_left_out_; }

  /// The picture after draw() or blend(), RGBA8.
  [[nodiscard]] const HostArray& picture() const { return picture_; }
  /// Grows by one whenever picture() changes.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  /// The triangle that is seen at a pixel after draw() or find_seen(), plus 1; 0 for none.
  [[nodiscard]] std::uint32_t triangle_at(int x, int y) const { return seen_[place(x, y)]; }
  /// The range of depths of all pieces, 0..1.
  [[nodiscard]] float lowest_depth() const { return lowest_; }
  [[nodiscard]] float highest_depth() const { return highest_; }
  /// The most fragments that fall on any pixel.
  [[nodiscard]] int most_fragments();

  /// The fragments of a triangle.
  struct FragmentCounts {
    std::uint64_t covered = 0;  ///< All.
    std::uint64_t passed = 0;   ///< Passed the depth test when it was drawn, which an occlusion query counts.
    std::uint64_t visible = 0;  ///< Are part of the picture when all triangles are drawn.
  };
  /// Draws the depths of all triangles within the box of this one.
  [[nodiscard]] FragmentCounts count_fragments(std::uint32_t triangle) const;

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
  /// Draws a triangle. Without colours, only the depths and the triangles that are seen change.
  void draw_triangle(std::uint32_t triangle, bool colours);
  void collect_layers();
  [[nodiscard]] std::uint32_t& pixel(std::size_t place);

  rasterize::Plan plan_;
  MeshView mesh_;
  std::vector<rasterize::TriangleStages> triangles_;
  std::vector<std::uint32_t> order_;
  std::size_t opaque_ = 0;
  std::size_t drawn_ = 0;       ///< How many triangles of the order keys_ and seen_ hold.
  bool matches_ = true;         ///< picture_ holds the same triangles; otherwise it holds layers, or fewer triangles.
  std::optional<int> blended_;  ///< How many layers picture_ holds; none if it was made by draw().
  HostArray picture_;
  HostArray opaque_picture_;  ///< All opaque triangles; empty before blend().
  std::vector<std::uint32_t> keys_, seen_;
  std::vector<Layer> layers_;  ///< Filled in together with opaque_picture_.
  std::size_t max_fragments_ = max_layer_fragments;
  bool layers_left_out_ = false;
  int most_layers_ = 0, most_fragments_ = -1;
  float lowest_ = 0.0f, highest_ = 1.0f;
  std::uint64_t version_ = 0;
};

}  // namespace threadscape::app
