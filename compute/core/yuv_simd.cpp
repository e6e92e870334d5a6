// The conversion of YUV to RGB with SIMD: a lane has 16 bits. The even and the odd columns of pixels are in vectors of
// their own, so that each lane of them has its sample of U and V in the same lane. Two rows share these samples.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/core/yuv_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "compute/core/yuv.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::yuv {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The pixels first .. width - 1 of a row, one by one.
void convert_rest(const YuvPlanes& planes, const YuvFactors& by, int row, int first, Rgba8* to) {
  const std::uint8_t* const u = planes.u + planes.u_pitch * (row / 2);
  const std::uint8_t* const v = planes.v == nullptr ? u + 1 : planes.v + planes.v_pitch * (row / 2);
  const int step = planes.v == nullptr ? 2 : 1;
  for (int x = first; x < planes.width; ++x)
    to[x] = yuv_pixel(by, yuv_colour(by, u[x / 2 * step], v[x / 2 * step]), (planes.y + planes.y_pitch * row)[x]);
}

#if HWY_TARGET != HWY_SCALAR

using Signed = hn::ScalableTag<std::int16_t>;
using Unsigned = hn::ScalableTag<std::uint16_t>;

/// yuv_level() on lanes.
HWY_INLINE hn::Vec<Unsigned> levels(hn::Vec<Signed> in_32nds) {
  const Signed d;
  const auto level = hn::ShiftRight<5>(in_32nds);
  return hn::BitCast(Unsigned(), hn::Min(hn::Max(level, hn::Zero(d)), hn::Set(d, 255)));
}

/// The colours of a vector of pixels, two to a lane of each result: red and green, blue and alpha.
struct Pixels {
  hn::Vec<Unsigned> red_green, blue_alpha;
};
HWY_INLINE Pixels pixels_of(hn::Vec<Signed> grey, hn::Vec<Signed> red, hn::Vec<Signed> green, hn::Vec<Signed> blue) {
  const Unsigned d;
  return {hn::Or(levels(hn::Add(grey, red)), hn::ShiftLeft<8>(levels(hn::Add(grey, green)))),
          hn::Or(levels(hn::Add(grey, blue)), hn::Set(d, 0xff00))};
}

/// Converts one row, or two if `rows` is 2, as far as whole vectors go. Returns the number of columns that are done.
HWY_INLINE int convert_vectors(const YuvPlanes& planes, const YuvFactors& by, int row, int rows, Rgba8* const* to) {
  const Signed d;
  const Unsigned bits;
  const hn::Repartition<std::uint8_t, Signed> bytes;
  const hn::Rebind<std::uint8_t, Signed> samples;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  const std::uint8_t* const from_u = planes.u + planes.u_pitch * (row / 2);
  const std::uint8_t* const from_v = planes.v == nullptr ? nullptr : planes.v + planes.v_pitch * (row / 2);
  const auto centred = [&](hn::Vec<Signed> value)
                           HWY_ATTR { return hn::ShiftLeft<8>(hn::Sub(value, hn::Set(d, 128))); };
  const auto half = hn::Set(d, yuv_rounding);
  int x = 0;
  for (; x + 2 * lanes <= planes.width; x += 2 * lanes) {
    auto u = hn::Zero(d), v = hn::Zero(d);
    if (from_v == nullptr) {
      const auto both = hn::BitCast(bits, hn::LoadU(bytes, from_u + x));
      u = hn::BitCast(d, hn::And(both, hn::Set(bits, 0xff)));
      v = hn::BitCast(d, hn::ShiftRight<8>(both));
    } else {
      u = hn::PromoteTo(d, hn::LoadU(samples, from_u + x / 2));
      v = hn::PromoteTo(d, hn::LoadU(samples, from_v + x / 2));
    }
    u = centred(u);
    v = centred(v);
    const auto red = hn::Add(hn::MulHigh(v, hn::Set(d, by.red_v)), half);
    const auto green =
        hn::Add(hn::Add(hn::MulHigh(u, hn::Set(d, by.green_u)), hn::MulHigh(v, hn::Set(d, by.green_v))), half);
    const auto blue = hn::Add(hn::MulHigh(u, hn::Set(d, by.blue_u)), half);
    for (int i = 0; i < rows; ++i) {
      const auto grey = [&](hn::Vec<Unsigned> y) HWY_ATTR {
        const auto above = hn::Sub(hn::BitCast(d, y), hn::Set(d, by.black));
        return hn::MulHigh(hn::ShiftLeft<7>(above), hn::Set(d, by.y));
      };
      const auto both = hn::BitCast(bits, hn::LoadU(bytes, planes.y + planes.y_pitch * (row + i) + x));
      const Pixels even = pixels_of(grey(hn::And(both, hn::Set(bits, 0xff))), red, green, blue);
      const Pixels odd = pixels_of(grey(hn::ShiftRight<8>(both)), red, green, blue);
      hn::StoreInterleaved4(even.red_green, even.blue_alpha, odd.red_green, odd.blue_alpha, bits,
                            reinterpret_cast<std::uint16_t*>(to[i] + x));
    }
  }
  return x;
}

#endif

/// Converts the rows of the samples first .. end - 1, two rows of pixels to each.
void convert_rows(const YuvPlanes& planes, const HostOut& picture, int first, int end) {
  const YuvFactors by = yuv_factors(planes.full_range, planes.bt709);
  for (int sample = first; sample < end; ++sample) {
    const int row = 2 * sample, rows = std::min(2, planes.height - row);
    Rgba8* to[2] = {};
    for (int i = 0; i < rows; ++i)
      to[i] = reinterpret_cast<Rgba8*>(picture.data + picture.pitch * static_cast<std::size_t>(row + i));
    int done = 0;
#if HWY_TARGET != HWY_SCALAR
    done = convert_vectors(planes, by, row, rows, to);
#endif
    for (int i = 0; i < rows; ++i)
      convert_rest(planes, by, row + i, done, to[i]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::yuv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace yuv {
HWY_EXPORT(convert_rows);
}

void yuv_to_rgba(const YuvPlanes& planes, HostOut picture, int threads) {
  require_yuv_picture(planes, picture.shape);
  using namespace yuv;  // NOLINT: where HWY_EXPORT put the table
  const auto convert = [&](int first, int end) { HWY_DYNAMIC_DISPATCH(convert_rows)(planes, picture, first, end); };
  const int samples = (planes.height + 1) / 2;
  constexpr int band = 16;
  const int bands = (samples + band - 1) / band;
  if (threads <= 1) return convert(0, samples);
#pragma omp parallel for schedule(static) num_threads(std::min(threads, std::max(bands, 1)))
  for (int i = 0; i < bands; ++i)
    convert(i * band, std::min((i + 1) * band, samples));
}

}  // namespace threadscape
#endif
