#include "app/panels/timings/timings_panel.h"

#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/code/sketch_costs.h"
#include "app/panels/timings/factor_line.h"
#include "app/ui/axis_ticks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "compute/registry/registry.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

constexpr std::array<const char*, 3> chart_titles{"Serial", "OpenMP", "CUDA"};
constexpr std::array<double, 3> positions{0, 1, 2};
constexpr ImPlotFlags quiet =
    ImPlotFlags_NoTitle | ImPlotFlags_NoMenus | ImPlotFlags_NoMouseText | ImPlotFlags_NoLegend;

/// Formats an axis label, a time in milliseconds, in a suitable unit.
int format_axis(double value, char* buffer, int size, void*) {
  return std::snprintf(buffer, static_cast<std::size_t>(size), "%s", format_ms(value).c_str());
}

/// Gives a logarithmic y axis from `low` to `high` milliseconds its ticks; the chart is `height` units high. ImPlot
/// would label decades only, so that a range between two of them had no label.
void setup_log_ticks(double low, double high, float height) {
  const float axis = height - ImGui::GetTextLineHeight() - em(1);  // Below it are the padding and the labels in x.
  const int room = static_cast<int>(axis / (2.2f * ImGui::GetTextLineHeight()));
  const std::vector<double> ticks = log_ticks(low, high, room);
  std::vector<std::string> texts;
  texts.reserve(ticks.size());
  for (const double tick : ticks)
    texts.push_back(format_ms(tick));
  std::vector<const char*> labels;
  labels.reserve(texts.size());
  for (const std::string& text : texts)
    labels.push_back(text.c_str());
  if (!ticks.empty()) ImPlot::SetupAxisTicks(ImAxis_Y1, ticks.data(), static_cast<int>(ticks.size()), labels.data());
}

struct Chip {
  std::string_view name;
  ImVec4 colour;
};

/// Draws a legend to the right of the last item. If it would reach beyond `right` (in screen coordinates) it is left
/// out, because an incomplete legend is misleading.
void legend(const std::vector<Chip>& chips, float right) {
  const float side = em(0.6f), gap = em(0.3f);
  float width = 0.0f;
  for (const Chip& chip : chips)
    width += ImGui::GetStyle().ItemSpacing.x + side + gap +
             ImGui::CalcTextSize(chip.name.data(), chip.name.data() + chip.name.size()).x;
  if (ImGui::GetItemRectMax().x + width > right) return;
  for (const Chip& chip : chips) {
    ImGui::SameLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = at.y + (ImGui::GetFrameHeight() - side) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, ImGui::GetColorU32(chip.colour),
                                              em(0.12f));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side + gap);
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%.*s", static_cast<int>(chip.name.size()), chip.name.data());
  }
}

constexpr std::array<double StageTimes::*, 4> stages{&StageTimes::upload_ms, &StageTimes::compute_ms,
                                                     &StageTimes::download_ms, &StageTimes::present_ms};

/// The summary of the runs after the warm-up, or of the warm-up while there is nothing else, so that a plot is filled
/// as soon as there is a run.
Summary shown_summary(const TimingHistory& history, double StageTimes::*stage = nullptr) {
  const Summary summary = history.summary(stage);
  if (summary.count > 0 || history.size() == 0) return summary;
  const StageTimes& times = history[0].times;
  return summarize({stage != nullptr ? times.*stage : times.total_ms()});
}

/// The number of runs that the medians are of: "n 12", or "n 3 / 12" if backends differ; "" before the first run.
std::string run_counts(const TimingBook& book) {
  std::vector<std::size_t> counts;
  for (const Backend backend : backends)
    if (const Summary summary = shown_summary(book.statistics(backend)); summary.count > 0)
      counts.push_back(summary.count);
  if (counts.empty()) return {};
  const bool equal = std::ranges::all_of(counts, [&counts](std::size_t count) { return count == counts.front(); });
  std::string text = "n " + std::to_string(counts.front());
  for (std::size_t i = 1; i < counts.size() && !equal; ++i)
    text += " / " + std::to_string(counts[i]);
  return text;
}

