#include "app/measure/plot/chart_picture.h"

#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/bench/bench_axis.h"
#include "app/window/widgets/ui_context.h"
#include "compute/core/errors.h"
#include "compute/io/file_writer.h"
#include "compute/io/pictures/image_file.h"
#include "render/capture.h"

namespace threadscape::app {

namespace {

constexpr std::array<unsigned, 8> palette{0x2567c9, 0xc8403a, 0x2f8f3c, 0xb5761a,
                                          0x7b4fb3, 0x14858f, 0xc2528f, 0x70543e};
constexpr unsigned ink = 0x3a414c, grid_ink = 0x8b94a3;
constexpr std::array<ImPlotMarker, 5> markers{ImPlotMarker_Circle, ImPlotMarker_Square, ImPlotMarker_Diamond,
                                              ImPlotMarker_Up, ImPlotMarker_Down};
constexpr ImPlotFlags quiet = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs;

ImVec4 rgb(unsigned hex) {
  return {((hex >> 16) & 255) / 255.0f, ((hex >> 8) & 255) / 255.0f, (hex & 255) / 255.0f, 1.0f};
}

/// Pushes a font at `factor` times the usual size; null keeps the current font.
void push_font(ImFont* font, float factor) {
  ImGui::PushFont(font, ImGui::GetStyle().FontSizeBase * factor);
}

/// Colour and marker of a line, or colour of its bars.
struct Look {
  ImVec4 colour;
  ImPlotMarker marker = ImPlotMarker_Circle;
};

/// Chooses the look of every line. Lines have the colours of their backends if no backend has several lines, otherwise
/// colours of a palette. A document's line looks like the measured line of the same series.
std::vector<Look> looks_of(const Chart& chart) {
  std::array<int, 3> lines_of_backend{};
  for (const ChartLine& line : chart.lines)
    if (line.backend) ++lines_of_backend[static_cast<std::size_t>(*line.backend)];
  const bool by_backend = std::ranges::all_of(lines_of_backend, [](int count) { return count <= 1; });

  std::vector<Look> looks;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const ChartLine& line = chart.lines[i];
    Look look{rgb(ink), markers[i % markers.size()]};
    if (line.backend) {
      look.colour = by_backend ? backend_colour(*line.backend) : rgb(palette[i % palette.size()]);
    } else {
      for (std::size_t j = 0; j < i; ++j)
        if (chart.lines[j].series == line.series) look = looks[j];
    }
    looks.push_back(look);
  }
  return looks;
}

void add_dashes(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float weight, float dash) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const auto at = [&](float way) {
    const float share = std::min(way / length, 1.0f);
    return ImVec2(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
  };
  const int dashes = static_cast<int>(std::ceil(length / (2 * dash)));
  for (int i = 0; i < dashes; ++i) {
    const float begin = 2 * dash * static_cast<float>(i);
    list.AddLine(at(begin), at(begin + dash), colour, weight);
  }
}

void plot_line(const ChartLine& line, const Look& look, const std::string& id) {
  ImPlotSpec spec;
  spec.LineColor = look.colour;
  spec.LineWeight = em(0.13f);
  spec.Marker = look.marker;
  spec.MarkerSize = em(0.27f);
  spec.MarkerLineColor = look.colour;
  spec.MarkerFillColor = line.is_document() ? ImPlot::GetStyle().Colors[ImPlotCol_PlotBg] : look.colour;
  const int count = static_cast<int>(line.x.size());
  if (!line.is_document()) {
    ImPlot::PlotLine(id.c_str(), line.x.data(), line.y.data(), count, spec);
    return;
  }
  ImPlot::PushPlotClipRect();
  for (std::size_t i = 1; i < line.x.size(); ++i)
    add_dashes(*ImPlot::GetPlotDrawList(), ImPlot::PlotToPixels({line.x[i - 1], line.y[i - 1]}),
               ImPlot::PlotToPixels({line.x[i], line.y[i]}), ImGui::GetColorU32(look.colour), em(0.1f), em(0.4f));
  ImPlot::PopPlotClipRect();
  spec.MarkerSize = em(0.32f);
  ImPlot::PlotScatter(id.c_str(), line.x.data(), line.y.data(), count, spec);
}

std::string value_text(const Chart& chart, double value) {
  // The number has no trailing zeros (3 and not 3.00), since figures of a document have no more digits than it states.
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), std::abs(value) < 1000.0 ? "%.3g" : "%.0f", value);
  return std::string(text.data()) + (chart.quantity == PlotY::speedup ? "x" : "");
}

