#pragma once

#include <array>
#include <optional>
#include <tuple>

#include "app/scenes/chosen_view.h"
#include "app/ui/view_canvas.h"
#include "compute/core/params.h"
#include "compute/registry/diagram.h"
#include "render/gl/program.h"

namespace threadscape::app {

/// What the colours of the tile say: which of its values a thread copies, or in which turn each value is copied.
enum class TileShow : std::uint8_t { threads, turns };
inline constexpr std::array<std::string_view, 2> tile_show_names{"threads", "turns"};

/// Settings of the scene: `--view NAME=VALUE`.
struct TileView {
  int kernel = 0;
  int thread_x = 0, thread_y = 0;
  static auto fields() {
    return std::tuple{zero_as("as it runs", Field{"kernel", &TileView::kernel, 0, 16, "",
                                                  "CUDA variant whose tile is drawn, in the order of the list"}),
                      Field{"thread_x", &TileView::thread_x, 0, 1023, "", "the thread that is marked"},
                      Field{"thread_y", &TileView::thread_y, 0, 1023, "", "its row in the block"}};
  }
  bool operator==(const TileView&) const = default;
};

/// Shows the tile of a block of CUDA threads in shared memory: the pixels of the block, the halo around them, which
/// thread copies what, and what one thread reads.
class TileScene final : public ChosenView<TileShow, TileView> {
 public:
  explicit TileScene(const gl::ShaderLibrary&) {}
  [[nodiscard]] static bool can_show(const AlgorithmInfo& algorithm) { return diagrams_of(algorithm).tile != nullptr; }

  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  void toolbar(const Workspace& workspace) override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  [[nodiscard]] std::span<const KeyHelp> help() const override;
  void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) override;
  [[nodiscard]] float panel_lines() const override { return 6.0f; }
  [[nodiscard]] std::optional<DrawnCode> drawn_code(const Work&) const override { return drawn_; }
  /// "values" and "bytes" of the tile, those of its "halo", and what the first thread copies, "copied".
  [[nodiscard]] std::vector<std::pair<std::string, double>> figures() const override;

 private:
  [[nodiscard]] ImU32 colour_at(int x, int y) const;
  void draw_tile(ViewCanvas& canvas, ImVec2 corner, ImVec2 room);

  std::optional<TileDiagram> tile_;  ///< The tile that was drawn last; none if there is none to draw.
  std::optional<DrawnCode> drawn_;   ///< The kernel of that tile.
  ImVec2 corner_{};                  ///< The upper left corner of the tile, in pixels of the view.
  float cell_ = 1.0f;                ///< The side of a value of it.
  float density_ = 1.0f;             ///< Pixels of the view in a unit of its item.
};

}  // namespace threadscape::app