/// Returns whether any backend spends time on this stage. The legend leaves out stages that are not used.
bool is_used(const TimingBook& book, std::size_t stage) {
  return std::ranges::any_of(backends, [&](Backend backend) {
    const TimingHistory& history = book.statistics(backend);
    return shown_summary(history, stages[stage]).median > 0;
  });
}

/// Minimum and maximum of the positive values on an axis, which may be logarithmic.
struct Limits {
  double low = 1e30, high = 0;
  void include(double value) {
    if (value <= 0) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Sets a range if there are no values yet, because a logarithmic axis needs positive limits.
  void include_default() {
    if (high <= 0) low = high = 1.0;
  }
};

VariantTraffic variant_traffic(Desk& desk) {
  const Workspace& workspace = desk.workspace();
  const Work& work = workspace.work();
  VariantTraffic traffic{.backend = work.backend,
                         .variants = workspace.algorithm().variants_of(work.backend),
                         .limit = desk.copy_limit().of(work.backend, work.threads, workspace.device())};
  if (const gl::Resource* output = desk.live().output(); output != nullptr)
    traffic.bytes = bytes_moved(workspace.algorithm(), work.params, workspace.input_shape(), output->shape());
  return traffic;
}

}  // namespace

void TimingsPanel::show_timeline(bool shown) {
  of_last_second_ = shown;
  if (!shown) timeline_.rest();
}

