#include "app/panels/code/code_panel.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>

#include "app/panels/code/sketch_costs.h"
#include "app/scenes/microscope/line_figure.h"
#include "app/ui/widgets.h"
#include "compute/core/errors.h"

namespace threadscape::app {

namespace {

/// The figures to choose from, and their titles.
constexpr std::array<std::pair<LineFigure, const char*>, 5> choices{
    {{LineFigure::instructions, "warp instructions"},
     {LineFigure::lanes, "active lanes"},
     {LineFigure::sectors_per_request, "sectors per request"},
     {LineFigure::conflicts, "shared conflicts"},
     {LineFigure::divergent, "divergent branches"}}};

const char* title_of(LineFigure figure) {
  return std::ranges::find(choices, figure, [](const auto& choice) { return choice.first; })->second;
}

/// "blur: 24 registers, 100 % occupancy, bounded by warps".
std::string resource_text(const KernelResources& kernel) {
  constexpr std::array<std::string_view, 4> limits{"warps", "blocks", "registers", "shared memory"};
  const warp::Occupancy& occupancy = kernel.occupancy;
  std::string text = kernel.name + ": ";
  if (kernel.block.registers) text += std::to_string(*kernel.block.registers) + " registers, ";
  if (occupancy.blocks == 0) return text + "the block does not fit on this GPU";
  return text + (occupancy.registers_known ? "" : "at most ") + format_percent(occupancy.fraction) +
         " occupancy, bounded by " + std::string(limits[static_cast<std::size_t>(occupancy.limit)]);
}

void list_instructions(const std::vector<std::string>& instructions, int line, ImFont* mono) {
  ImGui::TextDisabled("line %d: %d instructions", line, static_cast<int>(instructions.size()));
  ImGui::PushFont(mono, 0.0f);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(instructions.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      ImGui::TextUnformatted(instructions[static_cast<std::size_t>(i)].c_str());
  ImGui::PopFont();
}

void save(Desk& desk) {
  try {
    desk.sketch().save();
    desk.log().info("saved " + desk.sketch().file().string());
  } catch (const Error& error) {
    desk.log().error(error.what());
  }
}

}  // namespace

std::string CodePanel::badge(Desk& desk) const {
  const SketchSession& sketch = desk.sketch();
  return "  " + sketch.file().filename().string() + (sketch.changed() ? " *" : "");
}

void CodePanel::update(Desk& desk) {
  desk.sketch().update(desk.workspace(), desk.live());
}

void CodePanel::draw_toolbar(Desk& desk) {
  SketchSession& sketch = desk.sketch();
  if (ImGui::Button("Run")) sketch.run();
  if (ImGui::IsItemHovered()) tooltip("Compiles the text and shows its result (Ctrl+Enter)");
  flow(em(4));
  ImGui::BeginDisabled(!sketch.changed());
  if (ImGui::Button("Save")) save(desk);
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip("Writes " + sketch.file().string() + " (Ctrl+S)");
  if (const std::optional<std::size_t> exercise = desk.lesson().exercise_of(sketch.file())) {
    flow(em(4.5f));
    if (ImGui::Button("Check")) {
      if (sketch.changed()) save(desk);
      desk.lesson().check(*exercise);
      desk.show_panel("lesson");
    }
    if (ImGui::IsItemHovered()) tooltip("Saves the text, and judges it as the lesson asks");
  }
  flow(em(4));
  if (ImGui::Button("Find")) {
    finds_ = !finds_;
    find_focus_.want();
  }
  if (ImGui::IsItemHovered()) tooltip("Ctrl+F");
  flow(em(3.2f));
  if (ImGui::Button("Close")) {
    if (sketch.changed())
      ImGui::OpenPopup("unsaved");
    else
      sketch.close();
  }
  if (ImGui::BeginPopup("unsaved")) {
    ImGui::TextUnformatted("The text was not saved.");
    if (ImGui::Button("Save and close")) {
      save(desk);
      if (!sketch.changed()) sketch.close();
      ImGui::CloseCurrentPopup();
    }
    ImGui::SameLine();
    if (ImGui::Button("Close without saving")) {
      sketch.close();
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  flow(em(6));
  ImGui::SetNextItemWidth(std::min(em(8.8f), ImGui::GetContentRegionAvail().x));
  if (ImGui::BeginCombo("##figure", title_of(figure_))) {
    for (const auto& [figure, title] : choices)
      if (ImGui::Selectable(title, figure == figure_)) figure_ = figure;
    ImGui::EndCombo();
  }
  if (ImGui::IsItemHovered()) tooltip("The count beside the lines, of the kernels as warps execute them");
  if (!finds_) return;
  find_focus_.before_field();
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool typed = input_text("##needle", needle_);
  find_focus_.after_field();
  if (typed && ImGui::IsKeyPressed(ImGuiKey_Enter)) editor_.find(sketch.text(), needle_);
}

void CodePanel::draw_state(Desk& desk) {
  const SketchSession& sketch = desk.sketch();
  const std::optional<std::size_t> shown = sketch.shown();
  if (sketch.compiling()) return ImGui::TextDisabled("compiling");
  if (!sketch.trouble().empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, warning_colour());
    const CodeMark* const mark = first_to_mend(sketch.marks());
    ImGui::TextWrapped("%s", mark == nullptr ? sketch.trouble().c_str()
                                             : ("line " + std::to_string(mark->line) + ": " + mark->text).c_str());
    ImGui::PopStyleColor();
    if (mark != nullptr) {
      if (ImGui::IsItemHovered()) tooltip("Click to go to line " + std::to_string(mark->line));
      if (ImGui::IsItemClicked()) editor_.go_to(mark->line);
    }
    return;
  }
  if (!shown) {
    disabled_sentence("Nothing runs before you press Run (Ctrl+Enter).");
    if (const ExportedSketch& exported = sketch.exported(); !exported.picture.empty()) {
      if (ImGui::SmallButton("Open its input")) desk.open_exported_input();
      if (ImGui::IsItemHovered()) tooltip(exported.input);
    }
    return;
  }
  const SketchTry& now = sketch.tries()[*shown];
  if (!now.version) disabled_sentence("A try of a session before: Run (Ctrl+Enter) shows it again.");
  std::string counts;
  if (now.instructions) counts = format_value(*now.instructions) + " warp instructions per value";
  if (now.sectors) counts += ", " + format_value(*now.sectors) + " sectors per load";
  if (sketch.studying() && counts.empty()) counts = "counting";
  if (!now.predicted.empty()) counts += "; " + now.predicted;
  if (!counts.empty()) ImGui::TextWrapped("%s", counts.c_str());
  if (now.version && now.version->sketch().head.check_algorithm.empty())
    disabled_sentence("Nothing is compared: the head has no line \"check: ALGORITHM\".");
  if (now.check.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, now.equal ? backend_colour(Backend::cuda) : warning_colour());
  ImGui::TextWrapped("%s", now.check.c_str());
  ImGui::PopStyleColor();
  if (!now.why_no_costs.empty()) {
    // A small panel keeps its lines for the text.
    const std::string why = "No costs are compared: " + now.why_no_costs;
    const float room = ImGui::GetContentRegionAvail().x;
    const bool one_line = low_ || room < em(18);
    disabled_sentence((one_line ? elided(why, room) : why).c_str());
    if (one_line && ImGui::IsItemHovered()) tooltip(why);
  }
  if (!now.against) return;
  ImGui::TextWrapped("%s", cost_sentence(*now.against).c_str());
  if (ImGui::BeginItemTooltip()) {
    draw_costs(*now.against);
    ImGui::EndTooltip();
  }
}

void CodePanel::draw_tries(Desk& desk) {
  SketchSession& sketch = desk.sketch();
  const std::vector<SketchTry>& tries = sketch.tries();
  if (tries.size() < 2) return;
  const auto cost = [](void* data, int i) {
    const auto& all = *static_cast<const std::vector<SketchTry>*>(data);
    return static_cast<float>(all[static_cast<std::size_t>(i)].instructions.value_or(0));
  };
  ImGui::PlotLines("##curve", cost, const_cast<std::vector<SketchTry>*>(&tries), static_cast<int>(tries.size()), 0,
                   nullptr, 0.0f, FLT_MAX, {-FLT_MIN, em(2)});
  if (!ImGui::BeginTable("tries", 4, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg, {0, em(low_ ? 4.0f : 6.0f)}))
    return;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const char* title : {"try", "instructions", "sectors", "result"})
    ImGui::TableSetupColumn(title, title == std::string_view("result") ? ImGuiTableColumnFlags_WidthStretch
                                                                       : ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableHeadersRow();
  std::optional<std::size_t> wanted;
  for (std::size_t i = tries.size(); i-- > 0;) {
    const SketchTry& one = tries[i];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (ImGui::Selectable(std::to_string(i + 1).c_str(), sketch.shown() == i, ImGuiSelectableFlags_SpanAllColumns))
      wanted = i;
    if (ImGui::IsItemHovered()) tooltip("Click to go back to the text and the parameters of this try");
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(one.instructions ? format_value(*one.instructions).c_str() : "");
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(one.sectors ? format_value(*one.sectors).c_str() : "");
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(one.check.empty() ? "" : one.equal ? "equal" : "differs");
  }
  ImGui::EndTable();
  if (wanted) sketch.go_back(*wanted, desk.workspace());
}

void CodePanel::draw_code(Desk& desk, bool lists) {
  SketchSession& sketch = desk.sketch();
  const LineCode* const code = sketch.code();
  if (code == nullptr) return;
  ImGui::SetNextItemWidth(em(6.5f));
  if (ImGui::BeginCombo("##gpu", sketch.gpu().name.data())) {
    for (const warp::GpuModel& gpu : warp::gpu_models())
      if (ImGui::Selectable(gpu.name.data(), &gpu == &sketch.gpu())) sketch.choose_gpu(gpu);
    ImGui::EndCombo();
  }
  if (ImGui::IsItemHovered()) tooltip("The GPU that registers, occupancy and machine code are those of");
  const auto kernels = static_cast<std::ptrdiff_t>(code->kernels.size());
  constexpr std::ptrdiff_t most = 3;
  for (std::ptrdiff_t i = 0; i < std::min(kernels, most); ++i)
    ImGui::TextWrapped("%s", resource_text(code->kernels[static_cast<std::size_t>(i)]).c_str());
  if (kernels > most) ImGui::TextDisabled("and %d more kernels", static_cast<int>(kernels - most));
  if (!code->problem.empty()) return disabled_sentence(code->problem.c_str());
  if (!lists) return;
  const std::string sass = "SASS, sm_" + std::to_string(code->architecture);
  const std::array<Segment, 3> listings{Segment{.label = "no code"}, Segment{.label = "PTX"}, Segment{.label = sass}};
  if (const int chosen = segmented("listing", listings, static_cast<int>(listing_)); chosen >= 0)
    listing_ = static_cast<Listing>(chosen);
  if (listing_ == Listing::none) return;
  if (ImGui::BeginChild("instructions", {0, em(low_ ? 4.0f : 8.0f)}, ImGuiChildFlags_Borders)) {
    const int line = editor_.line(sketch.text());
    const InstructionsOfLines& all = listing_ == Listing::ptx ? code->ptx : code->sass;
    const auto found = all.find(line);
    if (listing_ == Listing::sass && !code->why_no_sass.empty())
      disabled_sentence(code->why_no_sass.c_str());
    else if (found == all.end())
      ImGui::TextDisabled("line %d: no instructions", line);
    else
      list_instructions(found->second, line, desk.fonts().mono);
  }
  ImGui::EndChild();
}

void CodePanel::draw(Desk& desk) {
  SketchSession& sketch = desk.sketch();
  draw_toolbar(desk);
  if (!sketch.is_open()) return;  // It was just closed.
  CodeGutter gutter{.marks = sketch.marks(), .figures = {}, .figure = title_of(figure_)};
  // Lines that were added or removed since would have the figures of others.
  const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  if (const auto shown = sketch.shown(); shown && lines(sketch.text()) == lines(sketch.tries()[*shown].text))
    for (const auto& [line, counts] : sketch.counts())
      gutter.figures.emplace(line, figure_of(figure_, counts));
  const ImVec2 room = ImGui::GetContentRegionAvail();
  low_ = room.y < em(46);
  editor_.draw(sketch.text(), gutter, desk.fonts().mono, {room.x, std::max(em(8), room.y - below_)});
  const bool focused = ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows);
  sketch.edited(editor_.active() || focused);
  if (focused && modifier_held(ImGuiMod_Ctrl)) {
    if (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false)) {
      sketch.run();
      editor_.go_on();
    }
    if (ImGui::IsKeyPressed(ImGuiKey_F, false)) {
      finds_ = true;
      find_focus_.want();
    }
    if (ImGui::IsKeyPressed(ImGuiKey_S, false)) {
      save(desk);
      sketch.run();
    }
  }
  const float end = ImGui::GetCursorPosY();
  draw_state(desk);
  draw_code(desk, room.y > em(32));
  draw_tries(desk);
  // The text gets no room that it loses again as soon as the sketch was compiled and compared.
  const float below = ImGui::GetCursorPosY() - end;
  below_ = sketch.compiling() || sketch.studying() ? std::max(below_, below) : below;
}

}  // namespace threadscape::app
