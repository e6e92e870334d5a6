#pragma once

#include <imgui.h>

#include <map>
#include <optional>
#include <string>

#include "app/session/log_book.h"
#include "compute/registry/algorithm_info.h"
#include "render/gl/texture.h"

namespace threadscape::app {

/// Draws the pictures with which algorithms explain their parameters (AlgorithmInfo::preview) as sharp cells with the
/// origin marked. If an algorithm accepts painted pictures (AlgorithmInfo::painting), the mouse paints them.
class PreviewEditor {
 public:
  /// Draws the preview over the width of the window and, if the user has asked for it, a larger one in a window of its
  /// own. Each place of the interface that draws a preview has its own state, told apart by ImGui's stack of
  /// identifiers. Returns whether `params` were changed by painting.
  bool draw(const AlgorithmInfo& algorithm, ParamBox& params, LogBook& log);

  /// Makes all previews again, because files that parameters name may have changed.
  void refresh_all();
  /// The centre of a cell of the preview that was drawn last, in screen coordinates.
  [[nodiscard]] ImVec2 cell_on_screen(int x, int y) const;

 private:
  /// State of one place that draws a preview.
  struct Sheet {
    const AlgorithmInfo* algorithm = nullptr;
    ParamBox params;  ///< The parameters that `preview` was made from.
    std::optional<Preview> preview;
    std::string trouble;       ///< The reason why there is no preview; "" if there is one.
    gl::Texture texture;       ///< The preview as a texture with two by two texels per cell.
    int max_level = 255;       ///< Grey level that is drawn white.
    std::optional<int> level;  ///< Grey level of the brush; unset = max_level.
    bool background = false;   ///< If true, the brush paints background.
    bool large = false;
    std::optional<ImVec2> last;  ///< The cell at the brush in the last frame.
  };
  static void refresh(Sheet& sheet, const AlgorithmInfo& algorithm, const ParamBox& params);
  static bool can_paint(const Sheet& sheet);
  static Rgba8 brush(const Sheet& sheet);
  static void draw_brush(Sheet& sheet);
  static bool draw_buttons(Sheet& sheet, int columns);
  bool draw_large(Sheet& sheet, ImGuiID id);
  bool draw_cells(Sheet& sheet, float side);
  static bool paint_cells(Sheet& sheet, ImVec2 origin, float cell);

  std::map<ImGuiID, Sheet> sheets_;
  ImVec2 origin_{0, 0};
  float cell_ = 0;
};

}  // namespace threadscape::app