void TimingsPanel::draw(Desk& desk) {
  if (of_last_second_) {
    if (timeline_.draw(desk.fonts())) show_timeline(false);
    return;
  }
  if (sketch::has_sketched_kernels(desk.workspace().algorithm())) {
    disabled_sentence(
        "The CPU executes the kernels of a sketch warp by warp, and a GPU runs them in a process of their own: the "
        "time "
        "that a picture takes is no time of the kernels, and is not shown.");
    const SketchSession& sketch = desk.sketch();
    if (!sketch.shown()) return;
    const std::optional<SketchComparison>& costs = sketch.tries()[*sketch.shown()].against;
    if (!costs)
      return disabled_sentence(
          "Costs are compared once the results equal those of an algorithm with kernels that `check` names.");
    ImGui::TextWrapped("%s", cost_sentence(*costs).c_str());
    draw_costs(*costs);
    return;
  }
  const TimingBook& book = desk.workspace().timings;
  const Fonts& fonts = desk.fonts();
  const bool measuring = desk.live().comparing() || desk.measuring_copy();
  const VariantTraffic traffic = variant_traffic(desk);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  // As many plots as are legible side by side; the comparison is always drawn.
  const int plots = std::clamp(static_cast<int>(room.x / em(14)), 1, 3);
  constexpr std::array<std::array<float, 3>, 3> shares{
      {{0.0f, 1.0f, 0.0f}, {0.46f, 0.54f, 0.0f}, {0.31f, 0.33f, 0.36f}}};
  std::array<float, 3> widths = shares[static_cast<std::size_t>(plots - 1)];
  for (float& width : widths)
    width *= room.x - gap * static_cast<float>(plots - 1);
  const bool runs = plots > 1, of_stages = plots > 2;
  const float left = ImGui::GetCursorPosX(), second = runs ? left + widths[0] + gap : left;
  const float edge = ImGui::GetCursorScreenPos().x;

  std::vector<Chip> chips;
  if (runs) {
    ImGui::AlignTextToFramePadding();
    heading(fonts.strong, "Runs");
    for (const Backend backend : backends)
      chips.push_back({chart_titles[static_cast<std::size_t>(backend)], backend_colour(backend)});
    legend(chips, edge + widths[0] - em(3.5f));
    ImGui::SameLine();
    ImGui::Checkbox("log", &log_scale_);
    if (ImGui::IsItemHovered()) tooltip("Logarithmic time axes");
    ImGui::SameLine(second);
  }
  ImGui::AlignTextToFramePadding();
  const bool has_variants = traffic.variants.size() > 1;
  const bool by_variant = desk.by_variant() && has_variants;
  heading(fonts.strong, by_variant ? "GB/s" : "Median");
  ImGui::SameLine();
  ImGui::BeginDisabled(measuring);
  const bool compare = ImGui::Button(measuring ? "Measuring..." : "Compare");
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip(by_variant ? "Runs the current work twelve times with every variant of the backend (Shift+M)"
                       : "Runs the current work twelve times on every available backend (M)");
  if (has_variants) {
    ImGui::SameLine();
    ImGui::Checkbox("variants", &desk.by_variant());
    if (ImGui::IsItemHovered())
      tooltip("Every variant of the backend: input and output once, by the median of its time, beside a copy");
  }
  const float end = of_stages ? edge + (second - left) + widths[1] : edge + room.x;
  if (const std::string counts = by_variant ? "" : run_counts(book);
      !counts.empty() && ImGui::GetItemRectMax().x + ImGui::CalcTextSize(counts.c_str()).x + gap < end) {
    ImGui::SameLine();
    ImGui::TextDisabled("%s", counts.c_str());
    if (ImGui::IsItemHovered()) tooltip("How many runs of each backend the medians are taken from");
  }
  if (of_stages) {
    ImGui::SameLine(second + widths[1] + gap);
    ImGui::AlignTextToFramePadding();
    heading(fonts.strong, "Stages");
    if (ImGui::IsItemHovered()) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      tooltip("The stages of a run. A click shows what happened in the last second: threads, copies, kernels, frames");
    }
    if (ImGui::IsItemClicked()) show_timeline(true);
    chips.clear();
    for (std::size_t stage = 0; stage < stage_names.size(); ++stage)
      if (is_used(book, stage)) chips.push_back({stage_names[stage], stage_colour(static_cast<int>(stage))});
    legend(chips, edge + room.x);
  }

  const std::optional<CpuFactor> factor = by_variant ? std::nullopt : shown_factor(desk.workspace());
  const std::string of_cuda = by_variant ? "" : device_sentence(desk.workspace());
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float height = ImGui::GetContentRegionAvail().y - (factor ? line : 0.0f) - (of_cuda.empty() ? 0.0f : line);
  if (runs) {
    draw_history(book, widths[0], height);
    ImGui::SameLine();
  }
  if (by_variant)
    draw_variants(book, traffic, widths[1], height);
  else
    draw_medians(book, widths[1], height);
  if (of_stages) {
    ImGui::SameLine();
    draw_stages(book, widths[2], height);
  }
  if (factor) draw_factor_line(desk, *factor, room.x);
  if (!of_cuda.empty()) draw_grey_line(shortened(of_cuda, room.x), of_cuda, room.x);
  if (compare && by_variant) desk.compare_variants();
  if (compare && !by_variant) desk.live().compare_backends(desk.workspace(), 12);
}

