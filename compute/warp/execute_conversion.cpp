// Conversions between the types of numbers on lanes (cvt).

// The widest vectors and the lowest ones are enough, and each target takes as long to compile as another.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (THREADSCAPE_UNUSED_SIMD | HWY_SSE4 | HWY_AVX3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/warp/execute_conversion.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

#include "compute/warp/half.h"
#include "compute/warp/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::warp {
namespace HWY_NAMESPACE {

using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

/// The range of an integer type of Operation::bytes bytes, signed or not.
struct Range {
  int64_t low;
  uint64_t high;
  explicit Range(const Operation& op) {
    const int bits = op.bytes * 8;
    low = op.sign_extended ? -static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1) - 1 : 0;
    high = ~uint64_t{0} >> (64 - bits + (op.sign_extended ? 1 : 0));
  }
};

/// A conversion of integers: the source, extended by its sign, cut to the bits of the result and extended by its sign.
template <class S, class L>
void cut(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<S> a(warp, op.s[0]);
  using Signed = std::make_signed_t<L>;
  const int by = static_cast<int>(sizeof(L) * 8) - op.bytes * 8;
  const bool extends = op.sign_extended;
  write_lanes<L>(warp, op.d, mask, [&](int lane) {
    const L value = static_cast<L>(static_cast<Signed>(a[lane])) << by;
    return extends ? static_cast<L>(static_cast<Signed>(value) >> by) : static_cast<L>(value >> by);
  });
}
/// A conversion of integers that clamps to the range of the result.
template <class S, class L>
void clamped(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<S> a(warp, op.s[0]);
  const Range range(op);
  write_lanes<L>(warp, op.d, mask, [&](int lane) {
    const S value = a[lane];
    if constexpr (std::is_signed_v<S>)
      if (value < 0) return static_cast<L>(std::max<int64_t>(value, range.low));
    return static_cast<L>(std::min<uint64_t>(static_cast<uint64_t>(value), range.high));
  });
}

/// The roundings of a conversion; those to integers are in `rni`, `rzi`, `rmi` and `rpi`.
enum class Round { Nearest, Zero, Down, Up };
Round round_of(const Spec& spec) {
  if (spec.has("rz") || spec.has("rzi")) return Round::Zero;
  if (spec.has("rm") || spec.has("rmi")) return Round::Down;
  return spec.has("rp") || spec.has("rpi") ? Round::Up : Round::Nearest;
}
template <Round round, class T>
HWY_INLINE T whole_number(T value) {
  if constexpr (round == Round::Zero) return std::trunc(value);
  if constexpr (round == Round::Down) return std::floor(value);
  if constexpr (round == Round::Up) return std::ceil(value);
  return std::nearbyint(value);
}
template <class F>
HWY_INLINE F flushed_if(F value, bool ftz) {
  if constexpr (sizeof(F) == 4)
    return ftz && std::abs(value) < std::numeric_limits<float>::min() ? std::copysign(0.0F, value) : value;
  return value;
}

