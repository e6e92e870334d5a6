#include "app/shell/window.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "app/panels/source/source_panel.h"
#include "app/ui/icons.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// Tells the scenes where a frame begins and ends.
class SceneFrame {
 public:
  explicit SceneFrame(SceneSet& scenes) : scenes_(scenes) { scenes_.begin_frame(); }
  ~SceneFrame() { scenes_.end_frame(); }
  SceneFrame(const SceneFrame&) = delete;
  SceneFrame& operator=(const SceneFrame&) = delete;

 private:
  SceneSet& scenes_;
};

std::filesystem::path numbered_name(const char* what) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 64> stamp{};
  std::strftime(stamp.data(), stamp.size(), "%Y%m%d-%H%M%S", &local);
  return "threadscape-" + std::string(what) + "-" + stamp.data() + ".png";
}

}  // namespace

Window::Window(Platform& platform, const gl::ShaderLibrary& shaders, Workspace& workspace, LiveView& live,
               MachineFacts facts, const WindowLook& look, std::string layout_file)
    : Desk(platform, shaders, workspace, live, std::move(facts), look.fonts, std::move(layout_file)), look_(look) {
  for (const PanelType& type : panel_types())
    panels_.emplace_back(type, type.make(shaders));
}

void Window::add_panel(const PanelType& type, std::unique_ptr<Panel> panel) {
  const auto first_page = std::ranges::find(panels_, PanelPlace::page, [](const auto& row) { return row.first.place; });
  panels_.emplace(type.place == PanelPlace::page ? first_page : panels_.end(), type, std::move(panel));
}

void Window::load_everything() {
  for (const auto& [type, panel] : panels_)
    panel->load_everything();
}

bool Window::counting() const {
  return std::ranges::any_of(panels_, [](const auto& row) { return row.second->animating(); });
}

bool Window::item_needs_redraw() {
  const bool keys_are_left = !ImGui::GetCurrentContext()->InputEventsQueue.empty();
  return keys_are_left || (ImGui::IsAnyItemActive() && !ImGui::GetIO().WantTextInput);
}

bool Window::needs_redraw() {
  return live_.needs_polling(workspace_) || counting() || scenes_.preparing() || scene_animating() || variants_due_ ||
         (recorder_ && recorder_->needs_polling() && !plays()) || capture_view_ || capture_frame_ ||
         notices_.settling() || files_.reads_pictures() || settling_ > 0 || item_needs_redraw();
}

void Window::frame(const Input& input, const gl::Framebuffer& target) {
  const auto start = std::chrono::steady_clock::now();
  const SceneFrame scene_frame(scenes_);
  (void)scene();  // The status bar, which comes first, shows whether it is being prepared.
  picture_cpu_ms_ = 0.0;
  settling_ = std::max(settling_ - 1, 0);
  if (!platform_.headless()) costs_.add(FramePart::interval, static_cast<double>(input.delta) * 1e3);
  const float scale = text_scale(input);
  if (scale != applied_scale_ || look_.theme != applied_theme_) {
    apply_theme(look_.theme, scale);
    settling_ = std::max(settling_, 8);  // Lists, what scrolls and tips take their new sizes one after the other.
    applied_scale_ = scale;
    applied_theme_ = look_.theme;
  }
  open_together(input.dropped);

  if (live_.route().device != facts_device_) {
    facts_device_ = live_.route().device;
    facts_ = machine_facts(platform_.context(), live_.route());
  }
  if (!copy_limit_.update() && std::exchange(variants_due_, false)) live_.compare_variants(workspace_, 12);

  if (!platform_.headless()) load_.update(input.time);
  ui_.begin_frame();
  keys();
  draw_panels();
  draw_help();
  draw_result_menu();
  files_.draw();
  draw_recent();
  notices_.collect(workspace_.log, ImGui::GetTime(), files_.trouble());
  recovery_.draw();
  compare_with_b();
  live_.want_reference(scene().wants_reference());
  live_.want_preview(scene().wants_preview());
  if (welcomes_ && !welcomed_.contains(&scene()) && scene().welcome(workspace_)) welcomed_.insert(&scene());
  scene().update_edits(workspace_);
  workspace_.record_changes(ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown());
  std::optional<ParamBox> computed = scene().params_to_compute(workspace_);
  workspace_.compute_instead(std::move(computed), scene().params_of_run());
  if (capture_view_ || capture_frame_ || !captures_.empty()) finished_view();
  draw_interface(target, start);

  if (std::exchange(capture_view_, false)) save_view(numbered_name("view"));
  if (std::exchange(capture_frame_, false)) save_frame(target, numbered_name("window"));
  for (const WindowPart& part : std::exchange(captures_, {}))
    save_part(target, part);
}

void Window::draw_interface(const gl::Framebuffer& target, std::chrono::steady_clock::time_point start) {
  costs_.add(FramePart::panels, milliseconds_since(start) - picture_cpu_ms_);
  costs_.add(FramePart::picture, picture_cpu_ms_);
  const auto drawn = std::chrono::steady_clock::now();
  const bool timed = interface_timer_.begin();
  ui_.end_frame(target);
  if (timed) interface_timer_.end();
  costs_.add(FramePart::interface, milliseconds_since(drawn));
  // The GPU's times are those of earlier frames, for which nobody has waited.
  while (const auto ms = picture_timer_.poll_ms())
    costs_.add(FramePart::picture_gpu, *ms);
  while (const auto ms = interface_timer_.poll_ms())
    costs_.add(FramePart::interface_gpu, *ms);
}

