// Input of the seams scene: toolbar, keys and mouse. Masks are painted, edges of the picture are dragged.

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/scenes/seams/seams_scene.h"
#include "app/ui/icons.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::array<KeyHelp, 11> key_help{{
    {"P", "play the seams, or stop"},
    {", / .", "one seam back, on"},
    {"Home / End", "before the first seam, behind the last"},
    {"R / W / O / C", "picture, when, how often, compare"},
    {"E / D / B", "energy, cumulative cost (down), paint masks"},
    {"H", "how a seam is found: , and . go from phase to phase"},
    {"drag an edge", "another width or height"},
    {"paint: left, right", "mark, clear; [ and ]: size of the brush"},
    {"F, double-click", "fit the picture to the view"},
    {"1", "one screen pixel per picture pixel"},
    {"wheel, drag", "zoom at the mouse, pan"},
}};

constexpr std::array<std::pair<ImGuiKey, SeamsShow>, 8> show_keys{{{ImGuiKey_R, SeamsShow::picture},
                                                                   {ImGuiKey_W, SeamsShow::when},
                                                                   {ImGuiKey_O, SeamsShow::often},
                                                                   {ImGuiKey_C, SeamsShow::compare},
                                                                   {ImGuiKey_E, SeamsShow::energy},
                                                                   {ImGuiKey_D, SeamsShow::cost},
                                                                   {ImGuiKey_H, SeamsShow::phases},
                                                                   {ImGuiKey_B, SeamsShow::paint}}};

constexpr float brush_step = 1.25f;  // Factor of the keys [ and ].

ParamBox with_masks(ParamBox params, const MaskPainter::Files& files) {
  params.assign("protect", files.protect);
  params.assign("remove", files.remove);
  return params;
}

MaskPainter::Files masks_of(const ParamBox& params) {
  MaskPainter::Files files;
  for (const FieldRef& field : params.fields()) {
    if (field.name == "protect") files.protect = to_text(field);
    if (field.name == "remove") files.remove = to_text(field);
  }
  return files;
}

}  // namespace

void SeamsScene::toolbar(const Workspace& workspace) {
  interactive_ = true;
  const std::array<Segment, 8> segments{
      {{"Picture", true, "Behind the seams so far (R)"},
       {"Order", true, "The input, coloured by when each pixel is removed (W)"},
       {"Density", true, "How often seams went through each place (O)"},
       {"Compare", true, "The original, and it carved, scaled and cropped to one size (C)"},
       {"Energy", true, "What the loss of each pixel costs now (E)"},
       {"Cost", true, "The least energy of a path down to each pixel (D)"},
       {"Phases", true, "How the next seam is found, phase by phase (H)"},
       {"Paint", paintable_, "Mark what has to stay, and what has to go (B)"}}};
  // In a narrow view buttons are left out that keys and the menu offer as well.
  float words = 0;
  for (const Segment& segment : segments)
    words += ImGui::CalcTextSize(segment.label.data(), segment.label.data() + segment.label.size()).x + em(0.7f);
  const float room = ImGui::GetContentRegionAvail().x;
  const bool narrow = room < words;
  const float width = std::min(words, room);
  std::vector<Segment> offered(segments.begin(), segments.end());
  constexpr int phases = static_cast<int>(SeamsShow::phases);
  const bool left_out = narrow && !shows_phases();
  if (left_out) offered.erase(offered.begin() + phases);
  const auto index = static_cast<int>(show_);
  const int clicked = segmented("show", offered, left_out && index > phases ? index - 1 : index, width);
  if (clicked >= 0) show_ = static_cast<SeamsShow>(left_out && clicked >= phases ? clicked + 1 : clicked);
  const float bar = em(is_painting() ? 27.0f : shows_phases() ? 17.0f : 11.0f);  // What a bar needs at least.
  if (!narrow) {
    flow(icon_button_width());
    if (icon_button(Icon::fit, "Fit", "Show everything (F)")) navigator_.fit();
    flow(icon_button_width());
    if (icon_button(Icon::actual_size, "1:1", "One screen pixel per picture pixel (1)"))
      navigator_.actual_size(settings_);
  }
  flow(bar);
  if (is_painting())
    paint_bar(workspace);
  else if (shows_phases())
    phase_bar();
  else
    play_bar();
}

