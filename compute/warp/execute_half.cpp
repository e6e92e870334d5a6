// Arithmetic of numbers with 16 bits on lanes, alone and in pairs.

// The widest vectors and the lowest ones are enough, and each target takes as long to compile as another.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (THREADSCAPE_UNUSED_SIMD | HWY_SSE4 | HWY_AVX3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/warp/execute_half.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "compute/warp/half.h"
#include "compute/warp/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::warp {
namespace HWY_NAMESPACE {

using std::uint16_t, std::uint32_t;

enum class HalfKind { Add, Sub, Mul, Fma, Min, Max, Ex2, Tanh };

template <class Format>
uint16_t half_extreme(uint16_t a, uint16_t b, bool greatest, bool nan) {
  const double x = Format::value(a), y = Format::value(b);
  if (x != x || y != y) return nan || (x != x && y != y) ? 0x7fff : x != x ? b : a;
  if (x == y) return std::signbit(x) == greatest ? b : a;
  return (greatest ? x > y : x < y) ? a : b;
}
/// Operation of one number; `mode` has the bits that half_mode() sets.
template <class Format, HalfKind kind>
uint16_t half_result(uint16_t a, uint16_t b, uint16_t c, uint32_t mode) {
  const bool sat = (mode & 1) != 0, relu = (mode & 2) != 0, nan = (mode & 4) != 0;
  if constexpr (kind == HalfKind::Min || kind == HalfKind::Max)
    return half_extreme<Format>(a, b, kind == HalfKind::Max, nan);
  const double x = Format::value(a), y = Format::value(b), z = Format::value(c);
  double result = 0;
  if constexpr (kind == HalfKind::Add) result = sum_to_odd(x, y);
  if constexpr (kind == HalfKind::Sub) result = sum_to_odd(x, -y);
  if constexpr (kind == HalfKind::Mul) result = x * y;
  if constexpr (kind == HalfKind::Fma) result = sum_to_odd(x * y, z);
  if constexpr (kind == HalfKind::Ex2) result = std::exp2(x);
  if constexpr (kind == HalfKind::Tanh) result = std::tanh(x);
  if (sat) result = result > 0 ? std::min(result, 1.0) : 0;
  if (relu && result < 0) result = 0;
  return Format::bits(result);
}
template <class Format, HalfKind kind, bool pair>
void half_operation(Warp& warp, const Operation& op, uint32_t mask) {
  const auto source = [&](int k) { return warp.lanes<uint32_t>(op.s[k] == none ? op.s[0] : op.s[k]); };
  const uint32_t *a = source(0), *b = source(1), *c = source(2);
  alignas(64) uint32_t result[warp_lanes];
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const auto part = [&](int shift) {
      return uint32_t{half_result<Format, kind>(static_cast<uint16_t>(a[lane] >> shift),
                                                static_cast<uint16_t>(b[lane] >> shift),
                                                static_cast<uint16_t>(c[lane] >> shift), op.mode)};
    };
    result[lane] = pair ? part(0) | part(16) << 16 : part(0);
  }
  store_lanes(warp.lanes<uint32_t>(op.d), result, mask);
}
/// neg and abs change the sign bits alone.
template <uint32_t flip, uint32_t keep>
struct HalfSign {
  static HWY_INLINE uint32_t call(uint32_t a) { return (a ^ flip) & keep; }
};

template <HalfKind kind>
Handler half_of(Type type) {
  switch (type) {
    case Type::F16:
      return &half_operation<Fp16, kind, false>;
    case Type::F16x2:
      return &half_operation<Fp16, kind, true>;
    case Type::BF16:
      return &half_operation<Bfloat16, kind, false>;
    case Type::BF16x2:
      return &half_operation<Bfloat16, kind, true>;
    default:
      return nullptr;
  }
}

Handler half_handler(const Spec& spec) {
  const std::string_view base = spec.base;
  const Type type = spec.type();
  if (type != Type::F16 && type != Type::F16x2 && type != Type::BF16 && type != Type::BF16x2) return nullptr;
  if (spec.has("rz") || spec.has("rm") || spec.has("rp") || spec.has("xorsign")) return nullptr;
  if (base == "add") return half_of<HalfKind::Add>(type);
  if (base == "sub") return half_of<HalfKind::Sub>(type);
  if (base == "mul") return half_of<HalfKind::Mul>(type);
  if (base == "fma") return half_of<HalfKind::Fma>(type);
  if (base == "min") return half_of<HalfKind::Min>(type);
  if (base == "max") return half_of<HalfKind::Max>(type);
  if (base == "ex2") return half_of<HalfKind::Ex2>(type);
  if (base == "tanh") return half_of<HalfKind::Tanh>(type);
  if (base == "neg") return &unary<HalfSign<0x80008000, 0xffffffff>, uint32_t, uint32_t>;
  if (base == "abs") return &unary<HalfSign<0, 0x7fff7fff>, uint32_t, uint32_t>;
  return nullptr;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace threadscape::warp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::warp {
HWY_EXPORT(half_handler);
Handler find_half(const Spec& spec) {
  return HWY_DYNAMIC_DISPATCH(half_handler)(spec);
}
}  // namespace threadscape::warp
#endif
