#pragma once
// The list of scenes, and the scenes that a window has made. A new scene is a folder in app/scenes/ and a row in
// scene_set.cpp.

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/scenes/scene.h"
#include "render/gl/program.h"

namespace threadscape::app {

/// Facts about a scene that are known before it is made, because making one needs a GL context.
struct SceneType {
  std::string_view name;                    ///< Value of `--scene`.
  std::string_view title;                   ///< Title of the scene on its button, if several scenes can show a result.
  std::span<const std::string_view> shows;  ///< Values of `--show`; the first is the default.
  bool (*can_show)(const AlgorithmInfo& algorithm);  ///< If true, the scene can show what this algorithm makes.
  ParamBox (*settings)();                            ///< Default settings; null if the scene has none.
  glm::ivec2 (*natural_size)(const Shape& result);   ///< Default size in pixels of a picture of the scene.
  std::unique_ptr<Scene> (*make)(const gl::ShaderLibrary& shaders);
};

/// All scenes. Where several can show what an algorithm makes, the first is the default.
[[nodiscard]] std::span<const SceneType> scene_types();
/// The scene with this name. For "" it is the default scene for the algorithm's results, or the first that knows `show`
/// and has all of `settings`, names with values, if one does. Throws UsageError if the scene cannot show the results,
/// and lists those that can, and for a `show` that no scene knows.
[[nodiscard]] const SceneType& find_scene(std::string_view name, const AlgorithmInfo& algorithm,
                                          std::string_view show = {},
                                          std::span<const std::pair<std::string, std::string>> settings = {});
/// Index of a name in `type.shows`; 0 for "". Throws UsageError and lists the known names.
[[nodiscard]] int find_show(const SceneType& type, std::string_view name);

/// What frames are for: smooth motion, quick motion on a renderer in software, or pictures in files.
enum class Pace : std::uint8_t { smooth, quick, complete };

/// The scenes of a window: one per type, made at its first use and kept, so that views stay as they were left.
class SceneSet {
 public:
  /// `shaders` must outlive this object. Each scene is told the pace by Scene::prefer_speed() or
  /// Scene::prefer_completeness().
  explicit SceneSet(const gl::ShaderLibrary& shaders, Pace pace = Pace::smooth);

  /// The scene that was chosen last among those that can show the algorithm's results, else the default.
  [[nodiscard]] const SceneType& type_for(const AlgorithmInfo& algorithm) const;
  /// Where the scenes work that are made from now on. `desk` must outlive this object.
  void work_at(SceneDesk& desk) { desk_ = &desk; }
  /// The scene of type_for(). Within a frame at another pace than `complete`, a scene that does not exist yet is made
  /// in the next frame but one, and this one and the next get an empty scene, because compiling shaders can take half a
  /// second: meanwhile the user sees why, if the window shows it while preparing(). There are two such frames, because
  /// a scene that is chosen in the middle of a frame comes too late for what was drawn before.
  [[nodiscard]] Scene& scene_for(const AlgorithmInfo& algorithm);
  /// Draws `scene`, a result of scene_for(), into `target`, or returns false and leaves the target as it is. The latter
  /// happens at the pace `quick`, if Scene::shader_kinds() has a name with which the scene was not drawn before,
  /// because compiling shaders can take 0.3 s: then the scene is drawn in the next frame but one, as it would be made.
  bool draw(Scene& scene, const LiveView& live, const gl::Framebuffer& target);
  /// The scene of this type, which is made if it does not exist yet.
  [[nodiscard]] Scene& scene(const SceneType& type);
  void begin_frame() {
    in_frame_ = true;
    ++frame_;
    if (refused_in_ + 1 == frame_ && told_in_ + 1 != frame_) told_in_ = prepared_in_ = frame_;
  }
  /// Calls Scene::release_targets() of the scene that scene_for() has returned in the last frame, if it has returned
  /// another one in this frame.
  void end_frame();
  /// Returns whether the current or the last frame has shown an empty scene instead of one that is made soon, or the
  /// picture of an earlier frame instead of one for which shaders are compiled soon.
  [[nodiscard]] bool preparing() const { return prepared_in_ == frame_ && frame_ > 0; }
  /// Makes this the scene for all results that it can show.
  void choose(const SceneType& type);
  /// Applies settings in JSON, now or when the scene is made. Throws what assign_json() throws.
  void restore(const SceneType& type, std::string_view settings);
  /// The scene's settings as JSON; "" if it has none, or if it was neither made nor restored.
  [[nodiscard]] std::string settings_of(const SceneType& type) const;
  /// Calls Scene::finish_edit() of all scenes that were made.
  void finish_edits(Workspace& workspace);
  /// The scenes that can show the algorithm's results, the default first.
  [[nodiscard]] static std::vector<const SceneType*> choices(const AlgorithmInfo& algorithm);

 private:
  struct Slot {
    std::unique_ptr<Scene> scene;
    std::optional<ParamBox> restored;  ///< Settings that the scene will start with; unset once it is made.
    std::int64_t asked_in = 0;         ///< The frame that has asked for it first; 0 for none.
  };
  [[nodiscard]] static std::size_t index_of(const SceneType& type);
  /// Returns whether the current frame shows the empty scene instead of this one, and notes that.
  [[nodiscard]] bool is_made_later(Slot& slot);
  /// Scene::shader_kinds() if shaders have to be compiled for that, and the user should know; none otherwise.
  [[nodiscard]] std::optional<std::string> new_shader_kinds(Scene& scene, const LiveView& live, glm::ivec2 size) const;

  const gl::ShaderLibrary& shaders_;
  SceneDesk* desk_ = nullptr;
  std::vector<Slot> slots_;               ///< In the order of scene_types().
  std::vector<const SceneType*> chosen_;  ///< The scenes that the user has chosen, the latest last.
  /// The names of Scene::shader_kinds() with which each scene was drawn.
  std::set<std::pair<const Scene*, std::string>> compiled_;
  std::unique_ptr<Scene> empty_;       ///< What a frame shows whose scene is made soon.
  Scene* displayed_ = nullptr;         ///< What scene_for() has returned last in the current frame; null if nothing.
  Scene* displayed_before_ = nullptr;  ///< What it has returned last in the frames before; null if nothing.
  Pace pace_;
  bool in_frame_ = false;
  std::int64_t frame_ = 0, prepared_in_ = 0;  ///< The current or last frame, and the last one that was preparing().
  std::int64_t refused_in_ = -1;              ///< The last frame in which draw() has returned false.
  std::int64_t told_in_ = -1;                 ///< The last frame that was preparing() from its beginning for draw().
};

}  // namespace threadscape::app
