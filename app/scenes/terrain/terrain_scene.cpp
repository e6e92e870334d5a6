#include "app/scenes/terrain/terrain_scene.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/scenes/picture_navigator.h"
#include "app/scenes/terrain/terrain_bar.h"
#include "app/scenes/white_value.h"
#include "app/session/elapsed.h"
#include "app/ui/icons.h"
#include "app/ui/value_names.h"
#include "app/ui/widgets.h"
#include "compute/core/convert.h"
#include "compute/io/pictures/image_file.h"

namespace threadscape::app {

namespace {

using render::CameraMode;
using render::TerrainSettings;
using render::Wireframe;

constexpr std::array<KeyHelp, 9> key_help{{
    {"drag", "turn around the terrain; look around when flying"},
    {"right or middle drag", "move along the ground"},
    {"wheel", "nearer, farther; when flying: forward, back"},
    {"V", "orbit or fly"},
    {"W A S D, Q / E", "fly; down / up; with Shift faster"},
    {"F, double-click", "everything in sight"},
    {"Home", "camera as at first"},
    {"1 to 4", "flat, Gouraud, Phong, Blinn-Phong"},
    {"X", "triangles: off, over the surface, alone"},
}};

constexpr float degrees_per_pixel = 0.3f;

const gl::Texture* texture_of(const gl::Resource* resource) {
  return resource != nullptr ? resource->texture() : nullptr;
}

/// A combo box for a value that is an index into `names`.
void choose(const char* name, const char* help, std::span<const std::string_view> names, auto& value, float width) {
  flow(width);
  ImGui::SetNextItemWidth(width);
  const auto current = static_cast<std::size_t>(value);
  if (ImGui::BeginCombo(name, value_title(names[current]).c_str())) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (ImGui::Selectable(value_title(names[i]).c_str(), i == current))
        value = static_cast<std::decay_t<decltype(value)>>(i);
    ImGui::EndCombo();
  } else if (ImGui::IsItemHovered()) {
    tooltip(help);
  }
}

/// Copies all of a picture to a larger one, with linear filtering.
void enlarge(const gl::Framebuffer& from, const gl::Framebuffer& to) {
  glDisable(GL_SCISSOR_TEST);
  glBlitNamedFramebuffer(from.id(), to.id(), 0, 0, from.width(), from.height(), 0, 0, to.width(), to.height(),
                         GL_COLOR_BUFFER_BIT, GL_LINEAR);
  to.bind();
}

/// A row of the panel's table.
void row(const char* name, const std::string& value, const char* help) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", name);
  if (ImGui::IsItemHovered()) tooltip(help);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value.c_str());
}

}  // namespace

const gl::Texture* TerrainScene::load(Picture& picture, const std::string& path) {
  if (picture.path != path) {
    picture.path = path;
    picture.texture = {};
    if (!path.empty()) {
      try {
        const io::Loaded file = io::load_picture(path);
        const HostArray bytes = convert_picture(file.pixels.view(), Element::u8);
        const Shape& shape = bytes.shape();
        picture.texture = gl::Texture(gl::format_of(shape), static_cast<int>(shape.width),
                                      static_cast<int>(shape.height), gl::Levels::all);
        picture.texture.write(bytes.view());
        picture.texture.make_mips();
        if (shape.channels == 1) picture.texture.show_grey();
      } catch (const Error& error) {
        report(error.what());
      }
    }
  }
  return picture.texture.empty() ? nullptr : &picture.texture;
}

std::optional<TerrainScene::Shown> TerrainScene::shown_of(const LiveView& live, const gl::Framebuffer& target) const {
  const ImVec4 canvas = ImGui::GetCurrentContext() != nullptr ? canvas_colour() : ImVec4{0.1f, 0.1f, 0.11f, 1.0f};
  const bool of_input = show_ == TerrainShow::input && texture_of(live.input()) != nullptr;
  const gl::Texture* heights = texture_of(of_input ? live.input() : live.output());
  if (heights == nullptr || gl::info_of(heights->format()).channels != 1) {
    target.bind();
    target.clear({canvas.x, canvas.y, canvas.z, 1.0f});
    return {};
  }
  const std::uint64_t version = of_input ? live.input_version() * 2 + 1 : live.output_version() * 2;
  return Shown{*heights, version, {canvas.x, canvas.y, canvas.z}, target};
}

