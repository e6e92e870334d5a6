#include "app/panels/statistics/statistics_panel.h"

#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::array<ImVec4, 3> channel_colours{
    {{0.90f, 0.34f, 0.36f, 1.0f}, {0.36f, 0.74f, 0.42f, 1.0f}, {0.36f, 0.56f, 0.95f, 1.0f}}};

struct Moments {
  double mean = 0.0, deviation = 0.0;
};
/// Mean and standard deviation of the luma in levels 0..255, or of heights in their own unit.
Moments moments(const render::Histogram& histogram) {
  double count = 0.0, sum = 0.0, squares = 0.0;
  for (std::size_t level = 0; level < 256; ++level) {
    const double n = histogram.counts[3][level], v = static_cast<double>(level);
    count += n;
    sum += n * v;
    squares += n * v * v;
  }
  if (count == 0.0) return {};
  const double mean = sum / count, step = histogram.ranged ? (histogram.high - histogram.low) / 255.0 : 1.0;
  return {(histogram.ranged ? histogram.low : 0.0) + mean * step,
          std::sqrt(std::max(0.0, squares / count - mean * mean)) * step};
}

bool is_grey(const render::Histogram& histogram) {
  return histogram.counts[0] == histogram.counts[1] && histogram.counts[1] == histogram.counts[2];
}

void row(const char* name, const std::string& value, const char* help) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", name);
  if (ImGui::IsItemHovered()) tooltip(help);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value.c_str());
}

std::string number(const char* format, double value) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

void StatisticsPanel::count(const LiveView& live) {
  const std::optional<Work> shown = live.shown() != nullptr ? std::optional(*live.shown()) : std::nullopt;
  if (!live.busy() && shown != counted_) {
    heights_ = live.output() != nullptr && live.output()->shape().kind == Kind::heightfield;
    const gl::Texture* const result = live.output() != nullptr ? live.output()->texture() : nullptr;
    pass_.begin(input_picture_.of(live.input(), live.input_version()), result, heights_);
    counted_ = shown;
  }
  pass_.step();
  counting_ = !pass_.done();
}

void StatisticsPanel::draw(Desk& desk) {
  const LiveView& live = desk.live();
  count(live);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = heights_ ? em(2.5f) : ImGui::GetStyle().ItemSpacing.x;  // Heights are longer numbers.
  const float numbers = std::min(em(15), room.x * 0.34f);
  const float plot = (room.x - numbers - 2 * gap) / 2;
  if (ImGui::BeginChild("numbers", {numbers, room.y})) draw_numbers(desk.fonts());
  ImGui::EndChild();
  ImGui::SameLine(0, gap);
  if (live.input() == nullptr) {
    draw_histogram("Result", pass_.result().second, 2 * plot, room.y);
    return;
  }
  draw_histogram("Input", pass_.result().first, plot, room.y);
  ImGui::SameLine(0, gap);
  draw_histogram("Result", pass_.result().second, plot, room.y);
}

void StatisticsPanel::draw_numbers(const Fonts& fonts) const {
  const render::PictureStatistics& result = pass_.result();
  heading(fonts.strong, "Result against input");
  if (!ImGui::BeginTable("similarity", 2)) return;
  // The names are short, and the numbers get what they leave.
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
  if (result.similarity && heights_) {
    row("RMS", format_value(std::sqrt(result.similarity->mean_squared_error)),
        "Root of the mean squared difference of the heights; integers count from 0 to 1");
  } else if (result.similarity) {
    const render::Similarity& s = *result.similarity;
    row("PSNR", std::isinf(s.psnr()) ? "equal pictures" : number("%.2f dB", s.psnr()),
        "Peak signal-to-noise ratio over red, green and blue; higher = more alike");
    row("SSIM", s.ssim ? number("%.4f", *s.ssim) : "too small",
        "Structural similarity of the luma (Wang et al. 2004, Gaussian window 11 x 11); 1 = equal");
    row("RMS", number("%.3f levels", std::sqrt(s.mean_squared_error) * 255.0),
        "Root of the mean squared difference, in levels of 255");
  } else {
    row("PSNR", "-", "Wants an input and a result of the same size");
  }
  for (const auto& [name, histogram] : {std::pair{"input", &result.first}, std::pair{"result", &result.second}}) {
    if (!*histogram) continue;
    const Moments m = moments(**histogram);
    if ((*histogram)->ranged)
      row(name, format_value(m.mean) + " \xc2\xb1 " + format_value(m.deviation),
          "Mean and standard deviation of the heights");
    else
      row(name, number("%.1f", m.mean) + number(" \xc2\xb1 %.1f", m.deviation),
          "Mean and standard deviation of the luma, in levels of 255");
  }
  ImGui::EndTable();
}

void StatisticsPanel::draw_histogram(const char* title, const std::optional<render::Histogram>& histogram, float width,
                                     float height) const {
  if (!ImPlot::BeginPlot(title, {width, height},
                         ImPlotFlags_NoMenus | ImPlotFlags_NoMouseText | ImPlotFlags_NoLegend | ImPlotFlags_NoInputs))
    return;
  constexpr std::array<double, 5> ticks{0, 64, 128, 192, 255};
  std::array<std::string, 5> texts{"0", "64", "128", "192", "255"};
  if (histogram && histogram->ranged)
    for (std::size_t i = 0; i < ticks.size(); ++i)
      texts[i] = format_value(histogram->low + (histogram->high - histogram->low) * ticks[i] / 255.0);
  std::array<const char*, 5> labels{};
  std::ranges::transform(texts, labels.begin(), [](const std::string& text) { return text.c_str(); });
  ImPlot::SetupAxis(ImAxis_X1, nullptr, ImPlotAxisFlags_NoGridLines);
  ImPlot::SetupAxis(ImAxis_Y1, nullptr, ImPlotAxisFlags_NoDecorations);
  ImPlot::SetupAxisTicks(ImAxis_X1, ticks.data(), 5, labels.data());
  ImPlot::SetupAxisLimits(ImAxis_X1, 0, 255, ImPlotCond_Always);
  // The counts of saturated pixels at both ends can be very high, so the plot is scaled to the counts between them.
  double highest = 1.0;
  if (histogram)
    for (const auto& counts : histogram->counts)
      highest = std::max<double>(highest, *std::max_element(counts.begin() + 1, counts.end() - 1));
  ImPlot::SetupAxisLimits(ImAxis_Y1, 0, highest * 1.05, ImPlotCond_Always);
  if (!histogram) plot_note(counting_ ? "counting" : "Filled by a result");
  if (histogram) {
    std::array<double, 256> levels{}, values{};
    const auto shade = [&](const char* name, std::size_t channel, const ImVec4& colour, float alpha) {
      for (std::size_t i = 0; i < 256; ++i) {
        levels[i] = static_cast<double>(i);
        values[i] = histogram->counts[channel][i];
      }
      ImPlotSpec fill;
      fill.FillColor = colour;
      fill.FillAlpha = alpha;
      ImPlot::PlotShaded(name, levels.data(), values.data(), 256, 0.0, fill);
      ImPlotSpec line;
      line.LineColor = colour;
      line.LineWeight = em(0.07f);
      ImPlot::PlotLine(name, levels.data(), values.data(), 256, line);
    };
    if (is_grey(*histogram)) {
      shade("grey", 3, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled], 0.5f);
    } else {
      constexpr std::array<const char*, 3> names{"red", "green", "blue"};
      for (std::size_t channel = 0; channel < 3; ++channel)
        shade(names[channel], channel, channel_colours[channel], 0.25f);
    }
  }
  ImPlot::EndPlot();
}

}  // namespace threadscape::app
