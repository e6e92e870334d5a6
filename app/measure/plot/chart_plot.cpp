#include "app/measure/plot/chart_plot.h"

#include <implot.h>

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
#include "app/measure/chart_svg.h"
#include "app/measure/plot/legend_markers.h"
#include "app/report/text.h"
#include "app/window/widgets/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::array<ImPlotMarker, 5> plot_markers{ImPlotMarker_Circle, ImPlotMarker_Square, ImPlotMarker_Diamond,
                                                   ImPlotMarker_Up, ImPlotMarker_Down};

ImVec4 colour_of(std::size_t index) {
  const unsigned hex = line_colour(index);
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

/// Shows the values of the point that is nearest to the mouse, if one is within reach.
void hover(const PlotData& plot) {
  if (!ImPlot::IsPlotHovered()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const PlotLine* nearest = nullptr;
  std::size_t index = 0;
  float best = em(1.2f);
  for (const PlotLine& line : plot.lines)
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const ImVec2 at = ImPlot::PlotToPixels(line.x[i], line.y[i]);
      const float distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
      if (distance >= best) continue;
      best = distance;
      nearest = &line;
      index = i;
    }
  if (nearest == nullptr) return;
  const auto category = static_cast<std::size_t>(std::max(nearest->x[index], 0.0));
  const std::string place =
      category < plot.categories.size() ? plot.categories[category] : format_number(nearest->x[index]);
  std::string text = nearest->label + "\n" + plot.x_label + ": " + place + "\n" + plot.y_label + ": " +
                     format_number(nearest->y[index]);
  if (index < nearest->low.size())
    text += "\n95 %: " + format_number(nearest->low[index]) + " .. " + format_number(nearest->high[index]);
  if (index < nearest->count.size()) text += "\n" + std::to_string(nearest->count[index]) + " samples";
  tooltip(text);
}

/// The names of lines in the legend, by which it also switches them on and off. Two lines never share one.
std::vector<std::string> legend_names(const PlotData& plot, float room) {
  std::vector<std::string> names;
  for (const PlotLine& line : plot.lines)
    names.push_back(line.label);
  const bool fit = std::ranges::all_of(
      names, [room](const std::string& name) { return ImGui::CalcTextSize(name.c_str()).x <= room; });
  if (fit) return names;
  const std::vector<std::string> shorter = short_labels(names);
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = elided(shorter[i], room) + "##" + names[i];
  return names;
}

/// The widest name in a legend. It leaves more than half of the width to the lines.
float legend_room(float width) {
  return width * 0.36f;
}

void draw_lines(const PlotData& plot, const std::vector<std::string>& names, LegendMarkers& legend) {
  for (const PlotLine& guide : plot.guides) {
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
  std::vector<std::size_t> order(plot.lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return plot.lines[i].x.size(); });
  for (const std::size_t i : order) {
    const PlotLine& line = plot.lines[i];
    const auto count = static_cast<int>(line.x.size());
    ImPlotSpec spec;
    spec.LineColor = spec.MarkerLineColor = spec.MarkerFillColor = colour_of(i);
    spec.LineWeight = em(0.12f);
    spec.Marker = plot_markers[i % plot_markers.size()];
    spec.MarkerSize = em(plot.joined ? 0.27f : 0.38f);
    if (plot.joined)
      ImPlot::PlotLine(names[i].c_str(), line.x.data(), line.y.data(), count, spec);
    else
      ImPlot::PlotScatter(names[i].c_str(), line.x.data(), line.y.data(), count, spec);
    legend.add(names[i].c_str(), spec.Marker, spec.LineColor, plot.joined);
    std::vector<double> below, above;
    for (std::size_t point = 0; point < line.low.size(); ++point) {
      below.push_back(line.y[point] - line.low[point]);
      above.push_back(line.high[point] - line.y[point]);
    }
    ImPlotSpec whisker;
    whisker.LineColor = spec.LineColor;
    whisker.LineWeight = em(0.08f);
    whisker.Size = em(0.3f);
    if (!below.empty())
      ImPlot::PlotErrorBars(names[i].c_str(), line.x.data(), line.y.data(), below.data(), above.data(), count, whisker);
  }
}

/// Draws a text on a background through which lines are seen, but do not cross it out.
void draw_text_over_lines(const TextBox& box, const std::string& text) {
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  ImVec4 behind = ImPlot::GetStyle().Colors[ImPlotCol_PlotBg];
  behind.w = 0.75f;
  list.AddRectFilled({box.x - em(0.15f), box.y}, {box.x + box.width + em(0.15f), box.y + box.height},
                     ImGui::GetColorU32(behind), em(0.15f));
  list.AddText({box.x, box.y}, ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
}

/// The points of all lines, in pixels of the window.
std::vector<ImVec2> points_in_window(const PlotData& plot) {
  std::vector<ImVec2> points;
  for (const PlotLine& line : plot.lines)
    for (std::size_t i = 0; i < line.x.size(); ++i)
      points.push_back(ImPlot::PlotToPixels(line.x[i], line.y[i]));
  return points;
}

/// Names the ceilings beside their lines, where a name covers the fewest points and no other name.
void name_ceilings(const PlotData& plot) {
  constexpr std::array shares{0.85, 0.75, 0.65, 0.55, 0.45, 0.35, 0.25, 0.15, 0.05};
  const std::vector<ImVec2> points = points_in_window(plot);
  const ImVec2 low = ImPlot::GetPlotPos(), extent = ImPlot::GetPlotSize();
  const float gap = em(0.25f);
  std::vector<TextBox> boxes;
  const auto covered = [&](const TextBox& box) {
    const auto meets = [&](float x, float y, float width, float height) {
      return x < box.x + box.width + gap && x + width > box.x - gap && y < box.y + box.height + gap &&
             y + height > box.y - gap;
    };
    const auto of_points = std::ranges::count_if(points, [&](const ImVec2& at) { return meets(at.x, at.y, 0, 0); });
    const auto of_names =
        std::ranges::count_if(boxes, [&](const TextBox& b) { return meets(b.x, b.y, b.width, b.height); });
    return static_cast<double>(of_points) + 1000.0 * static_cast<double>(of_names);
  };
  ImPlot::PushPlotClipRect();
  for (const PlotLine& guide : plot.guides) {
    if (guide.x.size() != 2) continue;
    const bool level = guide.y[0] == guide.y[1];
    const std::string name = elided(guide.label, 0.8f * extent.x);
    const ImVec2 size = ImGui::CalcTextSize(name.c_str());
    std::optional<TextBox> best;
    double least = 0.0;
    for (const double share : shares)
      // A rising line has room above it on its left, and below it on its right.
      for (const bool above : {true, false}) {
        const auto between = [share](double from, double to) { return from * std::pow(to / from, share); };
        const ImVec2 at = ImPlot::PlotToPixels(between(guide.x[0], guide.x[1]), between(guide.y[0], guide.y[1]));
        const float x = level ? at.x - size.x / 2 : above ? at.x - size.x - 2 * gap : at.x + 2 * gap;
        const float y = above ? at.y - size.y - gap : at.y + gap;
        if (x < low.x + gap || x + size.x > low.x + extent.x - gap || y < low.y || y + size.y > low.y + extent.y)
          continue;
        const TextBox box{x, y, size.x, size.y};
        if (const double here = covered(box); !best || here < least) {
          best = box;
          least = here;
        }
      }
    if (!best) continue;
    boxes.push_back(*best);
    draw_text_over_lines(*best, name);
  }
  ImPlot::PopPlotClipRect();
}

/// The total of a category over all lines.
double total_of(const PlotData& plot, std::size_t category) {
  double sum = 0.0;
  for (const PlotLine& line : plot.lines)
    sum += line.y[category];
  return sum;
}

/// The colour of a part of stacked bars. The parts that every run has keep their colours, however many stages a run
/// has.
ImVec4 part_colour(const PlotData& plot, std::size_t part) {
  constexpr std::array<std::string_view, 3> fixed{"upload", "compute", "download"};
  int others = 0;
  for (std::size_t i = 0; i <= part; ++i) {
    const auto at = std::ranges::find(fixed, plot.lines[i].label);
    if (i == part && at != fixed.end()) return stage_colour(static_cast<int>(at - fixed.begin()));
    if (i < part && at == fixed.end()) ++others;
  }
  return stage_colour(static_cast<int>(fixed.size()) + others);
}

/// Draws horizontal bars, of 100 % where totals differ by orders of magnitude: the parts of each one behind the other,
/// in the order of the categories from the top.
void draw_stacks(const PlotData& plot) {
  const std::size_t count = plot.categories.size();
  std::vector<double> reach(count * plot.lines.size()), places(count);
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0.0;
    places[i] = static_cast<double>(i);
    for (std::size_t s = 0; s < plot.lines.size(); ++s)
      reach[s * count + i] =
          (sum += plot.lines[s].y[i]) * (plot.shares ? 100.0 / std::max(total_of(plot, i), 1e-12) : 1.0);
  }
  // Every bar begins at the left edge, and the shorter ones are drawn over the longer ones.
  for (std::size_t s = plot.lines.size(); s-- > 0;) {
    if (std::ranges::all_of(plot.lines[s].y, [](double ms) { return ms <= 0.0; })) continue;
    ImPlotSpec spec;
    spec.FillColor = spec.LineColor = part_colour(plot, s);
    spec.Flags = ImPlotBarsFlags_Horizontal;
    ImPlot::PlotBars(plot.lines[s].label.c_str(), &reach[s * count], places.data(), static_cast<int>(count), 0.62,
                     spec);
  }
}

/// Shows the parts of the bar under the mouse, with the spread and the number of samples where they are known.
void hover_stacks(const PlotData& plot) {
  if (!ImPlot::IsPlotHovered() || plot.categories.empty()) return;
  const double place = std::round(ImPlot::GetPlotMousePos().y);
  if (place < 0.0 || place >= static_cast<double>(plot.categories.size())) return;
  const auto i = static_cast<std::size_t>(place);
  const double total = total_of(plot, i);
  std::string text = plot.categories[i];
  for (const PlotLine& line : plot.lines) {
    if (line.y[i] <= 0.0) continue;
    text += "\n" + line.label + ": " + format_ms(line.y[i]) + ", " + format_percent(line.y[i] / std::max(total, 1e-12));
    if (i < line.low.size()) text += ", 95 %: " + format_ms(line.low[i]) + " .. " + format_ms(line.high[i]);
    if (i < line.count.size()) text += ", " + std::to_string(line.count[i]) + " samples";
  }
  tooltip(text + "\ntotal: " + format_ms(total));
}

void draw_bars(const PlotData& plot) {
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    const PlotLine& line = plot.lines[i];
    const double width = line.x.size() > 1 ? (line.x[1] - line.x[0]) * 0.92 : 1.0;
    ImPlotSpec spec;
    spec.FillColor = spec.LineColor = colour_of(i);
    ImPlot::PlotBars(line.label.c_str(), line.x.data(), line.y.data(), static_cast<int>(line.x.size()), width, spec);
  }
}

