// Separable filters with all cores and SIMD. A band of rows is cut into tiles; for each row of results the column sums
// of a tile are computed into a buffer of one row, which stays in the first-level cache, and then the sums along it.
// Sums in integers are in separable_bytes-inl.h and separable_coarse-inl.h.
//
//   band of a thread     +------+--------------------------------------+------+
//                        | copy | in place: 8-bit grey, up to 1024     | copy |   Tiles at the border, and all tiles of
//                        |      | (coarse: 4096) columns wide          |      |   other pictures, are copied with their
//                        +------+--------------------------------------+------+   halo, 256 columns at a time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/engines/separable/openmp/separable_openmp.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
// clang-format on

#include <cstdlib>
#include <vector>

#include "compute/core/run.h"
#include "compute/engines/planes/tiles.h"
#include "compute/engines/separable/openmp/separable_bytes-inl.h"
#include "compute/engines/separable/openmp/separable_coarse-inl.h"
#include "compute/engines/separable/openmp/separable_simd.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::separable {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a processor without SIMD, or a compiler that cannot emulate it

void filter(const SimdPlan& p, const HostRun& run, int y0, int y1) {
  filter_rows(p.plan, run, y0, y1);
  if (p.max_change >= 255) return;
  with_planes<std::uint8_t>(run.in.shape, p.plan.channels, [&](auto planes) {
    using P = decltype(planes);
    const auto in = run.in.image<typename P::Pixel>();
    const auto out = run.out.image<typename P::Pixel>();
    for (int y = y0; y < y1; ++y)
      for (int x = 0; x < in.width; ++x)
        for (int plane = 0; plane < P::count; ++plane) {
          const bool kept = p.plan.border == Border::valid && window_leaves(x, y, in.width, in.height, p.plan.radius);
          const int old = P::get(in(x, y), plane), mean = P::get(out(x, y), plane);
          if (!kept && std::abs(mean - old) > p.max_change) P::set(out(x, y), plane, static_cast<std::uint8_t>(old));
        }
  });
}

#else

using namespace threadscape::HWY_NAMESPACE;  // NOLINT: the namespace of this instruction set

// ---- Sums in floats

struct FloatBuffers {
  alignas(64) float sums[max_terms][width_of_row];
};

/// Sums of size products in four vectors, enough independent ones to hide the latency of an addition. at(i) points at
/// the values of tap i.
template <class At>
HWY_INLINE void weighted_sum(const float* HWY_RESTRICT taps, int size, const At& at, hn::Vec<DF32> (&sum)[4]) {
  const DF32 d;
  const std::size_t n = hn::Lanes(d);
  sum[0] = sum[1] = sum[2] = sum[3] = hn::Zero(d);
  for (int i = 0; i < size; ++i) {
    const float* HWY_RESTRICT values = at(i);
    const auto tap = hn::Set(d, taps[i]);
    for (std::size_t j = 0; j < 4; ++j)
      sum[j] = hn::Add(sum[j], hn::Mul(tap, hn::LoadU(d, values + j * n)));
  }
}

/// finish_window() on lanes for float pictures, and the store of its results.
struct FinishReal {
  const Plan& plan;
  FinishF32 divided;

  explicit FinishReal(const Plan& from) : plan(from), divided(from.finish.real) {}
  HWY_INLINE hn::Vec<DF32> operator()(hn::Vec<DF32> sum, hn::Vec<DF32> pixel) const {
    const DF32 d;
    if (plan.result == Result::divided) return divided(sum);
    const auto error = hn::Set(d, plan.flat_error);
    auto value = hn::Mul(sum, hn::Set(d, plan.scale));
    if (plan.result == Result::smooth) return settled_lanes(value, pixel, error);
    if (plan.result == Result::sharpen) {
      const auto mean = settled_lanes(value, pixel, error);
      return hn::Add(pixel, hn::Mul(hn::Set(d, plan.real_amount), hn::Sub(pixel, mean)));
    }
    value = hn::IfThenZeroElse(hn::Lt(hn::Abs(value), hn::Mul(error, hn::Abs(pixel))), value);
    if (plan.output == Output::absolute) return hn::Abs(value);
    if (plan.output == Output::clamp) return hn::IfThenElseZero(hn::Gt(value, hn::Zero(d)), value);
    return hn::Add(value, hn::Set(d, float_offset));
  }
  HWY_INLINE void store(hn::Vec<DF32> sum, const float* HWY_RESTRICT pixel, float* HWY_RESTRICT to) const {
    hn::StoreU((*this)(sum, hn::LoadU(DF32(), pixel)), DF32(), to);
  }
};
/// finish_window() on lanes for 8-bit pictures that are summed in floats, and the store of its results.
struct FinishByte {
  FinishU8 divided;

