#pragma once
// What headers of kernels need of the standard library: integers of known width, type traits, bit_cast and limits. g++,
// clang and nvcc take it from the standard library. NVRTC has none, so that the same names are defined here for it;
// that is why headers of kernels include this one, and no other of the standard library.
//
// TS_HD marks functions that host and device code call.

#if defined(__CUDACC_RTC__)

namespace std {

using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long long;
using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
using uintptr_t = unsigned long long;

template <class T, T v>
struct integral_constant {
  static constexpr T value = v;
};
template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_identity_t = typename type_identity<T>::type;
template <bool, class A, class>
struct conditional {
  using type = A;
};
template <class A, class B>
struct conditional<false, A, B> {
  using type = B;
};
template <bool which, class A, class B>
using conditional_t = typename conditional<which, A, B>::type;
template <class T>
struct remove_cv {
  using type = T;
};
template <class T>
struct remove_cv<const T> {
  using type = T;
};
template <class T>
struct remove_cv<volatile T> {
  using type = T;
};
template <class T>
struct remove_cv<const volatile T> {
  using type = T;
};
template <class T>
using remove_cv_t = typename remove_cv<T>::type;
template <class T>
using remove_const_t = typename remove_cv<T>::type;

template <class, class>
inline constexpr bool is_same_v = false;
template <class T>
inline constexpr bool is_same_v<T, T> = true;
template <class>
inline constexpr bool is_const_v = false;
template <class T>
inline constexpr bool is_const_v<const T> = true;
template <class T>
inline constexpr bool is_floating_point_v = is_same_v<remove_cv_t<T>, float> || is_same_v<remove_cv_t<T>, double>;
template <class T, class... Others>
inline constexpr bool is_any_of_v = (is_same_v<T, Others> || ...);
template <class T>
inline constexpr bool is_integral_v =
    is_any_of_v<remove_cv_t<T>, bool, char, signed char, unsigned char, short, unsigned short, int, unsigned int, long,
                unsigned long, long long, unsigned long long>;
template <class T>
inline constexpr bool is_arithmetic_v = is_integral_v<T> || is_floating_point_v<T>;
template <class T>
inline constexpr bool is_class_v = __is_class(T);
template <class T>
inline constexpr bool is_signed_v = is_arithmetic_v<T>&& static_cast<T>(-1) < static_cast<T>(0);
template <class T>
inline constexpr bool is_unsigned_v = is_arithmetic_v<T> && !is_signed_v<T>;

template <class To, class From>
__host__ __device__ constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

template <class T>
__host__ __device__ constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
__host__ __device__ constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
// The functions of NVRTC have overloads for float and double under these names.
using ::abs;
using ::atan;
using ::cos;
using ::floor;
using ::fma;
using ::hypot;
using ::isfinite;
using ::memcpy;
using ::round;
using ::sin;
using ::sqrt;

namespace numbers {
inline constexpr double pi = 3.141592653589793;
}

template <class T>
struct numeric_limits;
template <>
struct numeric_limits<float> {
  __host__ __device__ static constexpr float infinity() { return __builtin_bit_cast(float, 0x7f800000u); }
  __host__ __device__ static constexpr float quiet_NaN() { return __builtin_bit_cast(float, 0x7fc00000u); }
  __host__ __device__ static constexpr float max() { return __builtin_bit_cast(float, 0x7f7fffffu); }
  __host__ __device__ static constexpr float min() { return __builtin_bit_cast(float, 0x00800000u); }
};
template <>
struct numeric_limits<double> {
  __host__ __device__ static constexpr double infinity() { return __builtin_bit_cast(double, 0x7ff0000000000000ull); }
  __host__ __device__ static constexpr double quiet_NaN() { return __builtin_bit_cast(double, 0x7ff8000000000000ull); }
  __host__ __device__ static constexpr double max() { return __builtin_bit_cast(double, 0x7fefffffffffffffull); }
  __host__ __device__ static constexpr double min() { return __builtin_bit_cast(double, 0x0010000000000000ull); }
};

}  // namespace std

#else

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>
#include <type_traits>

#endif

#if defined(__CUDACC__)
#define TS_HD __host__ __device__
#else
#define TS_HD
#endif
