// The rows of a level from the rows of the previous level, in SIMD. Included by diamond_square_openmp.cpp, once per
// instruction set.
//
//   coarse row above    K0      K1      K2      K3         lane i:  K[i], K[i + 1] above and below
//   odd row             s0  D0  s1  D1  s2  D2  s3 ..      D[i] from four K; s[i] from D[i - 1], D[i], K above, K below
//   coarse row below    K0      K1      K2      K3
//   even row            K0  s0  K1  s1  K2  s2  K3 ..      s[i] from K[i], K[i + 1], D above, D below
//
// A vector holds neighbouring cells of one kind; store_pairs() interleaves two kinds to a row.

#if defined(TS_DIAMOND_SQUARE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_DIAMOND_SQUARE_ROWS_INL_H_
#undef TS_DIAMOND_SQUARE_ROWS_INL_H_
#else
#define TS_DIAMOND_SQUARE_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include "compute/algorithms/terrain/diamond_square/diamond_square_math.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::diamond_square {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int chunk = 128;  // cells of one kind whose random numbers are computed together, to stay in the L1 cache
constexpr int chunk_blocks = chunk / 8;

/// The random numbers of a chunk: words[i] is that of the cell (2 (i0 + i) + odd, y).
struct RandomU16 {
  alignas(64) std::uint16_t words[chunk + 64];  // vectors may read beyond the end and ignore the excess
};

/// Copies the numbers of the first `count` cells of a chunk from the plan's table.
inline void copy(const Plan& plan, int level, int i0, int y, int odd, int count, RandomU16& to) {
  const std::uint16_t* from = plan.numbers + number_of(level, 2 * i0 + odd, y);
  for (int i = 0; i < count; ++i)
    to.words[i] = from[i];
}

#if HWY_TARGET == HWY_SCALAR

inline void fill(std::uint64_t seed, int level, int i0, int y, int odd, RandomU16& to) {
  for (int i = 0; i < chunk; ++i)
    to.words[i] = static_cast<std::uint16_t>(random_u16(seed, level, 2 * (i0 + i) + odd, y));
}

#else

/// philox() of several blocks in lanes of 64 bits, whose lower 32 bits hold the words, so that a product fills a lane.
/// Blocks with even and with odd numbers are computed in separate vectors. Not inlined: every kind of row calls it, for
/// a chunk at a time.
inline HWY_NOINLINE void fill(std::uint64_t seed, int level, int i0, int y, int odd, RandomU16& to) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::ScalableTag<std::uint64_t> wide;
  using V = hn::Vec<decltype(wide)>;
  const auto times = [&](V value, std::uint64_t factor)
                         HWY_ATTR { return hn::MulEven(hn::BitCast(d, value), hn::BitCast(d, hn::Set(wide, factor))); };
  const int lanes = static_cast<int>(hn::Lanes(d)), group = i0 / 8;
  for (int b = 0; b < chunk_blocks; b += lanes) {
    V word[2][4];
    for (int j = 0; j < 2; ++j) {
      word[j][0] =
          hn::Add(hn::Set(wide, static_cast<std::uint64_t>(group + b + j)), hn::ShiftLeft<1>(hn::Iota(wide, 0)));
      word[j][1] = hn::Set(wide, static_cast<std::uint64_t>(y));
      word[j][2] = hn::Set(wide, static_cast<std::uint64_t>(level));
      word[j][3] = hn::Set(wide, static_cast<std::uint64_t>(odd));
    }
    auto key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < philox_rounds; ++round) {
      const auto k0 = hn::Set(wide, std::uint64_t{key0}), k1 = hn::Set(wide, std::uint64_t{key1});
      for (auto& w : word) {
        const auto product0 = times(w[0], philox_multiplier0), product1 = times(w[2], philox_multiplier1);
        w[0] = hn::Xor(hn::ShiftRight<32>(product1), hn::Xor(w[1], k0));
        w[1] = product1;
        w[2] = hn::Xor(hn::ShiftRight<32>(product0), hn::Xor(w[3], k1));
        w[3] = product0;
      }
      key0 += philox_weyl0;
      key1 += philox_weyl1;
    }
    const auto both = [&](int i) HWY_ATTR {
      return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(word[1][i])), hn::BitCast(d, word[0][i]));
    };
    hn::StoreInterleaved4(both(0), both(1), both(2), both(3), d, reinterpret_cast<std::uint32_t*>(to.words) + 4 * b);
  }
}

