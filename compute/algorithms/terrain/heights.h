#pragma once
// What the algorithms on heightfields share. Heights are bytes, 16-bit integers or floats; results are floats in the
// same units, so a classic terrain stays within 0..255.

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "compute/registry/algorithm.h"

namespace threadscape::terrain {

/// Throws UsageError for anything but a heightfield of a kind of number that is known here.
void require_heights(std::string_view algorithm, const Shape& input);

/// The shape of float heights as large as `input`.
[[nodiscard]] Shape float_heights(const Shape& input);

/// For algorithms that are started without a file: a fractal terrain of 513 x 513 points.
[[nodiscard]] Shape default_shape();
[[nodiscard]] HostArray default_terrain(std::uint64_t seed);

/// The lowest and the highest point in words.
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

/// Stands for the parameters of any algorithm where they do not matter.
struct AnyParams {
  AnyParams(const auto&) {}  // NOLINT: a conversion
};

/// What the algorithms' structs have in common.
struct HeightFilter {
  static constexpr std::string_view group = "Terrain";
  static constexpr Kind input = Kind::heightfield;
  static constexpr Tolerance tolerance = Tolerance::exact();

  static std::size_t scratch_bytes(const AnyParams&, const Shape&, Backend, int) { return 0; }
  static Shape input_shape(const AnyParams&) { return default_shape(); }
  static HostArray make_input(const AnyParams&, std::uint64_t seed) { return default_terrain(seed); }
  static bool same_input(const AnyParams&, const AnyParams&) { return true; }
};

/// And those that make heights of heights. A has a name.
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