  explicit FinishByte(const Plan& plan) : divided(plan.finish.real) {}
  HWY_INLINE void store(hn::Vec<DF32> sum, const float*, std::uint8_t* HWY_RESTRICT to) const {
    const hn::Rebind<std::uint8_t, DF32> bytes;
    hn::StoreU(hn::DemoteTo(bytes, divided(sum)), bytes, to);
  }
};

template <class Value>
void filter_floats(const SimdPlan& p, Rows<float> source, int width, int height, FloatBuffers& buffers, Value* result,
                   std::ptrdiff_t result_pitch) {
  const DF32 d;
  const std::conditional_t<std::is_same_v<Value, float>, FinishReal, FinishByte> finish(p.plan);
  const Plan& plan = p.plan;
  const int radius = plan.radius, size = 2 * radius + 1, columns = width + 2 * radius;
  const int n = static_cast<int>(hn::Lanes(d)), step = 4 * n;
  for (int y = 0; y < height; ++y) {
    hn::Vec<DF32> sum[4], second[4];
    for (int term = 0; term < plan.terms; ++term)
      for (int x = 0; x < columns; x += step) {
        const auto at = [&](int i) HWY_ATTR { return source.row(y + i) - radius + x; };
        weighted_sum(plan.real.column[term], size, at, sum);
        for (int j = 0; j < 4; ++j)
          hn::Store(sum[j], d, buffers.sums[term] + x + j * n);
      }
    const float* own = source.row(y + radius);
    for (int x = 0; x < width; x += step) {
      weighted_sum(
          plan.real.row[0], size, [&](int i) HWY_ATTR { return buffers.sums[0] + x + i; }, sum);
      if (plan.terms == 2) {
        weighted_sum(
            plan.real.row[1], size, [&](int i) HWY_ATTR { return buffers.sums[1] + x + i; }, second);
        for (int j = 0; j < 4; ++j)
          sum[j] = hn::Add(sum[j], second[j]);
      }
      for (int j = 0; j < 4; ++j)
        finish.store(sum[j], own + x + j * n, result + y * result_pitch + x + j * n);
    }
  }
}

// ---- A band of the picture

struct ByteBuffers {
  PairBuffers pairs;
  MeanBuffers means;
  CoarseBuffers coarse;
};

/// Rows of a tile. Means and pairs of rows start anew in every tile, so tiles of bytes are tall.
template <class Source>
inline constexpr int height_of_tile = std::is_same_v<Source, float> ? band_height : tall_band;

/// Source is the type of the values that are summed: bytes of 8-bit pictures, or floats of either kind of picture.
template <class Source, class Value>
struct TileMemory {
  alignas(64) Source source[max_planes][height_of_tile<Source> + 2 * max_radius][pitch_of_tile];
  alignas(64) Value result[max_planes][height_of_tile<Source>][width_of_tile];
  std::conditional_t<std::is_same_v<Source, float>, FloatBuffers, ByteBuffers> buffers;
};

template <class Source, class Value, class Buffers>
void filter_tile(const SimdPlan& p, Rows<Source> source, int width, int height, Buffers& buffers, Value* result,
                 std::ptrdiff_t result_pitch) {
  if constexpr (std::is_same_v<Source, float>)
    filter_floats(p, source, width, height, buffers, result, result_pitch);
  else if (p.plan.wide)
    filter_wide(p, source, width, height, buffers.pairs, result, result_pitch);
  else if (p.plan.equal)
    mean_bytes(p, source, width, height, buffers.means, result, result_pitch);
  else if (p.coarse && p.plan.radius == 1)
    smooth_coarse<1>(p, source, width, height, buffers.coarse, result, result_pitch);
  else if (p.coarse)
    smooth_coarse<2>(p, source, width, height, buffers.coarse, result, result_pitch);
  else if (p.plan.radius == 1)
    filter_bytes<2>(p, source, width, height, buffers.pairs, result, result_pitch);
  else if (p.plan.radius == 2)
    filter_bytes<3>(p, source, width, height, buffers.pairs, result, result_pitch);
  else if (p.plan.radius == 3)
    filter_bytes<4>(p, source, width, height, buffers.pairs, result, result_pitch);
  else if (p.plan.radius == 4)
    filter_bytes<5>(p, source, width, height, buffers.pairs, result, result_pitch);
  else
    filter_bytes<0>(p, source, width, height, buffers.pairs, result, result_pitch);
}

