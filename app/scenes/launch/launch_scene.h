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

/// What the scene shows of a launch: the matrix with its cells, the threads, or both.
enum class LaunchShow : std::uint8_t { both, cells, threads };
inline constexpr std::array<std::string_view, 3> launch_show_names{"both", "cells", "threads"};

/// Settings of the scene: `--view NAME=VALUE`.
struct LaunchView {
  int kernel = 0;
  static auto fields() {
    return std::tuple{zero_as("as it runs", Field{"kernel", &LaunchView::kernel, 0, 16, "",
                                                  "CUDA variant whose launch is drawn, in the order of the list"})};
  }
  bool operator==(const LaunchView&) const = default;
};

/// Shows which thread of a CUDA launch computes which cell of a small grid, for the displayed step of the algorithm.
class LaunchScene final : public ChosenView<LaunchShow, LaunchView> {
 public:
  explicit LaunchScene(const gl::ShaderLibrary&) {}
  [[nodiscard]] static bool can_show(const AlgorithmInfo& algorithm) {
    return diagrams_of(algorithm).launch != nullptr;
  }

  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  void toolbar(const Workspace& workspace) override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  [[nodiscard]] std::span<const KeyHelp> help() const override;
  void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) override;
  [[nodiscard]] float panel_lines() const override { return 5.0f; }
  [[nodiscard]] std::optional<DrawnCode> drawn_code(const Work&) const override { return drawn_; }
  /// "threads" is the number of threads of the launch, "working" that of those that compute a cell.
  [[nodiscard]] std::vector<std::pair<std::string, double>> figures() const override;

 private:
  void draw_cells(ViewCanvas& canvas, ImVec2 corner, ImVec2 size) const;
  void draw_threads(ViewCanvas& canvas, ImVec2 corner, ImVec2 size) const;

  std::optional<LaunchDiagram> launch_;  ///< The launch that was drawn last; none if there is none to draw.
  std::optional<DrawnCode> drawn_;       ///< Its kernel.
};

}  // namespace threadscape::app
