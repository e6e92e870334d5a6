#pragma once
// The whole interface: panels around the view, menus, keys. It edits the workspace and draws; it computes nothing.

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "app/panels/panel.h"
#include "app/platform/machine_load.h"
#include "app/session/session_file.h"
#include "app/shell/intermediate_bar.h"
#include "app/shell/recovery_prompt.h"
#include "app/shell/step_list_bar.h"
#include "app/shell/transport_bar.h"
#include "render/gl/timer.h"

namespace threadscape::app {

struct WindowLook {
  Theme theme = Theme::dark;
  float scale = 1.0f;  ///< Scale chosen by the user, multiplied by the content scale of the monitor.
  FontChoice fonts = FontChoice::system;
  bool panels = true;        ///< If false, only the menu and the picture are shown.
  bool lower_panel = false;  ///< If true, the panels below the view are open, and not only three figures.
};

/// Factor by which the presenter's mode enlarges the text.
inline constexpr float presentation_scale = 1.5f;

/// The desk of a user who sees it: keeps the panels in their places, and has the view, menus and keys.
class Window final : public Desk {
 public:
  Window(Platform& platform, const gl::ShaderLibrary& shaders, Workspace& workspace, LiveView& live, MachineFacts facts,
         const WindowLook& look, std::string layout_file);

  /// Adds a panel that is made outside of the window; a page comes before those of the window itself. Called before the
  /// first frame.
  void add_panel(const PanelType& type, std::unique_ptr<Panel> panel);
  /// Builds the interface for this frame and draws it, with the view, into all of `target`.
  void frame(const Input& input, const gl::Framebuffer& target);
  /// Lets each scene show something when it is seen for the first time, for somebody who is new to the program.
  void welcome() { welcomes_ = true; }
  /// Returns whether something on screen changes without input, so that another frame has to be drawn soon.
  [[nodiscard]] bool needs_redraw();
  /// Returns whether the widget that is being used may change without an event. A text that is edited changes by keys
  /// and the mouse only; the frame that is drawn every Platform::max_wait lets its cursor blink. ImGui keeps some of
  /// the keys that are pressed quickly for the next frame.
  [[nodiscard]] static bool item_needs_redraw();
  [[nodiscard]] bool quit_requested() const { return quit_; }
  /// Shows the picture on the full screen with large type and without panels, or everything as before.
  void present(bool on);
  [[nodiscard]] bool presenting() const { return presenting_; }
  /// The scale of the text in a frame for this input. While a picture is presented it grows with the height of the
  /// window, because a room sees a projector of many pixels at the size of one of few.
  [[nodiscard]] float text_scale(const Input& input) const;
  /// Waits until everything is loaded that otherwise arrives frame by frame.
  void load_everything();

  [[nodiscard]] const WindowLook& look() const { return look_; }
  /// Returns whether the last frame has shown a bar, because a scene is made soon, which can take a while.
  [[nodiscard]] bool preparing() const { return scenes_.preparing(); }
  void show_panel(std::string_view name) override;
  void show_picture() override {
    if (!shows_picture()) page_ = {};
  }
  /// Shows the picture with its panels, or alone.
  void show_panels(bool on) { look_.panels = on; }
  /// Corners of the view on screen, in ImGui's units.
  [[nodiscard]] const std::array<ImVec2, 2>& picture() const { return picture_; }
  /// Gives the panels their first places and sizes in the next frame.
  void reset_layout() { reset_layout_ = true; }
  [[nodiscard]] RecoveryPrompt& recovery() { return recovery_; }
  /// The session of the window, as a file keeps it.
  [[nodiscard]] Session session();
  void open_session(const std::filesystem::path& path) override;
  /// Show the dialogs that open or save a session.
  void ask_open_session();
  void ask_save_session();
  /// Shows the scenes and the tab of a session. What this program does not know is left out, with a warning in the log.
  void apply_view(const SessionView& view);
  /// Returns whether a panel still counts or loads what it shows.
  [[nodiscard]] bool counting() const;
  /// Returns whether the scene needs another frame. Behind a page it is not drawn, and waits.
  [[nodiscard]] bool scene_animating() { return shows_picture() && scene().animating(); }

 private:
  // Menus, keys and popups (window_menu.cpp).
  void keys();
  void menu();
  void file_menu();
  void edit_menu();
  void panel_keys();
  /// The keys of the menu Edit.
  void edit_keys();
  /// Draws the sources of moving pictures of this machine as the entries of a menu.
  void draw_moving_sources();
  /// Draws the examples of sketches as the entries of a menu.
  void draw_example_sketches();
  /// Draws the popup with the files that were opened last, while it is open.
  void draw_recent();
  void draw_result_menu();

