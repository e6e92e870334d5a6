#pragma once
// What panels work with: the workspace, its result, files, the log, and what a user can ask for.

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/live/frame_recorder.h"
#include "app/live/live_view.h"
#include "app/live/moving_input.h"
#include "app/platform/platform.h"
#include "app/scenes/scene_set.h"
#include "app/session/workspace.h"
#include "app/shell/algorithm_marks.h"
#include "app/shell/copy_limit.h"
#include "app/shell/device_panel.h"
#include "app/shell/file_browser.h"
#include "app/shell/file_list.h"
#include "app/shell/frame_costs.h"
#include "app/shell/lesson_session.h"
#include "app/shell/notices.h"
#include "app/shell/preview_editor.h"
#include "app/shell/recent_files.h"
#include "app/shell/result_menu.h"
#include "app/shell/sketch_session.h"
#include "app/ui/ui_context.h"

namespace threadscape::app {

/// A part of the window that is wanted as a picture.
struct WindowPart {
  std::filesystem::path path;  ///< PNG file; "" puts the picture into the clipboard instead.
  ImVec2 corner, size;         ///< Rectangle in the coordinates of ImGui.
};

/// A line of a kernel that an algorithm launches with these parameters.
struct KernelLine {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;
  int variant = 0;         ///< Index among its CUDA variants.
  std::size_t kernel = 0;  ///< Among Observation::kernels.
  int line = 0;            ///< In the file of the kernel.
};

/// What is to vary in the next sweep of the lab.
struct WantedSweep {
  std::string vary;    ///< "size", or "params." and the name of a parameter.
  std::string values;  ///< Separated by commas; sizes are widths or lengths.
};

class Desk : public SceneDesk {
 public:
  Desk(Platform& platform, const gl::ShaderLibrary& shaders, Workspace& workspace, LiveView& live, MachineFacts facts,
       FontChoice fonts, std::string layout_file);
  [[nodiscard]] Workspace& workspace() override { return workspace_; }
  [[nodiscard]] LogBook& log() { return workspace_.log; }
  [[nodiscard]] LiveView& live() { return live_; }
  [[nodiscard]] const Fonts& fonts() const { return ui_.fonts(); }
  [[nodiscard]] const MachineFacts& facts() const { return facts_; }
  /// The scene that draws the output of the chosen algorithm.
  [[nodiscard]] Scene& scene() { return scenes_.scene_for(workspace_.algorithm()); }
  [[nodiscard]] SceneSet& scenes() { return scenes_; }
  /// The settings of the scene, for which the scene has no widgets; null if there are none.
  [[nodiscard]] ParamBox* listed_settings() { return scene().edits_settings() ? nullptr : scene().settings(); }
  /// The moving picture that is open, if one is.
  [[nodiscard]] MovingInput& moving() { return moving_; }
  /// What the last frames have cost. The owner of the window adds what happens outside of Window::frame().
  [[nodiscard]] FrameCosts& costs() { return costs_; }
  [[nodiscard]] FileBrowser& files() { return files_; }
  /// The sketch that is being edited, if one is open.
  [[nodiscard]] SketchSession& sketch() { return sketch_; }
  /// The lesson that is open, if one is.
  [[nodiscard]] LessonSession& lesson() { return lesson_; }
  /// The files that were opened last.
  [[nodiscard]] RecentFiles& recent() { return recent_; }
  /// The files that were opened together.
  [[nodiscard]] FileList& list() { return list_; }
  /// The messages that are shown.
  [[nodiscard]] Notices& notices() { return notices_; }
  [[nodiscard]] PreviewEditor& previews() { return previews_; }
  [[nodiscard]] const CopyLimit& copy_limit() const { return copy_limit_; }
  /// Whether times are shown for the variants of the backend instead of all backends, if the backend has several.
  [[nodiscard]] bool& by_variant() { return by_variant_; }
  /// True while the source of what a diagram draws is open beside it.
  [[nodiscard]] bool& shows_code() { return shows_code_; }
  /// The text in the search field of the list of algorithms.
  [[nodiscard]] std::string& search() { return search_; }
  void search(std::string text) { search_ = std::move(text); }
  /// Favourites, recent algorithms and folded groups.
  [[nodiscard]] AlgorithmMarks& marks() { return marks_; }

