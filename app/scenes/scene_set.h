#pragma once
// Which scenes there are, and the ones that a window has made.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/scenes/scene.h"
#include "render/gl/program.h"

namespace threadscape::app {

/// What is known of a scene without making it, which takes a GL context.
struct SceneType {
  std::string_view name;                             ///< of `--scene`
  std::string_view title;                            ///< on its button, where several can show the same
  std::span<const std::string_view> shows;           ///< names of `--show`; the first is the default
  bool (*can_show)(const AlgorithmInfo& algorithm);  ///< its results
  ParamBox (*settings)();                            ///< their defaults; null without any
  glm::ivec2 (*natural_size)(const Shape& out);      ///< pixels of a picture whose size nobody states
  std::unique_ptr<Scene> (*make)(const gl::ShaderLibrary& shaders);
};

/// Where several can show what an algorithm makes, the first is the default.
[[nodiscard]] std::span<const SceneType> scene_types();
/// The scene of `--scene NAME` for an algorithm, the default for "". Throws UsageError and lists those that can show
/// it.
[[nodiscard]] const SceneType& find_scene(std::string_view name, const AlgorithmInfo& algorithm);
/// Index into `type.shows` of `--show NAME`, 0 for "". Throws UsageError and lists the known names.
[[nodiscard]] int find_show(const SceneType& type, std::string_view name);

/// One scene per type, made at its first use and kept: views stay as they were left.
class SceneSet {
 public:
  /// The library must outlive it. `quick`: see Scene::prefer_speed().
  explicit SceneSet(const gl::ShaderLibrary& shaders, bool quick = false)
      : shaders_(shaders), slots_(scene_types().size()), quick_(quick) {}

  /// What was chosen for results of this algorithm, else the default.
  [[nodiscard]] const SceneType& type_for(const AlgorithmInfo& algorithm) const;
  [[nodiscard]] Scene& scene_for(const AlgorithmInfo& algorithm) { return scene(type_for(algorithm)); }
  [[nodiscard]] Scene& scene(const SceneType& type);
  /// From now on this one shows whatever it can show.
  void choose(const SceneType& type);
  /// Settings as JSON, of a scene that may not be made yet: it then starts with them. Throws as assign_json().
  void restore(const SceneType& type, std::string_view settings);
  /// "" when the scene has none, or was never made nor restored.
  [[nodiscard]] std::string settings_of(const SceneType& type) const;
  /// Scene::finish_edit() of all; what goes wrong is logged.
  void finish_edits(Workspace& workspace);
  /// Those that can show its results.
  [[nodiscard]] static std::vector<const SceneType*> choices(const AlgorithmInfo& algorithm);

 private:
  struct Slot {
    std::unique_ptr<Scene> scene;
    std::optional<ParamBox> restored;  ///< until the scene is made
  };
  [[nodiscard]] static std::size_t place(const SceneType& type);

  const gl::ShaderLibrary& shaders_;
  std::vector<Slot> slots_;               ///< in the order of scene_types()
  std::vector<const SceneType*> chosen_;  ///< the latest last
  bool quick_;
};

}  // namespace threadscape::app