void SeamsScene::phase_bar() {
  const std::array<Segment, 5> phases{{{"1 Grey", true, "The picture before the seam, in grey"},
                                       {"2 Energy", true, "What the loss of each pixel costs"},
                                       {"3 Candidates", true, "All seams that could be next, coloured by their cost"},
                                       {"4 Cheapest", true, "The one that goes"},
                                       {"5 Removal", true, "The picture without it"}}};
  ImGui::BeginDisabled(total_ == 0);
  const float room = ImGui::GetContentRegionAvail().x;  // A narrow bar has a list of the phases.
  const float width = room < em(30) ? std::min(em(9.5f), 0.6f * room) : std::min(em(27), 0.75f * room);
  SeamsPhase& phase = view_.as<SeamsView>().phase;
  const int clicked = segmented("phase", phases, static_cast<int>(phase), width);
  if (clicked >= 0) phase = static_cast<SeamsPhase>(clicked);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x, em(4)));
  int number = phase_seam() + 1;
  const std::string short_label = "%d of " + std::to_string(total_), label = "seam " + short_label;
  const bool fits = ImGui::CalcTextSize(label.c_str()).x + em(1.5f) < ImGui::CalcItemWidth();
  if (slider_int("##seam", &number, 1, std::max(total_, 1), fits ? label.c_str() : short_label.c_str(),
                 ImGuiSliderFlags_AlwaysClamp))
    choose_step(number - 1);
  if (ImGui::IsItemHovered()) tooltip("The seam whose phases are shown (, and . go from phase to phase)");
  ImGui::EndDisabled();
}

void SeamsScene::play_bar() {
  ImGui::BeginDisabled(total_ == 0);
  if (icon_button(playback_.playing() ? Icon::pause : Icon::play, "play", "The seams, one after another (P)"))
    play(!playback_.playing());
  ImGui::SameLine();
  const float pace_width = em(5), left = ImGui::GetContentRegionAvail().x;
  const bool has_pace = left > em(15);  // The tab of the scene has it, too.
  ImGui::SetNextItemWidth(std::max(left - (has_pace ? pace_width + ImGui::GetStyle().ItemSpacing.x : 0.0f), em(4)));
  int number = step();
  const bool partial = !shows_state() && found_ < total_;
  const std::string total = " of " + std::to_string(total_);
  const std::string short_label = partial ? std::to_string(found_) + total : "%d" + total;
  const std::string label =
      partial ? (searching_ ? "searching: " : "found: ") + std::to_string(found_) + total
              : "%d" + total + " seams:  " + std::to_string(size_.x) + " x " + std::to_string(size_.y);
  const bool fits = ImGui::CalcTextSize(label.c_str()).x + em(1.5f) < ImGui::CalcItemWidth();
  if (slider_int("##step", &number, 0, std::max(total_, 1), fits ? label.c_str() : short_label.c_str(),
                 ImGuiSliderFlags_AlwaysClamp)) {
    playback_.stop();
    choose_step(number);
  }
  if (ImGui::IsItemHovered())
    tooltip(partial ? "What is found so far can be looked at already"
                    : "Any size on the way, at once: drag (, and . go one by one)");
  if (partial) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float share = static_cast<float>(found_) / static_cast<float>(total_);
    ImGui::GetWindowDrawList()->AddRectFilled({low.x, high.y - em(0.18f)}, {low.x + share * (high.x - low.x), high.y},
                                              ImGui::GetColorU32(backend_colour(Backend::openmp)));
  }
  if (has_pace) {
    ImGui::SameLine();
    ImGui::SetNextItemWidth(pace_width);
    slider_float("##pace", &view_.as<SeamsView>().pace, SeamsView::slowest, SeamsView::fastest, "%.0f / s",
                 ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
    if (ImGui::IsItemHovered()) tooltip("Seams per second while it plays");
  }
  ImGui::EndDisabled();
}

