#include "app/window/window.h"
#include "compute/registry/registry.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "app/window/field_widgets.h"
#include "app/window/widgets/widgets.h"

namespace threadscape::app {

namespace {

// Titles of the panels. ImGui identifies a window by the part of its title that follows ###.
constexpr const char* algorithms_title = "Algorithms###algorithms";
constexpr const char* parameters_title = "Parameters###parameters";
constexpr const char* settings_title = "Scene###view settings";
constexpr const char* pixel_title = "Pixel###pixel";
constexpr const char* view_title = "View###view";

/// Returns whether the widget that is being used may change without an event. A text that is edited changes by keys and
/// the mouse only; the frame that is drawn every Platform::max_wait lets its cursor blink.
bool item_needs_redraw() {
  return ImGui::IsAnyItemActive() && !ImGui::GetIO().WantTextInput;
}

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
    : platform_(platform),
      workspace_(workspace),
      live_(live),
      facts_(std::move(facts)),
      facts_device_(live.route().device),
      look_(look),
      ui_(platform, look.fonts, std::move(layout_file)),
      scenes_(shaders, platform.headless()             ? Pace::complete
                       : platform.context().software() ? Pace::quick
                                                       : Pace::smooth),
      moving_([&platform] { platform.wake(); }),
      statistics_(shaders) {}

void Window::load_everything() {
  samples_.load_all();
  loading_samples_ = false;
}

bool Window::needs_redraw() {
  return live_.needs_polling(workspace_) || loading_samples_ || scenes_.preparing() || scene().animating() ||
         statistics_.animating() || variants_due_ || (recorder_ && recorder_->needs_polling() && !plays()) ||
         capture_view_ || capture_frame_ || notices_.settling() || item_needs_redraw() ||
         std::ranges::any_of(tabs_, [](const auto& tab) { return tab->animating(); });
}

void Window::frame(const Input& input, const gl::Framebuffer& target) {
  const auto start = std::chrono::steady_clock::now();
  const SceneFrame scene_frame(scenes_);
  (void)scene();  // The status bar, which comes first, shows whether it is being prepared.
  picture_cpu_ms_ = 0.0;
  if (!platform_.headless()) costs_.add(FramePart::interval, static_cast<double>(input.delta) * 1e3);
  const float scale = text_scale(input);
  if (scale != applied_scale_ || look_.theme != applied_theme_) {
    apply_theme(look_.theme, scale);
    applied_scale_ = scale;
    applied_theme_ = look_.theme;
  }
  if (loading_samples_) loading_samples_ = samples_.load_next();
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
  take_messages();
  if (const auto preset = parameters_.take_saved_preset()) save_thumbnail(*preset);
  recovery_.draw();
  compare_with_b();
  live_.want_reference(scene().wants_reference());
  if (welcomes_ && !welcomed_.contains(&scene()) && scene().welcome(workspace_)) welcomed_.insert(&scene());
  scene().edit(workspace_);
  if (std::optional<SaveRequest> request = scene().take_save_request()) ask_save(std::move(*request));
  watch_changes();
  workspace_.compute_instead(scene().params_to_compute(workspace_));
  if (const std::string trouble = scene().take_error(); !trouble.empty()) workspace_.log.error(trouble);
  draw_interface(target, start);

  if (std::exchange(capture_view_, false)) save_view(numbered_name("view"));
  if (std::exchange(capture_frame_, false)) save_frame(target, numbered_name("window"));
  for (const TabCapture& part : std::exchange(captures_, {}))
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

void Window::draw_panels() {
  // The panels need their places before they can be hidden.
  if (presenting_ && ImGui::DockBuilderGetNode(ImGui::GetID("threadscape")) != nullptr) return draw_presentation();
  menu();
  draw_status();
  layout();
  fit_panel();
  draw_algorithms();
  if (ImGui::Begin(parameters_title)) {
    draw_comparison();
    parameters_.draw(workspace_, ui_.fonts(), files_, facts_.hardware_threads);
  }
  ImGui::End();
  draw_view_settings();
  if (ImGui::Begin(pixel_title)) scene().panel(workspace_, live_, ui_.fonts());
  ImGui::End();
  draw_bottom();
  draw_view();
}

/// Builds the default layout of the panels at the first frame and after "Reset layout". The panels keep their shares of
/// the window when its size changes.
void Window::layout() {
  const ImGuiID space = ImGui::GetID("threadscape");
  if (ImGui::DockBuilderGetNode(space) == nullptr || reset_layout_) {
    reset_layout_ = false;
    panel_lines_ = 8.5f;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const ImVec2 size = viewport.WorkSize;
    ImGui::DockBuilderRemoveNode(space);
    ImGui::DockBuilderAddNode(space, static_cast<int>(ImGuiDockNodeFlags_DockSpace));
    ImGui::DockBuilderSetNodeSize(space, size);
    ImGuiID rest = space;
    const float left = std::min(em(15), size.x * 0.2f);
    const float right = std::min(em(21), size.x * 0.28f);
    const float bottom = std::clamp(size.y * 0.29f, em(11), em(20));
    const ImGuiID algorithms = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Left, left / size.x, nullptr, &rest);
    ImGuiID parameters = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Right, right / (size.x - left), nullptr, &rest);
    const ImGuiID pixel =
        ImGui::DockBuilderSplitNode(parameters, ImGuiDir_Down, em(8.5f) / size.y, nullptr, &parameters);
    const ImGuiID below = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Down, bottom / size.y, nullptr, &rest);
    ImGui::DockBuilderDockWindow(algorithms_title, algorithms);
    ImGui::DockBuilderDockWindow(parameters_title, parameters);
    ImGui::DockBuilderDockWindow(pixel_title, pixel);
    ImGui::DockBuilderDockWindow(settings_title, parameters);
    for (const char* title : {"Timings###timings", "Statistics###statistics", "Device###device", "Log###log"})
      ImGui::DockBuilderDockWindow(title, below);
    for (const auto& tab : tabs_)
      ImGui::DockBuilderDockWindow(tab->title(), below);
    ImGui::DockBuilderDockWindow(view_title, rest);
    for (const ImGuiID node : {algorithms, parameters, pixel, rest})
      ImGui::DockBuilderGetNode(node)->SetLocalFlags(static_cast<int>(ImGuiDockNodeFlags_NoTabBar));
    ImGui::DockBuilderFinish(space);
  }
  ImGui::DockSpaceOverViewport(space, ImGui::GetMainViewport(), ImGuiDockNodeFlags_NoUndocking);
}

