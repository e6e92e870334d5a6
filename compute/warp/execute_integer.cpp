// Integer arithmetic on lanes.

// The widest vectors and the lowest ones are enough, and each target takes as long to compile as another.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (THREADSCAPE_UNUSED_SIMD | HWY_SSE4 | HWY_AVX3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/warp/execute_integer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "compute/warp/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::warp {
namespace HWY_NAMESPACE {

using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

/// The unsigned type in which sums and products of T wrap around without being undefined.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
template <class T>
HWY_INLINE Wrapping<T> wrapping(T value) {
  return static_cast<Wrapping<T>>(value);
}
/// The type with twice the bits.
template <class T>
using Twice = std::conditional_t<
    std::is_signed_v<T>,
    std::conditional_t<sizeof(T) == 2, int32_t, std::conditional_t<sizeof(T) == 4, int64_t, __int128>>,
    std::conditional_t<sizeof(T) == 2, uint32_t, std::conditional_t<sizeof(T) == 4, uint64_t, unsigned __int128>>>;

struct Add {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return static_cast<T>(wrapping(a) + wrapping(b));
  }
};
struct Sub {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return static_cast<T>(wrapping(a) - wrapping(b));
  }
};
/// add.sat.s32 and sub.sat.s32.
template <int sign>
struct AddSaturated {
  static HWY_INLINE int32_t call(int32_t a, int32_t b) {
    return static_cast<int32_t>(std::clamp<int64_t>(int64_t{a} + sign * int64_t{b}, std::numeric_limits<int32_t>::min(),
                                                    std::numeric_limits<int32_t>::max()));
  }
};
struct MulLow {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return static_cast<T>(wrapping(a) * wrapping(b));
  }
};
struct MulHigh {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return static_cast<T>(static_cast<Twice<T>>(static_cast<Twice<T>>(a) * b) >> (sizeof(T) * 8));
  }
};
struct MulWide {
  template <class T>
  static HWY_INLINE Twice<T> call(T a, T b) {
    return static_cast<Twice<T>>(static_cast<Twice<T>>(a) * b);
  }
};
template <class Mul>
struct MulAdd {
  template <class T, class C>
  static HWY_INLINE C call(T a, T b, C c) {
    return static_cast<C>(wrapping(static_cast<C>(Mul::call(a, b))) + wrapping(c));
  }
};
/// mul24: the low 24 bits of both operands; the low or high 32 bits of the product's 48.
template <bool high>
struct Mul24 {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    const auto part = [](T value) {
      return static_cast<int64_t>(static_cast<T>(static_cast<uint32_t>(value) << 8) >> 8);
    };
    const int64_t product = part(a) * part(b);
    return static_cast<T>(high ? product >> 16 : product);
  }
};
/// The sum of a difference without its sign and a third operand.
struct Sad {
  template <class T>
  static HWY_INLINE T call(T a, T b, T c) {
    return static_cast<T>(wrapping(c) + (a < b ? wrapping(b) - wrapping(a) : wrapping(a) - wrapping(b)));
  }
};
/// Division by zero gives all ones on the hardware; the remainder is then the dividend.
struct Div {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return static_cast<T>(0 - wrapping(a));
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  }
};
struct Abs {
  template <class T>
  static HWY_INLINE T call(T a) {
    return a < 0 ? static_cast<T>(0 - wrapping(a)) : a;
  }
};
struct Neg {
  template <class T>
  static HWY_INLINE T call(T a) {
    return static_cast<T>(0 - wrapping(a));
  }
};
struct Min {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return a < b ? a : b;
  }
};
struct Max {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return a < b ? b : a;
  }
};
/// max.s32.relu and min.s32.relu.
template <class F>
struct Relu {
  static HWY_INLINE int32_t call(int32_t a, int32_t b) { return std::max(F::call(a, b), 0); }
};
/// An operation on each half of a word.
template <class F, class T>
struct Halves {
  static HWY_INLINE uint32_t call(uint32_t a, uint32_t b) {
    const auto low = static_cast<uint16_t>(F::call(static_cast<T>(a), static_cast<T>(b)));
    const auto high = static_cast<uint16_t>(F::call(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return low | static_cast<uint32_t>(high) << 16;
  }
};
/// dp4a: four products of bytes and a third operand.
template <class A, class B>
struct Dp4a {
  static HWY_INLINE uint32_t call(uint32_t a, uint32_t b, uint32_t c) {
    for (int i = 0; i < 32; i += 8)
      c += static_cast<uint32_t>(static_cast<A>(a >> i) * static_cast<B>(b >> i));
    return c;
  }
};
/// dp2a: two products of 16-bit numbers of a and the low or high two bytes of b, and a third operand.
template <class A, class B, int shift>
struct Dp2a {
  static HWY_INLINE uint32_t call(uint32_t a, uint32_t b, uint32_t c) {
    c += static_cast<uint32_t>(static_cast<A>(a) * static_cast<B>(b >> shift));
    return c + static_cast<uint32_t>(static_cast<A>(a >> 16) * static_cast<B>(b >> (shift + 8)));
  }
};

/// Additions that use or set the condition code: a + b + carry, or a - b - borrow, whose carry is inverted as in an
/// adder.
template <class T, bool subtract>
void add_carry(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<T> a(warp, op.s[0]);
  const Source<T> b(warp, op.s[1]);
  const bool uses = (op.mode & 1) != 0, sets = (op.mode & 2) != 0;
  alignas(64) Lane<T> result[warp_lanes];
  uint32_t carries = 0;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const T in = uses ? warp.carry >> lane & 1 : 0;
    const T x = a[lane], y = b[lane];
    const T sum = subtract ? static_cast<T>(x - y - in) : static_cast<T>(x + y + in);
    const bool out = subtract ? x < y || (x == y && in != 0) : sum < x || (in != 0 && sum == x);
    result[lane] = sum;
    carries |= static_cast<uint32_t>(out) << lane;
  }
  store_lanes(warp.lanes<Lane<T>>(op.d), result, mask);
  if (sets) warp.carry = (warp.carry & ~mask) | (carries & mask);
}
/// mad.cc and madc: the low or high half of a product, a third operand and the carry.
template <class T, bool high>
void multiply_carry(Warp& warp, const Operation& op, uint32_t mask) {
  using U = std::make_unsigned_t<T>;
  const Source<T> a(warp, op.s[0]), b(warp, op.s[1]);
  const Source<U> c(warp, op.s[2]);
  const bool uses = (op.mode & 1) != 0, sets = (op.mode & 2) != 0;
  alignas(64) Lane<U> result[warp_lanes];
  uint32_t carries = 0;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const U product = static_cast<U>(high ? MulHigh::call(a[lane], b[lane]) : MulLow::call(a[lane], b[lane]));
    const U in = uses ? warp.carry >> lane & 1 : 0;
    const U sum = product + c[lane] + in;
    carries |= static_cast<uint32_t>(sum < product || (in != 0 && sum == product)) << lane;
    result[lane] = sum;
  }
  store_lanes(warp.lanes<Lane<U>>(op.d), result, mask);
  if (sets) warp.carry = (warp.carry & ~mask) | (carries & mask);
}

