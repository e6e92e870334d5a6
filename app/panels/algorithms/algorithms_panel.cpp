#include "app/panels/algorithms/algorithms_panel.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <utility>

#include "app/ui/icons.h"
#include "app/ui/widgets.h"
#include "compute/registry/registry.h"
#include "compute/registry/step_kinds.h"

namespace threadscape::app {

namespace {

/// The groups of all algorithms: first the known ones in this order, then the others.
std::vector<std::string_view> groups() {
  std::vector<std::string_view> all{"Filters", "Smoothing",  "Edges",     "Morphology",
                                    "Terrain", "Tomography", "Sequences", "Memory"};
  for (const AlgorithmInfo& algorithm : algorithms())
    if (std::ranges::find(all, algorithm.group) == all.end()) all.push_back(algorithm.group);
  return all;
}

/// What an algorithm works on, for those without a picture.
Icon icon_of(const AlgorithmInfo& algorithm) {
  if (algorithm.group == "Memory") return Icon::chip;
  if (algorithm.group == "Sketches") return Icon::code;
  if (algorithm.input == Kind::volume || algorithm.output == Kind::volume) return Icon::cube;
  if (algorithm.output == Kind::sequence || algorithm.output == Kind::scalar) return Icon::compare;
  return algorithm.input == Kind::clip ? Icon::play : Icon::screen;
}

/// Draws the buttons above the samples.
void draw_input_buttons(Desk& desk) {
  if (ImGui::Button("Open...", {-1, 0})) desk.ask_open();
  if (ImGui::IsItemHovered())
    tooltip("Or drop files anywhere on the window (Ctrl+O); several become a list to switch through");
  const std::string why = desk.why_no_result();
  const float arrow = ImGui::GetFrameHeight(), gap = ImGui::GetStyle().ItemInnerSpacing.x * 0.5f;
  ImGui::BeginDisabled(!why.empty());
  const bool pressed = ImGui::Button("Result as input", {ImGui::GetContentRegionAvail().x - arrow - gap, 0});
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip(why.empty() ? "The result becomes the input (U)" : why);
  ImGui::SameLine(0, gap);
  const bool listed = ImGui::ArrowButton("targets", ImGuiDir_Down);
  if (ImGui::IsItemHovered()) tooltip("The algorithms that take the result");
  ImGui::EndDisabled();
  ImGui::BeginDisabled(algorithms_that_take(desk.workspace().algorithm().output).empty());
  if (ImGui::Button("Next step...", {-1, 0})) desk.ask_next_step();
  if (ImGui::IsItemHovered())
    tooltip("A list of steps, each on the result of the one before: it follows every change (Shift+U)");
  ImGui::EndDisabled();
  if (pressed) desk.use_result();
  if (listed) desk.choose_target();
}

}  // namespace

std::array<std::string, 2> title_lines(std::string_view title, float width) {
  const auto fits = [&](std::string_view text) {
    return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x <= width;
  };
  if (fits(title)) return {std::string(title), {}};
  std::size_t space = title.rfind(' ');
  while (space != std::string_view::npos && !fits(title.substr(0, space)))
    space = space == 0 ? std::string_view::npos : title.rfind(' ', space - 1);
  if (space == std::string_view::npos) return {shortened(title, width), {}};
  return {std::string(title.substr(0, space)), shortened(title.substr(space + 1), width)};
}

/// Draws the field of the search, with a cross that clears it. Enter chooses the best that is found.
void AlgorithmsPanel::draw_search(Desk& desk) {
  std::string& search = desk.search();
  const float cross = ImGui::GetFrameHeight();
  const bool typed = !search.empty();
  ImGui::SetNextItemWidth(typed ? -cross : -1.0f);
  input_text("##search", search);
  const bool entered = ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
  const bool ended = ImGui::IsItemDeactivated(), active = ImGui::IsItemActive();
  const ImVec2 low = ImGui::GetItemRectMin(), padding = ImGui::GetStyle().FramePadding;
  if (!typed && search.empty() && !active)
    ImGui::GetWindowDrawList()->AddText({low.x + padding.x, low.y + padding.y},
                                        ImGui::GetColorU32(ImGuiCol_TextDisabled), "search");
  if (typed) {
    ImGui::SameLine(0, 0);
    if (icon_button(Icon::cross, "clear the search", "Shows all algorithms")) search.clear();
  }
  if (!ended || !entered || search.empty()) return;
  if (const auto found = ranked_algorithms(search); !found.empty()) choose(desk, *found.front());
}

void AlgorithmsPanel::choose(Desk& desk, const AlgorithmInfo& algorithm) {
  desk.workspace().choose_algorithm(algorithm);
  desk.search({});
}

void AlgorithmsPanel::update(Desk& desk) {
  if (loading_) loading_ = samples_.load_next();
  if (making_) making_ = pictures_.make_next();
  desk.marks().note(desk.workspace().algorithm().name);
}

void AlgorithmsPanel::draw(Desk& desk) {
  Workspace& workspace = desk.workspace();
  if (!std::exchange(seen_, true)) making_ = true;
  heading(desk.fonts().strong, "Algorithms");
  draw_search(desk);
  // The list is as high as its items, up to a limit that leaves room for the pictures.
  const float max_height = ImGui::GetContentRegionAvail().y * 0.62f;
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, max_height});
  if (ImGui::BeginChild("list", {0, 0}, ImGuiChildFlags_AutoResizeY)) draw_list(desk);
  ImGui::EndChild();
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
  heading(desk.fonts().strong, "Pictures");
  draw_input_buttons(desk);
  if (!desk.list().empty())
    if (const auto clicked = desk.list().draw(0.4f * ImGui::GetContentRegionAvail().y)) desk.open(*clicked);
  if (samples_.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, muted_text());
    ImGui::TextWrapped("no samples: run scripts/setup");
    ImGui::PopStyleColor();
  }
  const auto shown = workspace.source();
  const std::filesystem::path current = shown ? shown->path : std::filesystem::path{};
  if (ImGui::BeginChild("shelf"))
    if (const auto clicked = samples_.draw(current)) desk.open(*clicked);
  ImGui::EndChild();
}

