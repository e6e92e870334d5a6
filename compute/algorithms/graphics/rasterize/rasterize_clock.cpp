#include "compute/algorithms/graphics/rasterize/rasterize_clock.h"

#include <algorithm>

namespace threadscape::rasterize {

namespace {

double share_of(std::int64_t nanoseconds, int threads) {
  return static_cast<double>(nanoseconds) * 1e-6 / std::max(threads, 1);
}

}  // namespace

StageMilliseconds StageClock::times(int threads) const {
  StageMilliseconds times;
  for (std::size_t i = 0; i < times.ms.size(); ++i) {
    times.ms[i] = share_of(sums_[i].load(), threads);
    times.present[i] = present_[i].load();
  }
  double& raster = times.ms[static_cast<std::size_t>(TimedStage::raster)];
  raster = std::max(raster - share_of(part_of_raster_.load(), threads), 0.0);
  if (device_) device_->add_to(times);
  return times;
}

double StageClock::repeated_ms(int threads) const {
  return share_of(repeated_.load(), threads);
}

}  // namespace threadscape::rasterize
