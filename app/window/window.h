#pragma once
// The whole interface: panels around the view, menus, keys. It edits the workspace and draws; it computes nothing.

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "app/live/frame_recorder.h"
#include "app/live/live_view.h"
#include "app/live/moving_input.h"
#include "app/platform/machine_load.h"
#include "app/platform/platform.h"
#include "app/scenes/scene_set.h"
#include "app/session/session_file.h"
#include "app/session/workspace.h"
#include "app/window/copy_limit.h"
#include "app/window/device_panel.h"
#include "app/window/file_browser.h"
#include "app/window/file_list.h"
#include "app/window/frame_costs.h"
#include "app/window/notices.h"
#include "app/window/panels/algorithms/sample_shelf.h"
#include "app/window/panels/parameters/parameter_panel.h"
#include "app/window/panels/statistics/statistics_panel.h"
#include "app/window/panels/timings/timings_panel.h"
#include "app/window/recent_files.h"
#include "app/window/recovery_prompt.h"
#include "app/window/result_menu.h"
#include "app/window/step_bar.h"
#include "app/window/step_list_bar.h"
#include "app/window/tab.h"
#include "app/window/transport_bar.h"
#include "app/window/widgets/ui_context.h"
#include "render/gl/timer.h"

namespace threadscape::app {

/// Tabs of the lower panel.
inline constexpr std::array<std::string_view, 4> panel_names{"timings", "statistics", "device", "log"};
/// Name of the first tab when it shows the variants of the backend instead of all backends.
inline constexpr std::string_view variants_panel_name = "variants";
/// Name of the tab with the settings of the scene, beside the parameters, for scenes that have settings.
inline constexpr std::string_view view_settings_name = "view";
/// Name of the tab of the lower panel that is there while a moving picture is open.
inline constexpr std::string_view video_panel_name = "video";

struct WindowLook {
  Theme theme = Theme::dark;
  float scale = 1.0f;  ///< Scale chosen by the user, multiplied by the content scale of the monitor.
  FontChoice fonts = FontChoice::system;
};

/// Factor by which the presenter's mode enlarges the text.
inline constexpr float presentation_scale = 1.5f;

class Window {
 public:
  Window(Platform& platform, const gl::ShaderLibrary& shaders, Workspace& workspace, LiveView& live, MachineFacts facts,
         const WindowLook& look, std::string layout_file);

  /// Adds a tab behind those of the lower panel. Called before the first frame.
  void add_tab(std::unique_ptr<Tab> tab) {
    tab->watch(costs_);
    tabs_.push_back(std::move(tab));
  }
  /// What the last frames have cost. The owner of the window adds what happens outside of frame().
  [[nodiscard]] FrameCosts& costs() { return costs_; }

