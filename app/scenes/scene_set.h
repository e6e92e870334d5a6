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
  std::string_view name;                    ///< of `--scene`
  std::string_view title;                   ///< on its button, where several can show the same
  std::span<const std::string_view> shows;  ///< names of `--show`; the first is the default
  bool (*can_show)(Kind output);
  ParamBox (*settings)();                        ///< their defaults; null without any
  glm::ivec2 (*natural_size)(const Shape& out);  ///< pixels of a picture whose size nobody states
  std::unique_ptr<Scene> (*make)(const gl::ShaderLibrary& shaders);
};

/// Where several can show a kind, the first is the default.
[[nodiscard]] std::span<const SceneType> scene_types();
/// The scene of `--scene NAME` for an output, the default for "". Throws UsageError and lists those that can show it.
[[nodiscard]] const SceneType& find_scene(std::string_view name, Kind output);
/// Index into `type.shows` of `--show NAME`, 0 for "". Throws UsageError and lists the known names.
[[nodiscard]] int find_show(const SceneType& type, std::string_view name);

/// One scene per type, made at its first use and kept: views stay as they were left.
class SceneSet {
 public:
  /// The library must outlive it. `quick`: see Scene::prefer_speed().
  explicit SceneSet(const gl::ShaderLibrary& shaders, bool quick = false)
      : shaders_(shaders), slots_(scene_types().size()), quick_(quick) {}

  /// What was chosen for the output, else the default.
  [[nodiscard]] const SceneType& type_for(Kind output) const;
  [[nodiscard]] Scene& scene_for(Kind output) { return scene(type_for(output)); }
  [[nodiscard]] Scene& scene(const SceneType& type);
  /// From now on this one shows the outputs that it can show.
  void choose(const SceneType& type);
  /// Settings as JSON, of a scene that may not be made yet: it then starts with them. Throws as assign_json().
  void restore(const SceneType& type, std::string_view settings);
  /// "" when the scene has none, or was never made nor restored.
  [[nodiscard]] std::string settings_of(const SceneType& type) const;
  /// Those that can show the output.
  [[nodiscard]] static std::vector<const SceneType*> choices(Kind output);

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
