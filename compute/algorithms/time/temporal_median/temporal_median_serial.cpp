// The median over time, the readable reference: the values of a pixel are partitioned around the middle one.

#include <algorithm>
#include <array>

#include "compute/algorithms/time/clip_cells.h"
#include "compute/algorithms/time/temporal_median/temporal_median.h"

namespace threadscape {
namespace temporal_median {
namespace {

struct Plan {
  template <class C, class Load>
  typename C::Cell cell(int frames, const Load& load) const {
    using Value = typename C::Value;
    typename C::Cell result = load(frames - 1);
    for (int i = 0; i < C::count; ++i) {
      if (C::is_alpha(i)) continue;
      std::array<TotalOrderKey<Value>, clips::max_frames> keys{};
      for (int t = 0; t < frames; ++t)
        keys[static_cast<std::size_t>(t)] = total_order_key(load(t).v[i]);
      auto* const middle = keys.begin() + (frames - 1) / 2;
      std::nth_element(keys.begin(), middle, keys.begin() + frames);
      result.v[i] = from_total_order_key<Value>(*middle);
    }
    return result;
  }
};

}  // namespace
}  // namespace temporal_median

void TemporalMedian::serial(const Params& params, const HostRun& run) {
  clips::compute_serial(temporal_median::Plan{}, params.used(), run);
}

}  // namespace threadscape
