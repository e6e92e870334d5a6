#pragma once
// Morphology of colours as vectors. Each channel by itself gives colours that the picture does not have: the minimum of
// red and green is black. In an order of whole colours the minimum of a window is one of its pixels (Barnett: The
// ordering of multivariate data, J. R. Stat. Soc. A 139, 1976; Hanbury, Serra: Mathematical morphology in the HLS
// colour space, BMVC 2001). Colours that the order does not tell apart are ordered by red, green and blue, so that a
// result depends on no order of comparisons.

#include "compute/algorithms/morphology/morphology/morphology_math.h"
#include "compute/kernel/planes.h"
#include "compute/kernel/std.h"

namespace threadscape::morphology {

/// What colours are compared by, first to last. Sums and quotients of doubles are the same on all backends.
struct ColourRank {
  double first = 0.0, second = 0.0, third = 0.0;
};

/// The rank of a colour: 1000 times its luminance, or its lightness (the sum of the largest and the smallest channel),
/// saturation and hue of HSL, from red at 0 over green at 2 and blue at 4. A colour with a NaN has the highest rank.
template <class P>
TS_HD inline ColourRank rank_of(const typename P::Pixel& pixel, ColourOrder order) {
  const auto r = static_cast<double>(P::get(pixel, 0)), g = static_cast<double>(P::get(pixel, 1)),
             b = static_cast<double>(P::get(pixel, 2));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (r != r || g != g || b != b) return {infinity, 0.0, 0.0};
  if (order == ColourOrder::luminance) {
    const double luminance = 299.0 * r + 587.0 * g + 114.0 * b;  // Opposite infinities make a NaN.
    return {luminance == luminance ? luminance : infinity, 0.0, 0.0};
  }
  const double high = r > g ? (r > b ? r : b) : (g > b ? g : b), low = r < g ? (r < b ? r : b) : (g < b ? g : b);
  const double lightness = high + low, chroma = high - low, brightest = static_cast<double>(white<typename P::Value>);
  if (!(chroma > 0.0) || chroma == infinity) return {lightness == lightness ? lightness : infinity, 0.0, 0.0};
  const double from_middle = lightness - brightest;
  const double largest = brightest - (from_middle < 0.0 ? -from_middle : from_middle);
  const double hue = high == r ? (g - b) / chroma : high == g ? 2.0 + (b - r) / chroma : 4.0 + (r - g) / chroma;
  return {lightness, largest > 0.0 ? chroma / largest : infinity, hue < 0.0 ? hue + 6.0 : hue};
}

/// The minimum or maximum of the colours that have been taken.
template <class P>
struct ColourExtreme {
  using Value = typename P::Value;
  typename P::Pixel colour{};
  ColourRank rank;
  bool any = false, erode;
  ColourOrder order;

  TS_HD ColourExtreme(bool erode_, ColourOrder order_) : erode(erode_), order(order_) {
    for (int plane = 0; plane < P::count; ++plane)
      P::set(colour, plane, neutral_value<Value>(erode));
  }
  TS_HD void take(const typename P::Pixel& pixel) {
    const ColourRank other = rank_of<P>(pixel, order);
    if (any && !(erode ? is_less(pixel, other, colour, rank) : is_less(colour, rank, pixel, other))) return;
    colour = pixel;
    rank = other;
    any = true;
  }
  /// Sets the colour of a pixel, which keeps its alpha.
  TS_HD void put(typename P::Pixel& pixel) const {
    for (int plane = 0; plane < P::count; ++plane)
      P::set(pixel, plane, P::get(colour, plane));
  }

 private:
  TS_HD static bool is_less(const typename P::Pixel& a, const ColourRank& of_a, const typename P::Pixel& b,
                            const ColourRank& of_b) {
    if (of_a.first != of_b.first) return of_a.first < of_b.first;
    if (of_a.second != of_b.second) return of_a.second < of_b.second;
    if (of_a.third != of_b.third) return of_a.third < of_b.third;
    for (int plane = 0; plane < P::count; ++plane) {
      const auto key_a = total_order_key(P::get(a, plane)), key_b = total_order_key(P::get(b, plane));
      if (key_a != key_b) return key_a < key_b;
    }
    return false;
  }
};

}  // namespace threadscape::morphology
