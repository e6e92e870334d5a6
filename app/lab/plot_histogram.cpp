#include "app/lab/plot_histogram.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "app/analysis/samples.h"
#include "app/report/text.h"

namespace threadscape::app {

namespace {

constexpr std::array shares{0.5, 0.95, 0.99};
constexpr std::array share_names{"median", "95 %", "99 %"};

/// The quantiles as numbers of three digits, or of as many more, up to six, as different ones need to look different.
std::array<std::string, shares.size()> quantile_texts(const std::array<double, shares.size()>& quantiles) {
  std::array<std::string, shares.size()> texts;
  for (int digits = 3; digits <= 6; ++digits) {
    bool distinct = true;
    for (std::size_t i = 0; i < quantiles.size(); ++i) {
      std::array<char, 32> text{};
      std::snprintf(text.data(), text.size(), "%.*g", digits, quantiles[i]);
      texts[i] = digits == 3 ? format_number(quantiles[i]) : text.data();
      distinct = distinct && (i == 0 || quantiles[i] == quantiles[i - 1] || texts[i] != texts[i - 1]);
    }
    if (distinct) break;
  }
  return texts;
}

}  // namespace

Chart histogram(const std::string& title, std::vector<double> samples) {
  Chart plot{.title = title, .x_label = "ms", .y_label = "samples", .style = ChartStyle::histogram};
  if (samples.empty()) return plot;
  std::ranges::sort(samples);
  constexpr int bins = 40;
  const double low = samples.front(), high = std::max(quantile(samples, 0.99), low * (1.0 + 1e-9));
  ChartLine line{.label = "samples", .y = std::vector<double>(bins, 0.0)};
  for (int i = 0; i < bins; ++i)
    line.x.push_back(low + (high - low) * (i + 0.5) / bins);
  for (const double sample : samples) {
    const auto bin = static_cast<std::size_t>((sample - low) / (high - low) * bins);
    if (sample <= high) ++line.y[std::min<std::size_t>(bin, bins - 1)];
  }
  const double most = *std::ranges::max_element(line.y);
  std::array<double, shares.size()> quantiles{};
  std::ranges::transform(shares, quantiles.begin(), [&](double share) { return quantile(samples, share); });
  const std::array texts = quantile_texts(quantiles);
  for (std::size_t i = 0; i < shares.size(); ++i)
    plot.marks.push_back({quantiles[i], most, std::string(share_names[i]) + " " + texts[i]});
  plot.notes.push_back(std::to_string(samples.size()) + " samples, the longest " + format_number(samples.back()) +
                       " ms.");
  plot.lines.push_back(std::move(line));
  return plot;
}

Chart frame_histogram(const FrameCosts& costs, FramePart part) {
  Chart plot = histogram("Frames: " + std::string(frame_part_names[static_cast<std::size_t>(part)]), costs.of(part));
  plot.y_label = "frames";
  std::string all;
  for (std::size_t i = 0; i < frame_part_names.size(); ++i) {
    std::vector<double> times = costs.of(static_cast<FramePart>(i));
    if (times.empty()) continue;
    std::ranges::sort(times);
    all += (all.empty() ? "Median and 99 % in ms: " : "; ") + std::string(frame_part_names[i]) + " " +
           format_number(quantile(times, 0.5)) + ", " + format_number(quantile(times, 0.99));
  }
  plot.notes.push_back(all.empty() ? "No frame was drawn yet." : all + ".");
  return plot;
}

}  // namespace threadscape::app
