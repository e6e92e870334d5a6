#include "app/scenes/scene_set.h"

#include <algorithm>
#include <array>

#include "app/scenes/bars/bars_scene.h"
#include "app/scenes/compare/compare_scene.h"
#include "app/scenes/image/image_scene.h"
#include "app/scenes/launch/launch_scene.h"
#include "app/scenes/microscope/microscope_scene.h"
#include "app/scenes/pipeline/pipeline_scene.h"
#include "app/scenes/seams/seams_scene.h"
#include "app/scenes/terrain/terrain_scene.h"
#include "app/scenes/tile/tile_scene.h"
#include "app/scenes/volume/volume_scene.h"
#include "compute/core/suggestion.h"

namespace threadscape::app {

namespace {

template <Kind... kinds>
bool shows_output(const AlgorithmInfo& algorithm) {
  return ((algorithm.output == kinds) || ...);
}

template <class Settings>
ParamBox defaults() {
  return ParamBox::of(Settings{});
}

template <int width, int height>
glm::ivec2 always(const Shape&) {
  return {width, height};
}

glm::ivec2 as_the_result(const Shape& result) {
  return {result.width, result.height};
}

template <class S>
std::unique_ptr<Scene> make(const gl::ShaderLibrary& shaders) {
  return std::make_unique<S>(shaders);
}

// The scenes. A new scene is a folder in app/scenes/ and a row here; a new kind of data can be displayed as soon as a
// row names it. If several rows can show a result, the first is the default.
constexpr std::array types{
    SceneType{"terrain", "3-D", terrain_show_names, shows_output<Kind::heightfield>, defaults<render::TerrainSettings>,
              always<1920, 1080>, make<TerrainScene>},
    SceneType{"seams", "Seams", seams_show_names, SeamsScene::can_show, defaults<SeamsView>, as_the_result,
              make<SeamsScene>},
    SceneType{"image", "2-D", image_show_names, shows_output<Kind::image, Kind::heightfield>, defaults<ImageLook>,
              as_the_result, make<ImageScene>},
    SceneType{"launch", "Launch", launch_show_names, LaunchScene::can_show, defaults<LaunchView>, always<1280, 720>,
              make<LaunchScene>},
    SceneType{"tile", "Tile", tile_show_names, TileScene::can_show, defaults<TileView>, always<1280, 720>,
              make<TileScene>},
    SceneType{"pipeline", "Pipeline", pipeline_show_names, PipelineScene::can_show, defaults<PipelineView>,
              as_the_result, make<PipelineScene>},
    SceneType{"compare", "Compare", compare_show_names, CompareScene::can_show, defaults<CompareView>,
              always<1600, 900>, make<CompareScene>},
    SceneType{"volume", "Volume", volume_show_names, shows_output<Kind::volume>, defaults<VolumeView>,
              always<1920, 1080>, make<VolumeScene>},
    SceneType{"bars", "Bars", bars_show_names, shows_output<Kind::sequence, Kind::scalar>, defaults<BarsView>,
              always<1280, 720>, make<BarsScene>},
    SceneType{"microscope", "Kernel", microscope_show_names, MicroscopeScene::can_show, defaults<MicroscopeView>,
              always<1280, 720>, make<MicroscopeScene>},
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

namespace {

bool knows(const SceneType& type, std::string_view show,
           std::span<const std::pair<std::string, std::string>> settings) {
  if (!show.empty() && std::ranges::find(type.shows, show) == type.shows.end()) return false;
  if (settings.empty()) return true;
  if (type.settings == nullptr) return false;
  const ParamBox box = type.settings();
  const std::vector<FieldRef> fields = box.fields();
  return std::ranges::all_of(settings, [&fields](const auto& setting) {
    return std::ranges::find(fields, setting.first, &FieldRef::name) != fields.end();
  });
}

}  // namespace

const SceneType& find_scene(std::string_view name, const AlgorithmInfo& algorithm, std::string_view show,
                            std::span<const std::pair<std::string, std::string>> settings) {
  const std::vector<const SceneType*> choices = SceneSet::choices(algorithm);
  if (choices.empty())
    throw UsageError("nothing draws a " + std::string(name_of(algorithm.output)) + ": use `threadscape run`");
  if (name.empty()) {
    const auto fitting =
        std::ranges::find_if(choices, [&](const SceneType* type) { return knows(*type, show, settings); });
    if (fitting != choices.end()) return **fitting;
    // A wrong name of a setting is reported by the scene that knows `show`.
    const auto showing = std::ranges::find_if(choices, [&](const SceneType* type) { return knows(*type, show, {}); });
    if (showing != choices.end()) return **showing;
    std::vector<std::string_view> shows;
    for (const SceneType* type : choices)
      for (const std::string_view one : type->shows)
        if (std::ranges::find(shows, one) == shows.end()) shows.push_back(one);
    throw UsageError("--show " + std::string(show) + " is unknown: " + suggestion_and_list(show, shows));
  }
  std::vector<std::string_view> known;
  for (const SceneType* type : choices) {
    if (type->name == name) return *type;
    known.push_back(type->name);
  }
  throw UsageError("--scene " + std::string(name) + " does not show " + std::string(algorithm.name) + ": " +
                   suggestion_and_list(name, known));
}

int find_show(const SceneType& type, std::string_view name) {
  if (name.empty()) return 0;
  const auto found = std::ranges::find(type.shows, name);
  if (found != type.shows.end()) return static_cast<int>(found - type.shows.begin());
  throw UsageError("--show " + std::string(name) + " is unknown: " + suggestion_and_list(name, type.shows));
}

const SceneType& SceneSet::type_for(const AlgorithmInfo& algorithm) const {
  for (auto type = chosen_.rbegin(); type != chosen_.rend(); ++type)
    if ((*type)->can_show(algorithm)) return **type;
  for (const SceneType& type : types)
    if (type.can_show(algorithm)) return type;
  return types.front();  // A scene that cannot show the result draws an empty view.
}

std::size_t SceneSet::index_of(const SceneType& type) {
  return static_cast<std::size_t>(&type - types.data());
}

namespace {

/// Shows nothing, while the scene that belongs there is being prepared.
class EmptyScene final : public Scene {
 public:
  void show(int) override {}
  [[nodiscard]] int shown() const override { return 0; }
  void draw(const LiveView&, const gl::Framebuffer& target) override {
    const ImVec4 canvas = canvas_colour();
    target.clear({canvas.x, canvas.y, canvas.z, 1.0f});
  }
  void toolbar(const Workspace&) override { ImGui::NewLine(); }
  void interact(const LiveView&, ImVec2, ImVec2, bool) override {}
  [[nodiscard]] std::span<const KeyHelp> help() const override { return {}; }
  void panel(const Workspace&, const LiveView&, const Fonts&) override {}
  [[nodiscard]] bool animating() const override { return true; }
};

}  // namespace

SceneSet::SceneSet(const gl::ShaderLibrary& shaders, Pace pace)
    : shaders_(shaders), slots_(scene_types().size()), empty_(std::make_unique<EmptyScene>()), pace_(pace) {}

Scene& SceneSet::scene_for(const AlgorithmInfo& algorithm) {
  const SceneType& type = type_for(algorithm);
  if (!in_frame_) return scene(type);
  displayed_ = is_made_later(slots_[index_of(type)]) ? empty_.get() : &scene(type);
  return *displayed_;
}

bool SceneSet::is_made_later(Slot& slot) {
  if (slot.scene || pace_ == Pace::complete) return false;
  if (slot.asked_in == 0) slot.asked_in = frame_;
  if (slot.asked_in + 1 < frame_) return false;
  prepared_in_ = frame_;
  return true;
}

std::optional<std::string> SceneSet::new_shader_kinds(Scene& scene, const LiveView& live, glm::ivec2 size) const {
  if (!in_frame_ || pace_ != Pace::quick) return {};
  std::string kinds = scene.shader_kinds(live, size);
  if (kinds.empty() || compiled_.contains({&scene, kinds})) return {};
  return kinds;
}

bool SceneSet::draw(Scene& scene, const LiveView& live, const gl::Framebuffer& target) {
  if (std::optional<std::string> kinds = new_shader_kinds(scene, live, {target.width(), target.height()})) {
    if (told_in_ + 1 != frame_) {
      refused_in_ = prepared_in_ = frame_;
      return false;
    }
    compiled_.emplace(&scene, *std::move(kinds));
  }
  scene.draw(live, target);
  return true;
}

void SceneSet::end_frame() {
  in_frame_ = false;
  Scene* const displayed = std::exchange(displayed_, nullptr);
  if (displayed == nullptr || displayed == displayed_before_) return;
  if (displayed_before_ != nullptr) displayed_before_->release_targets();
  displayed_before_ = displayed;
}

Scene& SceneSet::scene(const SceneType& type) {
  Slot& slot = slots_[index_of(type)];
  if (!slot.scene) {
    slot.scene = type.make(shaders_);
    if (desk_ != nullptr) slot.scene->work_at(*desk_);
    if (ParamBox* settings = slot.scene->settings(); settings != nullptr && slot.restored)
      *settings = std::move(*slot.restored);
    slot.restored.reset();
    if (pace_ == Pace::quick) slot.scene->prefer_speed();
    if (pace_ == Pace::complete) slot.scene->prefer_completeness();
  }
  return *slot.scene;
}

void SceneSet::restore(const SceneType& type, std::string_view settings) {
  if (type.settings == nullptr) return;
  Slot& slot = slots_[index_of(type)];
  ParamBox params = type.settings();
  assign_json(params, settings);
  if (!params.problem().empty()) return;
  if (slot.scene)
    *slot.scene->settings() = std::move(params);
  else
    slot.restored = std::move(params);
}

std::string SceneSet::settings_of(const SceneType& type) const {
  const Slot& slot = slots_[index_of(type)];
  if (slot.scene && slot.scene->settings() != nullptr) return to_json(*slot.scene->settings());
  return slot.restored ? to_json(*slot.restored) : std::string{};
}

void SceneSet::finish_edits(Workspace& workspace) {
  for (const Slot& slot : slots_)
    if (slot.scene) slot.scene->finish_edit(workspace);
}

void SceneSet::choose(const SceneType& type) {
  std::erase(chosen_, &type);
  chosen_.push_back(&type);
}

}  // namespace threadscape::app
