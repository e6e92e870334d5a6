// The controls of the volume scene: toolbar, keys, mouse, and the panel with the table of a ray.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "app/scenes/picture_navigator.h"
#include "app/scenes/volume/volume_scene.h"
#include "app/ui/icons.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::array<KeyHelp, 11> key_help{{
    {"1 to 4", "scene / view / sinogram / slices"},
    {"A / D", "the view before / behind"},
    {"W / S", "the detector's row above / below"},
    {"P", "run through the views"},
    {"click a detector pixel", "its ray: what it meets, voxel by voxel; X lets go"},
    {"drag in the scene", "turn it; with the middle button move it"},
    {"drag in a picture", "choose row, angle, pixel or cuts"},
    {"right drag in a picture", "window and level; R: as at first"},
    {"wheel, middle drag", "zoom, move"},
    {"I", "invert the projections"},
    {"F, double-click", "everything in sight"},
}};

constexpr float degrees_per_pixel = 0.35f;
constexpr double seconds_of_all = 4.0;  ///< Seconds in which all views are played, within limits of the pace.

float wrapped(float degrees) {
  degrees = std::fmod(degrees, 360.0f);
  return degrees < 0 ? degrees + 360.0f : degrees;
}

}  // namespace

void VolumeScene::choose_view(int view) {
  look().view = std::clamp(view, 0, std::max(view_count() - 1, 0));
}

void VolumeScene::choose_row(int row) {
  look().row = std::clamp(row, 0, rows() - 1);
}

void VolumeScene::fit() {
  const VolumeView usual;
  VolumeView& v = look();
  v.distance = 0.0f;
  v.target_x = usual.target_x;
  v.target_y = usual.target_y;
  v.target_z = usual.target_z;
  zooms_ = {};
}

/// Shows the next view when it is due. Called once a frame.
void VolumeScene::play() {
  if (!playing_ || view_count() < 2) return;
  const double pace = std::clamp(view_count() / seconds_of_all, 2.0, 30.0), now = ImGui::GetTime();
  if (now - since_ < 1.0 / pace) return;
  since_ = now;
  look().view = (view() + 1) % view_count();
}

void VolumeScene::slice_sliders() {
  VolumeView& v = look();
  for (const auto& [cut, chosen] : {std::pair{Cut::z, &v.slice_z}, {Cut::y, &v.slice_y}, {Cut::x, &v.slice_x}}) {
    if (object_.texture == nullptr) return;
    const std::string name(cut_names[static_cast<std::size_t>(cut)]);
    const int count = slices_of(cut, object_.texture->size());
    int index = index_at(place_of(cut), count);
    flow(em(4.6f));
    ImGui::SetNextItemWidth(em(4.6f));
    if (slider_int(("##" + name).c_str(), &index, 0, count - 1, (name + " %d").c_str(), ImGuiSliderFlags_AlwaysClamp))
      *chosen = middle_of(index, count);
    if (ImGui::IsItemHovered()) tooltip("The cut across " + name + ": also by a drag in another cut");
  }
}

void VolumeScene::view_sliders() {
  if (view_count() > 1) {
    flow(icon_button_width());
    if (icon_button(playing_ ? Icon::pause : Icon::play, "play", "")) {
      playing_ = !playing_;
      since_ = ImGui::GetTime();
    }
    if (ImGui::IsItemHovered()) tooltip("Runs through the views (P)");
    flow(em(6));
    int number = view() + 1;
    ImGui::SetNextItemWidth(em(6));
    if (slider_int("##angle", &number, 1, view_count(), "view %d", ImGuiSliderFlags_AlwaysClamp)) {
      playing_ = false;
      choose_view(number - 1);
    }
    if (ImGui::IsItemHovered()) tooltip("The angle (A and D go one by one)");
  }
  if (views_.texture != nullptr && rows() > 1) {
    flow(em(5.4f));
    int number = row();
    ImGui::SetNextItemWidth(em(5.4f));
    if (slider_int("##row", &number, 0, rows() - 1, "row %d", ImGuiSliderFlags_AlwaysClamp)) choose_row(number);
    if (ImGui::IsItemHovered()) tooltip("The detector's row of sinogram and profile (W and S go one by one)");
  }
}

