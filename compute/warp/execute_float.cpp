// Arithmetic of floats and doubles on lanes. Results round once; those of single precision that are no number are
// 0x7fffffff.

// The widest vectors and the lowest ones are enough, and each target takes as long to compile as another.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (THREADSCAPE_UNUSED_SIMD | HWY_SSE4 | HWY_AVX3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/warp/execute_float.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cfenv>
#include <cmath>
#include <limits>

#include "compute/warp/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::warp {
namespace HWY_NAMESPACE {

using std::uint32_t, std::uint64_t;

/// Denormals become zeros of their sign.
template <bool ftz, class T>
HWY_INLINE T flushed(T value) {
  if constexpr (ftz && sizeof(T) == 4)
    return std::abs(value) < std::numeric_limits<float>::min() ? std::copysign(T{0}, value) : value;
  return value;
}
template <class T>
HWY_INLINE T quiet(T value) {
  if constexpr (sizeof(T) == 4) return value == value ? value : std::bit_cast<float>(uint32_t{0x7fffffff});
  return value;
}
/// What an operation does with its result: flushes it, and clamps it to 0 .. 1 for `.sat`.
template <bool ftz, bool sat, class T>
HWY_INLINE T finished(T value) {
  value = quiet(flushed<ftz>(value));
  if constexpr (sat) value = value > 0 ? (value < 1 ? value : T{1}) : T{0};
  return value;
}

struct FloatAdd {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return a + b;
  }
};
struct FloatSub {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return a - b;
  }
};
struct FloatMul {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return a * b;
  }
};
struct FloatDiv {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return a / b;
  }
};
struct FloatFma {
  template <class T>
  static HWY_INLINE T call(T a, T b, T c) {
    return std::fma(a, b, c);
  }
};
struct FloatRcp {
  template <class T>
  static HWY_INLINE T call(T a) {
    return T{1} / a;
  }
};
struct FloatSqrt {
  template <class T>
  static HWY_INLINE T call(T a) {
    return std::sqrt(a);
  }
};
/// An operation with flushed operands and a finished result.
template <class F, bool ftz, bool sat>
struct Whole {
  template <class... T>
  static HWY_INLINE auto call(T... values) {
    return finished<ftz, sat>(F::call(flushed<ftz>(values)...));
  }
};

/// An operation that rounds towards zero, down or up: lane by lane, with the rounding of the processor.
template <class F, class T, int count, bool ftz, bool sat>
void directed(Warp& warp, const Operation& op, uint32_t mask, int rounding) {
  alignas(64) Lane<T> result[warp_lanes];
  const int before = std::fegetround();
  std::fesetround(rounding);
  for (int lane = 0; lane < warp_lanes; ++lane) {
    // Volatile values keep the compiler from computing before or behind the changes of the rounding.
    volatile T a = flushed<ftz>(Source<T>(warp, op.s[0])[lane]);
    volatile T made = 0;
    if constexpr (count == 1) {
      made = F::call(T{a});
    } else {
      volatile T b = flushed<ftz>(Source<T>(warp, op.s[1])[lane]);
      if constexpr (count == 2) {
        made = F::call(T{a}, T{b});
      } else {
        volatile T c = flushed<ftz>(Source<T>(warp, op.s[2])[lane]);
        made = F::call(T{a}, T{b}, T{c});
      }
    }
    result[lane] = lane_of<T>(finished<ftz, sat>(T{made}));
  }
  std::fesetround(before);
  store_lanes(warp.lanes<Lane<T>>(op.d), result, mask);
}
template <class F, class T, int count, bool ftz, bool sat, int rounding>
void directed_as(Warp& warp, const Operation& op, uint32_t mask) {
  directed<F, T, count, ftz, sat>(warp, op, mask, rounding);
}
template <class F, class T, int count, bool ftz, bool sat>
Handler rounded(const Spec& spec) {
  if (spec.has("rz")) return &directed_as<F, T, count, ftz, sat, FE_TOWARDZERO>;
  if (spec.has("rm")) return &directed_as<F, T, count, ftz, sat, FE_DOWNWARD>;
  if (spec.has("rp")) return &directed_as<F, T, count, ftz, sat, FE_UPWARD>;
  using W = Whole<F, ftz, sat>;
  if constexpr (count == 1) return &unary<W, T, T>;
  if constexpr (count == 2) return &binary<W, T, T, T>;
  if constexpr (count == 3) return &ternary<W, T, T, T, T>;
}
/// An operation of float or double in all its modes.
template <class F, int count>
Handler arithmetic(const Spec& spec) {
  const bool ftz = spec.has("ftz"), sat = spec.has("sat");
  if (spec.last_type() == Type::F64) return rounded<F, double, count, false, false>(spec);
  if (spec.last_type() != Type::F32) return nullptr;
  if (sat) return ftz ? rounded<F, float, count, true, true>(spec) : rounded<F, float, count, false, true>(spec);
  return ftz ? rounded<F, float, count, true, false>(spec) : rounded<F, float, count, false, false>(spec);
}

