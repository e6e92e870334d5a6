// Noise with all cores and SIMD: the lanes of a vector are neighbouring pixels.
//
//   fill(), 64-bit lanes        word[0][w]: pixels x, x + 2, x + 4, ...    word[1][w]: pixels x + 1, x + 3, ...
//   disturb_values(), 32 bits   pixels x, x + 1, x + 2, ...

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/filters/noise/noise_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "compute/algorithms/filters/noise/noise.h"
#include "compute/engines/planes/bands.h"
#include "compute/engines/planes/planes.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::noise {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Pixels of a row whose random words are computed at a time, so that they stay in the first-level cache.
constexpr int chunk = 256;

/// random_words() of a chunk: word i of its pixel j is word[i][j].
struct Words {
  alignas(64) std::uint32_t word[4][chunk];
};

#if HWY_TARGET == HWY_SCALAR  // a processor without SIMD, or a compiler that cannot emulate it

/// Computes the random words of `count` pixels from (x, y) on.
void fill(const Plan& plan, int x, int y, int plane, int count, Words& words) {
  for (int i = 0; i < count; ++i) {
    const PhiloxBlock block = random_words(plan, x + i, y, plane);
    for (int w = 0; w < 4; ++w)
      words.word[w][i] = block.word[w];
  }
}

#else

/// Computes the random words of `count` pixels from (x, y) on, by philox() in lanes of 64 bits of which the lower 32
/// are the word: a 64-bit product then lies in one lane, and its halves need not be combined.
void fill(const Plan& plan, int x, int y, int plane, int count, Words& words) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::ScalableTag<std::uint64_t> wide;
  using V = hn::Vec<decltype(wide)>;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto times = [&](V value, std::uint64_t factor)
                         HWY_ATTR { return hn::MulEven(hn::BitCast(d, value), hn::BitCast(d, hn::Set(wide, factor))); };
  for (int i = 0; i < count; i += lanes) {
    V word[2][4];  // word[0] is for even pixels, word[1] for odd ones.
    for (int j = 0; j < 2; ++j) {
      const auto start = static_cast<std::uint64_t>(x + i + j);
      word[j][0] = hn::Add(hn::Set(wide, start), hn::ShiftLeft<1>(hn::Iota(wide, 0)));
      word[j][1] = hn::Set(wide, static_cast<std::uint64_t>(y));
      word[j][2] = hn::Set(wide, static_cast<std::uint64_t>(plane));
      word[j][3] = hn::Set(wide, static_cast<std::uint64_t>(plan.kind));
    }
    auto key0 = static_cast<std::uint32_t>(plan.seed), key1 = static_cast<std::uint32_t>(plan.seed >> 32);
    for (int round = 0; round < philox_rounds; ++round) {
      const auto k0 = hn::Set(wide, std::uint64_t{key0}), k1 = hn::Set(wide, std::uint64_t{key1});
      for (auto& w : word) {
        const auto product0 = times(w[0], philox_multiplier0), product1 = times(w[2], philox_multiplier1);
        w[0] = hn::Xor(hn::Xor(hn::ShiftRight<32>(product1), w[1]), k0);
        w[1] = product1;
        w[2] = hn::Xor(hn::Xor(hn::ShiftRight<32>(product0), w[3]), k1);
        w[3] = product0;
      }
      key0 += philox_weyl0;
      key1 += philox_weyl1;
    }
    for (int w = 0; w < 4; ++w)
      hn::Store(hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(word[1][w])), hn::BitCast(d, word[0][w])), d,
                words.word[w] + i);
  }
}

#endif

/// The values of one plane of a chunk, which are floats here: floats hold the values of all pictures exactly.
struct Values {
  float white;                          ///< The value of white.
  bool integers;                        ///< Whether results are rounded and saturated, as those of integers are.
  alignas(64) float value[chunk] = {};  ///< Zeros also where only vectors of padding read.
};