/// Filters columns x0 .. x1 - 1 of a band of at most height_of_tile rows, from copied tiles.
template <class Source, class Value>
void filter_copied(const SimdPlan& p, const PlaneRows& rows, int x0, int x1, int y0, int y1,
                   TileMemory<Source, Value>& memory) {
  constexpr int rows_of_result = height_of_tile<Source>, rows_of_source = rows_of_result + 2 * max_radius;
  const TileValues<Source> source{&memory.source[0][0][tile_left], pitch_of_tile, rows_of_source * pitch_of_tile};
  const TileValues<const Value> result{memory.result[0][0], width_of_tile, rows_of_result * width_of_tile};
  for (int x = x0; x < x1; x += width_of_tile) {
    const TileArea tile{x, y0, std::min(width_of_tile, x1 - x), y1 - y0};
    rows.load(tile, p.plan.radius, p.plan.border, source);
    const int padded = (tile.width + tile_step - 1) / tile_step * tile_step;
    for (int plane = 0; plane < rows.planes(); ++plane)
      filter_tile<Source>(p, {source.row(plane, 0), pitch_of_tile}, padded, tile.height, memory.buffers,
                          memory.result[plane][0], width_of_tile);
    rows.store(tile, result);
  }
}

template <class Source, class Value>
void filter_rows_of(const SimdPlan& p, const HostRun& run, int y0, int y1) {
  const PlaneRows rows(run, p.plan.channels);
  const int radius = p.plan.radius, width = rows.width();

  TileMemory<Source, Value> memory;
  int left = width, right = width;  // the columns between them are filtered in place
  if constexpr (std::is_same_v<Source, Value>) {
    // In place is possible where everything that is loaded lies in the picture, a vector behind the halo included.
    if (rows.in_place<Source>() && y0 >= radius && y1 + radius <= rows.height() &&
        width >= 2 * tile_step + radius + tile_step) {
      const auto in = run.in.image<Source>();
      const auto out = run.out.image<Value>();
      left = tile_step;
      right = left + (width - radius - tile_step - left) / tile_step * tile_step;
      const int widest = p.coarse ? width_of_coarse : width_in_place;
      for (int x = left; x < right; x += widest)
        filter_tile<Source>(p, {in.row(y0 - radius) + x, in.pitch}, std::min(widest, right - x), y1 - y0,
                            memory.buffers, out.row(y0) + x, out.pitch);
    }
  }
  for (int y = y0; y < y1; y += height_of_tile<Source>) {
    const int below = std::min(y + height_of_tile<Source>, y1);
    filter_copied(p, rows, 0, left, y, below, memory);
    filter_copied(p, rows, right, width, y, below, memory);
  }
  if (p.plan.border == Border::valid) rows.keep_border(y0, y1, radius);
}

void filter(const SimdPlan& p, const HostRun& run, int y0, int y1) {
  if (run.in.shape.element == Element::f32) return filter_rows_of<float, float>(p, run, y0, y1);
  with_arithmetic<std::uint8_t>(p.plan, [&](auto rules) {
    using Source = std::conditional_t<std::is_same_v<decltype(rules), Reals>, float, std::uint8_t>;
    filter_rows_of<Source, std::uint8_t>(p, run, y0, y1);
  });
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::separable
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::separable {

HWY_EXPORT(filter);

void openmp(const Plan& plan, const HostRun& run) {
  check(plan);
  openmp(SimdPlan(plan), run);
}

void openmp(const SimdPlan& p, const HostRun& run) {
  const int height = static_cast<int>(run.in.shape.height);
  const int share = height / (4 * std::max(run.threads, 1)) / band_height * band_height;
  for_each_band(
      run, height,
      [&](int y0, int y1) {
        HWY_DYNAMIC_DISPATCH(filter)
        (p, run, y0, y1);
        if (p.plan.border == Border::shrink) shrink_edges(p.plan, run, y0, y1);
      },
      std::clamp(share, band_height, tall_band));
}

}  // namespace threadscape::separable
#endif
