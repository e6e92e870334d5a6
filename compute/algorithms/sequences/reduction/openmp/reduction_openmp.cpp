// Reduction with all cores and SIMD. Threads share the tiles; a tile has several vectors of accumulators, so that an
// addition does not wait for the previous one. Sums of floats keep the order of reduction_math.h: the lanes of a vector
// are neighbouring columns of a row.
//
//   row of a strip    | lanes of a | lanes of b | lanes of c | .. | lanes of k |      8 accumulators a, b, c, e .. k
//   next row          |     +a     |     +b     |     +c     | .. |     +k     |

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/sequences/reduction/openmp/reduction_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include <algorithm>

#include "compute/algorithms/sequences/reduction/reduction.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::reduction {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int accumulators = 8;

/// Prefetches the cache lines 4 KiB ahead of `bytes` bytes of values. The hardware prefetcher of one core leaves a
/// quarter of the memory bandwidth unused. Prefetching beyond the end of the values is harmless.
template <class T>
HWY_INLINE void prefetch_ahead(const T* values, std::size_t bytes) {
  constexpr std::size_t distance = 4096, line = 64;
  const auto ahead = reinterpret_cast<std::uintptr_t>(values) + distance;
  for (std::size_t i = 0; i < bytes; i += line)
    hwy::Prefetch(reinterpret_cast<const char*>(ahead + i));
}

// ---- sums of floats, in the defined order

/// Combines `count` sums pairwise with their neighbours until one is left, in vectors as long as the sums fill them.
template <class T>
HWY_INLINE T combine_lanes(T* sums, int count) {
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<T> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (; count >= 2 * lanes; count /= 2)
    for (int i = 0; i < count / 2; i += lanes) {
      const auto low = hn::Load(d, sums + 2 * i), high = hn::Load(d, sums + 2 * i + lanes);
      hn::Store(hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low)), d, sums + i);
    }
#endif
  return combine_pairs<Sum<T>>(sums, count);
}

/// The sum of a full tile of floats.
template <class T>
HWY_INLINE T sum_float_tile(const T* HWY_RESTRICT values) {
  const hn::ScalableTag<T> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  constexpr int columns = row_values<T>;
  HWY_ALIGN T sums[strips * columns];
  const int group = accumulators * lanes;
  for (int strip = 0; strip < strips; ++strip)
    for (int column = 0; column < columns; column += group) {
      const T* from = values + strip * strip_values<T> + column;
      auto a = hn::Zero(d), b = a, c = a, e = a, f = a, g = a, h = a, k = a;
      for (int row = 0; row < rows; ++row, from += columns) {
        prefetch_ahead(from, static_cast<std::size_t>(group) * sizeof(T));
        a = hn::Add(a, hn::LoadU(d, from));
        b = hn::Add(b, hn::LoadU(d, from + lanes));
        c = hn::Add(c, hn::LoadU(d, from + 2 * lanes));
        e = hn::Add(e, hn::LoadU(d, from + 3 * lanes));
        f = hn::Add(f, hn::LoadU(d, from + 4 * lanes));
        g = hn::Add(g, hn::LoadU(d, from + 5 * lanes));
        h = hn::Add(h, hn::LoadU(d, from + 6 * lanes));
        k = hn::Add(k, hn::LoadU(d, from + 7 * lanes));
      }
      T* to = sums + strip * columns + column;
      hn::Store(a, d, to);
      hn::Store(b, d, to + lanes);
      hn::Store(c, d, to + 2 * lanes);
      hn::Store(e, d, to + 3 * lanes);
      hn::Store(f, d, to + 4 * lanes);
      hn::Store(g, d, to + 5 * lanes);
      hn::Store(h, d, to + 6 * lanes);
      hn::Store(k, d, to + 7 * lanes);
    }
  return combine_lanes(sums, strips * columns);
}

// ---- operations whose result does not depend on the order

/// Accumulates a full tile in four vectors: `step(accumulator, values)` adds a vector of values, `combine` combines two
/// accumulators.
template <class D, class V, class Step, class Combine>
HWY_INLINE auto accumulate(D d, const hn::TFromD<D>* HWY_RESTRICT values, int count, V start, const Step& step,
                           const Combine& combine) {
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto a = start, b = start, c = start, e = start;
  for (int i = 0; i < count; i += 4 * lanes) {
    prefetch_ahead(values + i, static_cast<std::size_t>(4 * lanes) * sizeof(hn::TFromD<D>));
    a = step(a, hn::LoadU(d, values + i));
    b = step(b, hn::LoadU(d, values + i + lanes));
    c = step(c, hn::LoadU(d, values + i + 2 * lanes));
    e = step(e, hn::LoadU(d, values + i + 3 * lanes));
  }
  return combine(combine(a, b), combine(c, e));
}