/// Draws the marks of lines as circles with a text beside them, and those of a histogram as vertical lines.
void draw_marks(const PlotData& plot) {
  ImPlot::PushPlotClipRect();
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  const ImVec2 corner = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
  const bool lines = plot.style == PlotStyle::lines;
  std::vector<TextBox> texts;
  for (const PlotMark& mark : plot.marks) {
    const ImVec2 at = ImPlot::PlotToPixels(mark.x, mark.y);
    const float width = ImGui::CalcTextSize(mark.label.c_str()).x;
    const float gap = lines ? em(0.6f) : em(0.3f);
    const float x = std::min(at.x + gap, corner.x + size.x - width - em(0.3f));
    texts.push_back({x, lines ? at.y - em(1.3f) : corner.y + em(0.2f), width, ImGui::GetTextLineHeight()});
    if (!lines)
      list.AddLine({at.x, corner.y}, {at.x, corner.y + size.y}, ImGui::GetColorU32(warning_colour()), em(0.1f));
  }
  separate(texts, corner.y, corner.y + size.y);
  for (std::size_t i = 0; i < texts.size(); ++i)
    draw_text_over_lines(texts[i], plot.marks[i].label);
  if (lines)
    for (const PlotMark& mark : plot.marks)
      list.AddCircle(ImPlot::PlotToPixels(mark.x, mark.y), em(0.45f), ink, 0, em(0.09f));
  ImPlot::PopPlotClipRect();
}

