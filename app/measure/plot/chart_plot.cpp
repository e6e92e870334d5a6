#include "app/measure/plot/chart_plot.h"

#include <implot.h>
#include <implot_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

#include "app/measure/chart_layout.h"
#include "app/measure/measurement.h"
#include "app/measure/plot/chart_stacks.h"
#include "app/measure/plot/chart_texts.h"
#include "app/measure/plot/end_names.h"
#include "app/measure/plot/legend_markers.h"
#include "app/report/text.h"
#include "app/ui/axis_ticks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::array<ImPlotMarker, 5> plot_markers{ImPlotMarker_Circle, ImPlotMarker_Square, ImPlotMarker_Diamond,
                                                   ImPlotMarker_Up, ImPlotMarker_Down};

ImVec4 colour_of(const Chart& chart, std::size_t line) {
  const unsigned hex = line_colour(look_of(chart, line));
  ImVec4 colour{((hex >> 16) & 255) / 255.0f, ((hex >> 8) & 255) / 255.0f, (hex & 255) / 255.0f, 1.0f};
  // On a dark background the colours are lightened, so that dark blue can be read.
  const ImVec4 background = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  if (background.x + background.y + background.z < 1.5f)
    for (float* channel : {&colour.x, &colour.y, &colour.z})
      *channel = *channel * 0.75f + 0.25f;
  return colour;
}

int format_axis(double value, char* buffer, int size, void*) {
  const std::string text = value < 1000.0 ? format_number(value) : format_count(value);
  return std::snprintf(buffer, static_cast<std::size_t>(size), "%s", text.c_str());
}

/// Writes the ticks of an axis that counts: 1, 2, 3, and nothing at 1.5.
int format_whole(double value, char* buffer, int size, void*) {
  const bool whole = std::abs(value - std::round(value)) < 1e-6;
  const std::string text = !whole ? "" : value < 1000.0 ? std::to_string(std::lround(value)) : format_count(value);
  return std::snprintf(buffer, static_cast<std::size_t>(size), "%s", text.c_str());
}

/// For each line, whether the legend has switched it off. Lines that were not drawn are not hidden.
std::vector<bool> hidden_lines(const Chart& chart, const std::vector<std::string>& names) {
  std::vector<bool> hidden;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const ImPlotItem* const item =
        ImPlot::GetItem(chart.style == ChartStyle::stacked ? chart.lines[i].label.c_str() : names[i].c_str());
    hidden.push_back(item != nullptr && !item->Show);
  }
  return hidden;
}

/// Shows the values of the point that is nearest to the mouse, if one is within reach, and returns its row.
const Measurement* hover(const Chart& chart, const std::vector<bool>& hidden) {
  if (!ImPlot::IsPlotHovered()) return nullptr;
  const ImVec2 mouse = ImGui::GetMousePos();
  const ChartLine* nearest = nullptr;
  std::size_t index = 0;
  float best = em(1.2f);
  for (std::size_t of = 0; of < chart.lines.size(); ++of) {
    if (hidden[of]) continue;
    const ChartLine& line = chart.lines[of];
    const double offset = chart.style == ChartStyle::bars ? bar_place(chart, of).offset : 0.0;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const ImVec2 at = ImPlot::PlotToPixels(line.x[i] + offset, line.y[i]);
      const float distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
      if (distance >= best) continue;
      best = distance;
      nearest = &line;
      index = i;
    }
  }
  if (nearest == nullptr) return nullptr;
  const auto category = static_cast<std::size_t>(std::max(nearest->x[index], 0.0));
  const std::string place =
      category < chart.categories.size() ? chart.categories[category] : format_number(nearest->x[index]);
  std::string text = nearest->label + "\n" + chart.x_label + ": " + place + "\n" + chart.y_label + ": " +
                     format_number(nearest->y[index]);
  if (index < nearest->low.size())
    text += "\n95 %: " + format_number(nearest->low[index]) + " .. " + format_number(nearest->high[index]);
  if (index < nearest->count.size()) text += "\n" + std::to_string(nearest->count[index]) + " samples";
  tooltip(text);
  return index < nearest->rows.size() ? nearest->rows[index] : nullptr;
}

