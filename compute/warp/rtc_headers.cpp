#include "compute/warp/rtc_headers.h"

#include <array>

#include "compute/warp/nvrtc.h"

namespace threadscape::warp {

namespace {

constexpr const char* integers = R"(#pragma once
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned long uint64_t;
typedef long intptr_t; typedef unsigned long uintptr_t;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::intptr_t; using ::uintptr_t;
}
#ifndef UINT32_MAX
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807l
#define UINT64_MAX 18446744073709551615ul
#endif
)";

constexpr const char* sizes = R"(#pragma once
namespace std { using size_t = decltype(sizeof(0)); using ptrdiff_t = long; }
)";

constexpr const char* limits = R"(#pragma once
#ifndef INT_MAX
#define CHAR_BIT 8
#define SHRT_MAX 32767
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MAX 9223372036854775807ll
#define ULLONG_MAX 18446744073709551615ull
#endif
)";

constexpr const char* floats = R"(#pragma once
#ifndef FLT_MAX
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#endif
)";

constexpr const char* maths = R"(#pragma once
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define M_PI 3.14159265358979323846
#endif
namespace std {
using ::abs; using ::fabs; using ::sqrt; using ::exp; using ::log; using ::pow; using ::sin; using ::cos; using ::tan;
using ::atan2; using ::floor; using ::ceil; using ::round; using ::fma; using ::fmod;
}
)";

constexpr const char* algorithms = R"(#pragma once
namespace std {
template <class T> __host__ __device__ constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> __host__ __device__ void swap(T& a, T& b) { T c = a; a = b; b = c; }
}
)";

}  // namespace

std::span<const NamedHeader> rtc_headers() {
  static constexpr std::array headers{
      NamedHeader{"cstdint", integers}, NamedHeader{"stdint.h", integers},   NamedHeader{"cstddef", sizes},
      NamedHeader{"stddef.h", sizes},   NamedHeader{"climits", limits},      NamedHeader{"limits.h", limits},
      NamedHeader{"cfloat", floats},    NamedHeader{"float.h", floats},      NamedHeader{"cmath", maths},
      NamedHeader{"math.h", maths},     NamedHeader{"algorithm", algorithms}};
  return headers;
}

}  // namespace threadscape::warp