  /// Builds the interface for this frame and draws it, with the view, into all of `target`.
  void frame(const Input& input, const gl::Framebuffer& target);
  /// Lets each scene show something when it is seen for the first time, for somebody who is new to the program.
  void welcome() { welcomes_ = true; }
  /// Gives the workspace the frame of a moving picture that is due. Returns true if there is one: LiveView::update()
  /// then starts its run. Called once a frame.
  bool advance();
  /// What frame() has drawn is on the screen.
  void note_shown();
  /// Returns whether a moving picture plays or jumps, so that the time of the next frame decides when the window wakes
  /// up.
  [[nodiscard]] bool plays() const;
  /// Seconds until advance() has something to do, at most Platform::max_wait.
  [[nodiscard]] double seconds_to_next() const;
  /// The moving picture that is open, if one is.
  [[nodiscard]] MovingInput& moving() { return moving_; }
  /// Records every frame of the moving picture that is shown from now on: its result, or the picture of the view.
  /// Throws Error if the file cannot be written.
  void record(const std::filesystem::path& path, bool view);
  /// Completes the recorded file in the background. The log states the file.
  void stop_recording();
  /// The recording that is going on or being completed; null if there is none.
  [[nodiscard]] const FrameRecorder* recorder() const { return recorder_.get(); }
  /// Returns whether something on screen changes without input, so that another frame has to be drawn soon.
  [[nodiscard]] bool needs_redraw();
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
  /// The scene that draws the output of the chosen algorithm.
  [[nodiscard]] Scene& scene() { return scenes_.scene_for(workspace_.algorithm()); }
  [[nodiscard]] SceneSet& scenes() { return scenes_; }
  /// Returns whether the last frame has shown a bar, because a scene is made soon, which can take a while.
  [[nodiscard]] bool preparing() const { return scenes_.preparing(); }
  /// Brings a tab of the lower panel to the front: one of panel_names, or variants_panel_name.
  void show_panel(std::string_view name);
  /// Gives the panels their first places and sizes in the next frame.
  void reset_layout() { reset_layout_ = true; }
  [[nodiscard]] FileBrowser& files() { return files_; }
  /// The files that were opened last.
  [[nodiscard]] RecentFiles& recent() { return recent_; }
  /// The files that were opened together.
  [[nodiscard]] FileList& list() { return list_; }
  /// The messages on the picture.
  [[nodiscard]] const Notices& notices() const { return notices_; }
  /// The extensions of the files that can hold the result, as far as its shape tells.
  [[nodiscard]] std::vector<std::string> result_extensions() const;
  /// Makes the shown result the input of the chosen algorithm, some frames later, or offers those that take it if the
  /// chosen one takes another kind of data.
  void use_result();
  /// Makes the shown result the input of an algorithm that takes it, and chooses that, some frames later.
  void use_result(const AlgorithmInfo& target);
  /// Offers the algorithms that take the result as the next step of a list.
  void ask_next_step();
  /// Does what a message offers.
  void accept(const Offer& offer);
  [[nodiscard]] RecoveryPrompt& recovery() { return recovery_; }
  [[nodiscard]] PreviewEditor& previews() { return parameters_.previews(); }
  /// Sets the text in the search field of the list of algorithms.
  void search(std::string text) { search_ = std::move(text); }
  /// The session of the window, as a file keeps it.
  [[nodiscard]] Session session();
  /// Opens a session file: its choice at once, its files in the background. Throws Error for what is no session.
  void open_session(const std::filesystem::path& path);
  /// Show the dialogs that open or save a session.
  void ask_open_session();
  void ask_save_session();
  /// Shows the scenes and the tab of a session. What this program does not know is left out, with a warning in the log.
  void apply_view(const SessionView& view);
  /// Keeps the present setting as B, to be compared with what is chosen from now on.
  void keep_as_b();
  /// Exchanges the present setting with B, if there is one.
  void swap_a_and_b();
  /// Takes back the last change of the workspace, or makes it again.
  void undo();
  void redo();
  /// Runs every variant of the backend, after a measurement of the copy bandwidth with which they are compared.
  void compare_variants();
  /// Returns whether the copy bandwidth is being measured.
  [[nodiscard]] bool measuring_copy() const { return variants_due_; }
  /// Returns whether the statistics panel is still counting.
  [[nodiscard]] bool counting() const { return statistics_.animating(); }
  /// Writes the framebuffer of the view, or the whole of `frame`, to a PNG in the background. The log states the file.
  void save_view(const std::filesystem::path& path);
  void save_frame(const gl::Framebuffer& frame, const std::filesystem::path& path);

 private:
  void keys();
  void menu();
  void file_menu();
  void edit_menu();
  /// The keys of the menu Edit.
  void edit_keys();
  /// Stores a small picture of the result beside a preset, in the background.
  void save_thumbnail(const std::filesystem::path& preset);
  /// Draws the comparison with B above the parameters, if there is a B.
  void draw_comparison();
  /// Compares the result with that of B, if there is a B: with B's parameters on B's data, or on the present frame of
  /// the moving picture that B was kept of.
  void compare_with_b();
  /// The time of a run of the present setting in milliseconds, if its result is displayed.
  [[nodiscard]] std::optional<double> present_ms() const;
  /// Reads files again whose data the history has given up.
  void open_again(const std::vector<SettingInput>& inputs);
  /// Tells the history what the workspace has become.
  void watch_changes();
  void layout();
  /// Gives the panel of the scene the height that the scene asks for when another scene is shown.
  void fit_panel();
  void draw_algorithms();
  void draw_list();
  void draw_view();
  /// Draws the panels, or the picture alone while it is presented.
  void draw_panels();
  /// Draws the picture into a part of `room` units of the current window, and handles the mouse and the keys over it.
  void draw_picture(ImVec2 room);
  void draw_presentation();
  /// Draws what frame() has built over `target`, and notes what the frame has cost since `start`.
  void draw_interface(const gl::Framebuffer& target, std::chrono::steady_clock::time_point start);
  void draw_caption();
  void draw_view_settings();
  /// The settings of the scene that have a tab beside the parameters; null if there are none.
  [[nodiscard]] ParamBox* listed_settings();
  void choose_scene();
  void draw_bottom();
  void draw_tabs();
  void save_part(const gl::Framebuffer& frame, const TabCapture& part);
  void draw_device();
  void draw_log();
  void draw_status();
  /// Draws a bar for what is being waited for: shaders, a run, a comparison or a file. Returns false and draws nothing
  /// if that is nothing, or if it has only begun.
  bool draw_progress();
  void draw_help();
  /// Opens the list of the algorithms that take the result.
  void choose_target();
  /// The reason why the result cannot become an input; "" if it can.
  [[nodiscard]] std::string why_no_result() const;
  void draw_result_menu();
  /// Draws the buttons above the samples.
  void draw_input_buttons();
  /// Draws the sources of moving pictures of this machine as the entries of a menu.
  void draw_moving_sources();
  /// Draws the times of the moving picture that plays as a tab of the lower panel, if one is open.
  void draw_video();
  /// Height of the transport bar in a view of this width, with the space above it; 0 if there is none.
  [[nodiscard]] float transport_height(float width) const;
  void draw_transport();
  void draw_record_button();
  void ask_record(bool view);
  /// Adds the frame that is on the screen to the recording.
  void record_shown();
  /// Takes note of the end of the recording.
  void end_recording();
  /// Says on the picture that the chosen algorithm ignores the moving picture.
  void draw_ignored(ImVec2 low, float width);
  /// Reads a file in the background. Its data or the error appear some frames later.
  void open(const std::filesystem::path& path);
  /// Opens files that were given together: the first one is shown, and several become the list.
  void open_together(const std::vector<std::filesystem::path>& paths);
  /// Shows the file that is `by` places further on in the list.
  void step_file(int by);
  /// Puts the picture of the view into the clipboard.
  void copy_view();
  /// Opens what the clipboard holds: the paths of files, a picture as text, or a picture.
  void paste();
  /// Draws the popup with the files that were opened last, while it is open.
  void draw_recent();
  void ask_open();
  void ask_open_folder();
  /// The name of the tab of the lower panel that is in front; "" if none is visible.
  [[nodiscard]] std::string front_panel() const;
  void ask_save();
  void ask_save(SaveRequest request);
  /// Writes the result in the background. Throws Error if that cannot begin.
  void save_result(const std::filesystem::path& path);
  /// Tells the dialog for files which files were opened or written, and takes new messages from the log.
  void take_messages();
  void next_backend();
  void run_again();
  [[nodiscard]] VariantTraffic variant_traffic() const;