void Window::fit_panel() {
  const float lines = scene().panel_lines();
  const ImGuiWindow* const panel = ImGui::FindWindowByName(pixel_title);
  if (lines == panel_lines_ || panel == nullptr || panel->DockNode == nullptr || !panel->DockNode->ParentNode) return;
  panel_lines_ = lines;
  const ImGuiDockNode& node = *panel->DockNode;
  const ImGuiDockNode& parent = *node.ParentNode;
  if (parent.SplitAxis != ImGuiAxis_Y) return;
  // The parameters above keep at least half of the height.
  const float height = std::min(em(lines), parent.Size.y / 2);
  const ImGuiDockNode& other = *parent.ChildNodes[parent.ChildNodes[0] == &node ? 1 : 0];
  ImGui::DockBuilderSetNodeSize(other.ID, {parent.Size.x, parent.Size.y - height});
  ImGui::DockBuilderSetNodeSize(node.ID, {parent.Size.x, height});
}

void Window::draw_view() {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {em(0.4f), em(0.4f)});
  const bool visible =
      ImGui::Begin(view_title, nullptr, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  if (visible) {
    if (draw_step_list(workspace_)) ask_next_step();
    choose_scene();
    scene().toolbar(workspace_);
    if (!scene().has_stages()) steps_.draw(workspace_, live_.settled(workspace_));
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_picture({room.x, room.y - transport_height(room.x)});
    draw_transport();
  }
  ImGui::End();
  if (!visible || !captures_.empty()) return;  // Messages would cover a part of the pictures.
  if (const auto offer = notices_.draw(picture_[0], picture_[1], ImGui::GetTime())) accept(*offer);
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
  scene().interact(live_, origin, size, ImGui::IsItemHovered());
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
  if (const std::string problem = workspace_.problem(); !problem.empty())
    if (const auto offer = draw_refusal(problem, workspace_.cures(), {origin.x + em(1), origin.y + em(1)},
                                        std::min(size.x - em(2), em(36))))
      accept(*offer);
  draw_ignored({origin.x + em(1), origin.y + em(1)}, std::min(size.x - em(2), em(36)));
  picture_ = {origin, {origin.x + size.x, origin.y + size.y}};
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
      segmented("scene", segments, static_cast<int>(chosen), width * static_cast<float>(choices.size()));
  if (clicked >= 0) scenes_.choose(*choices[static_cast<std::size_t>(clicked)]);
  ImGui::SameLine(0, em(0.8f));
}