/// Draws bar `index` of `count` in every group, with its value on top if there is room.
void plot_bars(const Chart& chart, const ChartLine& line, const Look& look, std::size_t index, std::size_t count,
               const std::string& id) {
  constexpr double group_width = 0.84;
  const double width = group_width / static_cast<double>(count);
  std::vector<double> centres;
  for (const double x : line.x)
    centres.push_back(x - group_width / 2 + width * (static_cast<double>(index) + 0.5));
  ImPlotSpec spec;
  spec.FillColor = spec.LineColor = look.colour;
  spec.LineWeight = em(0.1f);
  spec.FillAlpha = line.is_document() ? 0.10f : 0.85f;
  ImPlot::PlotBars(id.c_str(), centres.data(), line.y.data(), static_cast<int>(centres.size()), width * 0.9, spec);
  const float room = ImPlot::PlotToPixels({width, 1.0}).x - ImPlot::PlotToPixels({0.0, 1.0}).x;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const std::string text = value_text(chart, line.y[i]);
    if (ImGui::CalcTextSize(text.c_str()).x < room * 1.15f)
      ImPlot::PlotText(text.c_str(), centres[i], line.y[i], {0, -em(0.65f)});
  }
}

/// Draws the ideal line over the number of threads: y = x for speed-ups, y = 1 for efficiencies.
void plot_ideal(const Chart& chart, const AxisRange& x) {
  const std::array xs{1.0, x.high};
  const std::array ys = chart.quantity == PlotY::speedup ? xs : std::array{1.0, 1.0};
  ImPlotSpec spec;
  spec.LineColor = rgb(grid_ink);
  spec.LineWeight = em(0.07f);
  ImPlot::PlotLine("##ideal", xs.data(), ys.data(), 2, spec);
}

/// Sets range, ticks and label of an axis. `available_width` is the width of the plot in pixels.
void set_up_axis(ImAxis axis, const std::string& label, const AxisRange& range, bool logarithmic,
                 float available_width) {
  ImPlot::SetupAxis(axis, label.empty() ? nullptr : label.c_str(),
                    axis == ImAxis_X1 && range.named ? ImPlotAxisFlags_NoGridLines : ImPlotAxisFlags_None);
  if (logarithmic) ImPlot::SetupAxisScale(axis, ImPlotScale_Log10);
  ImPlot::SetupAxisLimits(axis, range.low, range.high, ImPlotCond_Always);
  // Names of categories that would overlap alternate between two lines of text.
  float width = 0.0f;
  for (const std::string& text : range.labels)
    width += ImGui::CalcTextSize(text.c_str()).x + ImGui::GetFontSize();
  const bool crowded = axis == ImAxis_X1 && range.named && width > available_width;
  std::vector<std::string> texts = range.labels;
  for (std::size_t i = 1; crowded && i < texts.size(); i += 2)
    texts[i].insert(0, 1, '\n');
  std::vector<const char*> labels;
  for (const std::string& text : texts)
    labels.push_back(text.c_str());
  if (!range.ticks.empty())
    ImPlot::SetupAxisTicks(axis, range.ticks.data(), static_cast<int>(range.ticks.size()), labels.data());
}

void draw_plot(const Chart& chart, const std::vector<Look>& looks, ImVec2 size, const std::string& id) {
  const bool empty = std::ranges::all_of(chart.lines, [](const ChartLine& line) { return line.x.empty(); });
  if (empty) {
    const char* text = "nothing to draw: see below";
    const ImVec2 corner = ImGui::GetCursorScreenPos(), extent = ImGui::CalcTextSize(text);
    ImGui::Dummy(size);
    ImGui::GetWindowDrawList()->AddText({corner.x + (size.x - extent.x) / 2, corner.y + (size.y - extent.y) / 2},
                                        ImGui::GetColorU32(rgb(ink)), text);
    return;
  }
  if (!ImPlot::BeginPlot(id.c_str(), size, quiet)) return;
  // x_range() leaves out labels that would overlap. 4 em are reserved for the labels of the y axis.
  const float glyph = ImGui::CalcTextSize("0").x;
  const AxisRange x = x_range(chart, (size.x - em(4.0f)) / glyph), y = y_range(chart);
  set_up_axis(ImAxis_X1, chart.x_label, x, chart.log_x && !x.named, size.x - em(4.0f));
  set_up_axis(ImAxis_Y1, chart.y_label, y, chart.log_y, size.y);
  ImPlot::SetupFinish();
  if (chart.by_threads) plot_ideal(chart, x);
  const auto drawn = static_cast<std::size_t>(
      std::ranges::count_if(chart.lines, [](const ChartLine& line) { return !line.x.empty(); }));
  std::size_t index = 0;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const ChartLine& line = chart.lines[i];
    if (line.x.empty()) continue;
    const std::string item = "##" + std::to_string(i);
    if (chart.bars)
      plot_bars(chart, line, looks[i], index++, drawn, item);
    else
      plot_line(line, looks[i], item);
  }
  ImPlot::EndPlot();
}

