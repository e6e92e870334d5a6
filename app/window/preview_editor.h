#pragma once

#include <imgui.h>

#include <map>
#include <optional>
#include <string>

#include "app/session/log_book.h"
#include "compute/registry/algorithm.h"
#include "render/gl/texture.h"

namespace threadscape::app {

/// The pictures with which algorithms explain their parameters (AlgorithmInfo::preview), as crisp cells with the origin
/// marked. Where an algorithm takes painted ones, the mouse paints.
class PreviewEditor {
 public:
  /// Over the width of the window, and the larger one that floats if it was asked for. Each place in the interface that
  /// draws one has its own, told apart by ImGui's stack of identifiers. Returns whether `params` were painted.
  bool draw(const AlgorithmInfo& algorithm, ParamBox& params, LogBook& log);

  /// Files that parameters name may have changed.
  void refresh_all();
  /// The middle of a cell of the preview that was drawn last, in screen coordinates.
  [[nodiscard]] ImVec2 cell_on_screen(int x, int y) const;

 private:
  /// What is known of one place.
  struct Sheet {
    const AlgorithmInfo* algorithm = nullptr;
    ParamBox params;  ///< that `preview` is of
    std::optional<Preview> preview;
    std::string trouble;       ///< why there is none
    gl::Texture texture;       ///< two by two texels per cell
    int highest = 255;         ///< grey level that is drawn white
    std::optional<int> level;  ///< of the brush
    bool background = false;   ///< so is the brush
    bool large = false;
    std::optional<ImVec2> last;  ///< the cell that the brush was in
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
