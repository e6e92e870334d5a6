#pragma once
// A panel around the view is a folder in app/panels/ and a row in panel_set.cpp. The window keeps its place,
// draws its frame and brings it to the front; the panel draws the contents with what the desk hands out.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/shell/desk.h"

namespace threadscape::app {

class Panel {
 public:
  virtual ~Panel() = default;
  /// Draws the contents; the window is begun. Called only while the panel is visible.
  virtual void draw(Desk& desk) = 0;
  /// Called instead of draw() while the panel is hidden, so that what nobody sees is not computed.
  virtual void rest() {}
  /// Called once a frame before draw(), also while the panel is hidden. May draw windows of its own.
  virtual void update(Desk& desk) { (void)desk; }
  /// Returns whether the panel is there. Called for panels that come and go (PanelType::comes_and_goes).
  [[nodiscard]] virtual bool is_there(Desk& desk) {
    (void)desk;
    return true;
  }
  /// Returns whether the picture stands beside the panel, which is a page with text and, in the presenter's mode, a
  /// slide.
  [[nodiscard]] virtual bool is_beside_picture(Desk& desk) const {
    (void)desk;
    return false;
  }
  /// Draws the slide of such a page; the window is begun.
  virtual void draw_slide(Desk& desk) { (void)desk; }
  /// What stands behind the title, such as the number of unread messages.
  [[nodiscard]] virtual std::string badge(Desk& desk) const {
    (void)desk;
    return {};
  }
  /// Draws what the panel adds to the menu File.
  virtual void file_menu(Desk& desk) { (void)desk; }
  /// Draws what the panel adds to the menu Help.
  virtual void help_menu(Desk& desk) { (void)desk; }
  /// Returns whether something changes without input, so that another frame has to be drawn soon.
  [[nodiscard]] virtual bool animating() const { return false; }
  /// Waits until everything is loaded that otherwise arrives frame by frame.
  virtual void load_everything() {}
};

/// Panels `below` are open when the user wants them. Panels `beside` the view take a part of its room while they are
/// there. A `page` takes the place of the view and of all panels, and may have the picture beside it.
enum class PanelPlace : std::uint8_t { left, right, right_below, below, beside, page };

/// A row of the list of panels.
struct PanelType {
  std::string_view name;  ///< In lower case; of panels below the view and of pages, a value of `--panel`.
  const char* title;      ///< ImGui identifies the window by the part that follows ###.
  PanelPlace place;
  bool comes_and_goes;  ///< If true, the panel is a tab that is there at times (Panel::is_there()).
  std::unique_ptr<Panel> (*make)(const gl::ShaderLibrary& shaders);  ///< Null for a panel that the window is given.
};

/// All panels, in the order in which they are drawn.
[[nodiscard]] std::span<const PanelType> panel_types();

/// Name of the panel timings when it shows the variants of the backend instead of all backends.
inline constexpr std::string_view variants_panel_name = "variants";
/// Name of the tab with the settings of the scene, beside the parameters, for scenes that have settings.
inline constexpr std::string_view view_settings_name = "view";
/// The names of the panels below the view that are always there: the values of `--panel`.
[[nodiscard]] std::vector<std::string_view> panel_names();

}  // namespace threadscape::app
