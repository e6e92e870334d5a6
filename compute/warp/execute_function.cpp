// Functions of floats on lanes that the hardware approximates. The results here are nearer to the exact ones than its
// documented errors.

// The widest vectors and the lowest ones are enough, and each target takes as long to compile as another.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (THREADSCAPE_UNUSED_SIMD | HWY_SSE4 | HWY_AVX3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/warp/execute_function.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "compute/warp/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::warp {
namespace HWY_NAMESPACE {

using std::uint32_t, std::uint64_t;

template <bool ftz>
HWY_INLINE float function_operand(float value) {
  return ftz && std::abs(value) < std::numeric_limits<float>::min() ? std::copysign(0.0F, value) : value;
}
HWY_INLINE float function_result(float value) {
  return value == value ? value : std::bit_cast<float>(uint32_t{0x7fffffff});
}

struct Ex2 {
  static float call(float a) { return std::exp2(a); }
};
struct Lg2 {
  static float call(float a) { return std::log2(a); }
};
struct Sin {
  static float call(float a) { return std::sin(a); }
};
struct Cos {
  static float call(float a) { return std::cos(a); }
};
struct Tanh {
  static float call(float a) { return std::tanh(a); }
};
struct Rsqrt {
  static float call(float a) { return static_cast<float>(1 / std::sqrt(static_cast<double>(a))); }
};
template <class F, bool ftz>
struct Approximated {
  static float call(float a) { return function_result(function_operand<ftz>(F::call(function_operand<ftz>(a)))); }
};
template <class F>
Handler approximated(const Spec& spec) {
  if (spec.type() != Type::F32) return nullptr;
  return spec.has("ftz") ? &unary<Approximated<F, true>, float, float> : &unary<Approximated<F, false>, float, float>;
}

/// The upper halves of doubles: operands without their lower words, and results that are rounded to upper words.
HWY_INLINE double upper_word(double value) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(value) & 0xffffffff00000000);
}
template <class F>
struct UpperWord {
  static double call(double a) {
    const double result = F::call(upper_word(a));
    const auto bits = std::bit_cast<uint64_t>(result);
    if (!std::isfinite(result)) return result;
    return std::bit_cast<double>((bits + 0x80000000) & 0xffffffff00000000);
  }
};
struct RcpDouble {
  static double call(double a) {
    return std::abs(a) < std::numeric_limits<double>::min() ? std::copysign(HUGE_VAL, a) : 1 / a;
  }
};
struct RsqrtDouble {
  static double call(double a) {
    return std::abs(a) < std::numeric_limits<double>::min() ? std::copysign(HUGE_VAL, a) : 1 / std::sqrt(a);
  }
};

/// testp: a property of a number, as a predicate.
template <class T>
void testp(Warp& warp, const Operation& op, uint32_t mask) {
  const Source<T> a(warp, op.s[0]);
  const uint32_t result = mask_of([&](int lane) {
    const T x = a[lane];
    switch (op.mode) {
      case 0:
        return std::isfinite(x);
      case 1:
        return std::isinf(x);
      case 2:
        return !std::isnan(x);
      case 3:
        return std::isnan(x);
      case 4:
        return std::isnormal(x);
      default:
        return std::fpclassify(x) == FP_SUBNORMAL;
    }
  });
  warp.mask(op.d) = (warp.mask(op.d) & ~mask) | (result & mask);
}

Handler function_handler(const Spec& spec) {
  const std::string_view base = spec.base;
  if (base == "ex2") return approximated<Ex2>(spec);
  if (base == "lg2") return approximated<Lg2>(spec);
  if (base == "sin") return approximated<Sin>(spec);
  if (base == "cos") return approximated<Cos>(spec);
  if (base == "tanh") return approximated<Tanh>(spec);
  if (base == "rsqrt" && spec.type() == Type::F64)
    return spec.has("ftz") ? &unary<UpperWord<RsqrtDouble>, double, double> : &unary<RsqrtDouble, double, double>;
  if (base == "rsqrt") return approximated<Rsqrt>(spec);
  if (base == "rcp" && spec.type() == Type::F64 && spec.has("approx"))
    return &unary<UpperWord<RcpDouble>, double, double>;
  if (base == "testp") return spec.type() == Type::F64 ? &testp<double> : &testp<float>;
  return nullptr;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace threadscape::warp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::warp {
HWY_EXPORT(function_handler);
Handler find_function(const Spec& spec) {
  return HWY_DYNAMIC_DISPATCH(function_handler)(spec);
}
}  // namespace threadscape::warp
#endif