#endif

/// Sums, displacements and stores of a vector of cells with float heights.
struct FloatCells {
  using Height = float;
  using D = hn::CappedTag<float, 8>;  // at most two 128-bit blocks, the limit of store_pairs()
  using V = hn::Vec<D>;
  V scale;

  HWY_INLINE FloatCells(const Plan& plan, int level) : scale(hn::Set(D(), plan.scale[level])) {}
  HWY_INLINE static V load(const float* at) { return hn::LoadU(D(), at); }
  /// The new heights from the sums of `count` neighbours and the random numbers of the cells, see new_height().
  template <int count>
  HWY_INLINE V cell(V sum, const std::uint16_t* random) const {
    const hn::RebindToSigned<D> ints;
    const hn::Rebind<std::int16_t, D> shorts;
    const auto odd =
        hn::Or(hn::PromoteTo(ints, hn::LoadU(shorts, reinterpret_cast<const std::int16_t*>(random))), hn::Set(ints, 1));
    const auto mean = count == 4 ? hn::Mul(sum, hn::Set(D(), 0.25f)) : hn::Div(sum, hn::Set(D(), 3.0f));
    return hn::Add(mean, hn::Mul(hn::ConvertTo(D(), odd), scale));
  }
  HWY_INLINE static void store(V v, float* to) { hn::StoreU(v, D(), to); }
  /// Stores two vectors interleaved: even[0], odd[0], even[1], odd[1] and so on. With `stream` the stores bypass the
  /// caches.
  template <bool stream>
  HWY_INLINE static void store_pairs(V even, V odd, float* to) {
#if HWY_TARGET == HWY_SCALAR
    to[0] = hn::GetLane(even);
    to[1] = hn::GetLane(odd);
#else
    auto first = hn::InterleaveLower(D(), even, odd), second = hn::InterleaveUpper(D(), even, odd);
    if constexpr (hn::MaxLanes(D()) > 4) {  // the interleaving works within 128-bit blocks
      const auto lower = first;
      first = hn::ConcatLowerLower(D(), second, lower);
      second = hn::ConcatUpperUpper(D(), second, lower);
    }
    if constexpr (stream) {
      hn::Stream(first, D(), to);
      hn::Stream(second, D(), to + hn::Lanes(D()));
    } else {
      hn::StoreU(first, D(), to);
      hn::StoreU(second, D(), to + hn::Lanes(D()));
    }
#endif
  }
};

/// Sums, displacements and stores of a vector of cells with byte heights, in 16-bit lanes.
struct ByteCells {
  using Height = std::uint8_t;
  using D = hn::ScalableTag<std::int16_t>;
  using V = hn::Vec<D>;
  using Unsigned = hn::RebindToUnsigned<D>;
  bool bytes;  ///< Arithmetic::bytes.
  V h;
  hn::Vec<Unsigned> choices;
  V half, cut;        ///< What is added before a division by 4: 2, or 3 to a negative sum, which cuts off.
  V lowest, highest;  ///< The limits of a height before its lower 8 bits are kept.

