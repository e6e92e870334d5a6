#include "app/scenes/scene_set.h"

#include <algorithm>
#include <array>

#include "app/scenes/bars/bars_scene.h"
#include "app/scenes/compare/compare_scene.h"
#include "app/scenes/image/image_scene.h"
#include "app/scenes/seams/seams_scene.h"
#include "app/scenes/terrain/terrain_scene.h"
#include "app/scenes/volume/volume_scene.h"

namespace threadscape::app {

namespace {

constexpr std::array types{
    SceneType{
        "terrain", "3-D", terrain_show_names, [](const AlgorithmInfo& a) { return a.output == Kind::heightfield; },
        [] { return ParamBox::of(render::TerrainSettings{}); }, [](const Shape&) { return glm::ivec2(1920, 1080); },
        [](const gl::ShaderLibrary& shaders) -> std::unique_ptr<Scene> {
          return std::make_unique<TerrainScene>(shaders);
        }},
    SceneType{"seams", "Seams", seams_show_names, SeamsScene::can_show, [] { return ParamBox::of(SeamsView{}); },
              [](const Shape& shape) { return glm::ivec2(shape.width, shape.height); },
              [](const gl::ShaderLibrary& shaders) -> std::unique_ptr<Scene> {
                return std::make_unique<SeamsScene>(shaders);
              }},
    SceneType{"image", "2-D", image_show_names,
              [](const AlgorithmInfo& a) { return a.output == Kind::image || a.output == Kind::heightfield; }, nullptr,
              [](const Shape& shape) { return glm::ivec2(shape.width, shape.height); },
              [](const gl::ShaderLibrary& shaders) -> std::unique_ptr<Scene> {
                return std::make_unique<ImageScene>(shaders);
              }},
    SceneType{"compare", "Compare", compare_show_names, CompareScene::can_show,
              [] { return ParamBox::of(CompareView{}); }, [](const Shape&) { return glm::ivec2(1600, 900); },
              [](const gl::ShaderLibrary& shaders) -> std::unique_ptr<Scene> {
                return std::make_unique<CompareScene>(shaders);
              }},
    SceneType{"volume", "Volume", volume_show_names, [](const AlgorithmInfo& a) { return a.output == Kind::volume; },
              [] { return ParamBox::of(VolumeView{}); }, [](const Shape&) { return glm::ivec2(1920, 1080); },
              [](const gl::ShaderLibrary& shaders) -> std::unique_ptr<Scene> {
                return std::make_unique<VolumeScene>(shaders);
              }},
    SceneType{"bars", "Bars", bars_show_names,
              [](const AlgorithmInfo& a) { return a.output == Kind::sequence || a.output == Kind::scalar; },
              [] { return ParamBox::of(BarsView{}); }, [](const Shape&) { return glm::ivec2(1280, 720); },
              [](const gl::ShaderLibrary& shaders) -> std::unique_ptr<Scene> {
                return std::make_unique<BarsScene>(shaders);
              }},
};

}  // namespace

std::span<const SceneType> scene_types() {
  return types;
}

std::vector<const SceneType*> SceneSet::choices(const AlgorithmInfo& algorithm) {
  std::vector<const SceneType*> found;
  for (const SceneType& type : types)
    if (type.can_show(algorithm)) found.push_back(&type);
  return found;
}

const SceneType& find_scene(std::string_view name, const AlgorithmInfo& algorithm) {
  const std::vector<const SceneType*> choices = SceneSet::choices(algorithm);
  if (choices.empty())
    throw UsageError("nothing draws a " + std::string(name_of(algorithm.output)) + ": use `threadscape run`");
  if (name.empty()) return *choices.front();
  std::string known;
  for (const SceneType* type : choices) {
    if (type->name == name) return *type;
    known += (known.empty() ? "" : " | ") + std::string(type->name);
  }
  throw UsageError("--scene " + std::string(name) + ": " + std::string(algorithm.name) + " is shown by " + known);
}

int find_show(const SceneType& type, std::string_view name) {
  if (name.empty()) return 0;
  const auto found = std::ranges::find(type.shows, name);
  if (found != type.shows.end()) return static_cast<int>(found - type.shows.begin());
  std::string known;
  for (const std::string_view show : type.shows)
    known += (known.empty() ? "" : " | ") + std::string(show);
  throw UsageError("--show " + std::string(name) + ": accepted are " + known);
}

const SceneType& SceneSet::type_for(const AlgorithmInfo& algorithm) const {
  for (auto type = chosen_.rbegin(); type != chosen_.rend(); ++type)
    if ((*type)->can_show(algorithm)) return **type;
  for (const SceneType& type : types)
    if (type.can_show(algorithm)) return type;
  return types.front();  // says that there is nothing to show
}

std::size_t SceneSet::place(const SceneType& type) {
  return static_cast<std::size_t>(&type - types.data());
}

Scene& SceneSet::scene(const SceneType& type) {
  Slot& slot = slots_[place(type)];
  if (!slot.scene) {
    slot.scene = type.make(shaders_);
    if (ParamBox* settings = slot.scene->settings(); settings != nullptr && slot.restored)
      *settings = std::move(*slot.restored);
    slot.restored.reset();
    if (quick_) slot.scene->prefer_speed();
  }
  return *slot.scene;
}

void SceneSet::restore(const SceneType& type, std::string_view settings) {
  if (type.settings == nullptr) return;
  Slot& slot = slots_[place(type)];
  ParamBox params = type.settings();
  assign_json(params, settings);
  if (!params.problem().empty()) return;
  if (slot.scene)
    *slot.scene->settings() = std::move(params);
  else
    slot.restored = std::move(params);
}

std::string SceneSet::settings_of(const SceneType& type) const {
  const Slot& slot = slots_[place(type)];
  if (slot.scene && slot.scene->settings() != nullptr) return to_json(*slot.scene->settings());
  return slot.restored ? to_json(*slot.restored) : std::string{};
}

void SceneSet::finish_edits(Workspace& workspace) {
  for (const Slot& slot : slots_) {
    if (!slot.scene) continue;
    slot.scene->finish_edit(workspace);
    if (const std::string trouble = slot.scene->take_error(); !trouble.empty()) workspace.log.error(trouble);
  }
}

void SceneSet::choose(const SceneType& type) {
  std::erase(chosen_, &type);
  chosen_.push_back(&type);
}

}  // namespace threadscape::app