  // Panels (window_panels.cpp).
  void layout();
  /// Lets the layout be made again when the window has become narrow for its text, or wide.
  void fit_layout(bool is_placed);
  /// Gives the panel of the scene the height that the scene asks for when another scene is shown.
  void fit_panel();
  /// Draws the panels, or the picture alone while it is presented.
  void draw_panels();
  void draw_panel(const PanelType& type, Panel& panel);
  // Pages (window_pages.cpp).
  /// Draws the page that is in front into all of the window below the menu, or on the full screen while it is
  /// presented.
  void draw_page();
  /// Draws a page with text, and the picture beside it.
  void draw_beside_picture(Panel& text);
  /// Draws the picture with what belongs to it into the current window.
  void draw_live();
  /// Draws a panel that usually is in a column beside the view as a part of the current window, of this size.
  void draw_part(std::string_view name, ImVec2 size);
  /// Keeps the places of panels in this dock space, which are not drawn in this frame.
  void rest_panels(unsigned space);
  /// The pages, in the order of their tabs.
  [[nodiscard]] std::vector<const PanelType*> pages() const;
  /// The page in front of the picture; null if there is none.
  [[nodiscard]] Panel* page() const;
  /// The page in front beside which the picture stands; null if there is none.
  [[nodiscard]] Panel* text_page();
  /// Returns whether the picture is drawn: alone, with its panels, or beside a page.
  [[nodiscard]] bool shows_picture() { return page() == nullptr || text_page() != nullptr; }
  /// Returns whether the editor is beside the page in front, which is a lesson with the exercise that is edited.
  [[nodiscard]] bool edits_exercise();
  void place_beside_view(const char* title);
  /// Where another panel beside the view is docked; 0 if there is none.
  [[nodiscard]] unsigned place_of_neighbour(const char* title) const;
  /// The name of the tab of the lower panel that is in front; "" if none is visible.
  [[nodiscard]] std::string front_panel() const;
  void draw_status();
  /// Draws the three figures of the last run: its time, its factor to the serial backend, and how near it is to a
  /// limit.
  void draw_figures();
  [[nodiscard]] std::string limit_text(const TimingSample& last) const;
  /// Draws the names of the panels below the view, which open them, or the button that closes them.
  void draw_openers();
  /// What is open and how it comes to the display, for the right end of the status line.
  [[nodiscard]] std::string status_text();
  /// Draw the tabs of the pages and the tools of the window behind the menus.
  void draw_tabs();
  void draw_tools();
  /// Draws a bar for what is being waited for: shaders, a run, a comparison or a file. Returns false and draws nothing
  /// if that is nothing, or if it has only begun.
  bool draw_progress();
  void draw_help();

  // The view (window.cpp, window_presentation.cpp).
  void draw_view();
  /// Draws the controls of the view and the picture, down to the lower end of the current window.
  void draw_view_contents();
  [[nodiscard]] static ImVec2 view_padding();
  /// Draws the picture into a part of `room` units of the current window, and handles the mouse and the keys over it.
  void draw_picture(ImVec2 room);
  void draw_presentation();
  /// Draws over the view the overview or the name of a file that is on its way.
  void draw_arriving(ImVec2 origin, ImVec2 size);
  void draw_notices(ImVec2 low, ImVec2 high);
  /// Returns whether the reason why there is no result stands below a field that is in front.
  [[nodiscard]] bool says_at_field() const;
  /// Returns whether there is nothing yet that the algorithm could work on, while a file is being read.
  [[nodiscard]] bool awaits_first_file() const;
  /// Draws the slide of a panel into the left part of the screen.
  void draw_slide(Panel& panel);
  /// Draws what frame() has built over `target`, and notes what the frame has cost since `start`.
  void draw_interface(const gl::Framebuffer& target, std::chrono::steady_clock::time_point start);
  void draw_caption();
  void choose_scene();
  /// Draws the button that opens and closes the source of a diagram, before the toolbar of the scene.
  void draw_code_button();
  /// Height of the transport bar in a view of this width, with the space above it; 0 if there is none.
  [[nodiscard]] float transport_height(float width) const;
  void draw_transport();
  void draw_record_button();
  /// Says on the picture that the chosen algorithm ignores the moving picture.
  void draw_ignored(ImVec2 low, float width);

  WindowLook look_;
  std::vector<std::pair<PanelType, std::unique_ptr<Panel>>> panels_;
  IntermediateBar intermediates_;
  std::array<ImVec2, 2> picture_{};  ///< Corners of the view on screen, in ImGui's units.
  gl::GpuTimer picture_timer_, interface_timer_;
  double picture_cpu_ms_ = 0.0;  ///< Of the calls that draw the picture in this frame.
  gl::Texture overview_;         ///< Made of what drawn_overview_ holds.
  std::shared_ptr<const io::Overview> drawn_overview_;
  RecoveryPrompt recovery_;
  std::string_view wanted_panel_;
  std::string_view page_;       ///< The name of the page in front; "" for the picture.
  bool fields_beside_ = false;  ///< The parameters are a column beside the picture of a page.
  int settling_ = 0;            ///< Frames that are drawn until a panel that was brought to the front is seen.
  float applied_scale_ = 0.0f;
  std::optional<Theme> applied_theme_;
  /// True if the list of algorithms is a tab beside the parameters, because the window is narrow for its text; unset
  /// before the first frame.
  std::optional<bool> narrow_;
  glm::vec2 columns_{1.0f};          ///< The usual widths of the columns of panels at text_height_.
  float text_height_ = 0.0f;         ///< The height of a line of text that the columns fit; 0 before the first frame.
  float last_text_ = 0.0f;           ///< That of the last frame.
  float panel_lines_ = 8.5f;         ///< The height of the panel of the scene, as layout() has made it.
  std::set<const Scene*> welcomed_;  ///< The scenes that have shown something.
  MachineLoad load_;
  bool recent_wanted_ = false;  ///< The popup with the recent files is to be opened.
  /// The moving sources that draw_moving_sources() lists, as they were when the menu was opened.
  std::vector<io::FrameSourceKind> moving_sources_;
  std::vector<std::filesystem::path> examples_;  ///< The sketches that draw_example_sketches() lists.
  bool reset_layout_ = false;
  bool help_ = false;
  bool presenting_ = false;
  bool welcomes_ = false;
  bool quit_ = false;
  bool capture_view_ = false;
  bool capture_frame_ = false;
};

}  // namespace threadscape::app