/// Draws the throughput of each variant as a horizontal bar, in the order of the list, in which the default is the
/// first.
void TimingsPanel::draw_variants(const TimingBook& book, const VariantTraffic& traffic, float width,
                                 float height) const {
  const auto count = static_cast<double>(traffic.variants.size());
  std::vector<double> places, rates;
  std::vector<const char*> names;
  std::vector<std::string> texts;
  double max_rate = traffic.limit.value_or(0.0) / 1e9;
  for (std::size_t i = 0; i < traffic.variants.size(); ++i) {
    places.push_back(static_cast<double>(i));
    names.push_back(traffic.variants[i].name.data());
    const TimingHistory* history = book.variant_statistics(traffic.backend, static_cast<int>(i));
    const Summary summary = history != nullptr ? shown_summary(*history, &StageTimes::compute_ms) : Summary{};
    rates.push_back(summary.count > 0 ? traffic.bytes / 1e6 / std::max(summary.median, 1e-9) : 0.0);
    max_rate = std::max(max_rate, rates.back());
    texts.push_back(summary.count > 0 ? format_value(rates.back()) + "   " + format_ms(summary.median) : "not run");
  }
  if (max_rate <= 0) max_rate = 1.0;
  if (!ImPlot::BeginPlot("##variants", {width, height}, quiet | ImPlotFlags_NoInputs)) return;
  ImPlot::SetupAxis(ImAxis_X1, nullptr);
  ImPlot::SetupAxis(ImAxis_Y1, nullptr, ImPlotAxisFlags_NoGridLines | ImPlotAxisFlags_Invert);
  ImPlot::SetupAxisTicks(ImAxis_Y1, places.data(), static_cast<int>(places.size()), names.data());
  ImPlot::SetupAxisLimits(ImAxis_X1, 0, max_rate * 1.12, ImPlotCond_Always);
  ImPlot::SetupAxisLimits(ImAxis_Y1, -0.7, count - 0.3, ImPlotCond_Always);
  ImPlotSpec bar;
  bar.FillColor = bar.LineColor = backend_colour(traffic.backend);
  bar.FillAlpha = 0.6f;
  bar.Flags = ImPlotBarsFlags_Horizontal;
  ImPlot::PlotBars("##rates", rates.data(), places.data(), static_cast<int>(rates.size()), 0.66, bar);
  ImPlot::PushPlotClipRect();
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const ImVec2 from = ImPlot::PlotToPixels(0.0, places[i]);
    list.AddText({from.x + em(0.4f), from.y - ImGui::GetFontSize() / 2}, ink, texts[i].c_str());
  }
  if (traffic.limit) {
    const double rate = *traffic.limit / 1e9;
    const ImVec2 top = ImPlot::PlotToPixels(rate, -0.7), bottom = ImPlot::PlotToPixels(rate, count);
    list.AddLine(top, bottom, ImGui::GetColorU32(warning_colour()), em(0.12f));
    const char* text = "copy";
    list.AddText({top.x - ImGui::CalcTextSize(text).x - em(0.3f), bottom.y - em(2.4f)},
                 ImGui::GetColorU32(warning_colour()), text);
  }
  ImPlot::PopPlotClipRect();
  ImPlot::EndPlot();
}

void TimingsPanel::draw_history(const TimingBook& book, float width, float height) const {
  const double last = static_cast<double>(book.runs());
  const double first = std::max(0.0, last - shown_runs_);
  Limits limits;
  std::array<std::vector<double>, 3> runs, times;
  for (const Backend backend : backends) {
    const TimingHistory& history = book.history(backend);
    const auto b = static_cast<std::size_t>(backend);
    for (std::size_t i = 0; i < history.size(); ++i) {
      if (static_cast<double>(history[i].run) < first) continue;
      runs[b].push_back(static_cast<double>(history[i].run) + 1);
      times[b].push_back(history[i].times.total_ms());
      limits.include(times[b].back());
    }
  }
  if (!ImPlot::BeginPlot("##runs", {width, height}, quiet)) return;
  ImPlot::SetupAxis(ImAxis_X1, nullptr, ImPlotAxisFlags_NoGridLines);
  ImPlot::SetupAxis(ImAxis_Y1, nullptr);
  ImPlot::SetupAxisFormat(ImAxis_Y1, format_axis);
  ImPlot::SetupAxisFormat(ImAxis_X1, "%.0f");
  ImPlot::SetupAxisLimits(ImAxis_X1, first + 0.5, std::max(last, first + 10) + 0.5, ImPlotCond_Always);
  if (log_scale_) ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
  limits.include_default();
  const double low = log_scale_ ? limits.low / 2.5 : 0.0, high = limits.high * (log_scale_ ? 2.5 : 1.15);
  ImPlot::SetupAxisLimits(ImAxis_Y1, low, high, ImPlotCond_Always);
  if (log_scale_) setup_log_ticks(low, high, height);
  for (const Backend backend : backends) {
    const auto b = static_cast<std::size_t>(backend);
    if (runs[b].empty()) continue;
    ImPlotSpec spec;
    spec.LineColor = backend_colour(backend);
    spec.LineWeight = em(0.11f);
    spec.Marker = ImPlotMarker_Circle;
    spec.MarkerSize = em(0.16f);
    spec.MarkerFillColor = spec.MarkerLineColor = spec.LineColor;
    ImPlot::PlotLine(chart_titles[b], runs[b].data(), times[b].data(), static_cast<int>(runs[b].size()), spec);
  }
  if (book.runs() == 0) plot_note("Every run is a point: change a parameter or press Space");
  ImPlot::EndPlot();
}

