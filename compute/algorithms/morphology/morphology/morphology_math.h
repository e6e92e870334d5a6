#pragma once
// The arithmetic of morphology, shared by all backends: the order of values, saturation, and what follows the last
// erosion or dilation.

#include <cstdint>
#include <type_traits>

#include "compute/core/border.h"
#include "compute/core/views.h"

namespace threadscape::morphology {

enum class Operation : int { erode, dilate, open, close, gradient, tophat, blackhat, hitmiss, open_reconstruct };

/// Values are compared by integer keys. A float's key is its bits, turned so that integers order them: -0 lies below
/// +0, so that no result depends on the order of comparisons. Negating a float complements its key, and 255 - v is ~v
/// for bytes: so an erosion is a dilation of complements for all types, min(a, b) = ~max(~a, ~b).
template <class Value>
using KeyOf = std::conditional_t<std::is_same_v<Value, float>, std::int32_t, Value>;

TS_HD inline std::uint8_t key_of(std::uint8_t value) {
  return value;
}
TS_HD inline std::uint16_t key_of(std::uint16_t value) {
  return value;
}
TS_HD inline std::int32_t key_of(float value) {
  const auto bits = __builtin_bit_cast(std::int32_t, value);
  return bits ^ (bits >> 31 & 0x7fffffff);
}
template <class Value>
TS_HD inline Value value_of(KeyOf<Value> key) {
  if constexpr (std::is_same_v<Value, float>)
    return __builtin_bit_cast(float, key ^ (key >> 31 & 0x7fffffff));
  else
    return key;
}
/// The key that never wins a maximum: black, or minus infinity. Its complement never wins a minimum.
template <class Value>
inline constexpr KeyOf<Value> lowest_key = std::is_same_v<Value, float> ? KeyOf<Value>(0x807fffff) : KeyOf<Value>(0);

template <class Value>
TS_HD inline Value neutral_value(bool erode) {
  const KeyOf<Value> key = lowest_key<Value>;
  return value_of<Value>(static_cast<KeyOf<Value>>(erode ? ~key : key));
}

/// One step of a minimum (erosion) or maximum (dilation).
template <class Value>
TS_HD inline Value extreme(Value a, Value b, bool erode) {
  return (key_of(b) < key_of(a)) == erode ? b : a;
}

/// Grey levels of a non-flat element, 0..255, in units of the picture.
template <class Value>
TS_HD inline Value in_units(float levels) {
  if constexpr (std::is_same_v<Value, float>)
    return levels / 255.0f;
  else
    return static_cast<Value>(levels * (white<Value> / 255) + 0.5f);
}
/// value - units for an erosion, value + units for a dilation; integers saturate. Floats never become -0.
template <class Value>
TS_HD inline Value shifted(Value value, Value units, bool erode) {
  if constexpr (std::is_same_v<Value, float>) {
    return (erode ? value - units : value + units) + 0.0f;
  } else {
    const int sum = erode ? value - units : value + units;
    return static_cast<Value>(sum < 0 ? 0 : sum > white<Value> ? white<Value> : sum);
  }
}

/// a - b; integers saturate at 0.
template <class Value>
TS_HD inline Value difference(Value a, Value b) {
  if constexpr (std::is_same_v<Value, float>)
    return a - b;
  else
    return static_cast<Value>(a > b ? a - b : 0);
}

/// What becomes of the result of the last erosion or dilation.
enum class Finish : int {
  none,           ///< it is the result
  from_original,  ///< original - it: white top-hat
  minus_original,
  from_side,     ///< side result - it: gradient, the side result being the dilation
  hit_and_miss,  ///< white where it is white (all of the foreground fits) and the side result is black (so does the
                 ///< rest)
};
template <class Value>
TS_HD inline Value finished(Finish finish, Value result, Value original, Value side) {
  switch (finish) {
    case Finish::from_original:
      return difference(original, result);
    case Finish::minus_original:
      return difference(result, original);
    case Finish::from_side:
      return difference(side, result);
    case Finish::hit_and_miss:
      return key_of(result) >= key_of(white<Value>) && key_of(side) <= key_of(Value{0}) ? white<Value> : Value{0};
    default:
      return result;
  }
}

}  // namespace threadscape::morphology
