// Medians of small windows with all cores and SIMD. The lanes of a vector are neighbouring pixels, and one sorting
// network finds the medians of 2 or 4 rows of them:
//
//   vector (x, y) of the source:   value at column x + 0, x + 1, x + 2, ... of row y, one per lane
//   tile of the network:           1 x 2 results for 3x3 windows, otherwise 1 x 4, each a vector of neighbouring pixels

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/smoothing/median/openmp/median_networks_openmp.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
// clang-format on

#include <utility>

#include "compute/algorithms/smoothing/median/openmp/median_openmp.h"
#include "compute/engines/planes/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::median {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET != HWY_SCALAR
using namespace threadscape::HWY_NAMESPACE;  // NOLINT: the namespace of this instruction set
#endif

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

/// Filters a tile. `source` points to the value of the first pixel, pitches are in values, and `width` is a multiple of
/// the length of any vector.
template <int k, class T>
HWY_INLINE void filter_tile(const T* HWY_RESTRICT source, std::ptrdiff_t pitch, T* HWY_RESTRICT result,
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

/// filter_tile() for windows of size x size pixels.
template <class T>
void filter_tile_of_size(int size, const T* source, std::ptrdiff_t pitch, T* result, std::ptrdiff_t result_pitch,
                         int width, int height) {
  switch (size) {
    case 3:
      return filter_tile<3>(source, pitch, result, result_pitch, width, height);
    case 5:
      return filter_tile<5>(source, pitch, result, result_pitch, width, height);
    case 7:
      return filter_tile<7>(source, pitch, result, result_pitch, width, height);
    default:
      return filter_tile<9>(source, pitch, result, result_pitch, width, height);
  }
}

inline constexpr int tile_width_of_keys = 256;

/// Filters a tile of any picture, at most tile_width_of_keys wide, by the keys of its values.
template <class P>
void filter_keys(const Plan& plan, const HostRun& run, const TileArea& area) {
  using Pixel = typename P::Pixel;
  using Key = TotalOrderKey<typename P::Value>;
  constexpr int width = tile_width_of_keys, margin = 64 / sizeof(Key), pitch = width + 2 * margin;
  alignas(64) Key keys[band_height + max_network_size - 1][pitch];
  alignas(64) Key medians[band_height][width];
  std::fill(&keys[0][0], &keys[0][0] + sizeof(keys) / sizeof(Key),
            Key{0});  // zeros also where only vectors of padding read
  const auto in = run.in.image<Pixel>();
  const auto out = run.out.image<Pixel>();
  const int radius = plan.radius();
  copy_pixels(in, out, area);
  for (int plane = 0; plane < P::count; ++plane) {
    load_plane<P>(in, area.grown(radius), plane, plan.border, &keys[0][margin - radius], pitch,
                  [](typename P::Value value) { return total_order_key(value); });
    filter_tile_of_size(plan.size, &keys[radius][margin], std::ptrdiff_t{pitch}, medians[0], std::ptrdiff_t{width},
                        (area.width + margin - 1) / margin * margin, area.height);
    store_plane<P>(medians[0], width, out, area, plane, radius, plan.border,
                   [](Key key) { return from_total_order_key<typename P::Value>(key); });
  }
}

void filter_rows(const Plan& plan, const HostRun& run, int y0, int y1) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
#if HWY_TARGET != HWY_SCALAR
    if constexpr (std::is_same_v<typename P::Value, std::uint8_t>) {
      using Pixel = typename P::Pixel;
      const auto filter = [&](const std::uint8_t* source, std::ptrdiff_t pitch, std::uint8_t* result,
                              std::ptrdiff_t result_pitch, int width, int height) HWY_ATTR {
        filter_tile_of_size(plan.size, source, pitch, result, result_pitch, width, height);
      };
      // 3x3 medians take no longer than reading the picture, so tiles are whole rows, which memory reads fastest.
      const int max_width =
          plan.size == 3 ? static_cast<int>(run.in.shape.width) : threadscape::HWY_NAMESPACE::tile_width;
      return filter_band<P, std::uint8_t>(run.in.image<Pixel>(), run.out.image<Pixel>(), y0, y1, plan.radius(),
                                          plan.border, filter, max_width);
    }
#endif
    const int width = static_cast<int>(run.in.shape.width);
    for (int x = 0; x < width; x += tile_width_of_keys)
      filter_keys<P>(plan, run, {x, y0, std::min(tile_width_of_keys, width - x), y1 - y0});
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::median
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::median {

HWY_EXPORT(filter_rows);

void filter_by_networks(const Plan& plan, const HostRun& run) {
  for_each_band(run, static_cast<int>(run.in.shape.height), [&](int y0, int y1) {
    HWY_DYNAMIC_DISPATCH(filter_rows)(plan, run, y0, y1);
  });
}

}  // namespace threadscape::median
#endif