  // Files.
  /// Reads a file in the background. Its data or the error appear some frames later.
  void open(const std::filesystem::path& path);
  /// Opens files that were given together: the first one is shown, and several become the list.
  void open_together(const std::vector<std::filesystem::path>& paths);
  /// Shows the file that is `by` places further on in the list.
  void step_file(int by);
  /// Opens a session file: its choice at once, its files in the background. Throws Error for what is no session.
  virtual void open_session(const std::filesystem::path& path) = 0;
  /// Opens the lesson in a folder or an archive. Nothing runs. Throws Error.
  void open_lesson(const std::filesystem::path& path);
  /// Brings a panel to the front: variants_panel_name, view_settings_name, any below the view, or one beside it that is
  /// there. Throws UsageError for others.
  virtual void show_panel(std::string_view name) = 0;
  /// Brings the picture to the front, if a page is there.
  virtual void show_picture() = 0;
  /// Show the dialogs that open a file, or a folder as a volume, or save the result, or what a scene writes itself.
  void ask_open();
  void ask_open_folder();
  void ask_save();
  void ask_save(SaveRequest request) override;
  /// Returns whether ask_save() has something to save: what the view shows is a result, or a part of one.
  [[nodiscard]] bool can_save() {
    return live_.output() != nullptr && live_.files().overview() == nullptr && scene().shows_result(live_);
  }
  /// The shape of the result that ask_save() saves; none if there is no result, or its parameters cannot be run.
  [[nodiscard]] std::optional<Shape> result_shape() const;
  /// The extensions of the files that can hold the result, as far as its shape tells.
  [[nodiscard]] std::vector<std::string> result_extensions() const;
  /// Writes the result in the background. Throws Error if that cannot begin.
  void save_result(const std::filesystem::path& path);
  /// Writes the framebuffer of the view, or the whole of `frame`, to a PNG in the background. The log states the file.
  void save_view(const std::filesystem::path& path);
  void save_frame(const gl::Framebuffer& frame, const std::filesystem::path& path);
  /// Writes a part of the window as it is at the end of this frame in the background, without messages over it.
  void capture(WindowPart part) { captures_.push_back(std::move(part)); }
  /// Writes a file in the background, which `write` makes from the picture of the view.
  void save_with_view(const std::filesystem::path& path, std::function<void(HostArray view)> write);
  /// Stores a small picture of the result beside a preset, in the background.
  void save_thumbnail(const std::filesystem::path& preset);
  /// Asks for a file, and writes the sketch with its parameters, its input if that is a small picture, and its results.
  void ask_export_sketch();
  /// Opens the input that an exported sketch has.
  void open_exported_input();
  /// Puts the picture of the view into the clipboard.
  void copy_view();
  /// Opens what the clipboard holds: the paths of files, a picture as text, or a picture.
  void paste();

  // Results that become inputs.
  /// The reason why the result cannot become an input; "" if it can.
  [[nodiscard]] std::string why_no_result() const;
  /// Makes the shown result the input of the chosen algorithm, some frames later, or offers those that take it if the
  /// chosen one takes another kind of data.
  void use_result();
  /// Makes the shown result the input of an algorithm that takes it, and chooses that, some frames later.
  void use_result(const AlgorithmInfo& target);
  /// Opens the list of the algorithms that take the result.
  void choose_target();
  /// Offers the algorithms that take the result as the next step of a list.
  void ask_next_step();