void TerrainScene::draw(const LiveView& live, const gl::Framebuffer& target) {
  aspect_ = static_cast<float>(target.width()) / static_cast<float>(target.height());
  const std::optional<Shown> shown = shown_of(live, target);
  if (!shown) return;
  points_ = {shown->heights.width(), shown->heights.height()};
  if (quick_) {
    draw_paced(*shown);
    draw_bar(shown->heights, target);
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  const bool timed = timer_.begin();
  draw_terrain(*shown, view());
  timer_.end();
  const double call_ms = milliseconds_since(start);
  draw_bar(shown->heights, target);
  if (!timed) return;
  frame_ms_ = call_ms;
  while (const auto gpu_ms = timer_.poll_ms())
    frame_ms_ = std::max(frame_ms_, *gpu_ms);
}

void TerrainScene::draw_terrain(const Shown& shown, const TerrainSettings& settings) {
  const render::TerrainTextures textures{.drape = load(drape_, settings.drape),
                                         .detail = load(detail_, settings.detail)};
  pass_.draw(shown.heights, shown.version, textures, settings, shown.backdrop, shown.target);
}

double TerrainScene::draw_measured(const Shown& shown, const TerrainSettings& settings) {
  // Software OpenGL draws in threads of its own: without waiting for them before and after, the time would be that of
  // the calls.
  glFinish();
  const double begin = clock_ms_();
  draw_terrain(shown, settings);
  glFinish();
  return frame_ms_ = clock_ms_() - begin;
}

void TerrainScene::draw_paced(const Shown& shown) {
  const PacedBy now{.heights = shown.heights.id(),
                    .version = shown.version,
                    .size = {shown.target.width(), shown.target.height()},
                    .backdrop = shown.backdrop,
                    .view = view()};
  const bool had_all = !pass_.unfinished();
  const bool changed = !had_all || paced_by_ != now;
  paced_by_ = now;
  const TerrainPace::Picture next = pace_.next(changed, button_ >= 0 || moving_, clock_ms_());
  if (next == TerrainPace::Picture::same && draw_again(shown.target)) return;
  if (next == TerrainPace::Picture::complete || !pace_.coarse()) {
    coarse_target_ = {};
    draw_measured(shown, view());
    return;
  }
  TerrainSettings coarse = view();
  coarse.samples = 1;
  coarse.budget = std::min(coarse.budget, pace_.thousands());
  const glm::ivec2 size = glm::max(now.size / pace_.divisor(), 1);
  if (size == now.size)
    coarse_target_ = {};
  else if (coarse_target_.width() != size.x || coarse_target_.height() != size.y)
    coarse_target_ = gl::Framebuffer(size.x, size.y);
  const gl::Framebuffer& drawn = size == now.size ? shown.target : coarse_target_;
  const double ms = draw_measured({shown.heights, shown.version, shown.backdrop, drawn}, coarse);
  pace_.appeared(clock_ms_());
  if (size != now.size) enlarge(coarse_target_, shown.target);
  const render::TerrainFigures& figures = pass_.figures();
  // The bounds of heights and the light map, which come once, take part of the time of an incomplete picture.
  if (had_all && !pass_.unfinished()) pace_.drawn(ms, figures.triangles);
  const bool as_fine = figures.pixel_error <= view().pixel_error || coarse.budget == view().budget;
  if (as_fine && size == now.size && coarse.samples == view().samples) pace_.is_complete();
}

bool TerrainScene::draw_again(const gl::Framebuffer& target) {
  if (coarse_target_.id() == 0) return pass_.draw_again(target);
  enlarge(coarse_target_, target);
  return true;
}

void TerrainScene::finish(const LiveView& live, const gl::Framebuffer& target) {
  if (!pace_.coarse()) return;
  const std::optional<Shown> shown = shown_of(live, target);
  if (!shown) return;
  pace_.is_complete();
  coarse_target_ = {};
  draw_measured(*shown, view());
  draw_bar(shown->heights, target);
}

void TerrainScene::draw_bar(const gl::Texture& heights, const gl::Framebuffer& target) {
  const render::TerrainTree& tree = pass_.tree();
  if (!bar_wanted(view().colour_bars, in_window_) || tree.empty() || ImGui::GetCurrentContext() == nullptr) return;
  const double white = white_of(heights.format());
  const TerrainValues values{static_cast<double>(tree.low()) * white, static_cast<double>(tree.high()) * white,
                             tree.levels()};
  const std::optional<TerrainBar> found = terrain_bar(view(), values);
  if (!found) return;
  ViewCanvas over(target);
  draw_colour_bar(over, found->bar, found->fill);
  over.finish();
}

void TerrainScene::prefer_speed() {
  quick_ = true;
  pass_.prefer_speed();
  const TerrainSettings usual;
  if (view().samples == usual.samples) view().samples = 1;
  if (view().pixel_error == usual.pixel_error) view().pixel_error = 5.0f;
}

bool TerrainScene::show_frame(int frame, int frames) {
  const float fraction = static_cast<float>(frame) / static_cast<float>(frames);
  if (!turn_from_) {
    turn_from_ = view().azimuth;
    view() = for_full_turn(view(), aspect_);
  }
  view().azimuth = std::fmod(*turn_from_ + 360.0f * fraction, 360.0f);
  return true;
}

void TerrainScene::toolbar(const Workspace& workspace) {
  in_window_ = true;
  TerrainSettings& s = view();
  if (workspace.algorithm().input == Kind::heightfield) {
    const std::array<Segment, 2> segments{{{"Input"}, {"Result"}}};
    const int clicked = segmented("show", segments, show_ == TerrainShow::input ? 0 : 1, em(8));
    if (clicked >= 0) show_ = clicked == 0 ? TerrainShow::input : TerrainShow::result;
    ImGui::SameLine();
  }
  const std::array<Segment, 2> cameras{{{"Orbit", true, "Turn around the terrain (V)"},
                                        {"Fly", true, "With W A S D, Q and E; the mouse looks around (V)"}}};
  if (const int clicked = segmented("camera", cameras, static_cast<int>(s.camera), em(7)); clicked >= 0)
    s.camera = static_cast<CameraMode>(clicked);
  choose("##shading", "Where the light is worked out (1 to 4)", render::shading_names, s.shading, em(8.4f));
  choose("##surface", "Colour of the ground", render::surface_names, s.surface, em(8.4f));
  choose("##projection", "Perspective or orthographic", render::projection_names, s.projection, em(9));
  flow(icon_button_width());
  if (icon_button(Icon::fit, "Fit", "Everything in sight (F)")) fit(s);
}

void TerrainScene::menu() {
  TerrainSettings& s = view();
  if (ImGui::MenuItem("Fit", "F")) fit(s);
  if (ImGui::MenuItem("Camera as at first", "Home")) {
    const TerrainSettings usual;
    s.azimuth = usual.azimuth;
    s.elevation = usual.elevation;
    fit(s);
  }
  if (ImGui::MenuItem("Fly", "V", s.camera == CameraMode::fly))
    s.camera = s.camera == CameraMode::fly ? CameraMode::orbit : CameraMode::fly;
  if (ImGui::MenuItem("Triangles", "X", s.wireframe != Wireframe::off))
    s.wireframe = static_cast<Wireframe>((static_cast<int>(s.wireframe) + 1) % 3);
  ImGui::MenuItem("Walls", nullptr, &s.walls);
  ImGui::MenuItem("Shadows", nullptr, &s.shadows);
}

std::span<const KeyHelp> TerrainScene::help() const {
  return key_help;
}

void TerrainScene::keys() {
  if (!keys_are_free()) return;
  TerrainSettings& s = view();
  for (int i = 0; i < static_cast<int>(render::shading_names.size()); ++i)
    if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_1 + i), false)) s.shading = static_cast<render::Shading>(i);
  if (ImGui::IsKeyPressed(ImGuiKey_F, false)) fit(s);
  if (ImGui::IsKeyPressed(ImGuiKey_Home, false)) {
    const TerrainSettings usual;
    s.azimuth = usual.azimuth;
    s.elevation = usual.elevation;
    fit(s);
  }
  if (ImGui::IsKeyPressed(ImGuiKey_V, false))
    s.camera = s.camera == CameraMode::fly ? CameraMode::orbit : CameraMode::fly;
  if (ImGui::IsKeyPressed(ImGuiKey_X, false))
    s.wireframe = static_cast<Wireframe>((static_cast<int>(s.wireframe) + 1) % 3);
  if (s.camera == CameraMode::fly) fly(ImGui::GetIO().DeltaTime);
}