void VolumeScene::toolbar(const Workspace&) {
  const bool has_views = views_.texture != nullptr;
  std::array<Segment, 4> segments{{{"Scene"}, {"View"}, {"Sinogram"}, {"Slices"}}};
  segments[0].tooltip = "Scanner and object in space (1)";
  segments[1].tooltip = "What the detector sees (2)";
  segments[2].tooltip = "One row of the detector over all angles (3)";
  segments[3].tooltip = "Cuts through the object (4)";
  segments[1].enabled = segments[2].enabled = has_views;
  const int clicked = segmented("show", segments, static_cast<int>(displayed()),
                                std::min(em(16), ImGui::GetContentRegionAvail().x * 0.54f));
  if (clicked >= 0) show_ = static_cast<VolumeShow>(clicked);
  if (!has_views) playing_ = false;
  if (displayed() == VolumeShow::slices)
    slice_sliders();
  else
    view_sliders();
  VolumeView& v = look();
  const bool of_views = has_views && displayed() != VolumeShow::slices;
  toolbar_sliders(of_views ? window_sliders(v.window, v.level, views_.values, "the projections")
                           : window_sliders(v.object_window, v.object_level, object_values(), "the object"),
                  icon_button_width() + ImGui::GetStyle().ItemSpacing.x);
  flow(icon_button_width());
  if (icon_button(Icon::fit, "Fit", "Everything in sight (F)")) fit();
}

void VolumeScene::menu() {
  VolumeView& v = look();
  if (ImGui::MenuItem("Fit", "F")) fit();
  if (ImGui::MenuItem("Play the views", "P", playing_, view_count() > 1)) playing_ = !playing_;
  ImGui::MenuItem("Inverted projections", "I", &v.inverted);
  ImGui::MenuItem("Profile", nullptr, &v.profile);
  ImGui::MenuItem("View and sinogram beside the scene", nullptr, &v.insets);
  if (ImGui::MenuItem("No ray", "X", false, v.ray_column >= 0)) v.ray_column = v.ray_row = -1;
}

std::span<const KeyHelp> VolumeScene::help() const {
  return key_help;
}

void VolumeScene::keys() {
  if (!keys_are_free()) return;
  VolumeView& v = look();
  for (int i = 0; i < static_cast<int>(volume_show_names.size()); ++i)
    if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_1 + i), false)) show_ = static_cast<VolumeShow>(i);
  if (ImGui::IsKeyPressed(ImGuiKey_A)) choose_view(view() - 1);
  if (ImGui::IsKeyPressed(ImGuiKey_D)) choose_view(view() + 1);
  if (ImGui::IsKeyPressed(ImGuiKey_W)) choose_row(row() + 1);
  if (ImGui::IsKeyPressed(ImGuiKey_S)) choose_row(row() - 1);
  if (ImGui::IsKeyPressed(ImGuiKey_I, false)) v.inverted = !v.inverted;
  if (ImGui::IsKeyPressed(ImGuiKey_F, false)) fit();
  if (ImGui::IsKeyPressed(ImGuiKey_X, false)) v.ray_column = v.ray_row = -1;
  if (ImGui::IsKeyPressed(ImGuiKey_P, false) && view_count() > 1) {
    playing_ = !playing_;
    since_ = ImGui::GetTime();
  }
  if (ImGui::IsKeyPressed(ImGuiKey_R, false)) {
    v.window = v.object_window = 1.0f;
    v.level = v.object_level = 0.5f;
  }
}

VolumeScene::Pane* VolumeScene::pane_at(glm::vec2 mouse) {
  const auto found = std::ranges::find_if(panes_, [&](const Pane& pane) { return pane.rect.contains(mouse); });
  return found == panes_.end() ? nullptr : &*found;
}

void VolumeScene::change_window(PaneKind kind, glm::vec2 by) {
  VolumeView& v = look();
  const bool of_views = kind == PaneKind::view || kind == PaneKind::sinogram;
  float& window = of_views ? v.window : v.object_window;
  float& level = of_views ? v.level : v.object_level;
  window = std::clamp(window * std::pow(1.006f, by.x), 0.001f, 4.0f);
  level = std::clamp(level + 0.003f * window * by.y, -1.0f, 2.0f);
}

