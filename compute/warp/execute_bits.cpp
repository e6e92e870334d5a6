// Operations on the bits of integers on lanes.

// The widest vectors and the lowest ones are enough, and each target takes as long to compile as another.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (THREADSCAPE_UNUSED_SIMD | HWY_SSE4 | HWY_AVX3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/warp/execute_bits.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "compute/warp/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::warp {
namespace HWY_NAMESPACE {

using std::int16_t, std::int32_t, std::int64_t, std::uint16_t, std::uint32_t, std::uint64_t;

struct And {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  static HWY_INLINE T call(T a) {
    return static_cast<T>(~a);
  }
};
struct LogicalNot {
  template <class T>
  static HWY_INLINE T call(T a) {
    return a == 0 ? 1 : 0;
  }
};
/// Shifts by as many bits as the type has, or more, give 0, or the sign.
struct ShiftLeft {
  template <class T>
  static HWY_INLINE T call(T a, uint32_t by) {
    return by >= sizeof(T) * 8 ? T{0} : static_cast<T>(static_cast<Lane<T>>(a) << by);
  }
};
struct ShiftRight {
  template <class T>
  static HWY_INLINE T call(T a, uint32_t by) {
    const uint32_t most = sizeof(T) * 8 - 1;
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> std::min(by, most));
    return by > most ? T{0} : static_cast<T>(a >> std::min(by, most));
  }
};
/// shf: the upper or lower word of two words, b above a, shifted.
template <bool left, bool wrap>
struct FunnelShift {
  static HWY_INLINE uint32_t call(uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t by = wrap ? c & 31 : std::min(c, uint32_t{32});
    const uint64_t both = static_cast<uint64_t>(b) << 32 | a;
    return static_cast<uint32_t>(left ? both << by >> 32 : both >> by);
  }
};
struct Popc {
  template <class T>
  static HWY_INLINE uint32_t call(T a) {
    return static_cast<uint32_t>(std::popcount(a));
  }
};
struct Clz {
  template <class T>
  static HWY_INLINE uint32_t call(T a) {
    return static_cast<uint32_t>(std::countl_zero(a));
  }
};
/// The place of the highest bit that differs from the sign, or how far it is from the top; all ones if there is none.
template <bool shift_amount>
struct Bfind {
  template <class T>
  static HWY_INLINE uint32_t call(T a) {
    using U = std::make_unsigned_t<T>;
    const U bits = static_cast<U>(std::is_signed_v<T> && a < 0 ? ~a : a);
    if (bits == 0) return 0xffffffff;
    const auto from_top = static_cast<uint32_t>(std::countl_zero(bits));
    return shift_amount ? from_top : static_cast<uint32_t>(sizeof(T) * 8 - 1) - from_top;
  }
};
struct Brev {
  template <class T>
  static HWY_INLINE T call(T a) {
    T result = 0;
    for (std::size_t bit = 0; bit < sizeof(T) * 8; ++bit)
      result = static_cast<T>(result << 1 | (a >> bit & 1));
    return result;
  }
};
/// bfe: `length` bits from bit `from` on; beyond the top, the sign of the field is repeated.
struct Bfe {
  template <class T>
  static HWY_INLINE T call(T a, uint32_t from, uint32_t length) {
    using U = std::make_unsigned_t<T>;
    constexpr uint32_t bits = sizeof(T) * 8;
    from &= 255;
    length &= 255;
    if (length == 0) return 0;
    const uint32_t sign_at = std::min(from + length - 1, bits - 1);
    const U sign = std::is_signed_v<T> ? static_cast<U>(static_cast<U>(a) >> sign_at & 1) : U{0};
    const U field = from >= bits ? U{0} : static_cast<U>(static_cast<U>(a) >> from);
    const uint32_t kept = from >= bits ? 0 : std::min(length, bits - from);
    const U low = kept >= bits ? ~U{0} : static_cast<U>((U{1} << kept) - 1);
    return static_cast<T>((field & low) | (sign != 0 ? ~low : U{0}));
  }
};
/// bfi: b with its `length` bits from bit `from` on replaced by the lowest of a.
struct Bfi {
  template <class T>
  static HWY_INLINE T call(T a, T b, uint32_t from, uint32_t length) {
    constexpr uint32_t bits = sizeof(T) * 8;
    from &= 255;
    length &= 255;
    if (from >= bits || length == 0) return b;
    const T low = length >= bits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    const T field = static_cast<T>(low << from);
    return static_cast<T>((b & ~field) | (static_cast<T>(a << from) & field));
  }
};
/// bmsk: ones of a width from a bit on.
template <bool clamp>
struct Bmsk {
  static HWY_INLINE uint32_t call(uint32_t from, uint32_t width) {
    if (!clamp) {
      from &= 31;
      width &= 31;
    }
    const uint64_t ones = width >= 32 ? 0xffffffff : (uint64_t{1} << width) - 1;
    return from >= 32 ? 0 : static_cast<uint32_t>(ones << from);
  }
};
/// szext: the lowest bits of a number, extended with zeros or their sign.
template <bool clamp>
struct Szext {
  template <class T>
  static HWY_INLINE T call(T a, uint32_t width) {
    width = clamp ? std::min(width, uint32_t{32}) : width & 31;
    if (width == 0) return 0;
    const uint32_t by = 32 - width;
    return static_cast<T>(static_cast<T>(static_cast<uint32_t>(a) << by) >> by);
  }
};
/// fns: the place of the n-th set bit of a mask from a bit on, upwards or downwards.
struct Fns {
  static HWY_INLINE uint32_t call(uint32_t bits, uint32_t base, int32_t n) {
    if (n == 0) return (bits >> (base & 31) & 1) != 0 ? base : 0xffffffff;
    const int step = n > 0 ? 1 : -1;
    int left = n > 0 ? n : -n;
    for (auto at = static_cast<int32_t>(base); at >= 0 && at < 32; at += step)
      if ((bits >> at & 1) != 0 && --left == 0) return static_cast<uint32_t>(at);
    return 0xffffffff;
  }
};

