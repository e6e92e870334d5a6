// How the tab of the lab is drawn: the controls in a column, the plot beside it, and the sentences below.

#include <imgui.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "app/bench/bench_suite.h"
#include "app/lab/lab_matrix.h"
#include "app/lab/lab_tab.h"
#include "app/lab/value_table.h"
#include "app/measure/chart_layout.h"
#include "app/measure/chart_svg.h"
#include "app/measure/report_text.h"
#include "app/report/text.h"
#include "app/ui/icons.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// Draws a list of names to choose from. Returns true if another one was chosen.
bool combo(const char* id, const std::vector<std::string>& names, std::size_t& chosen, float width) {
  const std::size_t before = chosen;
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo(id, chosen < names.size() ? names[chosen].c_str() : "")) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(names[i].c_str(), i == before)) chosen = i;
    ImGui::PopID();
  }
  ImGui::EndCombo();
  return chosen != before;
}
bool combo(const char* id, const std::vector<std::string>& names, std::string& chosen, float width) {
  auto place = static_cast<std::size_t>(std::ranges::find(names, chosen) - names.begin());
  if (!combo(id, names, place, width)) return false;
  chosen = names[place];
  return true;
}

/// Draws a sentence as a line of its own. The first one names what the others are about; those that state a doubt have
/// the colour and the icon of a warning.
void draw_finding(const std::string& text, bool is_title) {
  if (is_title) return ImGui::TextDisabled("%s", text.c_str());
  const bool doubt = text.starts_with("UNCLEAR") || text.starts_with("Uncertain") ||
                     text.starts_with("Other programs") || text.find("is missing") != std::string::npos ||
                     text.find("are missing") != std::string::npos;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ImGui::GetTextLineHeight();
  draw_icon(*ImGui::GetWindowDrawList(), doubt ? Icon::doubt : Icon::finding, {at.x + line / 2, at.y + line / 2},
            0.85f * line, doubt ? ImGui::GetColorU32(warning_colour()) : ImGui::GetColorU32(ImGuiCol_CheckMark));
  ImGui::Indent(1.4f * line);
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::Unindent(1.4f * line);
}

}  // namespace

/// Draws the controls in a column on the left, which scrolls where the panel is low, and the plot beside it.
void LabTab::draw(Desk& desk) {
  Workspace& workspace = desk.workspace();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool low = room.y < em(20);
  if (ImGui::BeginChild("controls", {std::min(em(19), room.x * 0.45f), room.y})) {
    draw_run(workspace);
    if (low)
      draw_plot_list();  // It is what a reader of plots uses most, and further down it would have to be scrolled to.
    ImGui::BeginDisabled(session_.progress().running);
    draw_choices(workspace);
    ImGui::EndDisabled();
    if (low) draw_plot_options(false);
    ImGui::Separator();
    draw_files(desk);
  }
  ImGui::EndChild();
  ImGui::SameLine();
  if (ImGui::BeginChild("plots", {0, room.y}, ImGuiChildFlags_None, ImGuiWindowFlags_NoScrollbar)) draw_plots(!low);
  ImGui::EndChild();
}

void LabTab::draw_choices(Workspace& workspace) {
  std::vector<std::string> names;
  for (const Vary vary : all_of_vary)
    names.emplace_back(name_of(vary));
  auto chosen = static_cast<std::size_t>(choice_.vary);
  label_left("vary", "What differs between the points of the sweep; everything else is as in the panels", em(5.5f));
  if (combo("##vary", names, chosen, -1)) choice_.vary = all_of_vary[chosen];
  draw_values(workspace);
  if (choice_.vary != Vary::suite && loaded_input(workspace)) {
    ImGui::Checkbox("synthetic input", &synthetic_);
    if (ImGui::IsItemHovered())
      tooltip("On: generated pictures are measured. Off: the loaded picture, scaled to each size");
  }
  draw_backends(workspace);
  draw_methods();
}