/// A conversion of a floating-point number to an integer clamps to the range of the result. What is no number becomes
/// 0, or the lowest signed number of that size where either type has 64 bits. Bit 0 of the mode asks for flushing.
template <class F, class D, Round round>
void to_integer(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<F> a(warp, op.s[0]);
  constexpr D low = std::numeric_limits<D>::min(), high = std::numeric_limits<D>::max();
  constexpr D no_number = sizeof(F) == 8 || sizeof(D) == 8 ? static_cast<D>(uint64_t{1} << (sizeof(D) * 8 - 1)) : D{0};
  constexpr F above = static_cast<F>(static_cast<F>(high / 2 + 1) * 2), below = static_cast<F>(low);
  const bool ftz = (op.mode & 1) != 0;
  using Wide = std::conditional_t<sizeof(D) == 8, D, std::conditional_t<std::is_signed_v<D>, int32_t, int64_t>>;
  write_lanes<D>(warp, op.d, mask, [&](int lane) {
    const F value = whole_number<round>(flushed_if(a[lane], ftz));
    const F within = value > below && value < above ? value : F{0};
    const D number = static_cast<D>(static_cast<Wide>(within));
    return value != value ? no_number : value >= above ? high : value <= below ? low : number;
  });
}
/// The value of a source as a double: a number of 4 or 8 bytes, or of 2 bytes in a format.
template <class F>
struct Value {
  using Bits = F;
  static HWY_INLINE double of(F value) { return static_cast<double>(value); }
};
template <class Format>
struct HalfValue {
  using Bits = uint16_t;
  static double of(uint16_t bits) { return Format::value(bits); }
};
/// Conversions to integers that are rare: to 8 and 16 bits, and from numbers with 16 bits.
template <class V, Round round, class L>
void to_any_integer(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<typename V::Bits> a(warp, op.s[0]);
  const Range range(op);
  write_lanes<L>(warp, op.d, mask, [&](int lane) {
    const double value = whole_number<round>(V::of(a[lane]));
    if (value != value) return L{0};
    if (value >= static_cast<double>(range.high)) return static_cast<L>(range.high);
    if (value <= static_cast<double>(range.low)) return static_cast<L>(range.low);
    return static_cast<L>(value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(value))
                                    : static_cast<uint64_t>(value));
  });
}

template <class S, class F>
void from_integer(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<S> a(warp, op.s[0]);
  write_lanes<F>(warp, op.d, mask, [&](int lane) { return static_cast<F>(a[lane]); });
}
/// A conversion that rounds towards zero, down or up.
template <class S, class F, int rounding>
void from_directed(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<S> a(warp, op.s[0]);
  alignas(64) Lane<F> result[warp_lanes];
  const int before = std::fegetround();
  std::fesetround(rounding);
  for (int lane = 0; lane < warp_lanes; ++lane) {
    // Volatile values keep the compiler from converting before or behind the changes of the rounding.
    volatile S value = a[lane];
    volatile F made = static_cast<F>(S{value});
    result[lane] = lane_of<F>(F{made});
  }
  std::fesetround(before);
  store_lanes(warp.lanes<Lane<F>>(op.d), result, mask);
}
template <class S, class F>
Handler from_number(const Spec& spec) {
  if constexpr (sizeof(S) >= 4) {  // Shorter integers are exact.
    switch (round_of(spec)) {
      case Round::Zero:
        return &from_directed<S, F, FE_TOWARDZERO>;
      case Round::Down:
        return &from_directed<S, F, FE_DOWNWARD>;
      case Round::Up:
        return &from_directed<S, F, FE_UPWARD>;
      default:
        break;
    }
  }
  return &from_integer<S, F>;
}
template <class F>
HWY_INLINE F saturated(F value, bool sat) {
  if (!sat) return value;
  return value > 0 ? std::min(value, F{1}) : F{0};
}
/// Between floating-point numbers of one size: rounded to a whole number, or unchanged. Bit 0: flushing, bit 1:
/// clamping to 0 .. 1, bit 2: a whole number.
template <class F, Round round>
void same_size(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<F> a(warp, op.s[0]);
  const bool ftz = (op.mode & 1) != 0, sat = (op.mode & 2) != 0, whole = (op.mode & 4) != 0;
  write_lanes<F>(warp, op.d, mask, [&](int lane) {
    const F value = flushed_if(a[lane], ftz);
    return saturated(whole ? whole_number<round>(value) : value, sat);
  });
}
/// Between float and double, rounded to nearest, with the bits 0 and 1 of same_size().
template <class S, class D>
void other_size(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<S> a(warp, op.s[0]);
  const bool ftz = (op.mode & 1) != 0, sat = (op.mode & 2) != 0;
  write_lanes<D>(warp, op.d, mask, [&](int lane) {
    const D value = flushed_if(static_cast<D>(flushed_if(a[lane], ftz)), ftz);
    const D clean =
        sizeof(D) == 4 && value != value ? std::bit_cast<D>(static_cast<Word<sizeof(D)>>(0x7fffffff)) : value;
    return saturated(clean, sat);
  });
}

