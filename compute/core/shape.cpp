#include "compute/core/shape.h"

#include <array>

#include "compute/core/kind_info.h"

namespace threadscape {

namespace {

/// The numbers of each pixel, voxel or value as text for users: "8-bit RGBA", "float", "16-bit".
std::string numbers_text(const Shape& shape) {
  static constexpr std::array<std::string_view, 7> numbers{"8-bit",         "16-bit", "32-bit", "signed 32-bit",
                                                           "signed 64-bit", "float",  "double"};
  std::string text(numbers[static_cast<std::size_t>(shape.element)]);
  if (info_of(shape.kind).coloured) text += shape.channels == 1 ? " grey" : " RGBA";
  return text;
}

}  // namespace

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
  return text + " " + numbers_text(shape) + " " + std::string(name_of(shape.kind));
}

}  // namespace threadscape
