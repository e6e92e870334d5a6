#pragma once

#include <array>
#include <string_view>

namespace threadscape {

/// One of several ways in which a backend computes the same result: a rung of a teaching ladder, or the fastest known
/// way, which is listed first.
struct Variant {
  std::string_view name;
  std::string_view help;
};
inline constexpr std::array<Variant, 1> single_variant{Variant{"default", ""}};

/// How far a backend's values may be from those of the serial backend: |a - b| <= abs + rel * |b|. exact() means equal
/// bits.
struct Tolerance {
  double abs = 0.0;
  double rel = 0.0;
  [[nodiscard]] static constexpr Tolerance exact() { return {}; }
  [[nodiscard]] constexpr bool is_exact() const { return abs == 0.0 && rel == 0.0; }
};

}  // namespace threadscape