  Platform& platform_;
  Workspace& workspace_;
  LiveView& live_;
  MachineFacts facts_;
  const gpu::Device* facts_device_;  ///< The device that facts_ are about.
  WindowLook look_;
  UiContext ui_;
  SceneSet scenes_;
  StepBar steps_;
  MovingInput moving_;
  std::unique_ptr<FrameRecorder> recorder_;
  bool records_view_ = false;  ///< If true, the picture of the view is recorded, and not the result.
  bool every_before_ = false;  ///< If true, every frame was shown before the recording began.
  gl::Framebuffer view_;
  std::array<ImVec2, 2> picture_{};  ///< Corners of the view on screen, in ImGui's units.
  ParameterPanel parameters_;
  TimingsPanel timings_;
  StatisticsPanel statistics_;
  CopyLimit copy_limit_;
  FrameCosts costs_;
  gl::GpuTimer picture_timer_, interface_timer_;
  double picture_cpu_ms_ = 0.0;  ///< Of the calls that draw the picture in this frame.
  std::vector<std::unique_ptr<Tab>> tabs_;
  std::vector<TabCapture> captures_;  ///< The parts of this frame that tabs want to have as pictures.
  FileBrowser files_;
  RecentFiles recent_;
  FileList list_;
  std::set<std::filesystem::path> opening_;  ///< Files that are being read and will be among the recent ones.
  std::filesystem::path copied_, pasted_;    ///< The files on their way to the clipboard and from it.
  Notices notices_;
  RecoveryPrompt recovery_;
  SampleShelf samples_;
  ResultMenu result_menu_;
  std::string search_;
  const AlgorithmInfo* listed_ = nullptr;  ///< The chosen algorithm that was last visible in the list.
  std::string_view wanted_panel_;
  float applied_scale_ = 0.0f;
  std::optional<Theme> applied_theme_;
  float panel_lines_ = 8.5f;         ///< The height of the panel of the scene, as layout() has made it.
  std::set<const Scene*> welcomed_;  ///< The scenes that have shown something.
  MachineLoad load_;
  bool variants_due_ = false;   ///< The variants are to be compared as soon as the limit is known.
  bool recent_wanted_ = false;  ///< The popup with the recent files is to be opened.
  /// The moving sources that draw_moving_sources() lists, as they were when the menu was opened.
  std::vector<io::FrameSourceKind> moving_sources_;
  bool menu_adds_step_ = false;  ///< What is chosen in result_menu_ becomes a step of the list.
  bool reset_layout_ = false;
  bool help_ = false;
  bool presenting_ = false;
  bool welcomes_ = false;
  bool quit_ = false;
  bool loading_samples_ = true;
  bool capture_view_ = false;
  bool capture_frame_ = false;
};

}  // namespace threadscape::app
