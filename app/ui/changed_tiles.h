#pragma once
// Which parts of the window differ from the last frame.

#include <imgui.h>

#include <cstdint>
#include <vector>

namespace threadscape::app {

/// The pixels [left, right) x [top, bottom) of a framebuffer, whose row 0 is the top row.
struct WindowRect {
  int left = 0, top = 0, right = 0, bottom = 0;

  [[nodiscard]] bool empty() const { return left >= right || top >= bottom; }
  [[nodiscard]] long long area() const { return empty() ? 0 : static_cast<long long>(right - left) * (bottom - top); }
  bool operator==(const WindowRect&) const = default;
};

[[nodiscard]] WindowRect intersection(const WindowRect& a, const WindowRect& b);
/// The smallest rectangle that contains both.
[[nodiscard]] WindowRect bounds(const WindowRect& a, const WindowRect& b);

/// Compares what ImGui is about to draw with the frame before. The window is divided into tiles, and each tile has a
/// hash of all triangles that touch it, in the order of drawing; the pixels of a tile whose hash is that of the last
/// frame need not be drawn again. (The method is that of rxi, "Cached Software Rendering", 2019.) Two different tiles
/// have equal hashes with a probability of 2^-64.
class ChangedTiles {
 public:
  static constexpr int tile = 32;  ///< Width and height of a tile in pixels.

  /// Returns rectangles that contain all tiles that differ from the last call, and may contain others; they may
  /// overlap. Callbacks of draw lists are not seen. Tiles within `drawn_anew`, which lies within the window, are left
  /// out. A texture that does not belong to ImGui may have other texels under its old name, so that the tiles that show
  /// one always differ. `data` has one pixel of the framebuffer per unit.
  [[nodiscard]] std::vector<WindowRect> update(const ImDrawData& data, int width, int height,
                                               const WindowRect& drawn_anew);

 private:
  void add_list(const ImDrawList& list, ImVec2 corner);
  void add(const WindowRect& rect, std::uint64_t hash);

  int width_ = 0, height_ = 0;  ///< Size of the window in pixels.
  int columns_ = 0, rows_ = 0;  ///< Number of tiles.
  std::uint64_t frame_ = 0;     ///< Number of calls of update().
  std::vector<std::uint64_t> hashes_, last_;
  std::vector<std::uint64_t> vertex_hashes_;
};

}  // namespace threadscape::app