void draw_marker(ImDrawList& list, ImPlotMarker marker, ImVec2 at, float size, ImU32 fill, ImU32 edge, float weight) {
  std::vector<ImVec2> corners;
  switch (marker) {
    case ImPlotMarker_Square:
      corners = {{-0.8f, -0.8f}, {0.8f, -0.8f}, {0.8f, 0.8f}, {-0.8f, 0.8f}};
      break;
    case ImPlotMarker_Diamond:
      corners = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
      break;
    case ImPlotMarker_Up:
      corners = {{0, -1}, {0.87f, 0.5f}, {-0.87f, 0.5f}};
      break;
    case ImPlotMarker_Down:
      corners = {{0, 1}, {0.87f, -0.5f}, {-0.87f, -0.5f}};
      break;
    default:
      list.AddCircleFilled(at, size, fill);
      list.AddCircle(at, size, edge, 0, weight);
      return;
  }
  for (ImVec2& corner : corners)
    corner = {at.x + corner.x * size, at.y + corner.y * size};
  list.AddConvexPolyFilled(corners.data(), static_cast<int>(corners.size()), fill);
  list.AddPolyline(corners.data(), static_cast<int>(corners.size()), edge, ImDrawFlags_Closed, weight);
}

/// Draws a short piece of the line, or a small bar, for the legend.
void draw_sample(const Chart& chart, const ChartLine& line, const Look& look, ImVec2 middle, float width) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = ImGui::GetColorU32(look.colour);
  const ImVec2 left{middle.x - width / 2, middle.y}, right{middle.x + width / 2, middle.y};
  if (chart.bars) {
    const float half = em(0.36f);
    const ImVec2 from{middle.x - half, middle.y - half}, to{middle.x + half, middle.y + half};
    if (!line.is_document()) list.AddRectFilled(from, to, colour);
    list.AddRect(from, to, colour, 0.0f, 0, em(0.1f));
  } else if (line.is_document()) {
    add_dashes(list, left, right, colour, em(0.1f), em(0.3f));
    draw_marker(list, look.marker, middle, em(0.3f), ImGui::GetColorU32(ImGuiCol_WindowBg), colour, em(0.1f));
  } else {
    list.AddLine(left, right, colour, em(0.13f));
    draw_marker(list, look.marker, middle, em(0.3f), colour, colour, em(0.05f));
  }
}

/// Lays out the legend below the plot: the names of all lines, as many in a row as fit into `width` pixels. Draws it if
/// `visible`. Returns its height in pixels.
float legend(const Chart& chart, const std::vector<Look>& looks, float width, bool visible) {
  const float sample = em(1.9f), gap = em(0.4f), between = em(1.4f), row = em(1.45f);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  float x = 0.0f, y = 0.0f;
  const auto entry = [&](const std::string& text, bool muted, const auto& draw) {
    const float wide = sample + gap + ImGui::CalcTextSize(text.c_str()).x;
    if (x > 0.0f && x + wide > width) {
      x = 0.0f;
      y += row;
    }
    if (visible) {
      draw(ImVec2(corner.x + x + sample / 2, corner.y + y + row / 2));
      ImGui::GetWindowDrawList()->AddText(
          {corner.x + x + sample + gap, corner.y + y + (row - ImGui::GetFontSize()) / 2},
          ImGui::GetColorU32(muted ? muted_text() : ImGui::GetStyle().Colors[ImGuiCol_Text]), text.c_str());
    }
    x += wide + between;
  };
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const ChartLine& line = chart.lines[i];
    Look look = looks[i];
    if (!line.absent.empty()) look.colour.w = 0.35f;
    entry(line.absent.empty() ? line.label : line.label + ": " + line.absent, !line.absent.empty(),
          [&](ImVec2 middle) { draw_sample(chart, line, look, middle, sample); });
  }
  if (chart.by_threads)
    entry("ideal", true, [&](ImVec2 middle) {
      ImGui::GetWindowDrawList()->AddLine({middle.x - sample / 2, middle.y}, {middle.x + sample / 2, middle.y},
                                          ImGui::GetColorU32(rgb(grid_ink)), em(0.07f));
    });
  return y + row;
}