/// The handler `make<T>()` for the integer type T of that name.
template <class F>
Handler by_type(Type type, const F& make) {
  switch (type) {
    case Type::U16:
    case Type::B16:
      return make(uint16_t{});
    case Type::S16:
      return make(int16_t{});
    case Type::U32:
    case Type::B32:
      return make(uint32_t{});
    case Type::S32:
      return make(int32_t{});
    case Type::U64:
    case Type::B64:
      return make(uint64_t{});
    case Type::S64:
      return make(int64_t{});
    default:
      return nullptr;
  }
}
template <class F>
Handler unary_of(Type type) {
  return by_type(type, [](auto t) -> Handler { return &unary<F, decltype(t), decltype(t)>; });
}
template <class F>
Handler binary_of(Type type) {
  return by_type(type, [](auto t) -> Handler { return &binary<F, decltype(t), decltype(t), decltype(t)>; });
}
template <class F>
Handler ternary_of(Type type) {
  return by_type(type, [](auto t) -> Handler {
    using T = decltype(t);
    return &ternary<F, T, T, T, T>;
  });
}
template <class F>
Handler minimum_of(const Spec& spec) {
  switch (spec.type()) {
    case Type::U16:
    case Type::U32:
    case Type::U64:
    case Type::S16:
    case Type::S64:
      return binary_of<F>(spec.type());
    case Type::S32:
      return spec.has("relu") ? &binary<Relu<F>, int32_t, int32_t, int32_t> : binary_of<F>(Type::S32);
    default:
      break;
  }
  if (spec.has("u16x2")) return &binary<Halves<F, uint16_t>, uint32_t, uint32_t, uint32_t>;
  if (spec.has("s16x2") && !spec.has("relu")) return &binary<Halves<F, int16_t>, uint32_t, uint32_t, uint32_t>;
  return nullptr;
}
Handler multiply_of(const Spec& spec) {
  if (spec.has("wide")) {
    switch (spec.type()) {
      case Type::U16:
        return &binary<MulWide, uint32_t, uint16_t, uint16_t>;
      case Type::S16:
        return &binary<MulWide, int32_t, int16_t, int16_t>;
      case Type::U32:
        return &binary<MulWide, uint64_t, uint32_t, uint32_t>;
      case Type::S32:
        return &binary<MulWide, int64_t, int32_t, int32_t>;
      default:
        return nullptr;
    }
  }
  if (spec.has("hi")) return binary_of<MulHigh>(spec.type());
  return spec.has("lo") ? binary_of<MulLow>(spec.type()) : nullptr;
}
Handler multiply_add_of(const Spec& spec) {
  if (spec.base == "madc" || spec.has("cc")) {
    const bool high = spec.has("hi");
    switch (spec.type()) {
      case Type::U32:
        return high ? &multiply_carry<uint32_t, true> : &multiply_carry<uint32_t, false>;
      case Type::S32:
        return high ? &multiply_carry<int32_t, true> : &multiply_carry<int32_t, false>;
      case Type::U64:
        return high ? &multiply_carry<uint64_t, true> : &multiply_carry<uint64_t, false>;
      case Type::S64:
        return high ? &multiply_carry<int64_t, true> : &multiply_carry<int64_t, false>;
      default:
        return nullptr;
    }
  }
  if (spec.has("wide")) {
    switch (spec.type()) {
      case Type::U16:
        return &ternary<MulAdd<MulWide>, uint32_t, uint16_t, uint16_t, uint32_t>;
      case Type::S16:
        return &ternary<MulAdd<MulWide>, int32_t, int16_t, int16_t, int32_t>;
      case Type::U32:
        return &ternary<MulAdd<MulWide>, uint64_t, uint32_t, uint32_t, uint64_t>;
      case Type::S32:
        return &ternary<MulAdd<MulWide>, int64_t, int32_t, int32_t, int64_t>;
      default:
        return nullptr;
    }
  }
  if (spec.has("sat")) return nullptr;
  if (spec.has("hi")) return ternary_of<MulAdd<MulHigh>>(spec.type());
  return spec.has("lo") ? ternary_of<MulAdd<MulLow>>(spec.type()) : nullptr;
}
template <bool subtract>
Handler carry_of(Type type) {
  switch (type) {
    case Type::U32:
    case Type::S32:
      return &add_carry<uint32_t, subtract>;
    case Type::U64:
    case Type::S64:
      return &add_carry<uint64_t, subtract>;
    default:
      return nullptr;
  }
}
Handler dot_of(const Spec& spec) {
  if (spec.types.size() != 2) return nullptr;
  const bool a = spec.types[0] == Type::S32, b = spec.types[1] == Type::S32;
  using U = uint32_t;
  const auto make = [](auto f) -> Handler { return &ternary<decltype(f), U, U, U, U>; };
  if (spec.base == "dp4a")
    return a ? (b ? make(Dp4a<int8_t, int8_t>{}) : make(Dp4a<int8_t, uint8_t>{}))
             : (b ? make(Dp4a<uint8_t, int8_t>{}) : make(Dp4a<uint8_t, uint8_t>{}));
  if (spec.has("lo"))
    return a ? (b ? make(Dp2a<int16_t, int8_t, 0>{}) : make(Dp2a<int16_t, uint8_t, 0>{}))
             : (b ? make(Dp2a<uint16_t, int8_t, 0>{}) : make(Dp2a<uint16_t, uint8_t, 0>{}));
  return a ? (b ? make(Dp2a<int16_t, int8_t, 16>{}) : make(Dp2a<int16_t, uint8_t, 16>{}))
           : (b ? make(Dp2a<uint16_t, int8_t, 16>{}) : make(Dp2a<uint16_t, uint8_t, 16>{}));
}
template <class F, int sign>
Handler add_of(const Spec& spec) {
  if (spec.has("cc")) return carry_of<(sign < 0)>(spec.type());
  if (spec.has("sat"))
    return spec.type() == Type::S32 ? &binary<AddSaturated<sign>, int32_t, int32_t, int32_t> : nullptr;
  if (spec.has("u16x2") || spec.has("s16x2")) return &binary<Halves<F, uint16_t>, uint32_t, uint32_t, uint32_t>;
  return binary_of<F>(spec.type());
}

