// The controls of the comparison of volumes: toolbar, keys, mouse, and the panel.

#include <algorithm>
#include <cmath>

#include "app/scenes/compare/compare_scene.h"
#include "app/scenes/picture_navigator.h"
#include "app/ui/icons.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::array<KeyHelp, 11> key_help{{
    {"1 to 4", "all cuts / across z / y / x"},
    {", and .", "the slice before / behind, of the cut that was touched last"},
    {"P", "run through its slices"},
    {"L", "the profile runs along x / y / z"},
    {"click or drag in a cut", "where the other two lie: the cross"},
    {"wheel over a cut", "through its slices"},
    {"right drag", "window and level; in a difference its range; R: as at first"},
    {"Ctrl+wheel, middle drag", "zoom, move"},
    {"A / D", "the input's view before / behind"},
    {"W / S", "the row of its sinogram above / below"},
    {"F, double-click", "everything in sight"},
}};

constexpr double slices_per_second = 20.0;

}  // namespace

void CompareScene::choose_slice(Cut cut, int index) {
  const int count = count_of(cut);
  CompareView& v = look();
  (cut == Cut::z   ? v.slice_z
   : cut == Cut::y ? v.slice_y
                   : v.slice_x) = middle_of(std::clamp(index, 0, count - 1), count);
  focus_ = cut;
}

/// Shows the next slice when it is due. Called once a frame.
void CompareScene::play() {
  if (!playing_ || result_ == nullptr) return;
  const double now = ImGui::GetTime();
  if (now - since_ < 1.0 / slices_per_second) return;
  since_ = now;
  choose_slice(focus_, (index_of(focus_) + 1) % count_of(focus_));
}

void CompareScene::toolbar(const Workspace&) {
  CompareView& v = look();
  const std::array<Segment, 4> shows{{{"All", true, "Cuts across the three axes (1)"},
                                      {"z", true, "Across z, as large as it goes (2)"},
                                      {"y", true, "Across y (3)"},
                                      {"x", true, "Across x (4)"}}};
  if (const int clicked = segmented("show", shows, static_cast<int>(show_), em(7)); clicked >= 0) show(clicked);
  for (const Cut cut : {Cut::z, Cut::y, Cut::x}) {
    const float width = em(3.7f);
    flow(width);
    ImGui::SetNextItemWidth(width);
    const std::string name(cut_names[static_cast<std::size_t>(cut)]);
    int index = index_of(cut);
    if (slider_int(("##" + name).c_str(), &index, 0, std::max(count_of(cut) - 1, 0), (name + " %d").c_str(),
                   ImGuiSliderFlags_AlwaysClamp)) {
      playing_ = false;
      choose_slice(cut, index);
    }
    if (ImGui::IsItemHovered()) tooltip("The cut across " + name + ": also by the wheel over it, or , and .");
  }
  flow(em(4));
  std::array<Segment, 3> lines{{{"x"}, {"y"}, {"z"}}};
  for (Segment& line : lines)
    line.tooltip = "The profile runs along " + std::string(line.label) + " (L)";
  if (const int clicked = segmented("line", lines, static_cast<int>(v.line), em(4)); clicked >= 0)
    v.line = static_cast<ProfileAxis>(clicked);
  std::vector<ToolbarSlider> sliders = window_sliders(v.window, v.level, values(), "phantom and result");
  if (truth() != nullptr)
    sliders.push_back({"difference", "off by " + format_value(static_cast<double>(difference_tone().high)),
                       &v.difference, 0.001f, 4.0f, true,
                       "The difference that has the strongest colour: also by a right drag in its picture"});
  toolbar_sliders(sliders, 2 * (icon_button_width() + ImGui::GetStyle().ItemSpacing.x));
  flow(icon_button_width());
  if (icon_button(Icon::fit, "Fit", "Everything in sight (F)")) fit();
  flow(icon_button_width());
  if (icon_button(playing_ ? Icon::pause : Icon::play, "play", "")) playing_ = !playing_;
  if (ImGui::IsItemHovered()) tooltip("Runs through the slices of the cut that was touched last (P)");
}

void CompareScene::menu() {
  CompareView& v = look();
  if (ImGui::MenuItem("Fit", "F")) fit();
  if (ImGui::MenuItem("Run through the slices", "P", playing_)) playing_ = !playing_;
  ImGui::MenuItem("Profile", nullptr, &v.profile);
  ImGui::MenuItem("Figures", nullptr, &v.figures);
  ImGui::MenuItem("View and sinogram of the input", nullptr, &v.input);
}

