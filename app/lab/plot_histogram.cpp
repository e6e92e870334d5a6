#include <algorithm>
#include <utility>

#include "app/analysis/samples.h"
#include "app/lab/plot_data.h"
#include "app/report/text.h"

namespace threadscape::app {

PlotData histogram(const std::string& title, std::vector<double> samples) {
  PlotData plot{.title = title, .x_label = "ms", .y_label = "samples", .style = PlotStyle::bars};
  if (samples.empty()) return plot;
  std::ranges::sort(samples);
  constexpr int bins = 40;
  const double low = samples.front(), high = std::max(quantile(samples, 0.99), low * (1.0 + 1e-9));
  PlotLine line{.label = "samples", .x = {}, .y = std::vector<double>(bins, 0.0)};
  for (int i = 0; i < bins; ++i)
    line.x.push_back(low + (high - low) * (i + 0.5) / bins);
  for (const double sample : samples) {
    const auto bin = static_cast<std::size_t>((sample - low) / (high - low) * bins);
    if (sample <= high) ++line.y[std::min<std::size_t>(bin, bins - 1)];
  }
  const double most = *std::ranges::max_element(line.y);
  for (const auto& [p, name] : {std::pair{0.5, "median"}, {0.95, "95 %"}, {0.99, "99 %"}})
    plot.marks.push_back({quantile(samples, p), most, std::string(name) + " " + format_number(quantile(samples, p))});
  plot.notes.push_back(std::to_string(samples.size()) + " samples, the longest " + format_number(samples.back()) +
                       " ms.");
  plot.lines.push_back(std::move(line));
  return plot;
}

PlotData frame_histogram(const FrameCosts& costs, FramePart part) {
  PlotData plot = histogram("Frames: " + std::string(frame_part_names[static_cast<std::size_t>(part)]), costs.of(part));
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