void AlgorithmsPanel::draw_list(Desk& desk) {
  if (!desk.search().empty()) {
    for (const AlgorithmInfo* algorithm : ranked_algorithms(desk.search()))
      draw_row(desk, *algorithm, true);
    return;
  }
  AlgorithmMarks& marks = desk.marks();
  const auto named = [&](const char* title, const std::vector<std::string>& names) {
    if (!draw_group(marks, title)) return;
    ImGui::PushID(title);
    for (const std::string& name : std::vector<std::string>(names))
      for (const AlgorithmInfo& algorithm : algorithms())
        if (algorithm.name == name) draw_row(desk, algorithm, false);
    ImGui::PopID();
  };
  if (!marks.favourites.empty()) named("Favourites", marks.favourites);
  if (marks.recent.size() > 1) named("Recent", marks.recent);
  for (const std::string_view group : groups()) {
    if (!draw_group(marks, group)) continue;
    for (const AlgorithmInfo& algorithm : algorithms())
      if (algorithm.group == group) draw_row(desk, algorithm, true);
  }
}

/// Draws the title of a group, which folds it. Returns whether its algorithms are to be drawn.
bool AlgorithmsPanel::draw_group(AlgorithmMarks& marks, std::string_view title) {
  ImGui::Spacing();
  const std::string id = "##group " + std::string(title);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton(id.c_str(), {ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight()}))
    AlgorithmMarks::toggle(marks.folded, title);
  const bool open = !AlgorithmMarks::has(marks.folded, title);
  const ImU32 colour = ImGui::GetColorU32(ImGui::IsItemHovered() ? ImGuiCol_Text : ImGuiCol_TextDisabled);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::RenderArrow(&list, {at.x - em(0.1f), at.y + em(0.1f)}, colour, open ? ImGuiDir_Down : ImGuiDir_Right, 0.75f);
  list.AddText({at.x + em(0.9f), at.y}, colour, title.data(), title.data() + title.size());
  return open;
}

