#include "compute/core/convert.h"

#include <limits>

namespace threadscape {

namespace {

template <class To, class From>
To converted(From value) {
  constexpr auto full = [](auto type) {
    using T = decltype(type);
    return std::is_floating_point_v<T> ? 1.0 : static_cast<double>(std::numeric_limits<T>::max());
  };
  // In double, so that 8 to 16 bit and back is exact, and every other conversion is exact to half a level.
  const double scaled = static_cast<double>(value) * (full(To{}) / full(From{}));
  if constexpr (std::is_floating_point_v<To>) return static_cast<To>(scaled);
  if (!(scaled > 0.0)) return To{0};
  return static_cast<To>(scaled >= full(To{}) ? full(To{}) : scaled + 0.5);
}

template <class To, class From>
void convert_rows(HostIn from, HostOut to) {
  const std::int64_t values = from.shape.width * from.shape.channels;
  for (std::int64_t y = 0; y < from.shape.height; ++y) {
    const auto* in = reinterpret_cast<const From*>(from.data + static_cast<std::size_t>(y) * from.pitch);
    auto* out = reinterpret_cast<To*>(to.data + static_cast<std::size_t>(y) * to.pitch);
    for (std::int64_t i = 0; i < values; ++i)
      out[i] = converted<To>(in[i]);
  }
}

template <class To>
void convert_to(HostIn from, HostOut to) {
  switch (from.shape.element) {
    case Element::u8:
      return convert_rows<To, std::uint8_t>(from, to);
    case Element::u16:
      return convert_rows<To, std::uint16_t>(from, to);
    case Element::f32:
      return convert_rows<To, float>(from, to);
    default:
      throw UsageError(to_string(from.shape) + " is no 8-bit, 16-bit or float picture");
  }
}

}  // namespace

HostArray convert_picture(HostIn pixels, Element element) {
  Shape shape = pixels.shape;
  shape.element = element;
  HostArray result(shape);
  switch (element) {
    case Element::u8:
      convert_to<std::uint8_t>(pixels, result.view());
      break;
    case Element::u16:
      convert_to<std::uint16_t>(pixels, result.view());
      break;
    case Element::f32:
      convert_to<float>(pixels, result.view());
      break;
    default:
      throw UsageError("pictures are not made of " + std::string(name_of(element)));
  }
  return result;
}

}  // namespace threadscape