void SeamsScene::paint_bar(const Workspace& workspace) {
  const std::array<Segment, 3> brushes{
      {{"Erase", true, "Neither (also with the right button)"},
       {"Protect", true, "Has to stay", {0.16f, 0.62f, 0.35f, 1.0f}},
       {"Remove", true, "Goes first; without a width or height, all of it goes", {0.78f, 0.25f, 0.22f, 1.0f}}}};
  const int clicked = segmented("brush", brushes, static_cast<int>(brush_), em(11));
  if (clicked >= 0) brush_ = static_cast<Brush>(clicked);
  const float buttons = em(11.6f);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x - buttons, em(4)));
  slider_float("##size", &view_.as<SeamsView>().brush, SeamsView::min_brush, SeamsView::max_brush, "brush %.0f",
               ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  if (ImGui::IsItemHovered()) tooltip("Pixels of the picture across ([ and ])");
  ImGui::SameLine();
  ImGui::BeginDisabled(!workspace.history.can_undo() && !masks_.pending());
  if (ImGui::Button("Undo") && desk() != nullptr) desk()->undo();
  if (ImGui::IsItemHovered()) tooltip("The last stroke, or the last change of parameters (Ctrl+Z)");
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(masks_.empty());
  if (ImGui::Button("Clear")) masks_.clear();
  ImGui::SameLine();
  if (ImGui::Button("Save...")) ImGui::OpenPopup("save mask");
  if (ImGui::IsItemHovered()) tooltip("A mask, as a picture");
  ImGui::EndDisabled();
  if (!ImGui::BeginPopup("save mask")) return;
  const auto offer = [this](const char* title, const char* name, Brush brush) {
    if (ImGui::MenuItem(title, nullptr, false, masks_.marks(brush)) && desk() != nullptr)
      desk()->ask_save({"Save the mask", name, [this, brush](const auto& path) { return masks_.writer(brush, path); }});
  };
  offer("What is protected", "protect.png", Brush::protect);
  offer("What is to be removed", "remove.png", Brush::remove);
  ImGui::EndPopup();
}

void SeamsScene::menu() {
  if (ImGui::MenuItem("Fit", "F")) navigator_.fit();
  if (ImGui::MenuItem("1:1", "1")) navigator_.actual_size(settings_);
  if (ImGui::MenuItem(playback_.playing() ? "Stop" : "Play", "P", false, total_ > 0)) play(!playback_.playing());
  if (ImGui::MenuItem("Phases of a seam", "H", shows_phases()))
    show_ = shows_phases() ? SeamsShow::picture : SeamsShow::phases;
  if (ImGui::MenuItem("Paint masks", "B", is_painting(), paintable_))
    show_ = is_painting() ? SeamsShow::picture : SeamsShow::paint;
}

std::span<const KeyHelp> SeamsScene::help() const {
  return key_help;
}

void SeamsScene::keys() {
  if (!keys_are_free()) return;
  for (const auto& [key, show] : show_keys)
    if (ImGui::IsKeyPressed(key, false) && (show != SeamsShow::paint || paintable_)) show_ = show;
  navigator_.keys(settings_);
  float& brush = view_.as<SeamsView>().brush;
  if (ImGui::IsKeyPressed(ImGuiKey_LeftBracket)) brush = std::max(brush / brush_step, SeamsView::min_brush);
  if (ImGui::IsKeyPressed(ImGuiKey_RightBracket)) brush = std::min(brush * brush_step, SeamsView::max_brush);
  if (is_painting()) return;
  if (shows_phases()) {
    playback_.stop();
    if (ImGui::IsKeyPressed(ImGuiKey_Comma)) step_phase(-1);
    if (ImGui::IsKeyPressed(ImGuiKey_Period)) step_phase(1);
    return;
  }
  if (ImGui::IsKeyPressed(ImGuiKey_P, false)) play(!playback_.playing());
  const auto go = [this](ImGuiKey key, int step) {
    if (!ImGui::IsKeyPressed(key)) return;
    playback_.stop();
    choose_step(step);
  };
  go(ImGuiKey_Comma, step() - 1);
  go(ImGuiKey_Period, step() + 1);
  go(ImGuiKey_Home, 0);
  go(ImGuiKey_End, total_);
}