void set_up_axes(const PlotData& plot, ImVec2 size, FittedAxes& fitted) {
  const bool stacked = plot.style == PlotStyle::stacked;
  // In a low plot the lines need the room of the label, which the tooltip of a point has too.
  const ImPlotAxisFlags label = size.y < em(9) ? ImPlotAxisFlags_NoLabel : ImPlotAxisFlags_None;
  // Bars of stages lie on their sides, so that their names can be read.
  ImPlot::SetupAxis(ImAxis_X1,
                    !stacked      ? plot.x_label.c_str()
                    : plot.shares ? "% of the total"
                                  : plot.y_label.c_str(),
                    label);
  ImPlot::SetupAxis(ImAxis_Y1, stacked ? nullptr : plot.y_label.c_str(),
                    stacked ? ImPlotAxisFlags_Invert | ImPlotAxisFlags_NoGridLines : ImPlotAxisFlags_None);
  if (stacked) {
    std::vector<double> places;
    std::vector<std::string> texts;
    std::vector<const char*> names;
    const float room = size.x * 0.4f;
    const bool fit = std::ranges::all_of(plot.categories, [room](const std::string& category) {
      return ImGui::CalcTextSize(category.c_str()).x <= room;
    });
    // Labels that are cut in the middle would lose what tells them apart.
    const std::vector<std::string> labels = fit ? plot.categories : short_labels(plot.categories);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      places.push_back(static_cast<double>(i));
      texts.push_back(elided(labels[i], room) + "  " + format_ms(total_of(plot, i)));
    }
    for (const std::string& text : texts)
      names.push_back(text.c_str());
    ImPlot::SetupAxisTicks(ImAxis_Y1, places.data(), static_cast<int>(places.size()), names.data());
    double longest = 0.0;
    for (std::size_t i = 0; i < plot.categories.size(); ++i)
      longest = std::max(longest, total_of(plot, i));
    ImPlot::SetupAxisLimits(ImAxis_X1, 0.0, plot.shares ? 100.0 : std::max(longest * 1.05, 1e-9), ImPlotCond_Always);
    ImPlot::SetupAxisLimits(ImAxis_Y1, -0.7, static_cast<double>(places.size()) - 0.3, ImPlotCond_Always);
    return;
  }
  if (!plot.categories.empty()) {
    std::vector<double> places;
    std::vector<const char*> names;
    for (const std::string& category : plot.categories) {
      places.push_back(static_cast<double>(places.size()));
      names.push_back(category.c_str());
    }
    ImPlot::SetupAxisTicks(ImAxis_X1, places.data(), static_cast<int>(places.size()), names.data());
  }
  if (plot.style == PlotStyle::bars) ImPlot::SetupAxisFormat(ImAxis_Y1, format_whole);
  if (plot.x_label.starts_with("threads")) ImPlot::SetupAxisFormat(ImAxis_X1, format_whole);
  if (plot.log_x) {
    ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
    ImPlot::SetupAxisFormat(ImAxis_X1, format_axis);
  }
  if (plot.log_y) {
    ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
    ImPlot::SetupAxisFormat(ImAxis_Y1, format_axis);
  }
  // The limits follow the data until the user zooms; a double click makes them follow again.
  const auto [left, right] = x_range(plot);
  const auto [low, high] = y_range(plot);
  std::size_t points = 0;
  for (const PlotLine& line : plot.lines)
    points += line.x.size();
  const std::string title = plot.title + " by " + plot.x_label;
  const bool changed = fitted.title != title || fitted.points != points;
  fitted = {title, points};
  const ImPlotCond when = changed ? ImPlotCond_Always : ImPlotCond_Once;
  ImPlot::SetupAxisLimits(ImAxis_X1, left, right, when);
  ImPlot::SetupAxisLimits(ImAxis_Y1, low, high, when);
}