  // The choice.
  /// Does what a message offers.
  void accept(const Offer& offer);
  void show_thread_of(glm::ivec2 pixel) override;
  /// Chooses the algorithm with the parameters, and shows the line under the microscope, beside PTX and machine code,
  /// as soon as the result is there.
  void show_kernel_line(const KernelLine& place);
  /// Proposes a sweep of the chosen algorithm to the lab, which takes it in its next frame.
  void want_sweep(WantedSweep sweep) { wanted_sweep_ = std::move(sweep); }
  [[nodiscard]] std::optional<WantedSweep> take_wanted_sweep() { return std::exchange(wanted_sweep_, std::nullopt); }
  /// Takes back the last change of the workspace, or makes it again.
  void undo() override;
  void redo();
  /// Keeps the present setting as B, to be compared with what is chosen from now on.
  void keep_as_b();
  /// Exchanges the present setting with B, if there is one.
  void swap_a_and_b();
  /// The times of the last runs of the present setting in milliseconds, without the first one, which warms up; empty if
  /// its result is not displayed.
  [[nodiscard]] std::vector<double> present_times() const;
  void next_backend();
  /// Checks and runs the work again, also after a file that the parameters name was changed.
  void run_again();
  /// Runs every variant of the backend, after a measurement of the copy bandwidth with which they are compared.
  void compare_variants();
  /// Returns whether the copy bandwidth is being measured.
  [[nodiscard]] bool measuring_copy() const { return variants_due_; }

  // Moving pictures.
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
  /// Records every frame of the moving picture that is shown from now on: its result, or the picture of the view.
  /// Throws Error if the file cannot be written.
  void record(const std::filesystem::path& path, bool view);
  /// Completes the recorded file in the background. The log states the file.
  void stop_recording();
  /// The recording that is going on or being completed; null if there is none.
  [[nodiscard]] const FrameRecorder* recorder() const { return recorder_.get(); }

 protected:
  void ask_record(bool view);
  /// Adds the frame that is on the screen to the recording.
  void record_shown();
  /// Takes note of the end of the recording.
  void end_recording();
  /// Compares the result with that of B, if there is a B: with B's parameters on B's data, or on the present frame of
  /// the moving picture that B was kept of.
  void compare_with_b();
  /// Reads files again whose data the history has given up.
  void open_again(const std::vector<SettingInput>& inputs);
  /// Tells the dialog for files how the reading or writing of this file ends, if it waits for that.
  [[nodiscard]] FileTasks::Ended tell_dialog(const std::filesystem::path& path);
  /// Logs that a picture has reached the clipboard, if it has.
  [[nodiscard]] FileTasks::Ended tell_copied();
  void save_part(const gl::Framebuffer& frame, const WindowPart& part);
  /// The picture of the view, after Scene::finish().
  const gl::Framebuffer& finished_view();
  /// Makes the scene that shows kernels the one for the chosen algorithm; null if it has none.
  const SceneType* choose_microscope();
  /// Shows the line that show_kernel_line() was called for, if the result is there.
  void follow_kernel_line();

  Platform& platform_;
  Workspace& workspace_;
  LiveView& live_;
  MachineFacts facts_;
  const gpu::Device* facts_device_;  ///< The device that facts_ are about.
  UiContext ui_;
  SceneSet scenes_;
  MovingInput moving_;
  std::unique_ptr<FrameRecorder> recorder_;
  bool records_view_ = false;  ///< If true, the picture of the view is recorded, and not the result.
  bool every_before_ = false;  ///< If true, every frame was shown before the recording began.
  gl::Framebuffer view_;       ///< The picture of the view.
  PreviewEditor previews_;
  CopyLimit copy_limit_;
  FrameCosts costs_;
  FileBrowser files_;
  SketchSession sketch_;
  LessonSession lesson_;
  RecentFiles recent_;
  FileList list_;
  std::vector<WindowPart> captures_;  ///< What capture() was called for in this frame.
  Notices notices_;
  ResultMenu result_menu_;
  std::optional<WantedSweep> wanted_sweep_;
  std::optional<KernelLine> kernel_line_;  ///< What show_kernel_line() was called for, and is not shown yet.
  bool menu_adds_step_ = false;            ///< What is chosen in result_menu_ becomes a step of the list.
  std::string search_;
  AlgorithmMarks marks_;
  bool by_variant_ = false;
  bool shows_code_ = false;
  bool variants_due_ = false;  ///< The variants are to be compared as soon as the limit is known.
};

}  // namespace threadscape::app
