#pragma once
// A scene draws one kind of output into a framebuffer and owns what belongs to the view: its settings, line of
// controls, menu items, keys and their help. There is one scene per kind of output, not per algorithm; where several
// can show a kind, the user chooses. scene_set.h lists them.

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
#include "app/session/workspace.h"
#include "app/window/theme.h"
#include "render/gl/framebuffer.h"

namespace threadscape::app {

/// A line of the list of keys: what to press, what it does.
struct KeyHelp {
  std::string_view keys, meaning;
};

/// A file that the user wants, made by the scene; `save` may throw.
struct SaveWish {
  std::string title, name;  ///< of the file browser, and the suggested name
  std::function<void(const std::filesystem::path&)> save;
};

class Scene {
 public:
  virtual ~Scene() = default;

  /// Chooses what is on show: an index into SceneType::shows.
  virtual void show(int index) = 0;
  /// Settings that the View panel, `--view key=value` and the settings file know as they know an algorithm's
  /// parameters; null when the scene has none of this sort. Changes take effect at the next draw().
  [[nodiscard]] virtual ParamBox* settings() { return nullptr; }
  /// Whether the serial result is needed to draw what is chosen.
  [[nodiscard]] virtual bool wants_reference() const { return false; }
  /// Parameters of the same algorithm to be computed in the place of those that are chosen, since the scene makes the
  /// picture itself from their result. Asked before every frame.
  [[nodiscard]] virtual std::optional<ParamBox> computed(const Workspace& workspace) {
    (void)workspace;
    return {};
  }
  /// What is on show as data, for a file; none when that is the live view's output. Waits for the GPU.
  [[nodiscard]] virtual std::optional<HostArray> result(const LiveView& live) {
    (void)live;
    return {};
  }
  /// Draws into all of `target`, whatever of the live view is there.
  virtual void draw(const LiveView& live, const gl::Framebuffer& target) = 0;
  /// Shows a frame, 0 .. frames - 1, of what the scene can play: a full turn, all seams. Returns false when there is
  /// nothing to play.
  virtual bool turn(int frame, int frames) {
    (void)frame, (void)frames;
    return false;
  }

  /// One line of controls above the view.
  virtual void toolbar(const Workspace& workspace) = 0;
  /// Items of the View menu.
  virtual void menu() {}
  /// Mouse and keys over the view, an ImGui item of `size` units whose top left corner is `origin`.
  virtual void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) = 0;
  /// What was done in the view and belongs to the work, not to the view: a painted mask, a dragged edge. Asked once a
  /// frame.
  virtual void edit(Workspace& workspace) { (void)workspace; }
  /// The same for what edit() has not told yet, whatever is chosen now: when the window closes.
  virtual void finish_edit(Workspace& workspace) { (void)workspace; }
  /// Asked once a frame; the window lets the user choose where.
  [[nodiscard]] virtual std::optional<SaveWish> take_wish() { return {}; }
  [[nodiscard]] virtual std::span<const KeyHelp> help() const = 0;
  /// The small panel below the parameters: exact values under the mouse, figures of the view.
  virtual void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) = 0;
  /// The same figures by name, for `--timings`.
  [[nodiscard]] virtual std::vector<std::pair<std::string, double>> figures() const { return {}; }
  /// True while something is under way that needs another frame (a probe read, an animation).
  [[nodiscard]] virtual bool animating() const = 0;
  /// The renderer has no GPU and someone is waiting: settings that nobody has chosen may be quicker ones.
  virtual void prefer_speed() {}
  /// Shows made-up times from now on: for pictures that are compared.
  virtual void use_fixture_times() {}
  /// What went wrong since the last call, for the log; "" when nothing did.
  [[nodiscard]] virtual std::string take_error() { return {}; }
};

}  // namespace threadscape::app