struct Legend {
  ImPlotLocation location = ImPlotLocation_NorthWest;
  bool outside = false, shown = true;
};

/// Where the legend covers no lines: in a corner that is free, else beside the plot, where it scrolls if it is higher
/// than the plot. `names` are those of the lines. A histogram needs none.
Legend legend_of(const PlotData& plot, const std::vector<std::string>& names, ImVec2 size) {
  if (plot.style == PlotStyle::bars) return {.shown = false};
  std::set<std::string> entries(names.begin(), names.end());
  for (const PlotLine& guide : plot.guides)
    if (guide.x.size() != 2) entries.insert(guide.label.substr(0, guide.label.find(',')));
  float widest = 0.0f;
  for (const std::string& name : entries)
    widest = std::max(widest, ImGui::CalcTextSize(name.c_str(), nullptr, true).x);
  const float height = static_cast<float>(entries.size()) * ImGui::GetTextLineHeightWithSpacing() + em(1);
  const bool covers = plot.style == PlotStyle::stacked;  // Bars reach to every edge.
  if (!covers) {
    // The axes with their labels take the rest of the size.
    const ImVec2 area{std::max(size.x - em(6), 1.0f), std::max(size.y - em(4), 1.0f)};
    const auto corner = free_corner(plot, (widest + em(3)) / area.x, height / area.y);
    constexpr std::array locations{ImPlotLocation_NorthWest, ImPlotLocation_NorthEast, ImPlotLocation_SouthWest,
                                   ImPlotLocation_SouthEast};
    if (corner) return {.location = locations[static_cast<std::size_t>(*corner)]};
  }
  const bool fits = size.y > em(8) && size.x > em(24);
  return {.location = covers ? ImPlotLocation_East : ImPlotLocation_NorthEast, .outside = true, .shown = fits};
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

bool is_empty(const PlotData& plot) {
  return std::ranges::all_of(plot.lines, [](const PlotLine& line) { return line.x.empty(); });
}

void draw_plot(const PlotData& plot, ImVec2 size, FittedAxes& fitted) {
  if (is_empty(plot)) {
    fitted = {};
    sentence_in_the_middle(
        plot.notes.empty() ? "Choose what varies and press Run, or open a report." : plot.notes.front().c_str(), size);
    return;
  }
  // The names of many bars are written smaller, so that they do not touch.
  const float row = (size.y - em(4)) / static_cast<float>(std::max<std::size_t>(plot.categories.size(), 1));
  const float type = plot.style == PlotStyle::stacked ? std::clamp(row / ImGui::GetTextLineHeight(), 0.7f, 1.0f) : 1.0f;
  ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * type);
  ImPlot::PushStyleVar(ImPlotStyleVar_LegendPadding, {em(0.3f), em(0.2f)});
  // Half of the label of a tick at the right end, such as that of 100 %, lies beside the axis.
  ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, {em(1), ImPlot::GetStyle().PlotPadding.y});
  const std::vector<std::string> names = legend_names(plot, legend_room(size.x));
  const Legend legend = legend_of(plot, names, size);
  const bool stacked = plot.style == PlotStyle::stacked;
  LegendMarkers in_legend;
  const ImPlotFlags hidden = legend.shown ? ImPlotFlags_None : ImPlotFlags_NoLegend;
  if (ImPlot::BeginPlot(("##" + plot.title).c_str(), size, ImPlotFlags_NoTitle | ImPlotFlags_NoMouseText | hidden)) {
    set_up_axes(plot, size, fitted);
    // The last part of a stack is drawn first, so that its legend is turned round.
    ImPlot::SetupLegend(legend.location, (legend.outside ? ImPlotLegendFlags_Outside : ImPlotLegendFlags_None) |
                                             (stacked ? ImPlotLegendFlags_Reverse : ImPlotLegendFlags_None));
    if (plot.style == PlotStyle::lines) draw_lines(plot, names, in_legend);
    if (stacked) draw_stacks(plot);
    if (plot.style == PlotStyle::bars) draw_bars(plot);
    if (plot.style == PlotStyle::lines) name_ceilings(plot);
    draw_marks(plot);
    stacked ? hover_stacks(plot) : hover(plot);
    ImPlot::EndPlot();
    in_legend.draw();
  }
  ImPlot::PopStyleVar(2);
  ImGui::PopFont();
}

}  // namespace threadscape::app