/// To fp16 or bfloat16: of one number, or of two, the first of which becomes the upper half. Bit 1 of the mode clamps
/// to 0 .. 1; bit 2 makes negative numbers 0.
template <class Format, class S, Round round, bool pair>
void to_half(Warp& warp, const Operation& op, uint32_t mask) {
  constexpr Rounding roundings[] = {Rounding::Nearest, Rounding::Zero, Rounding::Down, Rounding::Up};
  const auto convert = [&](double value) {
    if ((op.mode & 2) != 0) value = saturated(value, true);
    if ((op.mode & 4) != 0 && value < 0) value = 0;
    return uint32_t{Format::bits(value, roundings[static_cast<int>(round)])};
  };
  const Source<S> a(warp, op.s[0]);
  const Source<S> b(warp, pair ? op.s[1] : op.s[0]);
  write_lanes<uint32_t>(warp, op.d, mask, [&](int lane) {
    const uint32_t first = convert(static_cast<double>(a[lane]));
    return pair ? first << 16 | convert(static_cast<double>(b[lane])) : first;
  });
}
template <class Format, class D>
void from_half(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<uint16_t> a(warp, op.s[0]);
  write_lanes<D>(warp, op.d, mask, [&](int lane) { return static_cast<D>(Format::value(a[lane])); });
}
/// cvt.pack: two clamped integers above each other, below the lower bits of a third.
template <class D>
void pack(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<int32_t> a(warp, op.s[0]), b(warp, op.s[1]);
  const Source<uint32_t> c(warp, op.s[2] == none ? op.s[0] : op.s[2]);
  const auto clamp = [](int32_t value) {
    return static_cast<uint32_t>(static_cast<Word<sizeof(D)>>(
        std::clamp<int32_t>(value, std::numeric_limits<D>::min(), std::numeric_limits<D>::max())));
  };
  constexpr int bits = sizeof(D) * 8;
  write_lanes<uint32_t>(warp, op.d, mask, [&](int lane) {
    const uint32_t both = clamp(a[lane]) << bits | clamp(b[lane]);
    return op.s[2] == none || bits == 16 ? both : c[lane] << 16 | both;
  });
}

template <class F>
Handler by_integer(Type type, const F& make) {
  switch (type) {
    case Type::B8:
    case Type::U8:
      return make(uint8_t{});
    case Type::S8:
      return make(int8_t{});
    case Type::B16:
    case Type::U16:
      return make(uint16_t{});
    case Type::S16:
      return make(int16_t{});
    case Type::B32:
    case Type::U32:
      return make(uint32_t{});
    case Type::S32:
      return make(int32_t{});
    case Type::B64:
    case Type::U64:
      return make(uint64_t{});
    case Type::S64:
      return make(int64_t{});
    default:
      return nullptr;
  }
}
/// The handler `make(round)` for the rounding of an instruction.
template <class F>
Handler by_rounding(const Spec& spec, const F& make) {
  switch (round_of(spec)) {
    case Round::Zero:
      return make(std::integral_constant<Round, Round::Zero>{});
    case Round::Down:
      return make(std::integral_constant<Round, Round::Down>{});
    case Round::Up:
      return make(std::integral_constant<Round, Round::Up>{});
    default:
      return make(std::integral_constant<Round, Round::Nearest>{});
  }
}
template <class V>
Handler any_integer(const Spec& spec) {
  return by_rounding(spec, [&](auto round) -> Handler {
    constexpr Round r = decltype(round)::value;
    return spec.wide_result ? &to_any_integer<V, r, uint64_t> : &to_any_integer<V, r, uint32_t>;
  });
}
template <class F, class D>
Handler integer_rounded(const Spec& spec) {
  return by_rounding(spec, [](auto round) -> Handler { return &to_integer<F, D, decltype(round)::value>; });
}
template <class F>
Handler integer_of(const Spec& spec) {
  switch (spec.types[0]) {
    case Type::U32:
      return integer_rounded<F, uint32_t>(spec);
    case Type::S32:
      return integer_rounded<F, int32_t>(spec);
    case Type::U64:
      return integer_rounded<F, uint64_t>(spec);
    case Type::S64:
      return integer_rounded<F, int64_t>(spec);
    default:
      return any_integer<Value<F>>(spec);
  }
}
template <class Format, class S, bool pair>
Handler to_half_of(const Spec& spec) {
  return by_rounding(spec, [](auto round) -> Handler { return &to_half<Format, S, decltype(round)::value, pair>; });
}
template <class Format>
Handler to_format(const Spec& spec) {
  const Type from = spec.types[1];
  if (from == Type::F32) return to_half_of<Format, float, false>(spec);
  if (from == Type::F64) return to_half_of<Format, double, false>(spec);
  return by_integer(from, [&](auto s) -> Handler { return &to_half<Format, decltype(s), Round::Nearest, false>; });
}
template <class Format>
Handler from_format(const Spec& spec) {
  const Type to = spec.types[0];
  if (to == Type::F32) return &from_half<Format, float>;
  if (to == Type::F64) return &from_half<Format, double>;
  return any_integer<HalfValue<Format>>(spec);
}
template <class F>
Handler same_size_of(const Spec& spec) {
  return by_rounding(spec, [](auto round) -> Handler { return &same_size<F, decltype(round)::value>; });
}