/// The names of lines in the legend, by which it also switches them on and off. Two lines never share one.
std::vector<std::string> legend_names(const Chart& chart, float room) {
  std::vector<std::string> names;
  for (const ChartLine& line : chart.lines)
    names.push_back(line.label);
  const bool fit = std::ranges::all_of(
      names, [room](const std::string& name) { return ImGui::CalcTextSize(name.c_str()).x <= room; });
  if (fit) return names;
  const std::vector<std::string> shorter = short_labels(names);
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = elided(shorter[i], room) + "##" + names[i];
  return names;
}

/// Draws dashes from point to point.
void draw_dashes(const ChartLine& line, const std::string& name, ImPlotSpec spec) {
  const float dash = em(0.4f);
  std::vector<double> x, y;
  for (std::size_t i = 1; i < line.x.size(); ++i) {
    const ImVec2 from = ImPlot::PlotToPixels(line.x[i - 1], line.y[i - 1]);
    const ImVec2 to = ImPlot::PlotToPixels(line.x[i], line.y[i]);
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    for (int n = 0; dash * static_cast<float>(n) < length; ++n) {
      const float share = dash * static_cast<float>(n) / length;
      const ImPlotPoint at = ImPlot::PixelsToPlot(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
      x.push_back(at.x);
      y.push_back(at.y);
    }
    if (x.size() % 2 == 1) {  // The last dash ends at the point.
      x.push_back(line.x[i]);
      y.push_back(line.y[i]);
    }
  }
  spec.Marker = ImPlotMarker_None;
  spec.Flags = ImPlotLineFlags_Segments;
  ImPlot::PlotLine(name.c_str(), x.data(), y.data(), static_cast<int>(x.size()), spec);
}

/// Draws the intervals of the values of a line, which are at these places. `width` is that of their ends.
void draw_intervals(const ChartLine& line, const std::vector<double>& places, const std::string& name,
                    const ImVec4& colour, float width) {
  std::vector<double> below, above;
  for (std::size_t point = 0; point < line.low.size(); ++point) {
    below.push_back(line.y[point] - line.low[point]);
    above.push_back(line.high[point] - line.y[point]);
  }
  ImPlotSpec whisker;
  whisker.LineColor = colour;
  whisker.LineWeight = em(0.08f);
  whisker.Size = width;
  if (!below.empty())
    ImPlot::PlotErrorBars(name.c_str(), places.data(), line.y.data(), below.data(), above.data(),
                          static_cast<int>(below.size()), whisker);
}

void draw_lines(const Chart& chart, const std::vector<std::string>& names, LegendMarkers& legend) {
  for (const ChartLine& guide : chart.guides) {
    ImPlotSpec spec;
    spec.LineColor = guide.label == "ideal" ? ImGui::GetStyle().Colors[ImGuiCol_Text] : muted_text();
    spec.LineWeight = em(0.07f);
    // The curves of a law have one entry in the legend: "Amdahl, openmp" is shown as "Amdahl". Ceilings, which have two
    // points, are named beside their lines.
    const bool ceiling = guide.x.size() == 2;
    const std::string label = (ceiling ? "##" : "") + guide.label.substr(0, guide.label.find(','));
    ImPlot::PlotLine(label.c_str(), guide.x.data(), guide.y.data(), static_cast<int>(guide.x.size()), spec);
    legend.add(label.c_str(), ImPlotMarker_None, spec.LineColor, true);
  }
  // The legend has the order of drawing: lines of many points come first, single points behind them.
  std::vector<std::size_t> order(chart.lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return chart.lines[i].x.size(); });
  for (const std::size_t i : order) {
    const ChartLine& line = chart.lines[i];
    const auto count = static_cast<int>(line.x.size());
    if (count == 0) continue;
    ImPlotSpec spec;
    spec.LineColor = spec.MarkerLineColor = spec.MarkerFillColor = colour_of(chart, i);
    if (line.stated) spec.MarkerFillColor = ImPlot::GetStyle().Colors[ImPlotCol_PlotBg];
    spec.LineWeight = em(0.12f);
    spec.Marker = plot_markers[look_of(chart, i) % plot_markers.size()];
    spec.MarkerSize = em(chart.joined ? 0.27f : 0.38f);
    if (chart.joined && line.stated) draw_dashes(line, names[i], spec);
    if (chart.joined && !line.stated)
      ImPlot::PlotLine(names[i].c_str(), line.x.data(), line.y.data(), count, spec);
    else
      ImPlot::PlotScatter(names[i].c_str(), line.x.data(), line.y.data(), count, spec);
    legend.add(names[i].c_str(), spec.Marker, spec.LineColor, chart.joined);
    // The ends of an interval that is shorter than the marker are seen beside it.
    draw_intervals(line, line.x, names[i], spec.LineColor, 2 * spec.MarkerSize + em(0.6f));
  }
}

