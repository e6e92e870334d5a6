// The median over time, with all cores and SIMD: a sorting network of vectors for few frames, and the median bit by bit
// for many, where the frames of a vector stay in the first-level cache.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/time/temporal_median/temporal_median_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>

#include "compute/algorithms/time/clip_bands.h"
#include "compute/algorithms/time/clip_rows-inl.h"
#include "compute/algorithms/time/temporal_median/temporal_median.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::temporal_median {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

template <class V>
HWY_INLINE V lesser(V a, V b) {
  return hn::Min(a, b);
}
template <class V>
HWY_INLINE V greater(V a, V b) {
  return hn::Max(a, b);
}
#define TS_NETWORK HWY_INLINE
#include "compute/algorithms/smoothing/median/median_network-inl.h"
#undef TS_NETWORK

/// total_order_key() on lanes.
template <class D>
HWY_INLINE auto keys_of(D d, hn::Vec<D> value) {
  if constexpr (std::is_same_v<hn::TFromD<D>, float>) {
    const hn::RebindToSigned<D> key;
    const auto bits = hn::BitCast(key, value);
    return hn::Xor(bits, hn::And(hn::ShiftRight<31>(bits), hn::Set(key, 0x7fffffff)));
  } else {
    static_cast<void>(d);
    return value;
  }
}
/// from_total_order_key() on lanes.
template <class D, class V>
HWY_INLINE hn::Vec<D> values_of(D d, V keys) {
  if constexpr (std::is_same_v<hn::TFromD<D>, float>)
    return hn::BitCast(d, keys_of(d, hn::BitCast(d, keys)));
  else
    return keys;
}
/// The tag of keys.
template <class D>
using KeyTag = hn::Rebind<TotalOrderKey<hn::TFromD<D>>, D>;

#endif

/// The median of `size` values by a network; frames that the clip does not have are filled up as `below` says.
template <int size>
struct NetworkOp {
  static constexpr bool whole_pixels = false;
  int below = 0;

  template <class Value>
  using Lane = Value;

#if HWY_TARGET != HWY_SCALAR
  template <int channels, class D, class Load>
  HWY_INLINE hn::Vec<D> operator()(D d, int frames, const Load& load) const {
    const KeyTag<D> key;
    using Key = hn::TFromD<KeyTag<D>>;
    using V = hn::Vec<KeyTag<D>>;
    const auto source = [&](int, int i) HWY_ATTR {
      const int t = i - below;
      if (t < 0) return hn::Set(key, std::numeric_limits<Key>::min());
      return t < frames ? keys_of(d, load(t)) : hn::Set(key, std::numeric_limits<Key>::max());
    };
    constexpr int half = size / 2;
    const auto middle =
        merge_part<half, 1>(sorted_column<V, 0, 0, half>(source), sorted_column<V, 0, half, size - half>(source));
    return values_of(d, middle.at[0]);
  }
#endif
};

/// BitPlan on lanes.
struct BitOp {
  static constexpr bool whole_pixels = false;
  template <class Value>
  using Lane = Value;

#if HWY_TARGET != HWY_SCALAR
  template <int channels, class D, class Load>
  HWY_INLINE hn::Vec<D> operator()(D d, int frames, const Load& load) const {
    using Key = Bits<hn::TFromD<D>>;
    const hn::Rebind<Key, D> bits;
    const auto sign = hn::Set(bits, std::is_same_v<hn::TFromD<D>, float> ? static_cast<Key>(0x80000000u) : Key{0});
    const auto rank = hn::Set(bits, static_cast<Key>((frames - 1) / 2));
    auto found = hn::Zero(bits);
    for (int bit = 8 * static_cast<int>(sizeof(Key)) - 1; bit >= 0; --bit) {
      const auto candidate = hn::Or(found, hn::Set(bits, static_cast<Key>(Key{1} << bit)));
      auto below = hn::Zero(bits);  // Ones in all bits are -1, so counts are subtracted.
      for (int t = 0; t < frames; ++t) {
        const auto value = hn::Xor(hn::BitCast(bits, keys_of(d, load(t))), sign);
        below = hn::Sub(below, hn::VecFromMask(bits, hn::Lt(value, candidate)));
      }
      found = hn::IfThenElse(hn::Gt(below, rank), found, candidate);
    }
    return values_of(d, hn::BitCast(KeyTag<D>(), hn::Xor(found, sign)));
  }
#endif
};

void temporal_median_rows(const HostIn& frames, const HostOut& out, int y0, int y1) {
  const auto used = static_cast<int>(frames.shape.depth);
  if (used > max_network) return clips::HWY_NAMESPACE::compute_rows(BitOp{}, BitPlan{}, frames, out, y0, y1);
  const Padding padding = padding_of(used);
  with_network(padding.size, [&](auto size) HWY_ATTR {
    clips::HWY_NAMESPACE::compute_rows(NetworkOp<decltype(size)::value>{padding.below}, BitPlan{}, frames, out, y0, y1);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::temporal_median
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace temporal_median {
HWY_EXPORT(temporal_median_rows);
}

void TemporalMedian::openmp(const Params& params, const HostRun& run) {
  using namespace temporal_median;  // NOLINT: where HWY_EXPORT put the table
  clips::compute_bands(run, params.used(), [&](const HostIn& clip, int y0, int y1) {
    HWY_DYNAMIC_DISPATCH(temporal_median_rows)(clip, run.out, y0, y1);
  });
}

}  // namespace threadscape
#endif