  HWY_INLINE ByteCells(const Plan& plan, int level)
      : bytes(plan.arithmetic == Arithmetic::bytes),
        h(hn::Set(D(), static_cast<std::int16_t>(height_of(level)))),
        choices(hn::Set(Unsigned(), static_cast<std::uint16_t>(2 * height_of(level) + (bytes ? 0 : 1)))),
        half(hn::Set(D(), static_cast<std::int16_t>(bytes ? 0 : 2))),
        cut(hn::Set(D(), static_cast<std::int16_t>(bytes ? 3 : 0))),
        lowest(hn::Set(D(), static_cast<std::int16_t>(bytes ? -256 : 0))),
        highest(hn::Set(D(), static_cast<std::int16_t>(bytes ? 511 : 255))) {}
  HWY_INLINE static V load(const std::uint8_t* at) {
    return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<std::uint8_t, D>(), at));
  }
  template <int count>
  HWY_INLINE V cell(V sum, const std::uint16_t* random) const {
    const auto r = hn::Sub(hn::BitCast(D(), hn::MulHigh(hn::LoadU(Unsigned(), random), choices)), h);
    const auto sum_with_r = hn::Add(sum, r);
    V height;
    if constexpr (count == 4) {
      const auto added = hn::Add(half, hn::And(hn::BroadcastSignBit(sum_with_r), cut));
      height = hn::ShiftRight<2>(hn::Add(sum_with_r, added));
    } else {
      const auto total = bytes ? hn::Abs(sum_with_r) : hn::Max(hn::Add(sum_with_r, hn::Set(D(), 1)), hn::Zero(D()));
      // The division by 3 is a multiplication by 43691 / 2^17, which is exact below 2^16.
      const auto third = hn::MulHigh(hn::BitCast(Unsigned(), total), hn::Set(Unsigned(), std::uint16_t{43691}));
      height = hn::BitCast(D(), hn::ShiftRight<1>(third));
      if (bytes) height = hn::IfNegativeThenElse(sum_with_r, hn::Neg(height), height);
    }
    return hn::And(hn::Min(hn::Max(height, lowest), highest), hn::Set(D(), 255));
  }
  HWY_INLINE static void store(V v, std::uint8_t* to) {
    const hn::Rebind<std::uint8_t, D> bytes;
    hn::StoreU(hn::DemoteTo(bytes, v), bytes, to);
  }
  template <bool stream>
  HWY_INLINE static void store_pairs(V even, V odd, std::uint8_t* to) {
#if HWY_TARGET == HWY_SCALAR
    to[0] = static_cast<std::uint8_t>(hn::GetLane(even));
    to[1] = static_cast<std::uint8_t>(hn::GetLane(odd));
#else
    const hn::Repartition<std::uint8_t, D> bytes;
    const auto both = hn::BitCast(bytes, hn::Or(even, hn::ShiftLeft<8>(odd)));
    if constexpr (stream)
      hn::Stream(both, bytes, to);
    else
      hn::StoreU(both, bytes, to);
#endif
  }
};

/// Calls f(i, random) for vectors of the cells (2 i + odd, y), 0 <= i < count; `random` points to the random numbers of
/// the vector. The last vector may reach beyond `count`.
template <class Cells, class F>
HWY_INLINE void for_cells(const Plan& plan, int level, int y, int odd, int count, const F& f) {
  RandomU16 random;
  const int lanes = static_cast<int>(hn::Lanes(typename Cells::D()));
  for (int i0 = 0; i0 < count; i0 += chunk) {
    const int end = count - i0 < chunk ? count - i0 : chunk;
    if (plan.numbers)
      copy(plan, level, i0, y, odd, end, random);
    else
      fill(plan.seed, level, i0, y, odd, random);
    for (int i = 0; i < end; i += lanes)
      f(i0 + i, random.words + i);
  }
}