/// Draws the bins of a histogram, or a group of bars for each category with the values above them where there is room.
void draw_bars(const Chart& chart, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const ChartLine& line = chart.lines[i];
    if (line.x.empty()) continue;
    const BarPlace place = bar_place(chart, i);
    std::vector<double> middles = line.x;
    for (double& x : middles)
      x += place.offset;
    ImPlotSpec spec;
    spec.FillColor = spec.LineColor = colour_of(chart, i);
    spec.LineWeight = em(0.1f);
    if (line.stated) spec.FillAlpha = 0.1f;
    ImPlot::PlotBars(names[i].c_str(), middles.data(), line.y.data(), static_cast<int>(middles.size()), place.width,
                     spec);
    if (chart.style != ChartStyle::bars) continue;
    draw_intervals(line, middles, names[i], ImGui::GetStyle().Colors[ImGuiCol_Text], em(0.3f));
    const float room = ImPlot::PlotToPixels(place.width, 1.0).x - ImPlot::PlotToPixels(0.0, 1.0).x;
    for (std::size_t k = 0; k < middles.size(); ++k)
      if (const std::string text = bar_text(chart, line.y[k]); ImGui::CalcTextSize(text.c_str()).x < room)
        ImPlot::PlotText(text.c_str(), middles[k], k < line.high.size() ? line.high[k] : line.y[k], {0, -em(0.65f)});
  }
}

void set_ticks(ImAxis axis, const std::vector<Tick>& ticks) {
  std::vector<double> places;
  std::vector<const char*> texts;
  for (const Tick& tick : ticks) {
    places.push_back(tick.at);
    texts.push_back(tick.label.c_str());
  }
  if (!ticks.empty()) ImPlot::SetupAxisTicks(axis, places.data(), static_cast<int>(places.size()), texts.data());
}

/// Gives a logarithmic axis that shows this range at least three ticks with labels, where it has `room` for them;
/// ImPlot would label decades alone.
void set_log_ticks(ImAxis axis, double low, double high, int room) {
  std::vector<double> places = log_ticks(low, high, room);
  if (places.size() < 3) places = linear_ticks(low, high, std::max(room / 2, 3));
  std::vector<Tick> ticks;
  for (const double place : places) {
    std::array<char, 32> label{};
    format_axis(place, label.data(), static_cast<int>(label.size()), nullptr);
    ticks.push_back({place, label.data()});
  }
  set_ticks(axis, ticks);
}