/// lop3: the table is a sum of products, which is the same for all lanes, so that each product is a vector operation.
void lop3(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<uint32_t> a(warp, op.s[0]), b(warp, op.s[1]), c(warp, op.s[2]);
  const auto table = static_cast<uint32_t>(op.immediate);
  alignas(64) uint32_t result[warp_lanes] = {};
  for (uint32_t row = 0; row < 8; ++row) {
    if ((table >> row & 1) == 0) continue;
    const uint32_t x = (row & 4) != 0 ? 0 : ~0U, y = (row & 2) != 0 ? 0 : ~0U, z = (row & 1) != 0 ? 0 : ~0U;
    for (int lane = 0; lane < warp_lanes; ++lane)
      result[lane] |= (a[lane] ^ x) & (b[lane] ^ y) & (c[lane] ^ z);
  }
  store_lanes(warp.lanes<uint32_t>(op.d), result, mask);
}

/// The byte of b:a that a selector of prmt names; its bit 3 asks for the sign of that byte instead.
HWY_INLINE uint32_t permuted_byte(uint64_t both, uint32_t selector) {
  const auto byte = static_cast<uint32_t>(both >> ((selector & 7) * 8)) & 255;
  return (selector & 8) != 0 ? ((byte & 128) != 0 ? 255 : 0) : byte;
}
struct Prmt {
  static HWY_INLINE uint32_t call(uint32_t a, uint32_t b, uint32_t c) {
    const uint64_t both = static_cast<uint64_t>(b) << 32 | a;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; ++i)
      result |= permuted_byte(both, c >> (4 * i)) << (8 * i);
    return result;
  }
};
/// The modes of prmt beyond the general one: which four bytes the last operand selects.
struct PrmtMode {
  static uint32_t selectors(std::string_view mode, uint32_t n) {
    n &= 3;
    const auto pick = [](uint32_t b3, uint32_t b2, uint32_t b1, uint32_t b0) {
      return b3 << 12 | b2 << 8 | b1 << 4 | b0;
    };
    if (mode == "f4e") return pick(n + 3, n + 2, n + 1, n);
    if (mode == "b4e") return pick((n + 5) & 7, (n + 6) & 7, (n + 7) & 7, n);
    if (mode == "rc8") return pick(n, n, n, n);
    if (mode == "ecl") return pick(3, std::max(n, 2U), std::max(n, 1U), n);
    if (mode == "ecr") return pick(n, std::min(n, 2U), std::min(n, 1U), 0);
    return (n & 1) == 0 ? pick(1, 0, 1, 0) : pick(3, 2, 3, 2);
  }
};
template <int mode>
struct PrmtOf {
  static HWY_INLINE uint32_t call(uint32_t a, uint32_t b, uint32_t c) {
    constexpr std::string_view names[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    return Prmt::call(a, b, PrmtMode::selectors(names[mode], c));
  }
};

template <class F>
Handler bits_binary(Type type) {
  switch (bytes_of(type)) {
    case 2:
      return &binary<F, uint16_t, uint16_t, uint16_t>;
    case 4:
      return &binary<F, uint32_t, uint32_t, uint32_t>;
    case 8:
      return &binary<F, uint64_t, uint64_t, uint64_t>;
    default:
      return nullptr;
  }
}
template <class F>
Handler bits_unary(Type type) {
  switch (bytes_of(type)) {
    case 2:
      return &unary<F, uint16_t, uint16_t>;
    case 4:
      return &unary<F, uint32_t, uint32_t>;
    case 8:
      return &unary<F, uint64_t, uint64_t>;
    default:
      return nullptr;
  }
}
Handler shift_of(const Spec& spec) {
  const bool left = spec.base == "shl";
  switch (spec.type()) {
    case Type::B16:
    case Type::U16:
      return left ? &binary<ShiftLeft, uint16_t, uint16_t, uint32_t>
                  : &binary<ShiftRight, uint16_t, uint16_t, uint32_t>;
    case Type::B32:
    case Type::U32:
      return left ? &binary<ShiftLeft, uint32_t, uint32_t, uint32_t>
                  : &binary<ShiftRight, uint32_t, uint32_t, uint32_t>;
    case Type::B64:
    case Type::U64:
      return left ? &binary<ShiftLeft, uint64_t, uint64_t, uint32_t>
                  : &binary<ShiftRight, uint64_t, uint64_t, uint32_t>;
    case Type::S16:
      return left ? nullptr : &binary<ShiftRight, int16_t, int16_t, uint32_t>;
    case Type::S32:
      return left ? nullptr : &binary<ShiftRight, int32_t, int32_t, uint32_t>;
    case Type::S64:
      return left ? nullptr : &binary<ShiftRight, int64_t, int64_t, uint32_t>;
    default:
      return nullptr;
  }
}
Handler field_of(const Spec& spec) {
  if (spec.base == "bfe") {
    switch (spec.type()) {
      case Type::U32:
        return &ternary<Bfe, uint32_t, uint32_t, uint32_t, uint32_t>;
      case Type::S32:
        return &ternary<Bfe, int32_t, int32_t, uint32_t, uint32_t>;
      case Type::U64:
        return &ternary<Bfe, uint64_t, uint64_t, uint32_t, uint32_t>;
      case Type::S64:
        return &ternary<Bfe, int64_t, int64_t, uint32_t, uint32_t>;
      default:
        return nullptr;
    }
  }
  return spec.type() == Type::B32 ? &quaternary<Bfi, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>
                                  : &quaternary<Bfi, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t>;
}
template <bool shift_amount>
Handler bfind_of(Type type) {
  switch (type) {
    case Type::U32:
      return &unary<Bfind<shift_amount>, uint32_t, uint32_t>;
    case Type::S32:
      return &unary<Bfind<shift_amount>, uint32_t, int32_t>;
    case Type::U64:
      return &unary<Bfind<shift_amount>, uint32_t, uint64_t>;
    case Type::S64:
      return &unary<Bfind<shift_amount>, uint32_t, int64_t>;
    default:
      return nullptr;
  }
}
Handler permute_of(const Spec& spec) {
  const auto make = [](auto f) -> Handler { return &ternary<decltype(f), uint32_t, uint32_t, uint32_t, uint32_t>; };
  if (spec.has("f4e")) return make(PrmtOf<0>{});
  if (spec.has("b4e")) return make(PrmtOf<1>{});
  if (spec.has("rc8")) return make(PrmtOf<2>{});
  if (spec.has("ecl")) return make(PrmtOf<3>{});
  if (spec.has("ecr")) return make(PrmtOf<4>{});
  if (spec.has("rc16")) return make(PrmtOf<5>{});
  return make(Prmt{});
}
Handler funnel_of(const Spec& spec) {
  const auto make = [](auto f) -> Handler { return &ternary<decltype(f), uint32_t, uint32_t, uint32_t, uint32_t>; };
  if (spec.has("l")) return spec.has("wrap") ? make(FunnelShift<true, true>{}) : make(FunnelShift<true, false>{});
  return spec.has("wrap") ? make(FunnelShift<false, true>{}) : make(FunnelShift<false, false>{});
}

Handler bits_handler(const Spec& spec) {
  const std::string_view base = spec.base;
  const Type type = spec.type();
  if (type == Type::Pred) return nullptr;
  if (base == "and") return bits_binary<And>(type);
  if (base == "or") return bits_binary<Or>(type);
  if (base == "xor") return bits_binary<Xor>(type);
  if (base == "not") return bits_unary<Not>(type);
  if (base == "cnot") return bits_unary<LogicalNot>(type);
  if (base == "shl" || base == "shr") return shift_of(spec);
  if (base == "lop3" && type == Type::B32 && !spec.has("and") && !spec.has("or")) return &lop3;
  if (base == "shf") return funnel_of(spec);
  if (base == "prmt") return permute_of(spec);
  if (base == "popc") return type == Type::B64 ? &unary<Popc, uint32_t, uint64_t> : &unary<Popc, uint32_t, uint32_t>;
  if (base == "clz") return type == Type::B64 ? &unary<Clz, uint32_t, uint64_t> : &unary<Clz, uint32_t, uint32_t>;
  if (base == "brev") return bits_unary<Brev>(type);
  if (base == "bfind") return spec.has("shiftamt") ? bfind_of<true>(type) : bfind_of<false>(type);
  if (base == "bfe" || base == "bfi") return field_of(spec);
  if (base == "bmsk")
    return spec.has("clamp") ? &binary<Bmsk<true>, uint32_t, uint32_t, uint32_t>
                             : &binary<Bmsk<false>, uint32_t, uint32_t, uint32_t>;
  if (base == "szext" && type == Type::U32)
    return spec.has("clamp") ? &binary<Szext<true>, uint32_t, uint32_t, uint32_t>
                             : &binary<Szext<false>, uint32_t, uint32_t, uint32_t>;
  if (base == "szext" && type == Type::S32)
    return spec.has("clamp") ? &binary<Szext<true>, int32_t, int32_t, uint32_t>
                             : &binary<Szext<false>, int32_t, int32_t, uint32_t>;
  if (base == "fns") return &ternary<Fns, uint32_t, uint32_t, uint32_t, int32_t>;
  return nullptr;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace threadscape::warp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::warp {
HWY_EXPORT(bits_handler);
Handler find_bits(const Spec& spec) {
  return HWY_DYNAMIC_DISPATCH(bits_handler)(spec);
}
}  // namespace threadscape::warp
#endif