/// Computes the diamond cells d[0] .. d[count - 1] of odd row y from the coarse rows above and below, and sets d[-1]
/// and d[count] to the neighbours beyond the rim: those of the other side, or 0.
template <class Cells>
HWY_INLINE void diamond_row(const Plan& plan, int level, int y, int count, const typename Cells::Height* above,
                            const typename Cells::Height* below, typename Cells::Height* d) {
  const Cells cells(plan, level);
  for_cells<Cells>(plan, level, y, 1, count, [&](int i, const std::uint16_t* random) HWY_ATTR {
    const auto sum = hn::Add(hn::Add(cells.load(above + i), cells.load(above + i + 1)),
                             hn::Add(cells.load(below + i), cells.load(below + i + 1)));
    cells.store(cells.template cell<4>(sum, random), d + i);
  });
  const bool wrap = plan.edges == Edges::wrap;
  d[-1] = wrap ? d[count - 1] : 0;
  d[count] = wrap ? d[0] : 0;
}

/// Writes an even row: the points of the coarse row, and square cells from them and the diamonds above and below. The
/// number of neighbours is 3 at the rim and 4 elsewhere.
template <class Cells, int neighbours, bool stream>
HWY_INLINE void even_row(const Plan& plan, int level, int y, int count, const typename Cells::Height* coarse,
                         const typename Cells::Height* above, const typename Cells::Height* below,
                         typename Cells::Height* to) {
  const Cells cells(plan, level);
  for_cells<Cells>(plan, level, y, 1, count, [&](int i, const std::uint16_t* random) HWY_ATTR {
    const auto known = cells.load(coarse + i);
    const auto sum =
        hn::Add(hn::Add(known, cells.load(coarse + i + 1)), hn::Add(cells.load(above + i), cells.load(below + i)));
    cells.template store_pairs<stream>(known, cells.template cell<neighbours>(sum, random), to + 2 * i);
  });
  to[2 * count] = coarse[count];
}

/// Writes an odd row: its diamond cells, and square cells from them and the coarse rows above and below.
template <class Cells, bool stream>
HWY_INLINE void odd_row(const Plan& plan, int level, int y, int count, const typename Cells::Height* above,
                        const typename Cells::Height* below, const typename Cells::Height* d,
                        typename Cells::Height* to) {
  using Height = typename Cells::Height;
  const Cells cells(plan, level);
  const bool wrap = plan.edges == Edges::wrap;
  const auto rim = [&](int i) {
    using Sum = SumOf<Height>;
    const Sum sum = (static_cast<Sum>(d[i - 1]) + static_cast<Sum>(d[i])) +
                    (static_cast<Sum>(above[i]) + static_cast<Sum>(below[i]));
    return new_height<Height>(plan, level, sum, 3, random_of(plan, level, 2 * i, y));
  };
  for_cells<Cells>(plan, level, y, 0, count, [&](int i, const std::uint16_t* random) HWY_ATTR {
    const auto diamond = cells.load(d + i);
    const auto sum =
        hn::Add(hn::Add(cells.load(d + i - 1), diamond), hn::Add(cells.load(above + i), cells.load(below + i)));
    auto square = cells.template cell<4>(sum, random);
    if (i == 0 && !wrap) square = hn::InsertLane(square, 0, static_cast<hn::TFromD<typename Cells::D>>(rim(0)));
    cells.template store_pairs<stream>(square, diamond, to + 2 * i);
  });
  to[2 * count] = wrap ? to[0] : rim(count);
}

/// Writes an even row of a level whose square step is left out.
template <class Height>
inline void even_row_of_diamonds(int count, const Height* coarse, Height* to) {
  for (int i = 0; i < count; ++i) {
    to[2 * i] = coarse[i];
    to[2 * i + 1] = midpoint(coarse[i], coarse[i + 1]);
  }
  to[2 * count] = coarse[count];
}

/// Writes an odd row of a level whose square step is left out.
template <class Height>
inline void odd_row_of_diamonds(int count, const Height* above, const Height* below, const Height* d, Height* to) {
  for (int i = 0; i < count; ++i) {
    to[2 * i] = midpoint(above[i], below[i]);
    to[2 * i + 1] = d[i];
  }
  to[2 * count] = midpoint(above[count], below[count]);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::diamond_square
HWY_AFTER_NAMESPACE();

#endif