void LabTab::draw_methods() {
  ImGui::Checkbox("other libraries", &choice_.peers);
  if (ImGui::IsItemHovered())
    tooltip(
        "Also other libraries that compute the same, in turns and on the same input: OpenCV, std::sort, std::reduce, "
        "liblqr, NPP, and plain loops as a textbook has them. The log names those that are absent");
  flow(ImGui::GetFrameHeight() + ImGui::CalcTextSize("cold caches").x + em(0.5f));
  ImGui::Checkbox("cold caches", &choice_.cold);
  if (ImGui::IsItemHovered()) tooltip("Empty the caches of the CPU before every run, so that each one is a first run");
}

/// Draws a box for each backend, where the kind of sweep leaves a choice.
void LabTab::draw_backends(Workspace& workspace) {
  constexpr std::array<const char*, 3> titles{"Serial", "OpenMP", "CUDA"};
  const bool by_threads = choice_.vary == Vary::threads || choice_.vary == Vary::threads_and_size;
  if (by_threads || choice_.vary == Vary::suite) return;
  for (const Backend backend : backends) {
    const auto b = static_cast<std::size_t>(backend);
    const std::string absent = workspace.why_absent(backend);
    if (b > 0) flow(ImGui::GetFrameHeight() + ImGui::CalcTextSize(titles[b]).x + em(0.5f));
    ImGui::BeginDisabled(!absent.empty());
    bool on = choice_.backends[b] && absent.empty();
    if (ImGui::Checkbox(titles[b], &on)) choice_.backends[b] = on;
    ImGui::EndDisabled();
    if (!absent.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(absent);
  }
}

void LabTab::draw_plot_list() {
  std::vector<std::string> names(lab_plot_titles.begin(), lab_plot_titles.end());
  auto chosen = static_cast<std::size_t>(shown_);
  label_left("plot", "What is drawn beside this column", em(5.5f));
  if (combo("##plot", names, chosen, -1)) show(static_cast<LabPlot>(chosen));
}

/// Draws what belongs to the kind of sweep: the parameter or suite, and the values. New values are proposed whenever
/// something else varies.
void LabTab::draw_values(Workspace& workspace) {
  const Work& work = workspace.work();
  if (choice_.vary == Vary::parameter) {
    const std::vector<std::string> names = sweepable_parameters(work.params);
    if (std::ranges::find(names, choice_.parameter) == names.end())
      choice_.parameter = names.empty() ? "" : names.front();
    label_left("parameter", "The parameter that varies", em(5.5f));
    combo("##parameter", names, choice_.parameter, -1);
  }
  if (choice_.vary == Vary::suite) {
    const std::vector<std::string> names = suite_names();
    if (choice_.suite.empty() && !names.empty()) choice_.suite = names.front();
    label_left("suite", "A set of measurements that comes with the program", em(5.5f));
    combo("##suite", names, choice_.suite, -1);
    if (ImGui::IsItemHovered()) tooltip(choice_.suite);
    return;
  }
  if (choice_.vary == Vary::variants || choice_.vary == Vary::backends) return;
  const std::string wanted = std::string(work.algorithm->name) + "/" + std::string(name_of(choice_.vary)) + "/" +
                             (choice_.vary == Vary::parameter ? choice_.parameter : "");
  if (usual_for_ == "chosen") usual_for_ = wanted;  // The values were chosen together with what varies.
  if (usual_for_ != wanted) {
    usual_for_ = wanted;
    choice_.values = usual_values(choice_, work, workspace.input_shape());
  }
  label_left("values", choice_.vary == Vary::size ? "Widths or lengths, separated by commas" : "Separated by commas",
             em(5.5f));
  ImGui::SetNextItemWidth(-1);
  input_text("##values", choice_.values);
}

void LabTab::draw_run(Workspace& workspace) {
  const LabProgress progress = session_.progress();
  const std::string& trouble = trouble_.empty() ? progress.trouble : trouble_;
  if (progress.running ? ImGui::Button("Stop", {em(4), 0}) : ImGui::Button("Run", {em(4), 0})) {
    if (progress.running)
      session_.stop();
    else
      run(workspace);
  }
  if (progress.running) {
    ImGui::SameLine();
    ImGui::ProgressBar(static_cast<float>(progress.done) / static_cast<float>(std::max<std::size_t>(progress.total, 1)),
                       {-1, 0}, progress.count_text().c_str());
    if (ImGui::IsItemHovered()) tooltip(progress.sentence());
  } else if (!trouble.empty()) {
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(warning_colour(), "%s", elided(trouble, ImGui::GetContentRegionAvail().x).c_str());
    if (ImGui::IsItemHovered()) tooltip(trouble);
  }
}

void LabTab::draw_files(Desk& desk) {
  Workspace& workspace = desk.workspace();
  bool first = true;
  const auto button = [&first](const char* label, const char* help) {
    if (!std::exchange(first, false)) flow(ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x);
    const bool clicked = ImGui::Button(label);
    // A tooltip in the frame of the click would be a part of the picture that PNG takes of that frame.
    if (!clicked && ImGui::IsItemHovered()) tooltip(help);
    return clicked;
  };
  if (button("Open...",
             "Add a report of `threadscape bench --json`, also of another machine, to the plots, or choose a suite to "
             "measure"))
    desk.files().open("Open a report of bench, or a suite", FileBrowser::Purpose::open_preset,
                      [this, &workspace](const auto& path) {
                        open(path);
                        workspace.log.detail("lab: opened " + path.string());
                        return FileBrowser::Progress::done;
                      });
  const bool table = shown_ == LabPlot::winners || shown_ == LabPlot::compare;
  if (button("CSV", "Write the figures of the plot into the current folder")) write(workspace, "csv", csv());
  if (!table && button("SVG", "Write the plot as a drawing into the current folder"))
    write(workspace, "svg", chart_svg(plot_));
  if (button("PNG", "Write the plot as it is shown into the current folder"))
    desk.capture({export_name("png"), plot_corner_, plot_size_});
  if (button("JSON", "Write all samples of this session as `bench --json` does"))
    write(workspace, "json", report_text(report_json(session_.report())));
  if (button("Report...",
             "Write pictures, plots, tables, what they mean and how to repeat them into one HTML file or PDF"))
    ask_report(desk);
  if (button("Copy", "Copy the figures of the plot as CSV")) ImGui::SetClipboardText(csv().c_str());
  if (button("Copy picture", "Copy the plot as it is shown, as a picture"))
    desk.capture({{}, plot_corner_, plot_size_});
  const bool opened = reports_.size() > 1 || !latencies_.empty();
  if (opened && button("Close files", "Remove the opened reports from the plots")) {
    reports_.resize(1);
    latencies_.clear();
    shown_latency_.reset();
    suite_plots_.close();
    rebuild();
  }
}

/// Draws the plot with what it means below it; `selector` is the row of buttons that choose the plot.
void LabTab::draw_plots(bool selector) {
  std::vector<Segment> segments;
  for (const std::string_view title : lab_plot_titles)
    segments.push_back({title});
  if (selector) {
    const float width = std::min(ImGui::GetContentRegionAvail().x, em(50));
    const int clicked = segmented("plot", segments, static_cast<int>(shown_), width);
    if (clicked >= 0 && clicked != static_cast<int>(shown_)) show(static_cast<LabPlot>(clicked));
  }
  if (selector) draw_plot_options(true);
  if (shown_ == LabPlot::compare && comparison_.draw_sides(reports_)) rebuild();
  // The sentences get up to a third of the room below the plot, and one line where the window is low.
  std::string text;
  for (const std::string& sentence : sentences_)
    text += (text.empty() ? "" : "\n") + sentence;
  if (const std::string notes = joined(notes_below(), "  "); !notes.empty()) text += (text.empty() ? "" : "\n") + notes;
  if (!cited_.lines.empty()) text += (text.empty() ? "" : "\n") + cited_title();
  for (const CitedLine& cited : cited_.lines)
    text += "\n" + cited.text;
  // Their height stays while a point is under the mouse, which would lose it if the plot changed its size.
  if (focus_.under == nullptr) usual_text_ = text;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float wanted =
      usual_text_.empty()
          ? 0.0f
          : ImGui::CalcTextSize(usual_text_.c_str(), nullptr, false, room.x - em(1.4f)).y + em(0.3f) +
                static_cast<float>(std::ranges::count(usual_text_, '\n') + 1) * ImGui::GetStyle().ItemSpacing.y;
  const float below = std::min(wanted, selector ? room.y / 3 : ImGui::GetTextLineHeight() + em(0.1f));
  plot_corner_ = ImGui::GetCursorScreenPos();
  const std::string waiting = waiting_sentence();
  // A table of the figures gets up to a quarter of the room, and leaves half of it to the plot.
  const bool drawn = shown_ != LabPlot::winners && shown_ != LabPlot::compare && waiting.empty();
  const ValueCells cells = selector && drawn && room.y > em(30) ? value_cells(plot_) : ValueCells{};
  const float space = std::min(room.y / 4, room.y / 2 - below);
  const float table = space < em(6) ? 0.0f : std::min(value_table_height(cells), space);
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  plot_size_ = {room.x, std::max(room.y - below - table - (table > 0 ? 2 : 1) * spacing, em(3))};
  if (!waiting.empty())
    sentence_in_the_middle(waiting.c_str(), plot_size_);
  else if (shown_ == LabPlot::winners)
    draw_matrix(matrix_, plot_size_);
  else if (shown_ == LabPlot::compare)
    comparison_.draw(plot_size_);
  else if (ChartFocus focus = draw_chart(plot_, plot_size_, fitted_); focus != focus_) {
    sentences_ = explanations(focus);
    focus_ = std::move(focus);
  }
  draw_value_table(cells, table);
  if (below <= 0.0f) return;
  if (selector || below >= wanted) return draw_sentences(below);
  if (cited_.lines.empty()) {
    std::ranges::replace(text, '\n', ' ');
    ImGui::TextUnformatted(elided(text, room.x).c_str());
  } else {
    draw_cited(cited_.lines.front(), elided(cited_.lines.front().text, room.x));
  }
  if (ImGui::IsItemHovered()) tooltip(text);
}

void LabTab::draw_plot_options(bool behind) {
  const auto box = [this, &behind](const char* label, const char* help, bool& on) {
    const float width = ImGui::GetFrameHeight() + ImGui::CalcTextSize(label).x + em(0.8f);
    if (std::exchange(behind, true)) flow(width);
    if (ImGui::Checkbox(label, &on)) rebuild();
    if (ImGui::IsItemHovered()) tooltip(help);
  };
  if (shown_ == LabPlot::time || shown_ == LabPlot::histogram || shown_ == LabPlot::suite)
    draw_content_list(std::exchange(behind, true));
  if (shown_ == LabPlot::stages) {
    box("transfers", "Upload and download beside the computation", stage_view_.transfers);
    box("shares", "On: each bar is 100 % of its total. Off: bars are as long as their times", stage_view_.shares);
  }
  if (plot_.style != ChartStyle::lines || plot_.lines.empty()) return;
  const auto scale = [&box](const char* label, bool present, std::optional<bool>& chosen) {
    bool on = present;
    box(label, "Logarithmic axis", on);
    if (on != present) chosen = on;
    return on != present;
  };
  bool changed = plot_.categories.empty() && scale("log x", plot_.log_x, log_x_);
  changed = scale("log y", plot_.log_y, log_y_) || changed;
  if (!changed) return;
  fitted_ = {};  // The limits of a linear axis would hide most of a logarithmic one.
  rebuild();
}

void LabTab::draw_content_list(bool behind) {
  std::vector<std::string> names;
  std::size_t chosen = 0;
  const char* help = "";
  if (shown_ == LabPlot::time) {
    names = figure_names();
    chosen = static_cast<std::size_t>(std::ranges::find(names, figure_) - names.begin() + 1) % (names.size() + 1);
    names.insert(names.begin(), "time");
    help = "The time with its interval, or another column of the reports";
  } else if (shown_ == LabPlot::suite) {
    names = suite_plots_.titles();
    chosen = suite_plot_ < names.size() ? suite_plot_ : 0;
    help = "The plots that the suites state";
  } else {
    names = {"runs"};
    for (const std::string_view part : frame_part_names)
      names.push_back("frames: " + std::string(part));
    chosen = shown_latency_ ? names.size() + *shown_latency_ : frames_ ? static_cast<std::size_t>(*frames_) + 1 : 0;
    for (const LatencyFile& latency : latencies_)
      names.push_back(latency.title);
    help = "The runs measured last, what the last frames of the window have cost, or latencies of an opened file";
  }
  if (names.empty()) return;
  const float width =
      std::min(em(shown_ == LabPlot::suite || shown_latency_ ? 24 : 14), ImGui::GetContentRegionAvail().x);
  if (behind) flow(width);
  const bool changed = combo("##content", names, chosen, behind ? width : -1.0f);
  if (ImGui::IsItemHovered()) tooltip(help);
  if (changed) {
    if (shown_ == LabPlot::time) figure_ = chosen == 0 ? "" : names[chosen];
    if (shown_ == LabPlot::suite) suite_plot_ = chosen;
    if (shown_ == LabPlot::histogram) {
      const std::size_t first = 1 + frame_part_names.size();
      shown_latency_ = chosen < first ? std::optional<std::size_t>{} : chosen - first;
      frames_ = chosen == 0 || shown_latency_ ? std::optional<FramePart>{} : static_cast<FramePart>(chosen - 1);
    }
    show(shown_);
  } else if (shown_ == LabPlot::histogram && frames_ && !shown_latency_) {
    plot_ = make_plot();  // Every frame adds a time.
  }
}

std::string LabTab::waiting_sentence() const {
  const bool empty = shown_ == LabPlot::winners ? matrix_.rows.empty() : is_empty(plot_);
  const LabProgress progress = session_.progress();
  return progress.running && empty && shown_ != LabPlot::compare ? progress.sentence() : "";
}

std::vector<std::string> LabTab::notes_below() const {
  const bool has_table = shown_ == LabPlot::compare || shown_ == LabPlot::winners;
  std::vector<std::string> notes = sentences_of(plot_);
  if (!has_table && !notes.empty() && is_empty(plot_)) notes.erase(notes.begin());
  return notes;
}

/// Draws what the figures mean, and below that what belongs to the plot, such as the fit. What does not fit scrolls.
std::string LabTab::cited_title() const {
  return "Its kernels" + (cited_.input.empty() ? "" : " on " + cited_.input) + ", executed on the CPU:";
}

void LabTab::draw_cited(const CitedLine& cited, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_CheckMark));
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
  if (ImGui::IsItemClicked()) clicked_ = cited.place;
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
}

void LabTab::draw_sentences(float height) {
  if (ImGui::BeginChild("why", {0, height})) {
    for (std::size_t i = 0; i < sentences_.size(); ++i)
      draw_finding(sentences_[i], i == 0);
    if (!cited_.lines.empty()) disabled_sentence(cited_title().c_str());
    for (const CitedLine& cited : cited_.lines) {
      draw_cited(cited, cited.text);
      if (ImGui::IsItemHovered()) tooltip("Click to see the line in the scene Kernel, beside PTX and machine code");
    }
    if (const std::string notes = joined(notes_below(), "  "); !notes.empty()) disabled_sentence(notes.c_str());
  }
  ImGui::EndChild();
}

}  // namespace threadscape::app
