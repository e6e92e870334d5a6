#pragma once
// A scene draws one kind of result into a framebuffer and owns everything that belongs to the view: its settings, the
// toolbar above it, menu items, keys and their help. There is one scene per kind of result, not per algorithm; where
// several can show a result, the user chooses. The list of scenes is in scene_set.h.

#include <filesystem>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/live/live_view.h"
#include "app/scenes/code_places.h"
#include "app/session/workspace.h"
#include "app/ui/theme.h"
#include "render/gl/framebuffer.h"
#include "render/gl/pending_read.h"

namespace threadscape::app {

/// A row of the help on keys: the keys to press, and what they do.
struct KeyHelp {
  std::string_view keys, meaning;
};

/// A file that the user has asked for and that the scene itself writes. The window lets the user choose the path.
struct SaveRequest {
  std::string title;  ///< Title of the file browser.
  std::string name;   ///< Suggested file name.
  /// Called on the drawing thread once the path is chosen. The function that it returns writes the file: it is called
  /// on another thread, may throw Error, and owns everything that it writes.
  std::function<std::function<void()>(const std::filesystem::path&)> writer;
};

/// What a scene shows as data for a file, on its way from the GPU.
struct SceneResult {
  gl::PendingRead contents;
  /// Makes the data of the file from the contents. It is called on another thread, and owns everything else that it
  /// uses.
  std::function<HostArray(HostIn)> convert;
};

/// What a scene asks of the program around it.
class SceneDesk {
 public:
  virtual ~SceneDesk() = default;
  /// What the user has asked for, which scenes change at once by what is done in the view.
  [[nodiscard]] virtual Workspace& workspace() = 0;
  /// Lets the user choose the path of a file.
  virtual void ask_save(SaveRequest request) = 0;
  /// Takes back the last change.
  virtual void undo() = 0;
  /// Shows the kernel's thread that has computed this pixel of the result, under the microscope.
  virtual void show_thread_of(glm::ivec2 pixel) { (void)pixel; }
};

/// What is around a scene without a window: only the workspace.
class BareDesk final : public SceneDesk {
 public:
  explicit BareDesk(Workspace& workspace) : workspace_(workspace) {}
  [[nodiscard]] Workspace& workspace() override { return workspace_; }
  void ask_save(SaveRequest) override {}
  void undo() override {}

 private:
  Workspace& workspace_;
};

class Scene {
 public:
  virtual ~Scene() = default;

  /// Called once, before the scene is used. Without a desk, what the scene asks for is not heard.
  void work_at(SceneDesk& desk) { desk_ = &desk; }

  /// Chooses what the scene shows; `index` is an index into SceneType::shows.
  virtual void show(int index) = 0;
  /// What the scene shows, as show() takes it.
  [[nodiscard]] virtual int shown() const = 0;
  /// Writes into settings() what the user has changed in the view and settings() do not state yet, such as the zoom.
  virtual void note_place() {}
  /// Settings that the View panel, `--view NAME=VALUE` and the settings file handle like an algorithm's parameters;
  /// null if the scene has none. Changes take effect at the next draw().
  [[nodiscard]] virtual ParamBox* settings() { return nullptr; }
  /// Returns whether the scene has widgets of its own for its settings, so that the View panel does not list them.
  [[nodiscard]] virtual bool edits_settings() const { return false; }
  /// Returns whether the result of the serial backend is needed for what the scene shows.
  [[nodiscard]] virtual bool wants_reference() const { return false; }
  /// Returns whether the scene shows LiveView::preview() while a result takes long.
  [[nodiscard]] virtual bool wants_preview() const { return false; }
  /// Parameters with which the chosen algorithm is run instead of the chosen ones, for a scene that makes the picture
  /// itself from their result; none if the chosen ones are run. Called before every frame.
  [[nodiscard]] virtual std::optional<ParamBox> params_to_compute(const Workspace& workspace) {
    (void)workspace;
    return {};
  }
  /// After params_to_compute(): the parameters of the run, if those are of a stage of it; none otherwise.
  [[nodiscard]] virtual std::optional<ParamBox> params_of_run() const { return {}; }
  /// Returns whether what is displayed is a result, or a part of one, so that it can be saved.
  [[nodiscard]] virtual bool shows_result(const LiveView& live) const { return live.displayed() != nullptr; }
  /// The displayed contents as data for a file; none if they are the live view's output. Does not wait for the GPU,
  /// except for values that decide what is displayed and have not arrived.
  /// Throws EnvironmentError if there is not enough memory.
  [[nodiscard]] virtual std::optional<SceneResult> result(const LiveView& live) {
    (void)live;
    return {};
  }
  /// A name for the shaders that draw() needs for a target of `size` pixels from a driver that compiles each shader
  /// anew for every kind of texture, as Mesa's software renderer does: after a draw(), another one with an equal name
  /// compiles nothing. "" if compiling never takes long.
  [[nodiscard]] virtual std::string shader_kinds(const LiveView& live, glm::ivec2 size) {
    (void)live, (void)size;
    return {};
  }
  /// Draws into all of `target` what the live view holds so far, which may be nothing.
  virtual void draw(const LiveView& live, const gl::Framebuffer& target) = 0;
  /// Called when another scene is displayed instead: frees what draw() allocates again for the size of its target, such
  /// as several samples for each pixel.
  virtual void release_targets() {}
  /// Shows frame 0 .. frames - 1 of the animation that the scene offers, such as a full turn of the camera or the
  /// removal of all seams. Returns false if there is nothing to animate.
  virtual bool show_frame(int frame, int frames) {
    (void)frame, (void)frames;
    return false;
  }

