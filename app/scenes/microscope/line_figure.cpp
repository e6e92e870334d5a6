#include "app/scenes/microscope/line_figure.h"

#include <algorithm>
#include <cmath>

#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double figure_of(LineFigure figure, const warp::Counts& counts) {
  switch (figure) {
    case LineFigure::instructions:
      return static_cast<double>(counts.warp_instructions);
    case LineFigure::lanes:
      return counts.active_lanes();
    case LineFigure::load_sectors:
      return static_cast<double>(counts.global_load_sectors);
    case LineFigure::sectors_per_request:
      return ratio(counts.global_load_sectors, counts.global_load_requests);
    case LineFigure::store_sectors:
      return static_cast<double>(counts.global_store_sectors);
    case LineFigure::shared_wavefronts:
      return static_cast<double>(counts.shared_load_wavefronts + counts.shared_store_wavefronts);
    case LineFigure::conflicts:
      return static_cast<double>(counts.shared_load_conflicts + counts.shared_store_conflicts);
    case LineFigure::divergent:
      return static_cast<double>(counts.divergent_branches);
    case LineFigure::atomics:
      return static_cast<double>(counts.atomics);
  }
  return 0;
}

ImU32 heat(double share) {
  ImVec4 colour = warning_colour();
  colour.w = 0.08f + 0.42f * static_cast<float>(std::clamp(share, 0.0, 1.0));
  return ImGui::ColorConvertFloat4ToU32(colour);
}

std::string figure_text(double value) {
  return value == std::floor(value) && value < 1e6 ? std::to_string(static_cast<long long>(value))
         : value < 1e3                             ? format_value(value)
                                                   : format_count(value);
}

}  // namespace threadscape::app
