#pragma once
// The arithmetic of the mean over time, shared by all backends. Integers are summed exactly, and the mean is rounded to
// nearest, with x.5 rounded up. Floats are added from the oldest frame to the newest, the sum is divided once, and what
// does not change stays as it is to the bit: settled().

#include "compute/algorithms/time/clip_cells_math.h"
#include "compute/kernel/finish.h"

namespace threadscape::temporal_mean {

/// Bound of what rounding leaves in the mean of equal floats, relative to them: n additions are off by less than
/// (n + 1) / 2 roundings, and the quotient by one.
TS_HD inline float flat_error(int frames) {
  return static_cast<float>(frames + 4) * 0x1p-25f;
}

template <class Value>
TS_HD Value mean_of(clips::Wide<Value> sum, Value newest, int frames) {
  if constexpr (std::is_floating_point_v<Value>)
    return settled(sum / static_cast<float>(frames), newest, flat_error(frames));
  else
    return static_cast<Value>(static_cast<std::uint32_t>(sum + frames / 2) / static_cast<std::uint32_t>(frames));
}

struct Plan {
  template <class C, class Load>
  TS_HD typename C::Cell cell(int frames, const Load& load) const {
    using Value = typename C::Value;
    typename C::Cell result = load(frames - 1);
    clips::Wide<Value> sums[C::count] = {};
    for (int t = 0; t < frames; ++t) {
      const typename C::Cell frame = load(t);
      for (int i = 0; i < C::count; ++i)
        sums[i] += frame.v[i];
    }
    for (int i = 0; i < C::count; ++i)
      if (!C::is_alpha(i)) result.v[i] = mean_of<Value>(sums[i], result.v[i], frames);
    return result;
  }
};

}  // namespace threadscape::temporal_mean