Handler integer_handler(const Spec& spec) {
  const std::string_view base = spec.base;
  const Type type = spec.type();
  if (base == "add") return add_of<Add, 1>(spec);
  if (base == "sub") return add_of<Sub, -1>(spec);
  if (base == "addc") return carry_of<false>(type);
  if (base == "subc") return carry_of<true>(type);
  if (base == "mul") return multiply_of(spec);
  if (base == "mad" || base == "madc") return multiply_add_of(spec);
  if (base == "mul24" && type == Type::U32)
    return spec.has("hi") ? &binary<Mul24<true>, uint32_t, uint32_t, uint32_t>
                          : &binary<Mul24<false>, uint32_t, uint32_t, uint32_t>;
  if (base == "mul24" && type == Type::S32)
    return spec.has("hi") ? &binary<Mul24<true>, int32_t, int32_t, int32_t>
                          : &binary<Mul24<false>, int32_t, int32_t, int32_t>;
  if (base == "sad") return ternary_of<Sad>(type);
  if (base == "div") return binary_of<Div>(type);
  if (base == "rem") return binary_of<Rem>(type);
  if (base == "abs") return unary_of<Abs>(type);
  if (base == "neg") return unary_of<Neg>(type);
  if (base == "min") return minimum_of<Min>(spec);
  if (base == "max") return minimum_of<Max>(spec);
  if (base == "dp4a" || base == "dp2a") return dot_of(spec);
  return nullptr;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace threadscape::warp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::warp {
HWY_EXPORT(integer_handler);
Handler find_integer(const Spec& spec) {
  return HWY_DYNAMIC_DISPATCH(integer_handler)(spec);
}
}  // namespace threadscape::warp
#endif