/// Names below an axis of this width. Those that would touch alternate between up to three lines of text, and are cut
/// where that is not enough.
std::vector<Tick> category_ticks(const std::vector<std::string>& names, float width) {
  const float room = std::max(width / static_cast<float>(names.size()), 1.0f), gap = em(0.6f);
  float widest = 0.0f;
  for (const std::string& name : names)
    widest = std::max(widest, ImGui::CalcTextSize(name.c_str()).x);
  const int lines = std::clamp(static_cast<int>(std::ceil((widest + gap) / room)), 1, 3);
  std::vector<Tick> ticks;
  for (const std::string& name : names)
    ticks.push_back(
        {static_cast<double>(ticks.size()), std::string(ticks.size() % static_cast<std::size_t>(lines), '\n') +
                                                elided(name, static_cast<float>(lines) * room - gap)});
  return ticks;
}

/// `beside` is the width of what stands beside the chart.
void set_up_axes(const Chart& chart, ImVec2 size, float beside, FittedAxes& fitted, bool still) {
  const bool stacked = chart.style == ChartStyle::stacked;
  // In a low plot the lines need the room of the label, which the tooltip of a point has too.
  const ImPlotAxisFlags label = size.y < em(9) ? ImPlotAxisFlags_NoLabel : ImPlotAxisFlags_None;
  // Bars of stages lie on their sides, so that their names can be read.
  ImPlot::SetupAxis(ImAxis_X1, (stacked ? value_label(chart) : chart.x_label).c_str(), label);
  ImPlot::SetupAxis(ImAxis_Y1, stacked ? nullptr : chart.y_label.c_str(),
                    stacked ? ImPlotAxisFlags_Invert | ImPlotAxisFlags_NoGridLines : ImPlotAxisFlags_None);
  if (stacked) {
    std::vector<Tick> ticks;
    const float room = size.x * 0.4f;
    const bool fit = std::ranges::all_of(chart.categories, [room](const std::string& category) {
      return ImGui::CalcTextSize(category.c_str()).x <= room;
    });
    // Labels that are cut in the middle would lose what tells them apart.
    const std::vector<std::string> labels = fit ? chart.categories : short_labels(chart.categories);
    for (std::size_t i = 0; i < labels.size(); ++i)
      ticks.push_back({static_cast<double>(i), elided(labels[i], room) + "  " + format_ms(total_of(chart, i))});
    set_ticks(ImAxis_Y1, ticks);
    ImPlot::SetupAxisLimits(ImAxis_X1, 0.0, y_range(chart).second, ImPlotCond_Always);
    ImPlot::SetupAxisLimits(ImAxis_Y1, -0.7, static_cast<double>(ticks.size()) - 0.3, ImPlotCond_Always);
    return;
  }
  if (!chart.categories.empty()) set_ticks(ImAxis_X1, category_ticks(chart.categories, size.x - em(7) - beside));
  if (chart.style == ChartStyle::histogram) ImPlot::SetupAxisFormat(ImAxis_Y1, format_whole);
  if (chart.x_label.starts_with("threads")) ImPlot::SetupAxisFormat(ImAxis_X1, format_whole);
  if (chart.log_x) {
    ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
    ImPlot::SetupAxisFormat(ImAxis_X1, format_axis);
  }
  if (chart.log_y) {
    ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
    ImPlot::SetupAxisFormat(ImAxis_Y1, format_axis);
  }
  // The limits follow the data until the user zooms; a double click makes them follow again.
  const auto [left, right] = x_range(chart);
  const auto [low, high] = y_range(chart);
  // Nobody zooms into a picture, so that its ticks can be where points are, and so can those of one size or a few.
  constexpr double decade = 10.0;
  const bool short_x = chart.log_x && right < left * decade;
  if (chart.categories.empty() && (still || short_x))
    set_ticks(ImAxis_X1, x_ticks(chart, (size.x - em(7) - beside) / ImGui::CalcTextSize("0").x));
  if (still) set_ticks(ImAxis_Y1, y_ticks(chart));
  std::size_t points = 0;
  for (const ChartLine& line : chart.lines)
    points += line.x.size();
  const std::string title = chart.title + " by " + chart.x_label;
  const bool changed = fitted.title != title || fitted.points != points;
  fitted = {title, points};
  // The ticks of a logarithmic axis follow what the last frame has shown of it.
  const auto shown = [changed](ImAxis axis, double from, double to) {
    const ImPlotRange& range = ImPlot::GetCurrentContext()->CurrentPlot->Axes[axis].Range;
    return changed || !(range.Min > 0.0 && range.Max > range.Min) ? std::pair{from, to}
                                                                  : std::pair{range.Min, range.Max};
  };
  if (chart.log_x && !still && !(short_x && chart.categories.empty())) {
    const auto [from, to] = shown(ImAxis_X1, left, right);
    set_log_ticks(ImAxis_X1, from, to, static_cast<int>((size.x - em(6)) / em(4.5f)));
  }
  if (chart.log_y && !still) {
    const auto [from, to] = shown(ImAxis_Y1, low, high);
    set_log_ticks(ImAxis_Y1, from, to, static_cast<int>((size.y - em(4)) / em(2.5f)));
  }
  const ImPlotCond when = changed ? ImPlotCond_Always : ImPlotCond_Once;
  ImPlot::SetupAxisLimits(ImAxis_X1, left, right, when);
  ImPlot::SetupAxisLimits(ImAxis_Y1, low, high, when);
}