/// disturb() for `count` values.
template <Kind kind>
void disturb_values(const Plan& plan, const Words& words, int count, Values& values) {
  const hn::ScalableTag<float> f;
  const hn::RebindToUnsigned<decltype(f)> d;
  const auto white_level = hn::Set(f, values.white), scale = hn::Set(f, plan.scale);
  const bool integers = values.integers;
  for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(f))) {
    auto value = hn::Load(f, values.value + i);
    const auto word = [&](int w) HWY_ATTR { return hn::Load(d, words.word[w] + i); };
    if constexpr (kind == Kind::salt_pepper) {
      const auto hit = hn::Gt(hn::Set(d, plan.threshold), word(0)), salt = hn::TestBit(word(1), hn::Set(d, 1));
      value = hn::IfThenElse(hn::RebindMask(f, hit), hn::IfThenElseZero(hn::RebindMask(f, salt), white_level), value);
    } else {
      hn::Vec<decltype(f)> number;  // normal() or symmetric()
      const hn::RebindToSigned<decltype(f)> ints;
      if constexpr (kind == Kind::gaussian) {
        auto sum = hn::Zero(d);
        for (int w = 0; w < 4; ++w)
          sum = hn::Add(sum, hn::Add(hn::And(word(w), hn::Set(d, 0xffff)), hn::ShiftRight<16>(word(w))));
        const auto centred = hn::Sub(hn::BitCast(ints, sum), hn::Set(ints, normal_centre));
        number = hn::Mul(hn::ConvertTo(f, centred), hn::Set(f, normal_factor));
      } else {
        const auto unit =
            hn::Mul(hn::ConvertTo(f, hn::BitCast(ints, hn::ShiftRight<8>(word(0)))), hn::Set(f, 0x1p-24f));
        number = hn::Sub(hn::Mul(hn::Set(f, 2.0f), unit), hn::Set(f, 1.0f));
      }
      value = hn::Add(value, hn::Mul(scale, number));
      if (integers) value = hn::Min(hn::Max(hn::Floor(hn::Add(value, hn::Set(f, 0.5f))), hn::Zero(f)), white_level);
    }
    hn::Store(value, f, values.value + i);
  }
}

/// Adds noise to `count` pixels from (x, y) on, at most a chunk.
template <class P, class Disturb>
void disturb_chunk(const Plan& plan, const typename P::Pixel* HWY_RESTRICT in, int x, int y, int count,
                   typename P::Pixel* HWY_RESTRICT out, Disturb disturb) {
  using Value = typename P::Value;
  Words words;
  Values values{static_cast<float>(white<Value>), !std::is_floating_point_v<Value>};
  if constexpr (P::count > 1) std::copy_n(in, count, out);  // alpha
  for (int plane = 0; plane < P::count; ++plane) {
    if (plane == 0 || plan.channels == Channels::each) fill(plan, x, y, plane, count, words);
    for (int i = 0; i < count; ++i)
      values.value[i] = static_cast<float>(P::get(in[i], plane));
    disturb(plan, words, count, values);
    for (int i = 0; i < count; ++i)
      P::set(out[i], plane, static_cast<Value>(values.value[i]));
  }
}

void disturb_rows(const Plan& plan, const HostRun& run, int y0, int y1) {
  const auto disturb = plan.kind == Kind::salt_pepper ? disturb_values<Kind::salt_pepper>
                       : plan.kind == Kind::gaussian  ? disturb_values<Kind::gaussian>
                                                      : disturb_values<Kind::uniform>;
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    using P = decltype(planes);
    const auto in = run.in.image<typename P::Pixel>();
    const auto out = run.out.image<typename P::Pixel>();
    for (int y = y0; y < y1; ++y)
      for (int x = 0; x < in.width; x += chunk)
        disturb_chunk<P>(plan, in.row(y) + x, x, y, std::min(chunk, in.width - x), out.row(y) + x, disturb);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::noise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace noise {
HWY_EXPORT(disturb_rows);
}

void Noise::openmp(const Params& params, const HostRun& run) {
  const noise::Plan plan = Noise::plan(params, run.in.shape, run.seed, run.frame);
  using namespace noise;  // NOLINT: where HWY_EXPORT put the table
  for_each_band(run, static_cast<int>(run.in.shape.height), [&](int y0, int y1) {
    HWY_DYNAMIC_DISPATCH(disturb_rows)(plan, run, y0, y1);
  });
}

}  // namespace threadscape
#endif
