#include "app/scenes/pipeline/pipeline_scene.h"

#include <algorithm>
#include <cmath>

#include "app/scenes/flat_pane.h"
#include "app/ui/icons.h"
#include "app/ui/widgets.h"
#include "compute/algorithms/graphics/rasterize/rasterize_environment_map.h"
#include "compute/algorithms/graphics/rasterize/rasterize_matrix.h"
#include "compute/core/errors.h"

namespace threadscape::app {

namespace {

constexpr std::array<KeyHelp, 9> key_help{{{"[ and ]", "the stage before, the next stage"},
                                           {"Left and Right", "one step back or on within the stage"},
                                           {"Space", "play the steps of the stage"},
                                           {"click", "follow the vertex or the pixel under the mouse"},
                                           {"drag", "turn the view in space, or move the picture"},
                                           {"right drag", "turn the camera of the picture"},
                                           {"wheel", "zoom"},
                                           {"F", "fit; in the stage Coverage to the triangle"},
                                           {"1", "one view pixel per picture pixel"}}};

/// Titles of the stages on their buttons, and what they show.
struct StageText {
  std::string_view title, caption;
};
constexpr std::array<StageText, pipeline_show_names.size()> stage_texts{
    {{"Object", "object space: the coordinates of the file"},
     {"World", "world space: the matrix model has placed the mesh; the camera and its view volume"},
     {"Camera", "camera space: the camera is the origin and looks along -z"},
     {"Clip", "clip space divided by w: the view volume is a cube; what planes cut off is red"},
     {"Screen", "screen: corners in 1/256 pixel; backs are dashed blue"},
     {"Coverage", "coverage of one triangle: a pixel is covered if all three edge functions are at least 0"},
     {"Fragments", "fragments, triangle by triangle in the order of drawing"},
     {"Depth", "depth of what is visible: dark is near"},
     {"Overdraw", "how many fragments fell on each pixel"},
     {"Lighting", "one term of the lighting"},
     {"Blending", "transparent fragments, layer by layer"},
     {"Picture", "the picture"},
     {"OpenGL", "left: software; right: OpenGL with equal settings"},
     {"Difference", "difference of the pictures, 32 times as bright; black is equal"}}};

}  // namespace

std::optional<ParamBox> PipelineScene::params_to_compute(const Workspace& workspace) {
  params_.reset();
  source_ = workspace.source();
  if (!can_show(workspace.algorithm()) || !workspace.work().params.problem().empty()) return {};
  params_ = workspace.work().params.as<Params>();
  request_ = workspace.work().request();
  PipelinePicture picture = PipelinePicture::all;
  if (show_ == PipelineShow::depth) picture = PipelinePicture::depth;
  if (show_ == PipelineShow::overdraw) picture = PipelinePicture::overdraw;
  if (show_ == PipelineShow::lighting) {
    if (!params_->surrounded() && look().term > LightTerm::specular) look().term = LightTerm::specular;
    picture = static_cast<PipelinePicture>(static_cast<int>(PipelinePicture::emission) + static_cast<int>(look().term));
  }
  ParamBox changed = diagrams_of(workspace.algorithm()).pipeline->picture(workspace.work().params, picture);
  if (changed == workspace.work().params) return {};
  return changed;
}

bool PipelineScene::refresh() {
  const auto refuse = [this](std::string why) {
    subject_.reset();
    state_ = std::move(why);
    return false;
  };
  if (!params_ || !source_ || source_->picture.pixels.shape().kind != Kind::mesh) return refuse("no mesh yet");
  const HostIn mesh = source_->picture.pixels.view();
  const std::uint32_t triangles = MeshView(mesh).triangles();
  if (triangles > PipelineFrame::max_triangles ||
      std::int64_t{params_->width} * params_->height > PipelineFrame::max_pixels)
    return refuse("this stage is followed step by step up to " + std::to_string(PipelineFrame::max_triangles) +
                  " triangles and " + std::to_string(PipelineFrame::max_pixels) + " pixels");
  std::optional<Subject> wanted = subject();
  if (subject_ == wanted) return followed();
  subject_ = std::move(wanted);
  try {
    auto& recording = state_.emplace<Recording>();
    recording.environment = rasterize::environment_map(subject_->params);
    recording.frame.begin(Rasterize::plan(subject_->params, mesh, recording.environment.get()), MeshView(mesh));
  } catch (const Error& error) {
    state_ = std::string(error.what());
    return false;
  }
  comparison_.reset();
  fitted_triangle_.reset();
  return true;
}

std::optional<PipelineScene::Subject> PipelineScene::subject() const {
  if (!params_) return {};
  Subject subject{*params_, source_};
  subject.params.output = rasterize::Output::picture;
  return subject;
}

std::uint32_t PipelineScene::triangle() const {
  const std::uint32_t triangles = followed() ? plan().triangles : 1;
  return std::min(static_cast<std::uint32_t>(look().triangle), std::max(triangles, 1u) - 1);
}

int PipelineScene::steps() {
  if (!followed()) return 0;
  const auto triangles = static_cast<int>(plan().triangles);
  switch (show_) {
    case PipelineShow::clip:
    case PipelineShow::screen:
    case PipelineShow::coverage:
      return triangles;
    case PipelineShow::fragments:
      return triangles + 1;
    case PipelineShow::lighting:
      return params_->surrounded() ? static_cast<int>(light_term_names.size())
                                   : static_cast<int>(LightTerm::refraction);
    case PipelineShow::blending:
      return frame().most_layers() + 1;
    default:
      return 0;
  }
}

int PipelineScene::step() {
  const int last = steps() - 1;
  if (show_ == PipelineShow::fragments) return look().drawn < 0 ? last : std::min(look().drawn, last);
  if (show_ == PipelineShow::blending) return look().layers < 0 ? last : std::min(look().layers, last);
  if (show_ == PipelineShow::lighting) return std::max(0, std::min(static_cast<int>(look().term), last));
  return static_cast<int>(triangle());
}

void PipelineScene::choose_step(int step) {
  const int last = steps() - 1;
  if (last < 0) return;
  step = std::clamp(step, 0, last);
  if (show_ == PipelineShow::fragments) {
    look().drawn = step == last ? -1 : step;
    if (step > 0) look().triangle = static_cast<int>(frame().order()[static_cast<std::size_t>(step) - 1]);
  } else if (show_ == PipelineShow::blending) {
    look().layers = step == last ? -1 : step;
  } else if (show_ == PipelineShow::lighting) {
    look().term = static_cast<LightTerm>(step);
  } else {
    look().triangle = step;
  }
}

void PipelineScene::play_or_stop() {
  if (playback_.playing()) return playback_.stop();
  playback_.play(ImGui::GetTime());
  if (step() >= steps() - 1) choose_step(0);
}

void PipelineScene::fit() {
  if (in_space())
    look().zoom = 1.0f;
  else if (show_ == PipelineShow::coverage)
    fitted_triangle_.reset();  // The next drawing fits the triangle.
  else
    navigator_.fit();
}

void PipelineScene::advance() {
  const int count = steps();
  if (count == 0) playback_.stop();
  if (!playback_.playing()) return;
  // Stages of few steps are played slowly enough to be seen.
  const double pace = std::min(static_cast<double>(look().pace), std::max(1.0, count / 4.0));
  const int whole = static_cast<int>(playback_.take_due(ImGui::GetTime(), pace));
  if (step() + whole >= count - 1) playback_.stop();
  choose_step(step() + whole);
}

void PipelineScene::draw(const LiveView& live, const gl::Framebuffer& target) {
  size_ = {target.width(), target.height()};
  const ImVec4 backdrop = canvas_colour();
  target.bind();
  target.clear({backdrop.x, backdrop.y, backdrop.z, 1.0f});
  const float unit = text_unit(target);
  const bool followed = refresh();
  measure_as_set();
  ViewCanvas canvas(target);
  const bool needs_record = in_space() || show_ == PipelineShow::screen || show_ == PipelineShow::coverage ||
                            show_ == PipelineShow::fragments || show_ == PipelineShow::blending;
  if (followed) advance();
  if (!followed && (needs_record || !params_))
    canvas.text({canvas.width() / 2, canvas.height() / 2}, std::get<std::string>(state_), unit, muted_ink(),
                Align::centre, canvas.width() - 2 * unit);
  else if (in_space())
    draw_space(canvas, size_);
  else
    draw_screen(live, target, canvas);
  if (params_) stage_caption(canvas, unit);
  canvas.finish();
}

void PipelineScene::stage_caption(ViewCanvas& canvas, float unit) {
  std::string text(stage_texts[static_cast<std::size_t>(show_)].caption);
  if (show_ == PipelineShow::lighting) text += ": " + std::string(light_term_names[static_cast<std::size_t>(step())]);
  if (followed() && (show_ == PipelineShow::coverage || show_ == PipelineShow::screen))
    text += "; triangle " + std::to_string(triangle());
  if (followed() && show_ == PipelineShow::screen && recording().regions)
    text += format_text("; Warnock divides it into %zu regions, with the numbers of their triangles",
                        recording().regions->size());
  if (followed() && show_ == PipelineShow::fragments)
    text += ": " + std::to_string(step()) + " of " + std::to_string(plan().triangles);
  if (followed() && show_ == PipelineShow::blending)
    text += frame().most_layers() > 0
                ? ": " + std::to_string(step()) + " of " + std::to_string(frame().most_layers())
                : std::string(": no triangle of this mesh is transparent; the mesh 'glass' has panes that are");
  canvas.label_lines({unit, 1.1f * unit}, text, 1.1f * unit, ink(), Align::left, canvas.width() - 2 * unit);
}

bool PipelineScene::show_frame(int frame, int frames) {
  const float share = static_cast<float>(frame) / static_cast<float>(std::max(frames, 1));
  if (in_space()) {
    look().azimuth = std::fmod(30.0f + 360.0f * share, 360.0f);
    return true;
  }
  const int count = steps();
  if (count > 1) choose_step(static_cast<int>(share * static_cast<float>(count)));
  return true;
}

void PipelineScene::toolbar(const Workspace&) {
  std::vector<Segment> segments;
  for (const StageText& stage : stage_texts)
    segments.push_back({stage.title, true, std::string(stage.caption)});
  float full = 0;
  for (const Segment& segment : segments)
    full += ImGui::CalcTextSize(segment.label.data(), segment.label.data() + segment.label.size()).x + em(0.7f);
  const bool wide = ImGui::GetContentRegionAvail().x >= full;
  if (wide) {
    if (const int clicked = segmented("stages", segments, static_cast<int>(show_), full); clicked >= 0) show(clicked);
  } else {
    ImGui::SetNextItemWidth(em(8));
    if (ImGui::BeginCombo("##stage", stage_texts[static_cast<std::size_t>(show_)].title.data())) {
      for (std::size_t i = 0; i < stage_texts.size(); ++i)
        if (ImGui::Selectable(stage_texts[i].title.data(), i == static_cast<std::size_t>(show_)))
          show(static_cast<int>(i));
      ImGui::EndCombo();
    }
    if (ImGui::IsItemHovered()) tooltip("The stage of the pipeline ([ and ])");
  }
  const int count = steps();
  if (count < 2) return;
  flow(icon_button_width());
  if (icon_button(playback_.playing() ? Icon::pause : Icon::play, "steps", "")) play_or_stop();
  if (ImGui::IsItemHovered()) tooltip("The steps of this stage, one after another (Space)");
  flow(em(9));
  ImGui::SetNextItemWidth(em(9));
  int now = step();
  if (slider_int("##step", &now, 0, count - 1, "%d", ImGuiSliderFlags_AlwaysClamp)) {
    playback_.stop();
    choose_step(now);
  }
  if (ImGui::IsItemHovered()) tooltip("Drag, or the keys Left and Right");
  flow(em(6));
  ImGui::SetNextItemWidth(em(6));
  slider_float("##pace", &look().pace, PipelineView::slowest, PipelineView::fastest, "%.3g / s",
               ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  if (ImGui::IsItemHovered()) tooltip("Steps per second while it plays");
}

void PipelineScene::menu() {
  if (ImGui::MenuItem("Fit", "F")) fit();
  if (ImGui::MenuItem("Stage before", "[")) show(std::max(static_cast<int>(show_) - 1, 0));
  if (ImGui::MenuItem("Next stage", "]"))
    show(std::min(static_cast<int>(show_) + 1, static_cast<int>(pipeline_show_names.size()) - 1));
  ImGui::MenuItem("Filled triangles in space", nullptr, &look().faces);
  ImGui::MenuItem("Regions of Warnock's algorithm", nullptr, &look().regions);
}

std::span<const KeyHelp> PipelineScene::help() const {
  return key_help;
}

void PipelineScene::interact(const LiveView&, ImVec2 origin, ImVec2 size, bool hovered) {
  if (keys_are_free()) {
    const auto last = static_cast<int>(pipeline_show_names.size()) - 1;
    if (ImGui::IsKeyPressed(ImGuiKey_LeftBracket)) show(std::max(static_cast<int>(show_) - 1, 0));
    if (ImGui::IsKeyPressed(ImGuiKey_RightBracket)) show(std::min(static_cast<int>(show_) + 1, last));
    if (ImGui::IsKeyPressed(ImGuiKey_LeftArrow)) choose_step(step() - 1);
    if (ImGui::IsKeyPressed(ImGuiKey_RightArrow)) choose_step(step() + 1);
    if (ImGui::IsKeyPressed(ImGuiKey_Space, false)) play_or_stop();
    if (ImGui::IsKeyPressed(ImGuiKey_F, false)) fit();
    if (!in_space() && ImGui::IsKeyPressed(ImGuiKey_1, false)) navigator_.actual_size(settings_);
  }
  const ImGuiIO& io = ImGui::GetIO();
  const float density = size.x > 0 ? static_cast<float>(size_.x) / size.x : 1.0f;
  const glm::vec2 at{(io.MousePos.x - origin.x) * density, (io.MousePos.y - origin.y) * density};
  if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) pressed_ = at;
  turn_camera(hovered);
  const bool clicked = pressed_ && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && glm::distance(*pressed_, at) < 4.0f;
  if (in_space()) {
    if (pressed_ && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
      look().azimuth = std::fmod(look().azimuth - 0.4f * io.MouseDelta.x + 720.0f, 360.0f);
      look().elevation = std::clamp(look().elevation + 0.4f * io.MouseDelta.y, -89.0f, 89.0f);
    }
    if (hovered && io.MouseWheel != 0)
      look().zoom = std::clamp(look().zoom * std::pow(1.15f, io.MouseWheel), 0.1f, 20.0f);
    if (clicked) pick_vertex(at);
  } else {
    navigator_.mouse(settings_, origin, size, hovered);
    if (navigator_.fitted()) fit();  // By a double-click.
    if (const auto pixel = navigator_.pixel(); clicked && pixel) {
      look().pixel_x = pixel->x;
      look().pixel_y = pixel->y;
      if (followed() && show_ != PipelineShow::coverage) {
        if (const std::uint32_t seen = frame().triangle_at(pixel->x, pixel->y); seen > 0)
          look().triangle = static_cast<int>(seen - 1);
      }
    }
  }
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) pressed_.reset();
}