/// Chooses what lies under the mouse: row and pixel of a view, pixel and angle of a sinogram, or the two other cuts.
void VolumeScene::pick(const Pane& pane, glm::vec2 mouse) {
  const glm::vec2 at = glm::clamp(pane.place(mouse), glm::vec2(0.0f), glm::vec2(0.99999f));
  const auto index = [](float place, int count) { return static_cast<int>(place * static_cast<float>(count)); };
  VolumeView& v = look();
  switch (pane.kind) {
    case PaneKind::view:
      v.ray_column = index(at.x, columns());
      v.ray_row = -1;  // The ray is in the chosen row.
      choose_row(index(1.0f - at.y, rows()));
      break;
    case PaneKind::sinogram:
      v.ray_column = index(at.x, columns());
      v.ray_row = -1;
      choose_view(index(at.y, view_count()));
      break;
    case PaneKind::across_z:
      v.slice_x = at.x;
      v.slice_y = 1.0f - at.y;
      break;
    case PaneKind::across_y:
      v.slice_x = at.x;
      v.slice_z = 1.0f - at.y;
      break;
    case PaneKind::across_x:
      v.slice_y = at.x;
      v.slice_z = 1.0f - at.y;
      break;
    case PaneKind::space:
      break;
  }
}

/// Chooses the detector pixel under a click in the scene. A drag of more than three pixels is no click.
void VolumeScene::click(const Pane& pane, glm::vec2 mouse) {
  if (pane.kind != PaneKind::space || glm::distance(mouse, pressed_) > 3.0f) return;
  const auto pixel = detector_pixel(pane, mouse);
  if (!pixel) return;
  look().ray_column = pixel->x;
  look().ray_row = -1;
  choose_row(pixel->y);
}

void VolumeScene::drag(glm::vec2 mouse, glm::vec2 by) {
  const auto pane = std::ranges::find(panes_, *held_, &Pane::kind);
  if (pane == panes_.end()) return;
  VolumeView& v = look();
  if (pane->kind == PaneKind::space) {
    if (by == glm::vec2(0.0f)) return;
    if (button_ == ImGuiMouseButton_Left) {
      v.azimuth = wrapped(v.azimuth - degrees_per_pixel * by.x);
      v.elevation = std::clamp(v.elevation + degrees_per_pixel * by.y, -89.0f, 89.0f);
      return;
    }
    const render::OrbitCamera now = camera(pane->rect.size);
    const float length = 2.0f * now.half_height() * now.distance / static_cast<float>(std::max(pane->rect.size.y, 1));
    const glm::vec3 target = now.target - now.right() * by.x * length + now.upward() * by.y * length;
    v.distance = now.distance;
    v.target_x = std::clamp(target.x, -20.0f, 20.0f);
    v.target_y = std::clamp(target.y, -20.0f, 20.0f);
    v.target_z = std::clamp(target.z, -20.0f, 20.0f);
    return;
  }
  if (button_ == ImGuiMouseButton_Left) {
    pick(*pane, mouse);
  } else if (button_ == ImGuiMouseButton_Right) {
    change_window(pane->kind, by);
  } else {
    zooms_[static_cast<std::size_t>(pane->kind)].centre -= by / pane->extent;
  }
}

void VolumeScene::interact(const LiveView&, ImVec2 origin, ImVec2 size, bool hovered) {
  keys();
  const ImGuiIO& io = ImGui::GetIO();
  // On HiDPI screens the view's framebuffer has more pixels than its item has units.
  const float scale = size.x > 0 ? static_cast<float>(size_.x) / size.x : 1.0f;
  const glm::vec2 mouse{(io.MousePos.x - origin.x) * scale, (io.MousePos.y - origin.y) * scale};
  Pane* under = hovered ? pane_at(mouse) : nullptr;
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle})
    if (under != nullptr && ImGui::IsMouseClicked(button)) {
      held_ = under->kind;
      button_ = button;
      pressed_ = mouse;
    }
  if (button_ >= 0 && !ImGui::IsMouseDown(button_)) {
    if (button_ == ImGuiMouseButton_Left && under != nullptr && under->kind == held_) click(*under, mouse);
    button_ = -1;
    held_.reset();
  }
  if (held_) drag(mouse, glm::vec2(io.MouseDelta.x, io.MouseDelta.y) * scale);
  if (under != nullptr && io.MouseWheel != 0) {
    const float factor = std::pow(1.15f, io.MouseWheel);
    if (under->kind == PaneKind::space) {
      const render::OrbitCamera now = camera(under->rect.size);
      look().distance = std::clamp(now.distance / factor, 0.1f, 100.0f);
      look().target_x = now.target.x;
      look().target_y = now.target.y;
      look().target_z = now.target.z;
    } else {
      zooms_[static_cast<std::size_t>(under->kind)].about(under->place(mouse), factor);
    }
  }
  if (under != nullptr && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) fit();
  request_voxel(mouse, hovered);
}