void TerrainScene::fly(float seconds) {
  glm::vec3 by{0.0f};
  const auto held = [](ImGuiKey key) { return ImGui::IsKeyDown(key) ? 1.0f : 0.0f; };
  by.x = held(ImGuiKey_D) - held(ImGuiKey_A);
  by.y = held(ImGuiKey_E) - held(ImGuiKey_Q);
  by.z = held(ImGuiKey_W) - held(ImGuiKey_S);
  if (by == glm::vec3(0.0f)) return;
  moving_ = true;
  view() = with_distance(view(), aspect_);
  const float speed = 0.25f * (ImGui::IsKeyDown(ImGuiMod_Shift) ? 4.0f : 1.0f);
  move(view(), by * speed * std::min(seconds, 0.1f));
}

void TerrainScene::drag(ImVec2 size) {
  const ImVec2 by = ImGui::GetIO().MouseDelta;
  if (by.x == 0 && by.y == 0) return;
  TerrainSettings& s = view();
  s = with_distance(s, aspect_);
  if (button_ != ImGuiMouseButton_Left)
    pan(s, {by.x, by.y}, size.y);
  else if (s.camera == CameraMode::orbit)
    orbit(s, by.x * degrees_per_pixel, by.y * degrees_per_pixel);
  else
    look(s, by.x * degrees_per_pixel * 0.5f, by.y * degrees_per_pixel * 0.5f);
}