struct Legend {
  ImPlotLocation location = ImPlotLocation_NorthWest;
  bool outside = false, shown = true;
  std::set<std::string> entries = {};
};

/// Returns whether the last frame has had these entries in the legend of a plot. ImPlot gives a legend beside a plot
/// the room of the last one, and would draw other entries above the bars.
bool has_room(ImPlotPlot* plot, const std::set<std::string>& entries) {
  std::set<std::string> before;
  for (int i = 0; plot != nullptr && i < plot->Items.GetLegendCount(); ++i)
    before.insert(plot->Items.GetLegendLabel(i));
  return before == entries;
}

/// Where the legend covers no lines: in a corner that is free, else beside the chart, where it scrolls if it is higher
/// than the chart. `names` are those of the lines. A histogram needs none.
Legend legend_of(const Chart& chart, const std::vector<std::string>& names, ImVec2 size) {
  if (chart.style == ChartStyle::histogram) return {.shown = false};
  std::set<std::string> entries;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (chart.style == ChartStyle::stacked && takes_time(chart.lines[i]))
      entries.insert(chart.lines[i].label);
    else if (chart.style != ChartStyle::stacked && !chart.lines[i].x.empty())
      entries.insert(names[i]);
  for (const ChartLine& guide : chart.guides)
    if (guide.x.size() != 2 && chart.style == ChartStyle::lines)
      entries.insert(guide.label.substr(0, guide.label.find(',')));
  float widest = 0.0f;
  for (const std::string& name : entries)
    widest = std::max(widest, ImGui::CalcTextSize(name.c_str(), nullptr, true).x);
  const float height = static_cast<float>(entries.size()) * ImGui::GetTextLineHeightWithSpacing() + em(1);
  const bool covers = chart.style != ChartStyle::lines;  // Bars reach to every edge.
  if (!covers) {
    // The axes with their labels take the rest of the size.
    const ImVec2 area{std::max(size.x - em(6), 1.0f), std::max(size.y - em(4), 1.0f)};
    const auto corner = free_corner(chart, (widest + em(3)) / area.x, height / area.y);
    constexpr std::array locations{ImPlotLocation_NorthWest, ImPlotLocation_NorthEast, ImPlotLocation_SouthWest,
                                   ImPlotLocation_SouthEast};
    if (corner) return {.location = locations[static_cast<std::size_t>(*corner)]};
  }
  const bool fits = size.y > em(8) && size.x > em(24);
  return {.location = chart.style == ChartStyle::stacked ? ImPlotLocation_East : ImPlotLocation_NorthEast,
          .outside = true,
          .shown = fits,
          .entries = std::move(entries)};
}

}  // namespace