void TimingsPanel::draw_medians(const TimingBook& book, float width, float height) const {
  std::array<Summary, 3> summaries;
  Limits limits;
  for (const Backend backend : backends) {
    Summary& summary = summaries[static_cast<std::size_t>(backend)];
    summary = shown_summary(book.statistics(backend));
    if (summary.count == 0) continue;
    limits.include(summary.median);
    limits.include(summary.minimum);
  }
  // The names below neighbouring bars must not touch: in a narrow chart they are smaller.
  const float narrow = (width - em(5)) / 3.2f / ImGui::CalcTextSize("OpenMP ").x;
  push_type(narrow < 1.0f ? TypeSize::small : TypeSize::normal);
  if (!ImPlot::BeginPlot("##medians", {width, height}, quiet)) {
    ImGui::PopFont();
    return;
  }
  ImPlot::SetupAxis(ImAxis_X1, nullptr, ImPlotAxisFlags_NoGridLines);
  ImPlot::SetupAxis(ImAxis_Y1, nullptr);
  ImPlot::SetupAxisFormat(ImAxis_Y1, format_axis);
  ImPlot::SetupAxisTicks(ImAxis_X1, positions.data(), 3, chart_titles.data());
  ImPlot::SetupAxisLimits(ImAxis_X1, -0.6, 2.6, ImPlotCond_Always);
  if (log_scale_) ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
  // The axis leaves room for two lines of text above the highest bar; one more line is below the axis.
  limits.include_default();
  const double texts = std::min(0.75, static_cast<double>(em(3.0f) / std::max(height - em(2.0f), em(4.0f))));
  const double low = log_scale_ ? limits.low / 4 : 0.0;
  const double high = log_scale_ ? low * std::pow(limits.high / low, 1.0 / (1.0 - texts)) : limits.high / (1.0 - texts);
  ImPlot::SetupAxisLimits(ImAxis_Y1, low, high, ImPlotCond_Always);
  if (log_scale_) setup_log_ticks(low, high, height);
  const Summary& serial = summaries[0];
  // Texts above neighbouring bars must not touch: in a narrow chart they are smaller.
  const float column = ImPlot::GetPlotSize().x / 3.2f, widest = ImGui::CalcTextSize("88.8 ms ").x;
  push_type(column < widest ? TypeSize::small : TypeSize::normal);
  for (const Backend backend : backends) {
    const auto b = static_cast<std::size_t>(backend);
    const Summary& summary = summaries[b];
    if (summary.count == 0) continue;
    ImPlotSpec bar;
    bar.FillColor = backend_colour(backend);
    bar.LineColor = bar.FillColor;
    bar.FillAlpha = 0.75f;
    ImPlot::PlotBars(chart_titles[b], &positions[b], &summary.median, 1, 0.62, bar);
    ImPlotSpec whisker;
    whisker.LineColor = ImGui::GetStyle().Colors[ImGuiCol_Text];
    whisker.LineWeight = em(0.09f);
    whisker.Size = em(0.35f);
    ImPlot::PlotErrorBars(chart_titles[b], &positions[b], &summary.median, &summary.spread, 1, whisker);

    std::string text = format_ms(summary.median);
    ImPlot::PlotText(text.c_str(), positions[b], summary.median, {0, -em(0.9f)});
    if (backend != Backend::serial && serial.count > 0) {
      const double speed_up = serial.median / std::max(summary.median, 1e-9);
      std::array<char, 32> factor{};
      std::snprintf(factor.data(), factor.size(), speed_up >= 10 ? "%.0fx" : "%.1fx", speed_up);
      ImPlot::PlotText(factor.data(), positions[b], summary.median, {0, -em(2.0f)});
    } else if (backend == Backend::serial && (summaries[1].count > 0 || summaries[2].count > 0)) {
      ImPlot::PlotText("baseline", positions[b], summary.median, {0, -em(2.0f)});
    }
  }
  ImGui::PopFont();
  if (std::ranges::all_of(summaries, [](const Summary& summary) { return summary.count == 0; }))
    plot_note("Press Compare to see the time of every backend");
  ImPlot::EndPlot();
  ImGui::PopFont();
}