HWY_INLINE std::int64_t sum_integer_tile(const std::int64_t* values) {
  const hn::ScalableTag<std::int64_t> d;
  const auto add = [](auto a, auto b) HWY_ATTR { return hn::Add(a, b); };
  return hn::GetLane(hn::SumOfLanes(d, accumulate(d, values, tile_values<std::int64_t>, hn::Zero(d), add, add)));
}
HWY_INLINE std::int64_t sum_integer_tile(const std::int32_t* values) {
  const hn::ScalableTag<std::int64_t> wide;
  const hn::Rebind<std::int32_t, decltype(wide)> d;  // half a vector of int32 is widened to a full vector of int64
  const auto add = [](auto a, auto b) HWY_ATTR { return hn::Add(a, b); };
  const auto widen = [&](auto a, auto b) HWY_ATTR { return hn::Add(a, hn::PromoteTo(wide, b)); };
  return hn::GetLane(
      hn::SumOfLanes(wide, accumulate(d, values, tile_values<std::int32_t>, hn::Zero(wide), widen, add)));
}

/// The minimum key of a full tile. Keys are encoded as by sort_key(), but as signed integers, which all
/// instruction sets can compare.
template <class T>
HWY_INLINE SortKey<T> min_key_of_tile(const T* values, SortKey<T> flip) {
  using Signed = std::make_signed_t<SortKey<T>>;
  const hn::ScalableTag<Signed> d;
  const auto flips = hn::Set(d, static_cast<Signed>(flip));
  const auto nans = hn::Set(d, static_cast<Signed>(negative_nan_count<SortKey<T>>));
  const auto magnitude = hn::Set(d, static_cast<Signed>(~sign_bit<SortKey<T>>));
  const auto step = [&](auto minimum, auto bits) HWY_ATTR {
    if constexpr (std::is_floating_point_v<T>)
      bits = hn::Sub(hn::Xor(bits, hn::And(hn::BroadcastSignBit(bits), magnitude)), nans);
    return hn::Min(minimum, hn::Xor(bits, flips));
  };
  const auto combine = [](auto a, auto b) HWY_ATTR { return hn::Min(a, b); };
  const auto minimum = accumulate(d, reinterpret_cast<const Signed*>(values), tile_values<T>,
                                  hn::Set(d, std::numeric_limits<Signed>::max()), step, combine);
  HWY_ALIGN Signed lanes[HWY_MAX_BYTES / sizeof(Signed)];
  hn::Store(minimum, d, lanes);
  Signed key = lanes[0];
  for (std::size_t i = 1; i < hn::Lanes(d); ++i)
    key = HWY_MIN(key, lanes[i]);
  return static_cast<SortKey<T>>(key) ^ sign_bit<SortKey<T>>;
}

