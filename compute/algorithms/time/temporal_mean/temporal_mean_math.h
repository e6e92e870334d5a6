#pragma once
// The arithmetic of the mean over time, shared by all backends. Integers are summed exactly, and the mean is rounded to
// nearest, with x.5 rounded up. Floats are added from the oldest frame to the newest, and the sum is divided once.

#include "compute/algorithms/time/clip_cells_math.h"

namespace threadscape::temporal_mean {

template <class Value>
TS_HD Value mean_of(clips::Wide<Value> sum, int frames) {
  if constexpr (std::is_floating_point_v<Value>)
    return sum / static_cast<float>(frames);
  else
    return static_cast<Value>(static_cast<std::uint32_t>(sum + frames / 2) / static_cast<std::uint32_t>(frames));
}

struct Plan {
  template <class C, class Load>
  TS_HD typename C::Cell cell(int frames, const Load& load) const {
    using Value = typename C::Value;
    clips::Wide<Value> sums[C::count] = {};
    for (int t = 0; t < frames; ++t) {
      const typename C::Cell frame = load(t);
      for (int i = 0; i < C::count; ++i)
        sums[i] += frame.v[i];
    }
    typename C::Cell result = load(frames - 1);
    for (int i = 0; i < C::count; ++i)
      if (!C::is_alpha(i)) result.v[i] = mean_of<Value>(sums[i], frames);
    return result;
  }
};

}  // namespace threadscape::temporal_mean