/// Draws the small picture of an algorithm, or an icon for those that have none, into a square.
void AlgorithmsPanel::draw_picture(const AlgorithmInfo& algorithm, ImVec2 low, float side) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (const gl::Texture* const picture = pictures_.of(algorithm))
    list.AddImageRounded(static_cast<ImTextureID>(picture->id()), low, {low.x + side, low.y + side}, {0, 0}, {1, 1},
                         IM_COL32_WHITE, 0.1f * side);
  else if (!has_small_picture(algorithm))
    draw_icon(list, icon_of(algorithm), {low.x + side / 2, low.y + side / 2}, side * 0.6f,
              ImGui::GetColorU32(ImGuiCol_TextDisabled));
}

/// Draws an algorithm with its star. The list scrolls to the chosen one in `main` rows.
void AlgorithmsPanel::draw_row(Desk& desk, const AlgorithmInfo& algorithm, bool main) {
  AlgorithmMarks& marks = desk.marks();
  const bool chosen = &algorithm == &desk.workspace().algorithm();
  const bool favourite = AlgorithmMarks::has(marks.favourites, algorithm.name);
  const float star = ImGui::GetTextLineHeight(), room = ImGui::GetContentRegionAvail().x;
  const float side = std::round(em(2.1f)), gap = std::round(em(0.4f));
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const bool over_row = ImGui::IsMouseHoveringRect(start, {start.x + room, start.y + side});
  // Two lines are as high as the picture.
  const auto lines = title_lines(algorithm.title, room - side - gap - (favourite ? star : 0.0f));
  const bool whole = lines[0] + (lines[1].empty() ? "" : " ") + lines[1] == algorithm.title;
  const std::string label = "###" + std::string(algorithm.title);
  if (ImGui::Selectable(label.c_str(), chosen, ImGuiSelectableFlags_AllowOverlap, {0, side})) choose(desk, algorithm);
  const bool hovered = ImGui::IsItemHovered();
  draw_picture(algorithm, start, side);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = ImGui::GetTextLineHeight(), lines_height = lines[1].empty() ? line : 2 * line;
  ImVec2 at{start.x + side + gap, start.y + std::floor((side - lines_height) / 2)};
  for (const std::string& text : lines) {
    list.AddText(at, ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
    at.y += line;
  }
  if (hovered)
    tooltip((whole ? "" : std::string(algorithm.title) + "\n\n") + std::string(algorithm.summary) + "\n\n" +
            std::string(algorithm.source));
  // An algorithm that was chosen by the command line or a key may not be visible yet, so the list scrolls to it.
  if (main && chosen && &algorithm != listed_) {
    // Visibility is decided by the text, because the rectangle of the item includes half of the space between items.
    const float middle = (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2 - ImGui::GetWindowPos().y;
    const float half = ImGui::GetTextLineHeight() / 2;
    if (middle >= half && middle + half <= ImGui::GetWindowHeight())
      listed_ = &algorithm;
    else
      ImGui::SetScrollHereY();
  }
  if (!favourite && !over_row) return;
  const ImVec2 next = ImGui::GetCursorScreenPos();
  const float top = start.y + (side - star) / 2;
  ImGui::SetCursorScreenPos({start.x + room - star, top});
  ImGui::PushID(algorithm.name.data());
  if (ImGui::InvisibleButton("star", {star, star})) AlgorithmMarks::toggle(marks.favourites, algorithm.name);
  ImGui::PopID();
  const bool on_star = ImGui::IsItemHovered();
  // The star of the row below the mouse lies upon the end of the title, which keeps its lines.
  for (const ImGuiCol below : {ImGuiCol_WindowBg, hovered ? ImGuiCol_HeaderHovered : ImGuiCol_Header})
    if (!favourite && (below == ImGuiCol_WindowBg || hovered || chosen))
      list.AddRectFilled({start.x + room - star, top}, {start.x + room, top + star}, ImGui::GetColorU32(below));
  if (on_star) tooltip(favourite ? "No favourite any more" : "A favourite, which stands above all others");
  draw_icon(list, favourite ? Icon::star_filled : Icon::star, {start.x + room - star / 2, top + star / 2}, star * 0.85f,
            ImGui::GetColorU32(on_star ? ImGuiCol_Text : ImGuiCol_TextDisabled));
  // An item ends the row, since ImGui does not let a window end where the cursor was only set.
  ImGui::SetCursorScreenPos({next.x, next.y - ImGui::GetStyle().ItemSpacing.y});
  ImGui::Dummy({0, 0});
}

}  // namespace threadscape::app
