#include <cmath>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "compute/run/verify.h"

namespace threadscape {

namespace {

template <class T>
bool close(T expected, T actual, const Tolerance& tolerance) {
  // With Tolerance::exact(), 0 and -0 do not agree. NaNs do, because processors and devices give them different bits.
  if (std::memcmp(&expected, &actual, sizeof(T)) == 0) return true;
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(expected) && std::isnan(actual)) return true;
  if (tolerance.is_exact()) return false;
  const auto e = static_cast<double>(expected), a = static_cast<double>(actual);
  return std::abs(a - e) <= tolerance.abs + tolerance.rel * std::abs(e);  // False if one is NaN.
}

template <class T>
std::optional<Mismatch> compare_as(HostIn expected, HostIn actual, const Tolerance& tolerance) {
  const Shape& shape = expected.shape;
  const std::int64_t values = shape.width * shape.channels;
  std::optional<Mismatch> first;
  for (std::int64_t line = 0; line < shape.height * shape.depth; ++line) {
    const T* e = reinterpret_cast<const T*>(expected.data + static_cast<std::size_t>(line) * expected.pitch);
    const T* a = reinterpret_cast<const T*>(actual.data + static_cast<std::size_t>(line) * actual.pitch);
    if (std::memcmp(e, a, static_cast<std::size_t>(values) * sizeof(T)) == 0) continue;
    for (std::int64_t i = 0; i < values; ++i) {
      if (close(e[i], a[i], tolerance)) continue;
      if (!first)
        first = Mismatch{.x = i / shape.channels,
                         .y = line % shape.height,
                         .z = line / shape.height,
                         .channel = static_cast<int>(i % shape.channels),
                         .expected = static_cast<double>(e[i]),
                         .actual = static_cast<double>(a[i])};
      ++first->count;
    }
  }
  return first;
}

}  // namespace

Tolerance tolerance_of(const RunRequest& request, const Shape& input) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  return algorithm.tolerance_of ? algorithm.tolerance_of(request.params, input, request.backend, request.variant)
                                : algorithm.tolerance;
}

std::optional<Mismatch> compare(HostIn expected, HostIn actual, const Tolerance& tolerance) {
  if (expected.shape != actual.shape)
    throw std::logic_error("compared: " + to_string(expected.shape) + " with " + to_string(actual.shape));
  if (expected.shape.items() == 0) return std::nullopt;
  switch (expected.shape.element) {
    case Element::u8:
      return compare_as<std::uint8_t>(expected, actual, tolerance);
    case Element::u16:
      return compare_as<std::uint16_t>(expected, actual, tolerance);
    case Element::u32:
      return compare_as<std::uint32_t>(expected, actual, tolerance);
    case Element::i32:
      return compare_as<std::int32_t>(expected, actual, tolerance);
    case Element::i64:
      return compare_as<std::int64_t>(expected, actual, tolerance);
    case Element::f32:
      return compare_as<float>(expected, actual, tolerance);
    case Element::f64:
      return compare_as<double>(expected, actual, tolerance);
  }
  throw std::logic_error("compared: unknown element type");
}

std::string to_string(const Mismatch& mismatch) {
  std::ostringstream text;
  text.precision(9);
  text << "first at x " << mismatch.x << ", y " << mismatch.y;
  if (mismatch.z != 0) text << ", z " << mismatch.z;
  text << ", channel " << mismatch.channel << ": " << mismatch.actual << " instead of " << mismatch.expected << " ("
       << mismatch.count << (mismatch.count == 1 ? " value differs)" : " values differ)");
  return text.str();
}

}  // namespace threadscape
