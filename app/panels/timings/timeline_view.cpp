#include "app/panels/timings/timeline_view.h"

#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr double second_us = 1e6;

std::string title_of(int row, const std::vector<TimelineBar>& bars) {
  if (row == trace::host_row) return "frames";
  if (row == trace::device_row) return "GPU";
  if (row < trace::first_other) return "thread " + std::to_string(row - trace::first_thread);
  const bool alike =
      std::ranges::all_of(bars, [&](const TimelineBar& bar) { return bar.category == bars.front().category; });
  if (!alike) return "worker " + std::to_string(row - trace::first_other + 1);
  return bars.front().category == "run" ? "runs" : bars.front().category + "s";
}

/// Where a row stands: frames, other threads of the host, threads of OpenMP, the GPU.
int place_of(int row) {
  if (row == trace::host_row) return 0;
  if (row == trace::device_row) return 3;
  return row >= trace::first_other ? 1 : 2;
}

ImU32 colour_of(const std::string& category) {
  if (category == "openmp" || category == "run") return ImGui::GetColorU32(backend_colour(Backend::openmp));
  if (category == "kernels") return ImGui::GetColorU32(backend_colour(Backend::cuda));
  if (category == "upload") return ImGui::GetColorU32(stage_colour(0));
  if (category == "download") return ImGui::GetColorU32(stage_colour(2));
  if (category == "idle") return ImGui::GetColorU32(ImGuiCol_TextDisabled, 0.25f);
  return ImGui::GetColorU32(ImGuiCol_TextDisabled, 0.8f);
}

std::string text_of(const TimelineBar& bar) {
  constexpr float milliseconds = 1e3f;
  return bar.name + "\n" + format_ms(static_cast<double>((bar.end - bar.begin) * milliseconds)) + ", ended " +
         format_ms(static_cast<double>(-bar.end * milliseconds)) + " ago";
}

}  // namespace

std::vector<TimelineRow> timeline_rows(const trace::Recent& recent) {
  std::map<std::pair<int, int>, std::vector<TimelineBar>> bars;
  for (const trace::Event& event : recent.events) {
    const auto before_now = [&](double us) {
      return static_cast<float>(std::clamp((us - recent.now_us) / second_us, -1.0, 0.0));
    };
    bars[{place_of(event.row), event.row}].push_back({.begin = before_now(event.begin_us),
                                                      .end = before_now(event.begin_us + event.duration_us),
                                                      .name = event.name,
                                                      .category = event.category});
  }
  std::vector<TimelineRow> rows;
  for (auto& [key, of_row] : bars) {
    std::ranges::stable_sort(of_row, {}, &TimelineBar::begin);
    TimelineRow row{.title = title_of(key.second, of_row)};
    float until = -1.0f;  // Events of a thread may lie in each other.
    for (const TimelineBar& bar : of_row) {
      if (bar.category == "idle") continue;
      row.busy += std::max(0.0f, bar.end - std::max(bar.begin, until));
      until = std::max(until, bar.end);
    }
    row.bars = std::move(of_row);
    rows.push_back(std::move(row));
  }
  return rows;
}

void TimelineView::rest() {
  if (std::exchange(watches_, false)) trace::stop_watching();
}

bool TimelineView::draw(const Fonts& fonts) {
  if (!watches_) trace::watch();
  watches_ = true;
  if (!held_) rows_ = timeline_rows(trace::recent(second_us));
  ImGui::AlignTextToFramePadding();
  heading(fonts.strong, "Last second");
  ImGui::SameLine();
  const bool back = ImGui::Button("Plots");
  ImGui::SameLine();
  ImGui::Checkbox("hold", &held_);
  if (ImGui::IsItemHovered())
    tooltip("Keeps what is shown. While it is not held, it follows every frame of the window");
  if (rows_.empty())
    disabled_sentence("Nothing has happened in the last second: change a parameter or press Space.");
  else
    draw_rows(ImGui::GetContentRegionAvail());
  return back;
}

void TimelineView::draw_rows(const ImVec2& size) const {
  float names = 0.0f;
  for (const TimelineRow& row : rows_)
    names = std::max(names, ImGui::CalcTextSize(row.title.c_str()).x);
  const float shares = ImGui::CalcTextSize("100 %").x, gap = em(0.5f);
  const float line = ImGui::GetTextLineHeight(), pitch = line + em(0.2f);
  const float width = std::max(size.x - names - shares - 2 * gap, em(4));
  if (!ImGui::BeginChild("rows", {size.x, std::max(size.y, 2 * line)})) return ImGui::EndChild();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text), faint = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  const ImVec2 mouse = ImGui::GetMousePos();
  const bool hovered = ImGui::IsWindowHovered();
  for (const TimelineRow& row : rows_) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float left = at.x + names + gap;
    list.AddText(at, ink, row.title.c_str());
    std::array<char, 16> share{};
    std::snprintf(share.data(), share.size(), "%.0f %%", static_cast<double>(row.busy) * 100);
    list.AddText({left + width + gap, at.y}, faint, share.data());
    list.AddRectFilled({left, at.y}, {left + width, at.y + line}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    float drawn = -1.0f;  // The end of what is drawn: bars narrower than a pixel behind it would not be seen.
    const TimelineBar* under = nullptr;
    for (const TimelineBar& bar : row.bars) {
      const float from = left + (1 + bar.begin) * width, to = std::max(left + (1 + bar.end) * width, from + 1);
      if (hovered && mouse.y >= at.y && mouse.y < at.y + line && mouse.x >= from && mouse.x < to) under = &bar;
      if (to <= drawn + 0.5f && bar.category == "idle") continue;
      drawn = std::max(drawn, to);
      list.AddRectFilled({from, at.y + em(0.1f)}, {to, at.y + line - em(0.1f)}, colour_of(bar.category));
    }
    if (under != nullptr) tooltip(text_of(*under));
    ImGui::Dummy({size.x, pitch - ImGui::GetStyle().ItemSpacing.y});
  }
  const ImVec2 end = ImGui::GetCursorScreenPos();
  const float left = end.x + names + gap;
  for (const auto& [place, text] : {std::pair{0.0f, "-1 s"}, std::pair{0.5f, "-0.5 s"}, std::pair{1.0f, "now"}})
    list.AddText({left + place * (width - ImGui::CalcTextSize(text).x), end.y}, faint, text);
  ImGui::Dummy({size.x, line});
  ImGui::EndChild();
}

}  // namespace threadscape::app