void TerrainScene::interact(const LiveView&, ImVec2, ImVec2 size, bool hovered) {
  moving_ = false;
  keys();
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle})
    if (hovered && ImGui::IsMouseClicked(button)) button_ = button;
  if (button_ >= 0 && !ImGui::IsMouseDown(button_)) button_ = -1;
  if (button_ >= 0) drag(size);
  if (const float wheel = ImGui::GetIO().MouseWheel; hovered && wheel != 0) {
    TerrainSettings& s = view();
    s = with_distance(s, aspect_);
    if (s.camera == CameraMode::orbit)
      zoom(s, std::pow(0.88f, wheel));
    else
      move(s, {0.0f, 0.0f, 0.05f * wheel});
  }
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) fit(view());
}

void TerrainScene::panel(const Workspace& workspace, const LiveView&, const Fonts& fonts) {
  heading(fonts.strong, "Terrain");
  ImGui::SameLine();
  ImGui::TextDisabled("%d x %d", points_.x, points_.y);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {em(0.3f), 0});
  const bool open = ImGui::BeginTable("figures", 2, ImGuiTableFlags_SizingFixedFit);
  ImGui::PopStyleVar();
  if (!open) return;
  const render::TerrainFigures& figures = pass_.figures();
  std::array<char, 64> text{};
  row("triangles", format_grouped(figures.triangles), "Drawn in this frame");
  std::snprintf(text.data(), text.size(), "%.2g px, %s", static_cast<double>(figures.pixel_error),
                format_ms(fixture_ ? 4.2 : frame_ms_).c_str());
  row("error", text.data(),
      "How far the picture is off, which grows when the budget of triangles is reached, and how long drawing it takes "
      "on "
      "the GPU or the CPU, whichever is longer");
  const auto compute_ms = [&](Backend backend) {
    return workspace.timings.statistics(backend).summary(&StageTimes::compute_ms).median;
  };
  const double serial = compute_ms(Backend::serial);
  for (const Backend backend : {Backend::openmp, Backend::cuda}) {
    if (!workspace.why_absent(backend).empty()) continue;
    const double own = compute_ms(backend);
    if (serial > 0 && own > 0)
      std::snprintf(text.data(), text.size(), "%s x, %s", format_value(serial / own).c_str(), format_ms(own).c_str());
    else
      std::snprintf(text.data(), text.size(), "compare with M");
    row(name_of(backend).data(), text.data(), "How much faster than serial this terrain is computed: medians");
  }
  ImGui::EndTable();
}

std::vector<std::pair<std::string, double>> TerrainScene::figures() const {
  const render::TerrainFigures& figures = pass_.figures();
  return {{"triangles", static_cast<double>(figures.triangles)},
          {"patches", static_cast<double>(figures.patches)},
          {"pixel_error", static_cast<double>(figures.pixel_error)},
          {"frame_ms", frame_ms_}};
}

}  // namespace threadscape::app