void SeamsScene::interact(const LiveView&, ImVec2 origin, ImVec2 size, bool hovered) {
  keys();
  const float density = size.x > 0 ? static_cast<float>(navigator_.view().x) / size.x : 1.0f;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const glm::vec2 at{(mouse.x - origin.x) * density, (mouse.y - origin.y) * density};
  mouse_ = hovered ? std::optional(at) : std::nullopt;
  if (is_painting()) {
    paint_mouse(at, hovered);
  } else {
    end_stroke();  // A key can leave the mode in the middle of a stroke.
  }
  const bool edges = show_ == SeamsShow::picture && resizable_;
  if (edges)
    edge_mouse(at, hovered);
  else if (std::holds_alternative<Drag>(gesture_))
    gesture_ = {};
  const bool taken = is_painting() || std::holds_alternative<Drag>(gesture_) || (hovered && edges && edge_at(at));
  navigator_.mouse(settings_, origin, size, hovered, taken);
}

void SeamsScene::paint_mouse(glm::vec2 at, bool hovered) {
  const glm::vec2 place = render::view_to_image(settings_, navigator_.view(), at);
  const bool right = hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  if (!std::holds_alternative<Stroke>(gesture_) &&
      (right || (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)))) {
    masks_.begin_stroke();
    gesture_ = Stroke{place, right ? ImGuiMouseButton_Right : ImGuiMouseButton_Left};
  }
  if (Stroke* const stroke = std::get_if<Stroke>(&gesture_)) {
    const Brush brush = stroke->button == ImGuiMouseButton_Right ? Brush::erase : brush_;
    if (masks_.painting()) masks_.paint(brush, stroke->place, place, 0.5f * view_settings().brush);
    stroke->place = place;
    if (!ImGui::IsMouseDown(stroke->button)) end_stroke();
  }
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

void SeamsScene::end_stroke() {
  if (!std::holds_alternative<Stroke>(gesture_)) return;
  masks_.end_stroke();
  gesture_ = {};
}

std::optional<SeamsScene::Drag> SeamsScene::edge_at(glm::vec2 at) const {
  if (const Drag* const drag = std::get_if<Drag>(&gesture_)) return *drag;
  if (size_.x < 1) return {};
  const glm::ivec2 view = navigator_.view();
  const glm::vec2 low = render::image_to_view(settings_, view, {0, 0});
  const glm::vec2 high = render::image_to_view(settings_, view, glm::vec2(size_));
  const float near = em(0.5f);
  const bool right = std::abs(at.x - high.x) < near && at.y > low.y && at.y < high.y + near;
  const bool bottom = std::abs(at.y - high.y) < near && at.x > low.x && at.x < high.x + near;
  if (!right && !bottom) return {};
  return Drag{.right = right, .bottom = bottom, .target = size_};
}

void SeamsScene::edge_mouse(glm::vec2 at, bool hovered) {
  if (hovered || std::holds_alternative<Drag>(gesture_))
    if (const std::optional<Drag> edge = edge_at(at)) {
      ImGui::SetMouseCursor(edge->right && edge->bottom ? ImGuiMouseCursor_ResizeNWSE
                            : edge->right               ? ImGuiMouseCursor_ResizeEW
                                                        : ImGuiMouseCursor_ResizeNS);
      if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) gesture_ = *edge;
    }
  Drag* const drag = std::get_if<Drag>(&gesture_);
  if (drag == nullptr) return;
  // The limit is less than twice the size, because one pass, and so one map, cannot duplicate more seams.
  const glm::vec2 place = render::view_to_image(settings_, navigator_.view(), at);
  const auto limited = [](float wanted, int all) {
    return static_cast<int>(std::clamp(std::round(wanted), 1.0f, static_cast<float>(2 * all - 1)));
  };
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Left)) drag->moved = true;
  if (drag->moved) {
    if (drag->right) drag->target.x = limited(place.x, input_size_.x);
    if (drag->bottom) drag->target.y = limited(place.y, input_size_.y);
    preview_drag(drag->target);
  }
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  if (drag->moved && desk() != nullptr) resize(desk()->workspace(), drag->target);
  gesture_ = {};
}