void sentence_in_the_middle(const char* text, ImVec2 size) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 extent = ImGui::CalcTextSize(text, nullptr, false, size.x - em(2));
  ImGui::Dummy(size);
  ImGui::GetWindowDrawList()->AddText(nullptr, 0.0f,
                                      {corner.x + (size.x - extent.x) / 2, corner.y + (size.y - extent.y) / 2},
                                      ImGui::GetColorU32(ImGuiCol_TextDisabled), text, nullptr, size.x - em(2));
}

ChartFocus draw_chart(const Chart& chart, ImVec2 size, FittedAxes& fitted, bool still) {
  if (is_empty(chart)) {
    fitted = {};
    const std::vector<std::string> sentences = sentences_of(chart);
    sentence_in_the_middle(
        sentences.empty() ? "Choose what varies and press Run, or open a report." : sentences.front().c_str(), size);
    return {};
  }
  ChartFocus focus;
  // The names of many bars are written smaller, so that they do not touch.
  const float row = (size.y - em(4)) / static_cast<float>(std::max<std::size_t>(chart.categories.size(), 1));
  const bool dense = chart.style == ChartStyle::stacked && row < ImGui::GetTextLineHeight();
  push_type(dense ? TypeSize::small : TypeSize::normal);
  ImPlot::PushStyleVar(ImPlotStyleVar_LegendPadding, {em(0.3f), em(0.2f)});
  // Half of the label of a tick at the right end, such as that of 100 %, lies beside the axis.
  ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, {em(1), ImPlot::GetStyle().PlotPadding.y});
  const std::vector<std::string> names = legend_names(chart, size.x * 0.36f);  // The rest is for the lines.
  std::optional<EndNames> ends = EndNames::of(chart, names, size);
  Legend legend = ends ? Legend{.shown = false} : legend_of(chart, names, size);
  const std::string id = "##" + chart.title;
  if (legend.outside && !has_room(ImPlot::GetPlot(id.c_str()), legend.entries)) legend.shown = false;
  if (ends) size.x -= ends->width();
  const bool stacked = chart.style == ChartStyle::stacked;
  LegendMarkers in_legend;
  const ImPlotFlags hidden = legend.shown ? ImPlotFlags_None : ImPlotFlags_NoLegend;
  if (ImPlot::BeginPlot(id.c_str(), size, ImPlotFlags_NoTitle | ImPlotFlags_NoMouseText | hidden)) {
    float beside = 0.0f;
    if (legend.shown && legend.outside)
      for (const std::string& name : names)
        beside = std::max(beside, ImGui::CalcTextSize(name.c_str(), nullptr, true).x + em(3.5f));
    set_up_axes(chart, size, beside, fitted, still);
    // The last part of a stack is drawn first, so that its legend is turned round.
    ImPlot::SetupLegend(legend.location, (legend.outside ? ImPlotLegendFlags_Outside : ImPlotLegendFlags_None) |
                                             (stacked ? ImPlotLegendFlags_Reverse : ImPlotLegendFlags_None));
    if (chart.style == ChartStyle::lines) draw_lines(chart, names, in_legend);
    if (stacked) draw_stacks(chart);
    if (chart.style == ChartStyle::bars || chart.style == ChartStyle::histogram) draw_bars(chart, names);
    if (chart.style == ChartStyle::lines) name_ceilings(chart);
    draw_marks(chart);
    focus.hidden = hidden_lines(chart, names);
    if (ends) ends->place(chart, colour_of);
    if (!still) focus.under = stacked ? hover_stacks(chart) : hover(chart, focus.hidden);
    ImPlot::EndPlot();
    in_legend.draw();
    if (ends) ends->draw();
  }
  ImPlot::PopStyleVar(2);
  ImGui::PopFont();
  return focus;
}

}  // namespace threadscape::app
