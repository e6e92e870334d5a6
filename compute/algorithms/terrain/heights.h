#pragma once
// The common part of the algorithms on heightfields. Input heights are bytes, 16-bit integers or floats; results are
// floats in the same unit, so the heights of a classic 8-bit terrain stay in 0..255.

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "compute/core/data.h"
#include "compute/registry/algorithm.h"

namespace threadscape::terrain {

/// Throws UsageError unless the input is a heightfield of bytes, 16-bit integers or floats. `algorithm` is named in the
/// message.
void require_heights(std::string_view algorithm, const Shape& input);

/// The shape of a heightfield of floats with the size of `input`.
[[nodiscard]] Shape float_heights(const Shape& input);

/// The shape of default_terrain().
[[nodiscard]] Shape default_shape();
/// The input of algorithms that run without a file: a fractal terrain of 513 x 513 points.
[[nodiscard]] HostArray default_terrain(std::uint64_t seed);

/// A sentence for the user with the minimum and the maximum height.
[[nodiscard]] std::string range_report(const HostIn& heights);

/// Calls f(Height{}) with the number type of the heightfield.
template <class F>
void with_heights(const Shape& shape, F&& f) {
  if (shape.element == Element::u8)
    f(std::uint8_t{});
  else if (shape.element == Element::u16)
    f(std::uint16_t{});
  else
    f(float{});
}

/// Converts from the parameters of any algorithm, for functions that do not use them.
struct AnyParams {
  AnyParams(const auto&) {}  // NOLINT: a conversion
};

/// The common base of the structs that describe algorithms on heightfields.
struct HeightFilter {
  static constexpr std::string_view group = "Terrain";
  static constexpr Kind input = Kind::heightfield;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;

  static std::size_t scratch_bytes(const AnyParams&, const Shape&, Backend, int) { return 0; }
  static Shape input_shape(const AnyParams&) { return default_shape(); }
  static HostArray make_input(const AnyParams&, std::uint64_t seed) { return default_terrain(seed); }
  static bool same_input(const AnyParams&, const AnyParams&) { return true; }
};

/// The base of algorithms A whose result is a heightfield of floats as large as the input. A::name is the name of the
/// algorithm.
template <class A>
struct HeightMap : HeightFilter {
  static constexpr Kind output = Kind::heightfield;

  static Shape output_shape(const AnyParams&, const Shape& input) {
    require_heights(A::name, input);
    return float_heights(input);
  }
  static std::string report(const AnyParams&, const HostIn&, const HostIn& result) { return range_report(result); }
};

}  // namespace threadscape::terrain