/// Shows the dragged size immediately if the map contains it already.
void SeamsScene::preview_drag(glm::ivec2 target) {
  if (!seams_ || seams_->runs.size() != 1 || found_ < total_) return;
  const SeamRun& run = seams_->runs.front();
  const glm::ivec2 change = run.enlarges ? target - input_size_ : input_size_ - target;
  const int along = run.of_rows ? change.y : change.x, across = run.of_rows ? change.x : change.y;
  if (across != 0 || along < 0 || along > total_) return;
  playback_.stop();
  choose_step(along);
}

bool SeamsScene::welcome(Workspace& workspace) {
  if (!resizable_) return false;
  // Who has chosen parameters needs no example.
  if (workspace.work().params != workspace.algorithm().defaults()) return true;
  playback_.await();
  resize(workspace, {std::max(input_size_.x * 3 / 4, 1), input_size_.y});
  return true;
}

void SeamsScene::resize(Workspace& workspace, glm::ivec2 size) {
  const auto text = [](int value, int unchanged) { return std::to_string(value == unchanged ? 0 : value); };
  try {
    workspace.edit_parameters([&](ParamBox& params) {
      for (const FieldRef& field : params.fields())
        if (field.name == "seams") params.assign("seams", "0");  // The width takes the place of the number of seams.
      params.assign("width", text(size.x, input_size_.x));
      params.assign("height", text(size.y, input_size_.y));
    });
    choose_step(total_);
  } catch (const Error& error) {
    workspace.log.error(error.what());
  }
}

void SeamsScene::update_edits(Workspace& workspace) {
  if (!paintable_ || !masks_.pending()) return;
  const ParamBox& params = workspace.work().params;
  // The writing thread also asks for the output's shape, as the window is about to do: that reads the mask into the
  // cache.
  const auto ask = [algorithm = &workspace.algorithm(), shape = workspace.input_shape(), params](const auto& files) {
    try {
      (void)algorithm->output_shape(with_masks(params, files), shape);
    } catch (const std::exception&) {
      // The workspace reports what is wrong.
    }
  };
  try {
    if (const auto files = masks_.poll(ask)) workspace.set_parameters(with_masks(params, *files));
  } catch (const std::exception& error) {
    workspace.log.error(error.what());
  }
}

bool SeamsScene::take_back_edit() {
  if (std::holds_alternative<Stroke>(gesture_)) gesture_ = {};
  return masks_.discard();
}

void SeamsScene::finish_edit(Workspace& workspace) {
  masks_.end_stroke();
  if (mask_algorithm_ == nullptr) return;
  const AlgorithmInfo& chosen = workspace.algorithm();
  try {
    if (masks_.pending()) {
      const MaskPainter::Files files = masks_.write();
      workspace.choose_algorithm(*mask_algorithm_);
      workspace.set_parameters(with_masks(workspace.work().params, files));
    }
    // Nothing can be taken back any more, so only the masks that the next session starts with are needed.
    masks_.remove_files_except(masks_of(workspace.params_of(*mask_algorithm_)));
  } catch (const std::exception& error) {
    workspace.log.error(error.what());
  }
  workspace.choose_algorithm(chosen);
}

void SeamsScene::panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) {
  heading(fonts.strong, "Seams");
  if (!seams_) {
    disabled_sentence(!workspace.problem().empty() ? "see above"
                      : searching_                 ? "searching"
                      : input_size_ != size_       ? "a change of several passes has no order of seams"
                                                   : "choose a width or a height");
    return;
  }
  ImGui::Text("%d of %d", step(), total_);
  ImGui::TextDisabled("%d x %d  to  %d x %d", input_size_.x, input_size_.y, size_.x, size_.y);
  if (!is_complete(live)) ImGui::TextDisabled("%s: %d of %d", searching_ ? "searching" : "found", found_, total_);
}

}  // namespace threadscape::app