std::span<const KeyHelp> CompareScene::help() const {
  return key_help;
}

void CompareScene::keys() {
  if (!keys_are_free()) return;
  CompareView& v = look();
  for (int i = 0; i < static_cast<int>(compare_show_names.size()); ++i)
    if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_1 + i), false)) show(i);
  const auto step = [this](int by) {
    playing_ = false;
    choose_slice(focus_, index_of(focus_) + by);
  };
  if (ImGui::IsKeyPressed(ImGuiKey_Comma)) step(-1);
  if (ImGui::IsKeyPressed(ImGuiKey_Period)) step(1);
  if (ImGui::IsKeyPressed(ImGuiKey_P, false)) playing_ = !playing_;
  if (ImGui::IsKeyPressed(ImGuiKey_L, false)) v.line = static_cast<ProfileAxis>((static_cast<int>(v.line) + 1) % 3);
  if (ImGui::IsKeyPressed(ImGuiKey_A)) v.view = std::max(view() - 1, 0);
  if (ImGui::IsKeyPressed(ImGuiKey_D)) v.view = std::min(view() + 1, std::max(view_count() - 1, 0));
  if (ImGui::IsKeyPressed(ImGuiKey_W)) v.row = std::min(row() + 1, std::max(rows() - 1, 0));
  if (ImGui::IsKeyPressed(ImGuiKey_S)) v.row = std::max(row() - 1, 0);
  if (ImGui::IsKeyPressed(ImGuiKey_F, false)) fit();
  if (ImGui::IsKeyPressed(ImGuiKey_R, false)) {
    const CompareView usual;
    v.window = usual.window;
    v.level = usual.level;
    v.difference = usual.difference;
  }
}

const CompareScene::Pane* CompareScene::pane_at(glm::vec2 mouse) const {
  const auto found = std::ranges::find_if(panes_, [&](const Pane& pane) { return pane.rect.contains(mouse); });
  return found == panes_.end() ? nullptr : &*found;
}

void CompareScene::pick(const Pane& pane, glm::vec2 mouse) {
  const glm::vec2 at = glm::clamp(pane.place(mouse), glm::vec2(0.0f), glm::vec2(1.0f));
  CompareView& v = look();
  if (pane.picture == Picture::view) {
    v.row = index_at(1.0f - at.y, rows());
    return;
  }
  if (pane.picture == Picture::sinogram) {
    v.view = index_at(at.y, view_count());
    return;
  }
  playing_ = false;
  const Cut right = pane.cut == Cut::x ? Cut::y : Cut::x, up = pane.cut == Cut::z ? Cut::y : Cut::z;
  choose_slice(right, index_at(at.x, count_of(right)));
  choose_slice(up, index_at(1.0f - at.y, count_of(up)));
  focus_ = pane.cut;
}

void CompareScene::drag(const Pane& pane, glm::vec2 mouse, glm::vec2 by) {
  CompareView& v = look();
  if (button_ == ImGuiMouseButton_Left) {
    pick(pane, mouse);
  } else if (button_ == ImGuiMouseButton_Middle) {
    zooms_[pane.zoom()].centre -= by / pane.extent;
  } else if (pane.picture == Picture::difference) {
    v.difference = std::clamp(v.difference * std::pow(1.006f, by.x), 0.001f, 4.0f);
  } else if (!pane.of_input()) {
    v.window = std::clamp(v.window * std::pow(1.006f, by.x), 0.001f, 4.0f);
    v.level = std::clamp(v.level + 0.003f * v.window * by.y, -1.0f, 2.0f);
  }
}

void CompareScene::interact(const LiveView&, ImVec2 origin, ImVec2 size, bool hovered) {
  keys();
  const ImGuiIO& io = ImGui::GetIO();
  // On HiDPI screens the view's framebuffer has more pixels than its item has units.
  const float scale = size.x > 0 ? static_cast<float>(size_.x) / size.x : 1.0f;
  const glm::vec2 mouse{(io.MousePos.x - origin.x) * scale, (io.MousePos.y - origin.y) * scale};
  const Pane* under = hovered ? pane_at(mouse) : nullptr;
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle})
    if (under != nullptr && ImGui::IsMouseClicked(button)) {
      held_ = {under->picture, under->cut};
      button_ = button;
    }
  if (button_ >= 0 && !ImGui::IsMouseDown(button_)) {
    button_ = -1;
    held_.reset();
  }
  if (held_) {
    const auto pane = std::ranges::find_if(
        panes_, [&](const Pane& one) { return one.picture == held_->first && one.cut == held_->second; });
    if (pane != panes_.end()) drag(*pane, mouse, glm::vec2(io.MouseDelta.x, io.MouseDelta.y) * scale);
  }
  if (under != nullptr && io.MouseWheel != 0) {
    if (modifier_held(ImGuiMod_Ctrl) || under->of_input()) {
      zooms_[under->zoom()].about(under->place(mouse), std::pow(1.15f, io.MouseWheel));
    } else {
      playing_ = false;
      const float turned = io.MouseWheel;
      choose_slice(under->cut,
                   index_of(under->cut) + static_cast<int>(turned > 0 ? std::ceil(turned) : std::floor(turned)));
    }
  }
  if (under != nullptr && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) fit();
  request_voxel(mouse, hovered);
}