void Window::draw_view() {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, view_padding());
  const bool visible =
      ImGui::Begin("View###view", nullptr, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  if (visible) draw_view_contents();
  ImGui::End();
  if (!visible || !captures_.empty()) return;  // Messages would cover a part of the pictures.
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const ImVec2 right{viewport.WorkPos.x + viewport.WorkSize.x, viewport.WorkPos.y + viewport.WorkSize.y};
  const bool beside = look_.panels && right.x - picture_[1].x >= em(12);
  draw_notices(beside ? ImVec2{picture_[1].x, viewport.WorkPos.y} : picture_[0], beside ? right : picture_[1]);
}

void Window::draw_view_contents() {
  // The picture has everything below the controls, from edge to edge.
  const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImVec2 corner = low;
  if (look_.panels || page() != nullptr) {
    if (draw_step_list(workspace_)) ask_next_step();
    choose_scene();
    if (page() == nullptr) draw_code_button();
    scene().toolbar(workspace_);
    if (!scene().has_stages()) intermediates_.draw(workspace_, live_.settled(workspace_));
    corner.y = ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y + view_padding().y;
  }
  ImGui::SetCursorScreenPos(corner);
  const ImVec2 room{size.x, low.y + size.y - corner.y};
  draw_picture({room.x, room.y - transport_height(room.x)});
  draw_transport();
}

ImVec2 Window::view_padding() {
  return {std::floor(em(0.4f)), std::floor(em(0.27f))};
}

/// Draws warnings and errors at the upper right of a rectangle, which is beside the picture where there is room.
void Window::draw_notices(ImVec2 low, ImVec2 high) {
  const bool has_status_line = !presenting_ && (page() == nullptr ? look_.panels : text_page() != nullptr);
  if (const auto offer = notices_.draw(low, high, ImGui::GetTime(), has_status_line)) accept(*offer);
}

void Window::draw_picture(ImVec2 room) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const ImVec2 density = ImGui::GetIO().DisplayFramebufferScale;
  const int width = std::max(1, static_cast<int>(room.x * density.x));
  const int height = std::max(1, static_cast<int>(room.y * density.y));
  const bool resized = view_.id() == 0 || view_.width() != width || view_.height() != height;
  if (resized) view_ = gl::Framebuffer(width, height);
  const ImVec2 size{std::max(room.x, 1.0f), std::max(room.y, 1.0f)};
  ImGui::InvisibleButton(
      "view", size,
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
  // Values and measurements would be those of the picture below an overview.
  scene().interact(live_, origin, size, ImGui::IsItemHovered() && live_.files().overview() == nullptr);
  const auto start = std::chrono::steady_clock::now();
  const bool timed = picture_timer_.begin();
  if (!scenes_.draw(scene(), live_, view_) && resized) {
    const ImVec4 canvas = canvas_colour();
    view_.clear({canvas.x, canvas.y, canvas.z, 1.0f});
  }
  if (timed) picture_timer_.end();
  picture_cpu_ms_ += milliseconds_since(start);
  ui_.painter().add_picture(view_, {static_cast<int>(std::lround(origin.x * density.x)),
                                    static_cast<int>(std::lround(origin.y * density.y))});
  draw_arriving(origin, size);
  // What is said below a field of the parameters is not said again.
  if (const std::string problem = workspace_.problem(); !problem.empty() && !says_at_field() && !awaits_first_file())
    if (const auto offer = draw_refusal(problem, workspace_.cures(), {origin.x + em(1), origin.y + em(1)},
                                        std::min(size.x - em(2), em(36))))
      accept(*offer);
  draw_ignored({origin.x + em(1), origin.y + em(1)}, std::min(size.x - em(2), em(36)));
  picture_ = {origin, {origin.x + size.x, origin.y + size.y}};
}

void Window::draw_code_button() {
  const auto drawn = scene().drawn_code(workspace_.wanted());
  if (!drawn || !code_place(workspace_.algorithm(), *drawn)) return;
  const bool has_room = SourcePanel::has_room();
  ImGui::BeginDisabled(!has_room);
  if (icon_button(Icon::code, "Code",
                  has_room ? "The source of what is drawn, beside it" : "A wider window shows the source beside this",
                  false, shows_code_ && has_room))
    shows_code_ = !shows_code_;
  ImGui::EndDisabled();
  ImGui::SameLine(0, em(0.8f));
}

/// Draws the buttons that choose the scene, if several can show the result, in front of the toolbar of the scene.
void Window::choose_scene() {
  const AlgorithmInfo& algorithm = workspace_.algorithm();
  const std::vector<const SceneType*> choices = SceneSet::choices(algorithm);
  if (choices.size() < 2) return;
  std::vector<Segment> segments;
  float width = em(3.0f);  // All buttons have the width of the longest title.
  for (const SceneType* type : choices) {
    segments.push_back({type->title});
    width = std::max(width, ImGui::CalcTextSize(type->title.data()).x + em(1.0f));
  }
  const auto chosen = std::ranges::find(choices, &scenes_.type_for(algorithm)) - choices.begin();
  const int clicked =
      segmented("scene", segments, static_cast<int>(chosen),
                std::min(width * static_cast<float>(choices.size()), 0.45f * ImGui::GetContentRegionAvail().x));
  if (clicked >= 0) scenes_.choose(*choices[static_cast<std::size_t>(clicked)]);
  ImGui::SameLine(0, em(0.8f));
}

}  // namespace threadscape::app