// HWY_EXPORT takes functions, not templates.
float sum_f32(const float* values) {
  return sum_float_tile(values);
}
double sum_f64(const double* values) {
  return sum_float_tile(values);
}
std::int64_t sum_i32(const std::int32_t* values) {
  return sum_integer_tile(values);
}
std::int64_t sum_i64(const std::int64_t* values) {
  return sum_integer_tile(values);
}
std::uint32_t min_key_f32(const float* values, std::uint32_t flip) {
  return min_key_of_tile(values, flip);
}
std::uint64_t min_key_f64(const double* values, std::uint64_t flip) {
  return min_key_of_tile(values, flip);
}
std::uint32_t min_key_i32(const std::int32_t* values, std::uint32_t flip) {
  return min_key_of_tile(values, flip);
}
std::uint64_t min_key_i64(const std::int64_t* values, std::uint64_t flip) {
  return min_key_of_tile(values, flip);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::reduction
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace reduction {

HWY_EXPORT(sum_f32);
HWY_EXPORT(sum_f64);
HWY_EXPORT(sum_i32);
HWY_EXPORT(sum_i64);
HWY_EXPORT(min_key_f32);
HWY_EXPORT(min_key_f64);
HWY_EXPORT(min_key_i32);
HWY_EXPORT(min_key_i64);

namespace {

float full_tile(const Sum<float>&, const float* values) {
  return HWY_DYNAMIC_DISPATCH(sum_f32)(values);
}
double full_tile(const Sum<double>&, const double* values) {
  return HWY_DYNAMIC_DISPATCH(sum_f64)(values);
}
std::int64_t full_tile(const Sum<std::int32_t>&, const std::int32_t* values) {
  return HWY_DYNAMIC_DISPATCH(sum_i32)(values);
}
std::int64_t full_tile(const Sum<std::int64_t>&, const std::int64_t* values) {
  return HWY_DYNAMIC_DISPATCH(sum_i64)(values);
}
std::uint32_t full_tile(const Extreme<float>& op, const float* values) {
  return HWY_DYNAMIC_DISPATCH(min_key_f32)(values, op.flip);
}
std::uint64_t full_tile(const Extreme<double>& op, const double* values) {
  return HWY_DYNAMIC_DISPATCH(min_key_f64)(values, op.flip);
}
std::uint32_t full_tile(const Extreme<std::int32_t>& op, const std::int32_t* values) {
  return HWY_DYNAMIC_DISPATCH(min_key_i32)(values, op.flip);
}
std::uint64_t full_tile(const Extreme<std::int64_t>& op, const std::int64_t* values) {
  return HWY_DYNAMIC_DISPATCH(min_key_i64)(values, op.flip);
}

/// A value that does not change the result when it is appended to the values of a tile.
template <class T>
T padding(const Sum<T>&, const T*) {
  return 0;
}
template <class T>
T padding(const Extreme<T>&, const T* values) {
  return values[0];
}

/// Reduces a tile of fewer values than tile_values.
template <class Op>
typename Op::Partial partial_tile(const Op& op, const typename Op::Value* values, std::int64_t count) {
  HWY_ALIGN typename Op::Value tile[tile_values<typename Op::Value>];
  std::fill(std::copy(values, values + count, tile), std::end(tile), padding(op, values));
  return full_tile(op, tile);
}

/// Computes the partial result of every tile.
template <class Op>
void reduce_tiles(const Op& op, SequenceView<const typename Op::Value> values, const HostRun& run,
                  typename Op::Partial* partials) {
  constexpr std::int64_t tile = tile_values<typename Op::Value>;
  const std::int64_t tiles = tiles_of<typename Op::Value>(values.size);
#pragma omp parallel for schedule(static) num_threads(run.threads)
  for (std::int64_t i = 0; i < tiles; ++i) {
    if (run.stop.stop_requested()) continue;
    const typename Op::Value* first = values.data + i * tile;
    const std::int64_t count = std::min(values.size - i * tile, tile);
    partials[i] = count == tile ? full_tile(op, first) : partial_tile(op, first, count);
  }
}

template <class Op>
typename Op::Partial reduce_all(const Op& op, SequenceView<const typename Op::Value> values, const HostRun& run,
                                typename Op::Partial* partials) {
  reduce_tiles(op, values, run, partials);
  return reduce_partials(op, partials, tiles_of<typename Op::Value>(values.size));
}

/// The minimum key of every tile tells which tile contains the minimum first, and only that tile is searched for its
/// place.
template <class T>
KeyAndPlace<SortKey<T>> reduce_all(const Argmin<T>& op, SequenceView<const T> values, const HostRun& run,
                                   KeyAndPlace<SortKey<T>>* partials) {
  constexpr std::int64_t tile = tile_values<T>;
  auto* keys = reinterpret_cast<SortKey<T>*>(partials);
  reduce_tiles(Extreme<T>{0}, values, run, keys);
  const std::int64_t best = std::min_element(keys, keys + tiles_of<T>(values.size)) - keys;
  auto first = op.identity();
  for (std::int64_t i = best * tile; i < std::min(values.size, (best + 1) * tile); ++i)
    first = op.combine(first, op.load(values[i], static_cast<std::uint32_t>(i)));
  return first;
}

}  // namespace
}  // namespace reduction

void Reduction::openmp(const Params& params, const HostRun& run) {
  with_operation(params, [&]<class Op>(Op op) {
    const auto values = run.in.sequence<typename Op::Value>();
    const auto tiles = static_cast<std::size_t>(reduction::tiles_of<typename Op::Value>(values.size));
    auto* partials = run.scratch->take<typename Op::Partial>(tiles).data();
    run.out.sequence<typename Op::Result>()[0] = op.finish(reduction::reduce_all(op, values, run, partials));
  });
}

}  // namespace threadscape
#endif
