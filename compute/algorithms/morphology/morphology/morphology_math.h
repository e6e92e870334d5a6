#pragma once
// The arithmetic of morphology, shared by all backends: saturation, and what follows the last erosion or dilation.
//
// Values are compared by total_order_key(). There -0 lies below +0, so no result depends on the order of comparisons;
// and an erosion is a dilation of complements for all types: min(a, b) = ~max(~a, ~b). A NaN lies above plus infinity,
// one with a sign below minus infinity: an erosion leaves NaNs out unless a window has nothing else, and a dilation
// spreads them, the other way round for those with a sign. A closing and an opening give a hole of NaNs back as it was,
// see with_holes().

#include "compute/kernel/border.h"
#include "compute/kernel/number_order.h"
#include "compute/kernel/views.h"

namespace threadscape::morphology {

enum class Operation : int { erode, dilate, open, close, gradient, tophat, blackhat, hitmiss, open_reconstruct };
/// What an erosion does with the grey levels of its element: subtracts them, as is usual, or adds them, as equation 25
/// of source document 000 has it.
enum class ErosionSign : int { subtract, add };
/// How colours are compared: each channel by itself, or whole colours as morphology_vectors.h states.
enum class ColourOrder : int { marginal, luminance, hsl };

/// The lowest key, which never wins a maximum: black, or a NaN with a sign. Its complement never wins a minimum.
template <class Value>
inline constexpr TotalOrderKey<Value> lowest_key = std::is_same_v<Value, float> ? TotalOrderKey<Value>(0x80000000)
                                                                                : TotalOrderKey<Value>(0);

template <class Value>
TS_HD inline Value neutral_value(bool erode) {
  const TotalOrderKey<Value> key = lowest_key<Value>;
  return from_total_order_key<Value>(static_cast<TotalOrderKey<Value>>(erode ? ~key : key));
}

/// The minimum (erosion) or maximum (dilation) of two values.
template <class Value>
TS_HD inline Value extreme(Value a, Value b, bool erode) {
  return (total_order_key(b) < total_order_key(a)) == erode ? b : a;
}

/// The type of grey levels of an element in units of a picture.
template <class Value>
using Units = std::conditional_t<std::is_same_v<Value, float>, float, int>;
/// Converts grey levels of a non-flat element, -255..255, to units of the picture. Integers are rounded, ties away from
/// zero.
template <class Value>
TS_HD inline Units<Value> in_units(float levels) {
  if constexpr (std::is_same_v<Value, float>) {
    return levels / 255.0f;
  } else {
    const float units = levels * (white<Value> / 255);
    return units < 0 ? -static_cast<int>(0.5f - units) : static_cast<int>(units + 0.5f);
  }
}
/// value - units for an erosion, value + units for a dilation. Integers saturate. Floats never become -0, and a NaN
/// keeps its bits, because processors and GPUs make other ones of it.
template <class Value>
TS_HD inline Value shifted(Value value, Units<Value> units, bool erode) {
  if constexpr (std::is_same_v<Value, float>) {
    return value != value ? value : (erode ? value - units : value + units) + 0.0f;
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
  none,                   ///< The result itself.
  holes_of_original,      ///< For openings and closings of floats: with_holes().
  original_minus_result,  ///< White top-hat, with the opening as result.
  result_minus_original,  ///< Black top-hat, with the closing as result.
  side_minus_result,      ///< Gradient: the side result is the dilation.
  /// White where the result is white (all of the foreground fits) and the side result black (all of the background
  /// fits), black elsewhere.
  hit_and_miss,
};
/// A result of a closing or an opening with the holes of the original: NaNs where that has them, and nowhere else. At
/// the rim and beside other holes a window may have had nothing but NaNs, and an opening has taken the place of a hole
/// that is smaller than the element.
template <class Value>
TS_HD inline Value with_holes(Value original, Value result) {
  return original != original || result != result ? original : result;
}
template <class Value>
TS_HD inline Value finished(Finish finish, Value result, Value original, Value side) {
  switch (finish) {
    case Finish::holes_of_original:
      return with_holes(original, result);
    case Finish::original_minus_result:
      return difference(original, with_holes(original, result));
    case Finish::result_minus_original:
      return difference(with_holes(original, result), original);
    case Finish::side_minus_result:
      return difference(side, result);
    case Finish::hit_and_miss:
      return total_order_key(result) >= total_order_key(white<Value>) &&
                     total_order_key(side) <= total_order_key(Value{0})
                 ? white<Value>
                 : Value{0};
    default:
      return result;
  }
}

}  // namespace threadscape::morphology