  /// Draws one line of controls above the view.
  virtual void toolbar(const Workspace& workspace) = 0;
  /// Draws items of the View menu.
  virtual void menu() {}
  /// Handles mouse and keys over the view, an ImGui item of `size` units whose top left corner is `origin`.
  virtual void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) = 0;
  /// Called once a frame, for scenes whose edits take longer than that, for example because a thread writes a painted
  /// mask to a file first: puts what is complete into the parameters.
  virtual void update_edits(Workspace& workspace) { (void)workspace; }
  /// Takes back what the user did in the view and is not in the parameters yet. Returns false if there is nothing of
  /// that kind, so that Undo takes back the last change of the workspace.
  virtual bool take_back_edit() { return false; }
  /// Returns true if update_edits() has something to do, now or later, so that nothing older can be made again.
  [[nodiscard]] virtual bool edit_pending() const { return false; }
  /// Called in every frame until it returns true, for somebody who uses the program for the first time: may choose
  /// parameters with which something can be seen, once there is a picture.
  virtual bool welcome(Workspace& workspace) {
    (void)workspace;
    return true;
  }
  /// Waits for what update_edits() has not done yet, and does it, whichever algorithm is chosen now. Called when the
  /// window closes.
  virtual void finish_edit(Workspace& workspace) { (void)workspace; }
  [[nodiscard]] virtual std::span<const KeyHelp> help() const = 0;
  /// Draws the small panel below the parameters: the exact values under the mouse, and figures of the view.
  virtual void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) = 0;
  /// The height of the panel in heights of a line of text.
  [[nodiscard]] virtual float panel_lines() const { return 8.5f; }
  /// Returns true if the scene steps through the work by itself. Then the steps of the algorithm are not offered above
  /// it.
  [[nodiscard]] virtual bool has_stages() const { return false; }
  /// The source of what is drawn of this work, where that is a diagram; none for pictures.
  [[nodiscard]] virtual std::optional<DrawnCode> drawn_code(const Work& work) const {
    (void)work;
    return {};
  }
  /// The figures of the view by name, for the JSON that `render --timings` writes.
  [[nodiscard]] virtual std::vector<std::pair<std::string, double>> figures() const { return {}; }
  /// Returns whether another frame is needed, because an animation runs or a value that was read from the GPU has not
  /// arrived.
  [[nodiscard]] virtual bool animating() const = 0;
  /// Called when GL runs on the CPU and a user is waiting: settings at their defaults may be replaced by faster ones.
  virtual void prefer_speed() {}
  /// Called before the picture of the last draw() goes to a file or into the clipboard: a picture that prefer_speed()
  /// made coarser is drawn once more into `target`, as its settings ask.
  virtual void finish(const LiveView& live, const gl::Framebuffer& target) {
    (void)live;
    (void)target;
  }
  /// Called when pictures go to files and nobody waits for frames: what the window spreads over several frames is
  /// finished in the first one.
  virtual void prefer_completeness() {}
  /// Shows fixed times instead of measured ones from now on, so that pictures can be compared.
  virtual void use_fixture_times() {}

 protected:
  void report(const std::string& error) {
    if (desk_ != nullptr) desk_->workspace().log.error(error);
  }
  [[nodiscard]] SceneDesk* desk() { return desk_; }

 private:
  SceneDesk* desk_ = nullptr;
};

}  // namespace threadscape::app