Handler conversion_handler(const Spec& spec) {
  if (spec.base != "cvt" || spec.types.size() < 2) return nullptr;
  const Type to = spec.types[0], from = spec.types[1];
  if (spec.has("pack")) {
    if (from != Type::S32) return nullptr;
    switch (to) {
      case Type::U8:
        return &pack<uint8_t>;
      case Type::S8:
        return &pack<int8_t>;
      case Type::U16:
        return &pack<uint16_t>;
      case Type::S16:
        return &pack<int16_t>;
      default:
        return nullptr;
    }
  }
  if (to == Type::F16x2 && from == Type::F32) return to_half_of<Fp16, float, true>(spec);
  if (to == Type::BF16x2 && from == Type::F32) return to_half_of<Bfloat16, float, true>(spec);
  if (to == Type::F16) return from == Type::F16 || from == Type::BF16 ? nullptr : to_format<Fp16>(spec);
  if (to == Type::BF16) return from == Type::F16 || from == Type::BF16 ? nullptr : to_format<Bfloat16>(spec);
  if (from == Type::F16) return from_format<Fp16>(spec);
  if (from == Type::BF16) return from_format<Bfloat16>(spec);
  if (to == Type::F32 && from == Type::F32) return same_size_of<float>(spec);
  if (to == Type::F64 && from == Type::F64) return same_size_of<double>(spec);
  if (to == Type::F64 && from == Type::F32) return &other_size<float, double>;
  if (to == Type::F32 && from == Type::F64)
    return round_of(spec) == Round::Nearest ? &other_size<double, float> : from_number<double, float>(spec);
  if (to == Type::F32) return by_integer(from, [&](auto s) { return from_number<decltype(s), float>(spec); });
  if (to == Type::F64) return by_integer(from, [&](auto s) { return from_number<decltype(s), double>(spec); });
  if (from == Type::F32) return integer_of<float>(spec);
  if (from == Type::F64) return integer_of<double>(spec);
  return by_integer(from, [&](auto s) -> Handler {
    using S = decltype(s);
    if (spec.has("sat")) return spec.wide_result ? &clamped<S, uint64_t> : &clamped<S, uint32_t>;
    return spec.wide_result ? &cut<S, uint64_t> : &cut<S, uint32_t>;
  });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace threadscape::warp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::warp {
HWY_EXPORT(conversion_handler);
Handler find_conversion(const Spec& spec) {
  return HWY_DYNAMIC_DISPATCH(conversion_handler)(spec);
}
}  // namespace threadscape::warp
#endif