ParamBox* Window::listed_settings() {
  return scene().edits_settings() ? nullptr : scene().settings();
}

/// Draws the settings of the scene as a second tab beside the parameters. If the scene has none, no tabs are shown.
void Window::draw_view_settings() {
  ImGuiWindow* parameters = ImGui::FindWindowByName(parameters_title);
  ImGuiDockNode* node = parameters != nullptr ? parameters->DockNode : nullptr;
  ParamBox* settings = listed_settings();
  // While a scene is prepared its settings are not known. The tab stays, so that it is still selected afterwards.
  const ImGuiWindow* const before = ImGui::FindWindowByName(settings_title);
  const bool waits = scenes_.preparing() && before != nullptr && before->WasActive;
  if (node != nullptr) {
    node->SetLocalFlags(settings == nullptr && !waits ? static_cast<int>(ImGuiDockNodeFlags_NoTabBar) : 0);
    ImGui::SetNextWindowDockID(node->ID, ImGuiCond_FirstUseEver);
  }
  if (settings == nullptr && !waits) return;
  if (ImGui::Begin(settings_title, nullptr, ImGuiWindowFlags_NoFocusOnAppearing) && settings != nullptr) {
    draw_fields(*settings,
                {files_, workspace_.log, parameters_.previews(), [this] { return scene().settings(); }, em(8)});
    ImGui::Spacing();
    const SceneType& type = scenes_.type_for(workspace_.algorithm());
    if (ImGui::Button("Reset", {-1, 0})) *settings = type.settings();
  }
  ImGui::End();
  // A tab can be selected only after it has been drawn in a frame.
  const ImGuiWindow* window = ImGui::FindWindowByName(settings_title);
  if (wanted_panel_ == view_settings_name && window->WasActive && window->DockNode != nullptr) {
    ImGui::SetWindowFocus(settings_title);
    wanted_panel_ = {};
  }
}

void Window::keys() {
  const ImGuiIO& io = ImGui::GetIO();
  const bool popup = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
  const bool control = modifier_held(ImGuiMod_Ctrl);
  if (ImGui::IsKeyPressed(ImGuiKey_F12, false)) (modifier_held(ImGuiMod_Shift) ? capture_frame_ : capture_view_) = true;
  if (ImGui::IsKeyPressed(ImGuiKey_F1, false)) help_ = !help_;
  if (ImGui::IsKeyPressed(ImGuiKey_F11, false)) present(!presenting_);
  // These have no meaning in a text field, so they hold while one is edited, too.
  if (control && ImGui::IsKeyPressed(ImGuiKey_Q, false)) quit_ = true;
  if (popup) return;
  if (control && ImGui::IsKeyPressed(ImGuiKey_O, false)) {
    if (modifier_held(ImGuiMod_Shift))
      recent_wanted_ = true;
    else
      ask_open();
  }
  if (control && ImGui::IsKeyPressed(ImGuiKey_S, false)) ask_save();
  if (io.WantTextInput) return;
  if (control && ImGui::IsKeyPressed(ImGuiKey_V, false)) paste();
  if (control && modifier_held(ImGuiMod_Shift) && ImGui::IsKeyPressed(ImGuiKey_C, false)) copy_view();
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
    if (help_)
      help_ = false;
    else if (presenting_)
      present(false);
    else
      live_.cancel();
  }
  if (control) {
    edit_keys();
    if (ImGui::IsKeyPressed(ImGuiKey_R, false)) workspace_.reset_parameters();
    if (ImGui::IsKeyPressed(ImGuiKey_Equal, false)) look_.scale = std::min(look_.scale * 1.1f, 3.0f);
    if (ImGui::IsKeyPressed(ImGuiKey_Minus, false)) look_.scale = std::max(look_.scale / 1.1f, 0.5f);
    if (ImGui::IsKeyPressed(ImGuiKey_0, false)) look_.scale = 1.0f;
    return;
  }
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp, false)) step_file(-1);
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown, false)) step_file(1);
  if (ImGui::IsKeyPressed(ImGuiKey_T, false)) look_.theme = look_.theme == Theme::dark ? Theme::light : Theme::dark;
  if (ImGui::IsKeyPressed(ImGuiKey_G, false)) next_backend();
  if (ImGui::IsKeyPressed(ImGuiKey_M, false)) {
    if (modifier_held(ImGuiMod_Shift))
      compare_variants();
    else
      live_.compare_backends(workspace_, 12);
  }
  if (ImGui::IsKeyPressed(ImGuiKey_U, false)) {
    if (modifier_held(ImGuiMod_Shift))
      ask_next_step();
    else
      use_result();
  }
  if (ImGui::IsKeyPressed(ImGuiKey_Space, false)) run_again();
  if (moving_.active() && moving_.why_ignored().empty()) TransportBar::keys(moving_.player());
  if (ImGui::IsKeyPressed(ImGuiKey_K, false)) modifier_held(ImGuiMod_Shift) ? swap_a_and_b() : keep_as_b();
}