void draw_chart(const Chart& chart, const Fonts& fonts, const std::string& id, float width, float height) {
  const std::vector<Look> looks = looks_of(chart);
  const float pad = em(1.0f), inner = width - 2 * pad;
  ImGui::BeginChild(id.c_str(), {width, height}, ImGuiChildFlags_None, ImGuiWindowFlags_NoDecoration);
  ImGui::SetCursorPos({pad, em(0.5f)});
  ImGui::BeginGroup();
  push_font(fonts.strong, 1.15f);
  ImGui::PushTextWrapPos(pad + inner);
  ImGui::TextUnformatted(chart.title.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();

  std::string notes;
  for (const std::string& note : chart.notes)
    notes += (notes.empty() ? "" : "\n") + note;
  push_font(nullptr, 0.88f);
  const float notes_height = notes.empty() ? 0.0f : ImGui::CalcTextSize(notes.c_str(), nullptr, false, inner).y;
  ImGui::PopFont();
  const float below = legend(chart, looks, inner, false) + notes_height + em(1.2f);
  const float plot_height = std::max(height - ImGui::GetCursorPosY() - below, em(12.0f));
  draw_plot(chart, looks, {inner, plot_height}, "##plot");
  const float legend_height = legend(chart, looks, inner, true);
  ImGui::Dummy({inner, legend_height});
  push_font(nullptr, 0.88f);
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text());
  ImGui::PushTextWrapPos(pad + inner);
  if (!notes.empty()) ImGui::TextUnformatted(notes.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::EndGroup();
  ImGui::EndChild();
}

/// Draws the heading and all charts. Returns the height of the heading in pixels.
float draw_page(const ChartPage& page, const Fonts& fonts, int columns, float width, float height) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, em(0.2f)});
  ImGui::Begin("##page", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking |
                   ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoMove);
  const float pad = em(1.0f);
  ImGui::SetCursorPos({pad, em(0.8f)});
  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - pad);
  push_font(fonts.strong, 1.5f);
  ImGui::TextUnformatted(page.title.c_str());
  ImGui::PopFont();
  ImGui::TextUnformatted(page.source.c_str());
  if (!page.note.empty()) ImGui::TextUnformatted(page.note.c_str());
  std::string machines;
  for (const std::string& machine : page.machines)
    machines += (machines.empty() ? "Measured on " : "; ") + machine;
  ImGui::TextColored(muted_text(), "%s", machines.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
  const float heading = std::ceil(ImGui::GetItemRectMax().y + em(0.4f));
  for (std::size_t i = 0; i < page.charts.size(); ++i) {
    const auto column = static_cast<float>(i % static_cast<std::size_t>(columns));
    const auto row = static_cast<float>(i / static_cast<std::size_t>(columns));
    ImGui::SetCursorPos({column * width, heading + row * height});
    draw_chart(page.charts[i], fonts, "##chart" + std::to_string(i), width, height);
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
  return heading;
}

}  // namespace

void require_plotting(const std::filesystem::path& path) {
  if (path.extension() != ".png") throw UsageError("--plot '" + path.string() + "': a .png file is wanted");
  io::require_writable(path);
  (void)make_headless(16, 16);
}

void draw_charts(const ChartPage& page, const std::filesystem::path& path, int width, int height) {
  constexpr int max_side = 16384;
  const int count = static_cast<int>(page.charts.size());
  const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
  const int rows = (count + columns - 1) / columns;
  constexpr int heading_room = 1024;
  if (columns * width > max_side || rows * height + heading_room > max_side)
    throw UsageError("--size: " + std::to_string(count) + " plots of " + std::to_string(width) + "x" +
                     std::to_string(height) + " make a picture of more than 16384 pixels");
  const auto platform = make_headless(columns * width, rows * height + heading_room);
  UiContext ui(*platform, FontChoice::system, {});
  apply_theme(Theme::light, 1.2f * std::min(static_cast<float>(width) / 960.0f, static_cast<float>(height) / 640.0f));
  // The heading wraps its text, so its height is known only after the first layout. ImPlot aligns axes from the second
  // frame on.
  gl::Framebuffer frame(columns * width, rows * height + heading_room);
  const auto draw = [&] {
    (void)platform->poll(false);
    ui.begin_frame();
    const float heading = draw_page(page, ui.fonts(), columns, static_cast<float>(width), static_cast<float>(height));
    ui.end_frame(frame);
    return heading;
  };
  (void)draw();
  const int heading = std::min(static_cast<int>(draw()), heading_room);
  frame = gl::Framebuffer(columns * width, rows * height + heading);
  platform->resize(columns * width, rows * height + heading);
  for (int i = 0; i < 3; ++i)
    (void)draw();
  platform->context().check("plot");
  io::save_picture(path, render::capture(frame).view(), io::FileColour::rgb);
}

}  // namespace threadscape::app
