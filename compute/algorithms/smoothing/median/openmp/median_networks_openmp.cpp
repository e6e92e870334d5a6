// Medians of small windows with all cores and SIMD. The lanes of a vector are neighbouring pixels, and one sorting
// network finds the medians of 2 or 4 rows of them:
//
//   vector (x, y) of the source:   value at column x + 0, x + 1, x + 2, ... of row y, one per lane
//   tile of the network:           1 x 2 results for 3x3 windows, otherwise 1 x 4, each a vector of neighbouring pixels
//
// AVX-512 has code for 3x3 pixels alone, which take most of their time to load and store. Larger networks are no faster
// than those of AVX2: of the instructions for minima and maxima, a core begins two of 256 bits or one of 512 bits at a
// time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/smoothing/median/openmp/median_networks_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/algorithms/smoothing/median/openmp/median_openmp.h"
#include "compute/engines/planes/tiles.h"

#ifndef THREADSCAPE_MEDIAN_NETWORKS
#define THREADSCAPE_MEDIAN_NETWORKS
namespace threadscape::median {
/// Filters a tile. `source` points to the value of the first pixel, pitches are in values, and `width` is a multiple of
/// the length of any vector.
template <class Value>
using NetworkFilter = void (*)(const Value* source, std::ptrdiff_t pitch, Value* result, std::ptrdiff_t result_pitch,
                               int width, int height);
/// The filters for windows of one size; null where there are none.
struct NetworkFilters {
  NetworkFilter<std::uint8_t> bytes;
  NetworkFilter<FloatKey> keys;
};
}  // namespace threadscape::median
#endif

HWY_BEFORE_NAMESPACE();
namespace threadscape::median {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a processor without SIMD, or a compiler that cannot emulate it

NetworkFilters network_filters(int) {
  return {};
}

#else

namespace hn = hwy::HWY_NAMESPACE;

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

/// Rows of results of one network.
template <int k>
inline constexpr int network_rows = k == 3 ? 2 : 4;

/// The source of the network. Values are loaded whenever they are needed, since they are in the first-level cache.
template <class D>
struct RowSource {
  const hn::TFromD<D>* const* rows;
  HWY_INLINE hn::Vec<D> operator()(int x, int y) const { return hn::LoadU(D(), rows[y] + x); }
};
/// The sink of the network, for `height` rows.
template <class D>
struct RowSink {
  hn::TFromD<D>* result;
  std::ptrdiff_t pitch;
  int height;
  HWY_INLINE void operator()(int, int y, hn::Vec<D> median) const {
    if (y < height) hn::StoreU(median, D(), result + y * pitch);
  }
};

/// The NetworkFilter for windows of k x k pixels.
template <int k, class T>
void filter_tile(const T* HWY_RESTRICT source, std::ptrdiff_t pitch, T* HWY_RESTRICT result,
                 std::ptrdiff_t result_pitch, int width, int height) {
  using D = hn::ScalableTag<T>;
  constexpr int radius = k / 2, rows = network_rows<k>;
  const int step = static_cast<int>(hn::Lanes(D()));
  for (int y = 0; y < height; y += rows)
    for (int x = 0; x < width; x += step) {
      const T* from[k + rows - 1];
      for (int i = 0; i < k + rows - 1; ++i)  // instead of rows below the last window, its last row is read again
        from[i] = source + x - radius + (std::min(y + i, height - 1 + k - 1) - radius) * pitch;
      tile_medians<hn::Vec<D>, k, 1, rows>(RowSource<D>{from},
                                           RowSink<D>{result + x + y * result_pitch, result_pitch, height - y});
    }
}

NetworkFilters network_filters(int size) {
  if (size == 3) return {filter_tile<3, std::uint8_t>, filter_tile<3, FloatKey>};
#if HWY_TARGET == HWY_AVX3 && (HWY_TARGETS & HWY_AVX2)
  return N_AVX2::network_filters(size);
#else
  switch (size) {
    case 5:
      return {filter_tile<5, std::uint8_t>, filter_tile<5, FloatKey>};
    case 7:
      return {filter_tile<7, std::uint8_t>, filter_tile<7, FloatKey>};
    default:
      return {filter_tile<9, std::uint8_t>, filter_tile<9, FloatKey>};
  }
#endif
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::median
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::median {

HWY_EXPORT(network_filters);

namespace {

constexpr int tile_width_of_keys = 256;

/// Filters a tile of a picture of floats, at most tile_width_of_keys wide, by the keys of its values.
template <class P>
void filter_float_tile(const Plan& plan, const HostRun& run, const TileArea& area, NetworkFilter<FloatKey> filter) {
  constexpr int width = tile_width_of_keys, margin = 64 / sizeof(FloatKey), pitch = width + 2 * margin;
  // Zeros also where only vectors of padding read.
  alignas(64) FloatKey keys[band_height + max_network_size - 1][pitch] = {};
  alignas(64) FloatKey medians[band_height][width];
  const auto in = run.in.image<typename P::Pixel>();
  const auto out = run.out.image<typename P::Pixel>();
  const int radius = plan.radius();
  copy_pixels(in, out, area);
  for (int plane = 0; plane < P::count; ++plane) {
    load_plane<P>(in, area.grown(radius), plane, plan.border, &keys[0][margin - radius], pitch,
                  [](float value) { return total_order_key(value); });
    filter(&keys[radius][margin], pitch, medians[0], width, (area.width + margin - 1) / margin * margin, area.height);
    store_plane<P>(medians[0], width, out, area, plane, radius, plan.border,
                   [](FloatKey key) { return from_total_order_key<float>(key); });
  }
}

}  // namespace

bool filter_by_networks(const Plan& plan, const HostRun& run) {
  const NetworkFilters filters = HWY_DYNAMIC_DISPATCH(network_filters)(plan.size);
  if (!filters.bytes) return false;
  if (run.in.shape.element == Element::f32) {
    with_planes<float>(run.in.shape, plan.channels, [&](auto planes) {
      for_each_tile(run, tile_width_of_keys, band_height, [&](int x, int y, int width, int height) {
        filter_float_tile<decltype(planes)>(plan, run, {x, y, width, height}, filters.keys);
      });
    });
    return true;
  }
  // 3x3 medians take no longer than reading the picture, so tiles are whole rows, which memory reads fastest.
  const int max_width = plan.size == 3 ? static_cast<int>(run.in.shape.width) : tile_width;
  const TileFilter<std::uint8_t, std::uint8_t> filter = filters.bytes;
  for_each_band(run, static_cast<int>(run.in.shape.height), [&](int y0, int y1) {
    filter_band(PlaneRows(run, plan.channels), y0, y1, plan.radius(), plan.border, filter, max_width);
  });
  return true;
}

}  // namespace threadscape::median
#endif
