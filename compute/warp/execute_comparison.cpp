// Comparisons, selections and operations on predicates.

// The widest vectors and the lowest ones are enough, and each target takes as long to compile as another.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (THREADSCAPE_UNUSED_SIMD | HWY_SSE4 | HWY_AVX3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/warp/execute_comparison.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "compute/warp/half.h"
#include "compute/warp/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::warp {
namespace HWY_NAMESPACE {

using std::int16_t, std::int32_t, std::int64_t, std::uint16_t, std::uint32_t, std::uint64_t;

/// How the result of a comparison is combined with a third operand, in the lowest bits of Operation::mode.
enum Combination : std::uint8_t { plain = 0, with_and = 1, with_or = 2, with_xor = 3 };

HWY_INLINE uint32_t combined(const Warp& warp, const Operation& op, uint32_t result) {
  switch (op.mode & 3) {
    case with_and:
      return result & warp.predicate(op, 2);
    case with_or:
      return result | warp.predicate(op, 2);
    case with_xor:
      return result ^ warp.predicate(op, 2);
    default:
      return result;
  }
}
HWY_INLINE void write_mask(Warp& warp, uint32_t slot, uint32_t mask, uint32_t value) {
  if (slot != none) warp.mask(slot) = (warp.mask(slot) & ~mask) | (value & mask);
}

template <class T, class F>
void setp(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<T> a(warp, op.s[0]);
  const Source<T> b(warp, op.s[1]);
  const uint32_t result = mask_of([&](int lane) { return F::call(a[lane], b[lane]); });
  const uint32_t first = combined(warp, op, result), second = combined(warp, op, ~result);
  write_mask(warp, op.d, mask, first);
  write_mask(warp, op.d2, mask, second);
}
/// set: bit 2 of the mode asks for 1.0 instead of all ones.
template <class T, class F>
void set(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<T> a(warp, op.s[0]);
  const Source<T> b(warp, op.s[1]);
  const uint32_t result = combined(warp, op, mask_of([&](int lane) { return F::call(a[lane], b[lane]); }));
  const uint32_t yes = (op.mode & 4) != 0 ? 0x3f800000 : 0xffffffff;
  write_lanes<uint32_t>(warp, op.d, mask, [&](int lane) { return (result >> lane & 1) != 0 ? yes : 0U; });
}

struct Eq {
  template <class T>
  static HWY_INLINE bool call(T a, T b) {
    return a == b;
  }
};
struct Ne {
  template <class T>
  static HWY_INLINE bool call(T a, T b) {
    return a < b || a > b;  // False where one is no number, unlike != of C++.
  }
};
struct Lt {
  template <class T>
  static HWY_INLINE bool call(T a, T b) {
    return a < b;
  }
};
struct Le {
  template <class T>
  static HWY_INLINE bool call(T a, T b) {
    return a <= b;
  }
};
struct Gt {
  template <class T>
  static HWY_INLINE bool call(T a, T b) {
    return a > b;
  }
};
struct Ge {
  template <class T>
  static HWY_INLINE bool call(T a, T b) {
    return a >= b;
  }
};
/// True where the opposite comparison is false, and so where one of the operands is no number.
template <class Opposite>
struct Unordered {
  template <class T>
  static HWY_INLINE bool call(T a, T b) {
    return !Opposite::call(a, b);
  }
};
struct Num {
  template <class T>
  static HWY_INLINE bool call(T a, T b) {
    return a == a && b == b;
  }
};
template <class F>
struct FlushedComparison {
  static HWY_INLINE bool call(float a, float b) {
    const auto flush = [](float value) { return std::abs(value) < std::numeric_limits<float>::min() ? 0.0F : value; };
    return F::call(flush(a), flush(b));
  }
};
/// A number with 16 bits as a float, so that comparisons see its value.
template <class Format>
struct HalfOperand {
  uint16_t bits;
};
template <class F, class Format>
struct HalfComparison {
  static HWY_INLINE bool call(HalfOperand<Format> a, HalfOperand<Format> b) {
    return F::call(Format::value(a.bits), Format::value(b.bits));
  }
};

template <class T, class F>
Handler comparing(bool predicate) {
  return predicate ? &setp<T, F> : &set<T, F>;
}
template <class T>
Handler compare_integers(const Spec& spec, bool predicate) {
  using U = std::make_unsigned_t<T>;
  if (spec.has("eq")) return comparing<U, Eq>(predicate);
  if (spec.has("ne")) return comparing<U, Ne>(predicate);
  if (spec.has("lt")) return comparing<T, Lt>(predicate);
  if (spec.has("le")) return comparing<T, Le>(predicate);
  if (spec.has("gt")) return comparing<T, Gt>(predicate);
  if (spec.has("ge")) return comparing<T, Ge>(predicate);
  if (spec.has("lo")) return comparing<U, Lt>(predicate);
  if (spec.has("ls")) return comparing<U, Le>(predicate);
  if (spec.has("hi")) return comparing<U, Gt>(predicate);
  if (spec.has("hs")) return comparing<U, Ge>(predicate);
  return nullptr;
}
template <class T, class F>
Handler comparing_as(const Spec& spec, bool predicate) {
  if constexpr (std::is_same_v<T, float>) {
    if (spec.has("ftz")) return comparing<float, FlushedComparison<F>>(predicate);
    return comparing<float, F>(predicate);
  } else if constexpr (std::is_same_v<T, double>) {
    return comparing<double, F>(predicate);
  } else {
    return comparing<HalfOperand<T>, HalfComparison<F, T>>(predicate);
  }
}
template <class T>
Handler compare_floats(const Spec& spec, bool predicate) {
  if (spec.has("eq")) return comparing_as<T, Eq>(spec, predicate);
  if (spec.has("ne")) return comparing_as<T, Ne>(spec, predicate);
  if (spec.has("lt")) return comparing_as<T, Lt>(spec, predicate);
  if (spec.has("le")) return comparing_as<T, Le>(spec, predicate);
  if (spec.has("gt")) return comparing_as<T, Gt>(spec, predicate);
  if (spec.has("ge")) return comparing_as<T, Ge>(spec, predicate);
  if (spec.has("equ")) return comparing_as<T, Unordered<Ne>>(spec, predicate);
  if (spec.has("neu")) return comparing_as<T, Unordered<Eq>>(spec, predicate);
  if (spec.has("ltu")) return comparing_as<T, Unordered<Ge>>(spec, predicate);
  if (spec.has("leu")) return comparing_as<T, Unordered<Gt>>(spec, predicate);
  if (spec.has("gtu")) return comparing_as<T, Unordered<Le>>(spec, predicate);
  if (spec.has("geu")) return comparing_as<T, Unordered<Lt>>(spec, predicate);
  if (spec.has("num")) return comparing_as<T, Num>(spec, predicate);
  if (spec.has("nan")) return comparing_as<T, Unordered<Num>>(spec, predicate);
  return nullptr;
}
Handler compare(const Spec& spec) {
  const bool predicate = spec.base == "setp";
  switch (spec.last_type()) {
    case Type::B16:
    case Type::U16:
      return compare_integers<uint16_t>(spec, predicate);
    case Type::S16:
      return compare_integers<int16_t>(spec, predicate);
    case Type::B32:
    case Type::U32:
      return compare_integers<uint32_t>(spec, predicate);
    case Type::S32:
      return compare_integers<int32_t>(spec, predicate);
    case Type::B64:
    case Type::U64:
      return compare_integers<uint64_t>(spec, predicate);
    case Type::S64:
      return compare_integers<int64_t>(spec, predicate);
    case Type::F32:
      return compare_floats<float>(spec, predicate);
    case Type::F64:
      return compare_floats<double>(spec, predicate);
    case Type::F16:
      return compare_floats<Fp16>(spec, predicate);
    case Type::BF16:
      return compare_floats<Bfloat16>(spec, predicate);
    default:
      return nullptr;
  }
}

template <class L>
void selp(Warp& warp, const Operation& op, uint32_t mask) {
  const L *a = warp.lanes<L>(op.s[0]), *b = warp.lanes<L>(op.s[1]);
  const uint32_t chosen = warp.predicate(op, 2);
  write_lanes<L>(warp, op.d, mask, [&](int lane) { return (chosen >> lane & 1) != 0 ? a[lane] : b[lane]; });
}
/// slct: a where the third operand is not negative, otherwise b.
template <class L, class C>
struct Select {
  static HWY_INLINE L call(L a, L b, C c) { return c >= 0 ? a : b; }
};
template <class L>
void move(Warp& warp, const Operation& op, uint32_t mask) {
  store_lanes(warp.lanes<L>(op.d), warp.lanes<L>(op.s[0]), mask);
}
template <int operation>
void predicates(Warp& warp, const Operation& op, uint32_t mask) {
  const uint32_t a = warp.predicate(op, 0), b = op.s[1] == none ? 0 : warp.predicate(op, 1);
  write_mask(warp, op.d, mask,
             operation == 0   ? a & b
             : operation == 1 ? a | b
             : operation == 2 ? a ^ b
             : operation == 3 ? ~a
                              : a);
}

Handler comparison_handler(const Spec& spec) {
  const std::string_view base = spec.base;
  const Type type = spec.type();
  if (base == "setp" || base == "set") return compare(spec);
  if (type == Type::Pred) {
    if (base == "and") return &predicates<0>;
    if (base == "or") return &predicates<1>;
    if (base == "xor") return &predicates<2>;
    if (base == "not") return &predicates<3>;
    if (base == "mov") return &predicates<4>;
    return nullptr;
  }
  const bool wide = bytes_of(type) == 8;
  if (bytes_of(type) == 16) return nullptr;
  if (base == "selp") return wide ? &selp<uint64_t> : &selp<uint32_t>;
  if (base == "mov") return wide ? &move<uint64_t> : &move<uint32_t>;
  if (base == "slct") {
    const bool number = spec.last_type() == Type::F32;
    if (wide)
      return number ? &ternary<Select<uint64_t, float>, uint64_t, uint64_t, uint64_t, float>
                    : &ternary<Select<uint64_t, int32_t>, uint64_t, uint64_t, uint64_t, int32_t>;
    return number ? &ternary<Select<uint32_t, float>, uint32_t, uint32_t, uint32_t, float>
                  : &ternary<Select<uint32_t, int32_t>, uint32_t, uint32_t, uint32_t, int32_t>;
  }
  return nullptr;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace threadscape::warp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::warp {
HWY_EXPORT(comparison_handler);
Handler find_comparison(const Spec& spec) {
  return HWY_DYNAMIC_DISPATCH(comparison_handler)(spec);
}
}  // namespace threadscape::warp
#endif
