// The median over time on the GPU: `network`, where a thread keeps the values of its cell in registers and a sorting
// network selects the middle one, and `bits`, which reads the frames once for each bit of the result, mostly from the
// first-level cache. Compare with temporal_median_serial.cpp.

#include <algorithm>

#include "compute/algorithms/time/clip_cells.cuh"
#include "compute/algorithms/time/temporal_median/temporal_median.h"

namespace threadscape {
namespace temporal_median {
namespace {

/// The keys of a cell.
template <class Key, int count>
struct Keys {
  Key v[count];
};
template <class Key, int count>
__device__ __forceinline__ Keys<Key, count> lesser(const Keys<Key, count>& a, const Keys<Key, count>& b) {
  Keys<Key, count> result;
#pragma unroll
  for (int i = 0; i < count; ++i)
    result.v[i] = min(a.v[i], b.v[i]);
  return result;
}
template <class Key, int count>
__device__ __forceinline__ Keys<Key, count> greater(const Keys<Key, count>& a, const Keys<Key, count>& b) {
  Keys<Key, count> result;
#pragma unroll
  for (int i = 0; i < count; ++i)
    result.v[i] = max(a.v[i], b.v[i]);
  return result;
}
#define TS_NETWORK __device__ __forceinline__
#include "compute/algorithms/smoothing/median/median_network-inl.h"
#undef TS_NETWORK

/// The median of `size` values by a network; frames that the clip does not have are filled up as `below` says.
template <int size>
struct NetworkPlan {
  int below = 0;

  template <class C, class Load>
  __device__ typename C::Cell cell(int frames, const Load& load) const {
    using Value = typename C::Value;
    // Comparisons of 32-bit integers are one instruction each.
    using Sorted = Keys<int, C::count>;
    constexpr int lowest = std::is_same_v<Value, float> ? static_cast<int>(0x80000000u) : 0;
    constexpr int highest = std::is_same_v<Value, float> ? 0x7fffffff : static_cast<int>(white<Value>);
    const auto keys = [&](int, int i) {
      Sorted sorted;
      const int t = i - below;
      if (t >= 0 && t < frames) {
        const typename C::Cell frame = load(t);
#pragma unroll
        for (int v = 0; v < C::count; ++v)
          sorted.v[v] = total_order_key(frame.v[v]);
      } else {
#pragma unroll
        for (int v = 0; v < C::count; ++v)
          sorted.v[v] = t < 0 ? lowest : highest;
      }
      return sorted;
    };
    constexpr int half = size / 2;
    const auto middle =
        merge_part<half, 1>(sorted_column<Sorted, 0, 0, half>(keys), sorted_column<Sorted, 0, half, size - half>(keys));
    typename C::Cell result = load(frames - 1);
#pragma unroll
    for (int v = 0; v < C::count; ++v)
      if (!C::is_alpha(v))
        result.v[v] = from_total_order_key<Value>(static_cast<TotalOrderKey<Value>>(middle.at[0].v[v]));
    return result;
  }
};

}  // namespace
}  // namespace temporal_median

void TemporalMedian::cuda(const Params& params, const DeviceRun& run) {
  using namespace temporal_median;  // NOLINT: kernels of this file alone
  const int used = static_cast<int>(std::min<std::int64_t>(params.used(), run.in.shape.depth));
  if (run.variant == 1 || used > max_network) return clips::compute_on_device(BitPlan{}, used, run);
  const Padding padding = padding_of(used);
  with_network(padding.size, [&](auto size) {
    clips::compute_on_device(NetworkPlan<decltype(size)::value>{padding.below}, used, run);
  });
}

}  // namespace threadscape