struct FloatAbs {
  template <class T>
  static HWY_INLINE T call(T a) {
    return std::abs(a);
  }
};
struct FloatNeg {
  template <class T>
  static HWY_INLINE T call(T a) {
    return -a;
  }
};
/// copysign d, a, b: b with the sign of a.
struct FloatCopySign {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    return std::copysign(b, a);
  }
};
/// The smaller or greater of two: a number where one is none, unless `nan`; -0 is smaller than +0.
template <bool greatest, bool nan>
struct FloatExtreme {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    const T zero = greatest == std::signbit(a) ? b : a;
    T result = a == b ? zero : (greatest ? a > b : a < b) ? a : b;
    result = a != a ? (nan ? a : b) : b != b ? (nan ? b : a) : result;
    return quiet(result);
  }
};
template <class F, bool ftz>
struct Flushing {
  template <class... T>
  static HWY_INLINE auto call(T... values) {
    return F::call(flushed<ftz>(values)...);
  }
};
template <bool greatest>
struct FloatExtreme3 {
  static HWY_INLINE float call(float a, float b, float c) {
    return FloatExtreme<greatest, false>::call(FloatExtreme<greatest, false>::call(a, b), c);
  }
};
template <class F>
Handler plain_unary(const Spec& spec) {
  if (spec.type() == Type::F64) return &unary<F, double, double>;
  if (spec.type() != Type::F32) return nullptr;
  return spec.has("ftz") ? &unary<Flushing<F, true>, float, float> : &unary<F, float, float>;
}
template <bool greatest>
Handler extreme(const Spec& spec) {
  if (spec.has("xorsign")) return nullptr;
  using N = FloatExtreme<greatest, false>;
  using A = FloatExtreme<greatest, true>;
  if (spec.type() == Type::F64) return &binary<N, double, double, double>;
  if (spec.type() != Type::F32) return nullptr;
  if (spec.has("NaN"))
    return spec.has("ftz") ? &binary<Flushing<A, true>, float, float, float> : &binary<A, float, float, float>;
  return spec.has("ftz") ? &binary<Flushing<N, true>, float, float, float> : &binary<N, float, float, float>;
}

Handler float_handler(const Spec& spec) {
  const std::string_view base = spec.base;
  const Type type = spec.type();
  if (type != Type::F32 && type != Type::F64) return nullptr;
  if (base == "add") return arithmetic<FloatAdd, 2>(spec);
  if (base == "sub") return arithmetic<FloatSub, 2>(spec);
  if (base == "mul") return arithmetic<FloatMul, 2>(spec);
  if (base == "fma" || base == "mad") return arithmetic<FloatFma, 3>(spec);
  if (base == "div") return arithmetic<FloatDiv, 2>(spec);
  if (base == "rcp" && !(type == Type::F64 && spec.has("approx"))) return arithmetic<FloatRcp, 1>(spec);
  if (base == "sqrt") return arithmetic<FloatSqrt, 1>(spec);
  if (base == "abs") return plain_unary<FloatAbs>(spec);
  if (base == "neg") return plain_unary<FloatNeg>(spec);
  if (base == "min") return extreme<false>(spec);
  if (base == "max") return extreme<true>(spec);
  if (base == "min3") return &ternary<FloatExtreme3<false>, float, float, float, float>;
  if (base == "max3") return &ternary<FloatExtreme3<true>, float, float, float, float>;
  if (base == "copysign")
    return type == Type::F64 ? &binary<FloatCopySign, double, double, double>
                             : &binary<FloatCopySign, float, float, float>;
  return nullptr;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace threadscape::warp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::warp {
HWY_EXPORT(float_handler);
Handler find_float(const Spec& spec) {
  return HWY_DYNAMIC_DISPATCH(float_handler)(spec);
}
}  // namespace threadscape::warp
#endif