void PipelineScene::turn_camera(bool hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  if (hovered && params_ && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    turning_ = rasterize::is_blank(params_->view_matrix);
    if (!turning_ && desk() != nullptr)
      desk()->workspace().log.info(
          "the mouse cannot turn the camera while the matrix view is stated: Reset beside it in Matrices");
  }
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Right)) turning_ = false;
  if (!turning_ || !params_ || (io.MouseDelta.x == 0 && io.MouseDelta.y == 0)) return;
  change([&](Params& params) {
    params.azimuth = std::fmod(params_->azimuth + 0.4f * io.MouseDelta.x + 720.0f, 360.0f);
    params.elevation = std::clamp(params_->elevation + 0.4f * io.MouseDelta.y, -89.0f, 89.0f);
  });
}

void PipelineScene::change(const std::function<void(Params&)>& f) {
  if (desk() == nullptr || !can_show(desk()->workspace().algorithm())) return;
  desk()->workspace().edit_parameters([&f](ParamBox& params) { f(params.as<Params>()); });
}

std::vector<std::pair<std::string, double>> PipelineScene::figures() const {
  std::vector<std::pair<std::string, double>> figures{{"stage", static_cast<double>(show_)},
                                                      {"triangles", followed() ? plan().triangles : 0.0}};
  if (comparison_) {
    figures.emplace_back("coverage_differs", static_cast<double>(comparison_->coverage));
    figures.emplace_back("triangle_differs", static_cast<double>(comparison_->triangles));
    figures.emplace_back("colour_differs", static_cast<double>(comparison_->colours));
    figures.emplace_back("largest_difference", static_cast<double>(comparison_->largest));
  }
  add_stage_figures(figures);
  return figures;
}

}  // namespace threadscape::app