void Window::next_backend() {
  for (std::size_t step = 1; step < backends.size(); ++step) {
    const auto next =
        static_cast<Backend>((static_cast<std::size_t>(workspace_.work().backend) + step) % backends.size());
    if (!workspace_.why_absent(next).empty()) continue;
    workspace_.choose_backend(next);
    return;
  }
}

/// Checks and runs the work again, also after a file that the parameters name was changed.
void Window::run_again() {
  workspace_.check_again();
  parameters_.previews().refresh_all();
  live_.rerun();
}

void Window::compare_variants() {
  const Work& work = workspace_.work();
  if (!workspace_.problem().empty()) return;
  copy_limit_.measure(work.backend, work.threads, workspace_.device());
  variants_due_ = true;
  timings_.show_variants(true);
}

VariantTraffic Window::variant_traffic() const {
  const Work& work = workspace_.work();
  VariantTraffic traffic{.backend = work.backend,
                         .variants = workspace_.algorithm().variants_of(work.backend),
                         .limit = copy_limit_.of(work.backend, work.threads, workspace_.device())};
  const Shape input = workspace_.input_shape();
  if (live_.output() != nullptr)
    traffic.bytes = bytes_moved(workspace_.algorithm(), work.params, input, live_.output()->shape());
  return traffic;
}

void Window::menu() {
  if (!ImGui::BeginMainMenuBar()) return;
  if (ImGui::BeginMenu("File")) {
    file_menu();
    ImGui::EndMenu();
  }
  edit_menu();
  if (ImGui::BeginMenu("Run")) {
    if (ImGui::MenuItem("Run again", "Space")) run_again();
    if (ImGui::MenuItem("Compare backends", "M", false, !live_.comparing())) live_.compare_backends(workspace_, 12);
    const bool has_variants = workspace_.algorithm().variants_of(workspace_.work().backend).size() > 1;
    if (ImGui::MenuItem("Compare variants", "Shift+M", false, has_variants && !live_.comparing())) compare_variants();
    if (ImGui::MenuItem("Next backend", "G")) next_backend();
    if (ImGui::MenuItem("Cancel", "Esc", false, live_.busy())) live_.cancel();
    ImGui::Separator();
    if (ImGui::MenuItem("Reset parameters", "Ctrl+R")) workspace_.reset_parameters();
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("View")) {
    scene().menu();
    ImGui::Separator();
    if (ImGui::MenuItem("Light theme", "T", look_.theme == Theme::light))
      look_.theme = look_.theme == Theme::dark ? Theme::light : Theme::dark;
    if (ImGui::MenuItem("Larger text", "Ctrl+=")) look_.scale = std::min(look_.scale * 1.1f, 3.0f);
    if (ImGui::MenuItem("Smaller text", "Ctrl+-")) look_.scale = std::max(look_.scale / 1.1f, 0.5f);
    if (ImGui::MenuItem("Present", "F11")) present(true);
    if (ImGui::IsItemHovered()) tooltip("The picture on the full screen with large type, without panels; Esc returns");
    if (ImGui::MenuItem("Reset layout")) reset_layout();
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("Help")) {
    if (ImGui::MenuItem("Keys and mouse", "F1")) help_ = true;
    ImGui::EndMenu();
  }
  ImGui::EndMainMenuBar();
}

}  // namespace threadscape::app