void CompareScene::request_voxel(glm::vec2 mouse, bool hovered) {
  const Pane* pane = hovered ? pane_at(mouse) : nullptr;
  std::optional<glm::ivec3> wanted;
  const gl::VolumeTexture* texture = pane == nullptr ? nullptr : pane->of_input() ? views_ : result_;
  if (texture != nullptr) {
    const glm::vec2 at = pane->place(mouse);
    if (at.x >= 0 && at.y >= 0 && at.x < 1 && at.y < 1) {
      const render::VolumeSlice slice = slice_of(*pane);
      const glm::vec3 size(texture->size());
      const glm::vec3 texel = (slice.origin + at.x * slice.across + at.y * slice.down) * size;
      wanted = glm::clamp(glm::ivec3(glm::floor(texel)), glm::ivec3(0), glm::ivec3(size) - 1);
    }
  }
  voxel_ = wanted;
  voxel_of_input_ = pane != nullptr && pane->of_input();
  const std::tuple now{voxel_, voxel_of_input_, version_};
  if (const auto arrived = probe_.poll(); arrived && asked_ == now) value_ = arrived->value(0, 0, 0);
  if (!voxel_ || asked_ == now || probe_.pending()) return;
  asked_ = now;
  value_.reset();
  probe_.request(*texture, voxel_->x, voxel_->y, voxel_->z);
}

void CompareScene::panel(const Workspace&, const LiveView& live, const Fonts& fonts) {
  heading(fonts.strong, "Voxel");
  if (live.partial()) {
    ImGui::SameLine();
    ImGui::TextDisabled("%s", live.busy() ? "being computed" : "incomplete");
  }
  if (!voxel_) {
    disabled_sentence("move the mouse over a picture");
  } else {
    if (voxel_of_input_)
      ImGui::TextDisabled("view %d  row %d  column %d", voxel_->z, voxel_->y, voxel_->x);
    else
      ImGui::TextDisabled("x %d  y %d  z %d", voxel_->x, voxel_->z, voxel_->y);
    ImGui::SameLine();
    ImGui::PushFont(fonts.mono, 0.0f);
    const bool known = std::get<0>(asked_) == voxel_ && std::get<1>(asked_) == voxel_of_input_ && value_;
    if (known) ImGui::Text("%.6g", *value_);
    if (const gl::VolumeTexture* phantom = truth(); phantom != nullptr && !voxel_of_input_) {
      const double wanted =
          static_cast<double>(truth_.voxels().view().volume<float>()(voxel_->x, voxel_->y, voxel_->z));
      const glm::vec2 range = values();
      ImGui::Text("phantom %s", scale_text(static_cast<float>(wanted), range.y - range.x).c_str());
      if (known) {
        ImGui::SameLine();
        ImGui::Text(" off %+.3g", *value_ - wanted);
      }
    }
    ImGui::PopFont();
  }
  if (errors_found_.empty() || table_) return;  // The view shows the table.
  const auto line = [&](const std::string& name, const render::VolumeError& error) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%s", name.c_str());
    for (const std::string& text : {format_text("%.3g", error.rmse()), format_text("%.3g %%", 100 * error.relative()),
                                    format_text("%.3g", error.largest)}) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(error.voxels > 0 ? text.c_str() : "");
    }
  };
  if (!ImGui::BeginTable("errors", 4, ImGuiTableFlags_SizingStretchSame)) return;
  ImGui::TableNextRow();
  for (const char* name : {"", "RMSE", "rel.", "max"}) {
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%s", name);
  }
  line("volume", errors_found_.front());
  const auto number = static_cast<std::size_t>(focus_);
  line(std::string(cut_names[number]) + " = " + std::to_string(index_of(focus_)), errors_found_[number + 1]);
  ImGui::EndTable();
}

}  // namespace threadscape::app
