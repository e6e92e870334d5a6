#include "compute/core/shape.h"

#include <array>

#include "compute/core/kind_info.h"

namespace threadscape {

std::size_t size_of(Element element) {
  static constexpr std::array<std::size_t, 7> sizes{1, 2, 4, 4, 8, 4, 8};
  return sizes[static_cast<std::size_t>(element)];
}

std::string_view name_of(Element element) {
  static constexpr std::array<std::string_view, 7> names{"u8", "u16", "u32", "i32", "i64", "f32", "f64"};
  return names[static_cast<std::size_t>(element)];
}

std::string to_string(const Shape& shape) {
  if (shape.kind == Kind::none) return "nothing";
  const int dimensions = info_of(shape.kind).dimensions;
  std::string text = std::to_string(shape.width);
  if (dimensions >= 2) text += "x" + std::to_string(shape.height);
  if (dimensions == 3) text += "x" + std::to_string(shape.depth);
  text += " " + std::string(name_of(shape.element)) + " x" + std::to_string(shape.channels);
  return text + " " + std::string(name_of(shape.kind));
}

}  // namespace threadscape
