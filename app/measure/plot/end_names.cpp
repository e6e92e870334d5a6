#include "app/measure/plot/end_names.h"

#include <implot.h>
#include <implot_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "app/measure/chart_layout.h"
#include "app/ui/theme.h"

namespace threadscape::app {

namespace {

constexpr std::size_t most_names = 9;
/// Names stand at most so many of their heights from where the lines end.
constexpr float farthest = 2.0f;

float line_height() {
  return std::ceil(ImGui::GetTextLineHeight() * 1.08f);
}

/// The width of the lines that lead from the ends to the names.
float leader() {
  return em(1.6f);
}

/// Where a line leaves the area on the right, or ends, in pixels.
ImVec2 end_on_screen(const ChartLine& line, float right) {
  ImVec2 end = ImPlot::PlotToPixels(line.x.back(), line.y.back());
  for (std::size_t i = line.x.size() - 1; i > 0 && end.x > right; --i) {
    const ImVec2 before = ImPlot::PlotToPixels(line.x[i - 1], line.y[i - 1]);
    if (before.x >= right)
      end = before;
    else
      return {right, before.y + (end.y - before.y) * (right - before.x) / std::max(end.x - before.x, 1e-3f)};
  }
  return {std::min(end.x, right), end.y};
}

}  // namespace

std::optional<EndNames> EndNames::of(const Chart& chart, const std::vector<std::string>& names, ImVec2 size) {
  if (chart.style != ChartStyle::lines || !chart.joined || size.x < em(26)) return {};
  EndNames made;
  const auto visible = [](const std::string& item) { return item.substr(0, item.find("##")); };
  for (std::size_t i = 0; i < chart.lines.size(); ++i)
    if (!chart.lines[i].x.empty())
      made.names_.push_back({.item = names[i], .text = visible(names[i]), .guide = false, .number = i});
  for (std::size_t i = 0; i < chart.guides.size(); ++i) {
    const ChartLine& guide = chart.guides[i];
    if (guide.x.size() == 2 || guide.x.empty()) continue;  // Ceilings have their names beside them.
    const std::string item = guide.label.substr(0, guide.label.find(','));
    if (std::ranges::find(made.names_, item, &Name::item) == made.names_.end())
      made.names_.push_back({.item = item, .text = item, .guide = true, .number = i});
  }
  if (made.names_.empty() || made.names_.size() > most_names) return {};
  double first = 1.0, last = 0.0;
  for (Name& name : made.names_) {
    const auto [x, y] = end_of(chart, (name.guide ? chart.guides : chart.lines)[name.number]);
    if (!std::isfinite(x) || !std::isfinite(y)) return {};
    name.share = std::clamp(y, 0.0, 1.0);
    first = std::min(first, x);
    last = std::max(last, x);
  }
  constexpr double same = 0.03;
  if (last - first > same) return {};
  std::ranges::stable_sort(made.names_, std::greater{}, &Name::share);
  // The labels of the axes take the rest of the height.
  const float height = line_height(), room = size.y - em(4);
  std::vector<float> wanted;
  for (const Name& name : made.names_)
    wanted.push_back((1.0f - static_cast<float>(name.share)) * room - height / 2);
  const std::vector<float> places = spread(wanted, height, 0.0f, room);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (std::abs(places[i] - wanted[i]) > farthest * height || places[i] + height > room + 1.0f) return {};
  return made;
}

float EndNames::width() const {
  float widest = 0.0f;
  for (const Name& name : names_)
    widest = std::max(widest, ImGui::CalcTextSize(name.text.c_str()).x);
  return leader() + widest + em(0.4f);
}

void EndNames::place(const Chart& chart, ImVec4 (*colour_of)(const Chart&, std::size_t)) {
  plot_ = ImPlot::GetCurrentPlot()->ID;
  corner_ = ImPlot::GetPlotPos();
  area_ = ImPlot::GetPlotSize();
  for (Name& name : names_) {
    name.id = ImGui::GetID(name.item.c_str());
    name.end = end_on_screen((name.guide ? chart.guides : chart.lines)[name.number], corner_.x + area_.x);
    name.end.y = std::clamp(name.end.y, corner_.y, corner_.y + area_.y);
    name.colour = name.guide ? ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled) : colour_of(chart, name.number);
  }
}

void EndNames::draw() const {
  ImPlotPlot* const plot = plot_ == 0 ? nullptr : ImPlot::GetCurrentContext()->Plots.GetByKey(plot_);
  if (plot == nullptr) return;
  ImGuiWindow& window = *ImGui::GetCurrentWindow();
  const float height = line_height(), right = corner_.x + area_.x, x = right + leader();
  // The order of the ends changes when the axes are moved.
  std::vector<const Name*> sorted;
  for (const Name& name : names_)
    sorted.push_back(&name);
  std::ranges::stable_sort(sorted, {}, [](const Name* name) { return name->end.y; });
  std::vector<float> wanted;
  for (const Name* name : sorted)
    wanted.push_back(name->end.y - height / 2);
  const std::vector<float> places = spread(wanted, height, corner_.y, corner_.y + area_.y);
  ImDrawList& list = *window.DrawList;
  ImGui::PushID("names of lines");
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Name& name = *sorted[i];
    ImPlotItem* const item = plot->Items.GetItem(name.id);
    const float y = std::floor(places[i]);
    // The name is an item beside the plot, which leaves the cursor below it.
    const ImRect box({x, y}, {x + ImGui::CalcTextSize(name.text.c_str()).x, y + height});
    const ImGuiID id = window.GetID(name.item.c_str());
    bool hovered = false, held = false;
    if (ImGui::ItemAdd(box, id) && ImGui::ButtonBehavior(box, id, &hovered, &held) && item != nullptr)
      item->Show = !item->Show;
    if (item != nullptr && hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const bool off = item != nullptr && !item->Show;
    const ImVec2 middle{x - em(0.3f), y + height / 2};
    const ImVec2 bend{right + em(0.3f), name.end.y};
    if (!off) {
      const std::array<ImVec2, 3> way{ImVec2{std::min(name.end.x + em(0.35f), bend.x), name.end.y}, bend, middle};
      list.AddPolyline(way.data(), static_cast<int>(way.size()), ImGui::GetColorU32(name.colour), 0, em(0.1f));
    }
    list.AddText({x, y + (height - ImGui::GetTextLineHeight()) / 2},
                 ImGui::GetColorU32(off || name.guide ? ImGuiCol_TextDisabled : ImGuiCol_Text), name.text.c_str());
  }
  ImGui::PopID();
}

}  // namespace threadscape::app