void VolumeScene::request_voxel(glm::vec2 mouse, bool hovered) {
  if (const auto arrived = probe_.poll(); arrived && asked_.first == voxel_) value_ = arrived->value(0, 0, 0);
  const Pane* pane = hovered ? pane_at(mouse) : nullptr;
  std::optional<glm::ivec3> wanted;
  if (pane != nullptr && pane->kind != PaneKind::space && body_of(pane->kind).texture != nullptr) {
    const glm::vec2 at = pane->place(mouse);
    if (at.x >= 0 && at.y >= 0 && at.x < 1 && at.y < 1) {
      const render::VolumeSlice slice = slice_of(pane->kind);
      const glm::vec3 size(body_of(pane->kind).texture->size());
      const glm::vec3 texel = (slice.origin + at.x * slice.across + at.y * slice.down) * size;
      wanted = glm::clamp(glm::ivec3(glm::floor(texel)), glm::ivec3(0), glm::ivec3(size) - 1);
    }
  }
  const bool other_pane = pane != nullptr && pane->kind != voxel_pane_;
  if (wanted != voxel_ || other_pane) value_.reset();
  voxel_ = wanted;
  if (!voxel_) return;
  voxel_pane_ = pane->kind;
  const Body& body = body_of(pane->kind);
  if (probe_.pending() || (value_ && asked_.second == body.version)) return;
  asked_ = {voxel_, body.version};
  probe_.request(*body.texture, voxel_->x, voxel_->y, voxel_->z);
}

void VolumeScene::panel(const Workspace&, const LiveView& live, const Fonts& fonts) {
  heading(fonts.strong, ray_ ? "Ray" : "Volume");
  if (ray_) {
    ImGui::SameLine();
    ImGui::PushFont(fonts.mono, 0.0f);
    ImGui::Text("%.7g", ray_->sum);
    ImGui::PopFont();
  }
  if (live.partial()) {
    ImGui::SameLine();
    ImGui::TextDisabled("%s", live.busy() ? "being computed" : "incomplete");
  }
  if (voxel_) {
    const bool of_views = voxel_pane_ == PaneKind::view || voxel_pane_ == PaneKind::sinogram;
    if (of_views)
      ImGui::TextDisabled("view %d  row %d  column %d", voxel_->z, voxel_->y, voxel_->x);
    else
      ImGui::TextDisabled("x %d  y %d  z %d", voxel_->x, voxel_->z, voxel_->y);
    ImGui::SameLine();
    ImGui::PushFont(fonts.mono, 0.0f);
    if (value_) ImGui::Text("%.7g", *value_);
    ImGui::PopFont();
  } else if (!ray_) {
    disabled_sentence(has_rays_ ? "click the detector for a ray" : "move the mouse over a picture");
  }
  if (!ray_) return;
  ImGui::TextDisabled("%zu voxels; column %d, row %d", ray_->pieces.size(), look().ray_column,
                      look().ray_row >= 0 ? look().ray_row : row());
  ImGui::PushFont(fonts.mono, 0.0f);
  if (ImGui::BeginTable("ray", 3,
                        ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg)) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("x  y  z");
    ImGui::TableSetupColumn("length");
    ImGui::TableSetupColumn("value");
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(ray_->pieces.size()));
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const RayDiagram::Piece& piece = ray_->pieces[static_cast<std::size_t>(i)];
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::Text("%d %d %d", piece.x, piece.y, piece.z);
        ImGui::TableNextColumn();
        ImGui::Text("%.6g", piece.length);
        ImGui::TableNextColumn();
        ImGui::Text("%.6g", piece.value);
      }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace threadscape::app