void TimingsPanel::draw_stages(const TimingBook& book, float width, float height) const {
  // shares[stage * 3 + backend] is in percent of the total time of the backend, because absolute times differ by orders
  // of magnitude.
  std::array<double, 12> shares{};
  for (const Backend backend : backends) {
    const auto b = static_cast<std::size_t>(backend);
    const TimingHistory& history = book.statistics(backend);
    if (history.size() == 0) continue;
    double total = 0;
    for (std::size_t s = 0; s < 4; ++s) {
      shares[s * 3 + b] = shown_summary(history, stages[s]).median;
      total += shares[s * 3 + b];
    }
    for (std::size_t s = 0; s < 4; ++s)
      shares[s * 3 + b] *= total > 0 ? 100.0 / total : 0.0;
  }
  if (!ImPlot::BeginPlot("##stages", {width, height}, quiet | ImPlotFlags_NoInputs)) return;
  ImPlot::SetupAxis(ImAxis_X1, nullptr);
  ImPlot::SetupAxis(ImAxis_Y1, nullptr, ImPlotAxisFlags_NoGridLines | ImPlotAxisFlags_Invert);
  ImPlot::SetupAxisTicks(ImAxis_Y1, positions.data(), 3, chart_titles.data());
  ImPlot::SetupAxisLimits(ImAxis_X1, 0, 100, ImPlotCond_Always);
  ImPlot::SetupAxisLimits(ImAxis_Y1, -0.6, 2.6, ImPlotCond_Always);
  constexpr std::array<double, 3> percents{0, 50, 100};
  constexpr std::array<const char*, 3> percent_labels{"0", "50 %", "100"};
  ImPlot::SetupAxisTicks(ImAxis_X1, percents.data(), 3, percent_labels.data());
  // Stacked bars: every bar begins at the left edge, and the shorter ones are drawn over the longer ones.
  std::array<double, 3> left{};
  std::array<double, 12> reach{};
  for (std::size_t s = 0; s < 4; ++s)
    for (std::size_t b = 0; b < 3; ++b)
      reach[s * 3 + b] = left[b] += shares[s * 3 + b];
  for (std::size_t s = 4; s-- > 0;) {
    ImPlotSpec spec;
    spec.FillColor = spec.LineColor = stage_colour(static_cast<int>(s));
    spec.LineWeight = 0;
    spec.Flags = ImPlotBarsFlags_Horizontal;
    ImPlot::PlotBars(stage_names[s].data(), &reach[s * 3], positions.data(), 3, 0.55, spec);
  }
  if (std::ranges::all_of(reach, [](double value) { return value <= 0.0; }))
    plot_note("After the first run, this shows where its time goes");
  ImPlot::EndPlot();
}

}  // namespace threadscape::app
