#pragma once
// The whole interface: panels around the view, menus, keys. It edits the workspace and draws; it computes nothing.

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/live/live_view.h"
#include "app/platform/platform.h"
#include "app/scenes/scene_set.h"
#include "app/session/workspace.h"
#include "app/window/copy_limit.h"
#include "app/window/file_browser.h"
#include "app/window/parameter_panel.h"
#include "app/window/sample_shelf.h"
#include "app/window/statistics_panel.h"
#include "app/window/step_bar.h"
#include "app/window/timings_panel.h"
#include "app/window/widgets/ui_context.h"

namespace threadscape::app {

/// Tabs of the lower panel.
inline constexpr std::array<std::string_view, 4> panel_names{"timings", "statistics", "device", "log"};
/// Name of the first tab when it shows the variants of the backend instead of all backends.
inline constexpr std::string_view variants_panel_name = "variants";
/// Name of the tab with the settings of the scene, beside the parameters, for scenes that have settings.
inline constexpr std::string_view view_settings_name = "view";

struct WindowLook {
  Theme theme = Theme::dark;
  float scale = 1.0f;  ///< Scale chosen by the user, multiplied by the content scale of the monitor.
  FontChoice fonts = FontChoice::system;
};

/// The facts about this machine that the device panel shows. In the pictures that tests compare, they are replaced by
/// fixed texts.
struct MachineFacts {
  std::vector<std::pair<std::string, std::string>> rows;
  int hardware_threads = 1;
};
[[nodiscard]] MachineFacts machine_facts(const gl::Context& context, const interop::RouteReport& route);

class Window {
 public:
  Window(Platform& platform, const gl::ShaderLibrary& shaders, Workspace& workspace, LiveView& live, MachineFacts facts,
         const WindowLook& look, std::string layout_file);

  /// Builds the interface for this frame and draws it, with the view, into all of `target`.
  void frame(const Input& input, const gl::Framebuffer& target);
  /// Whether something on screen changes without input, so that another frame has to be drawn soon.
  [[nodiscard]] bool needs_redraw();
  [[nodiscard]] bool quit_requested() const { return quit_; }
  /// Waits until everything is loaded that otherwise arrives frame by frame.
  void load_everything();

  [[nodiscard]] const WindowLook& look() const { return look_; }
  /// The scene that draws the output of the chosen algorithm.
  [[nodiscard]] Scene& scene() { return scenes_.scene_for(workspace_.algorithm()); }
  [[nodiscard]] SceneSet& scenes() { return scenes_; }
  /// Brings a tab of the lower panel to the front: one of panel_names, or variants_panel_name.
  void show_panel(std::string_view name);
  [[nodiscard]] FileBrowser& files() { return files_; }
  [[nodiscard]] PreviewEditor& previews() { return parameters_.previews(); }
  /// Sets the text in the search field of the list of algorithms.
  void search(std::string text) { search_ = std::move(text); }
  /// Runs every variant of the backend, after a measurement of the copy bandwidth with which they are compared.
  void compare_variants();
  /// Whether the copy bandwidth is being measured.
  [[nodiscard]] bool measuring_copy() const { return variants_due_; }
  /// Whether the statistics panel is still counting.
  [[nodiscard]] bool counting() const { return statistics_.animating(); }
  /// Writes the framebuffer of the view, or the whole of `frame`, to a PNG in the background. The log states the file.
  void save_view(const std::filesystem::path& path);
  void save_frame(const gl::Framebuffer& frame, const std::filesystem::path& path);

 private:
  void keys();
  void menu();
  void layout();
  void draw_algorithms();
  void draw_list();
  void draw_view();
  void draw_view_settings();
  void choose_scene();
  void draw_bottom();
  void draw_device();
  void draw_log();
  void draw_status();
  void draw_help();
  /// Reads a file in the background. Its data or the error appear some frames later.
  void open(const std::filesystem::path& path);
  void ask_open();
  void ask_save();
  void ask_save(SaveRequest request);
  void save_result(const std::filesystem::path& path);
  void next_backend();
  void run_again();
  [[nodiscard]] VariantTraffic variant_traffic() const;

  Platform& platform_;
  Workspace& workspace_;
  LiveView& live_;
  MachineFacts facts_;
  WindowLook look_;
  UiContext ui_;
  SceneSet scenes_;
  StepBar steps_;
  gl::Framebuffer view_;
  ParameterPanel parameters_;
  TimingsPanel timings_;
  StatisticsPanel statistics_;
  CopyLimit copy_limit_;
  bool variants_due_ = false;  ///< Whether the variants are to be compared as soon as the limit is known.
  FileBrowser files_;
  SampleShelf samples_;
  std::string search_;
  const AlgorithmInfo* listed_ = nullptr;  ///< The chosen algorithm that was last visible in the list.
  std::string_view wanted_panel_;
  float applied_scale_ = 0.0f;
  std::optional<Theme> applied_theme_;
  bool reset_layout_ = false;
  bool help_ = false;
  bool quit_ = false;
  bool loading_samples_ = true;
  bool capture_view_ = false;
  bool capture_frame_ = false;
};

}  // namespace threadscape::app
