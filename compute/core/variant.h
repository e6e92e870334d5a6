#pragma once

#include <array>
#include <string_view>

namespace threadscape {

/// One of several implementations of an algorithm on one backend. The first in the list is the fastest one known;
/// others show, step by step, how it is reached.
struct Variant {
  std::string_view name;
  std::string_view help;
};
inline constexpr std::array<Variant, 1> single_variant{Variant{"default", ""}};

/// The accepted difference between a value a of a backend and the value b of the serial backend:
/// |a - b| <= abs + rel * |b|. With exact() the bits must be equal.
struct Tolerance {
  double abs = 0.0;
  double rel = 0.0;
  [[nodiscard]] static constexpr Tolerance exact() { return {}; }
  [[nodiscard]] constexpr bool is_exact() const { return abs == 0.0 && rel == 0.0; }
};

}  // namespace threadscape
