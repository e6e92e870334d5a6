#include "compute/core/shape.h"

#include <array>

namespace threadscape {

std::size_t size_of(Element element) {
  static constexpr std::array<std::size_t, 7> sizes{1, 2, 4, 4, 8, 4, 8};
  return sizes[static_cast<std::size_t>(element)];
}

std::string_view name_of(Kind kind) {
  static constexpr std::array<std::string_view, 6> names{"none",   "image",    "heightfield",
                                                         "volume", "sequence", "scalar"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(Element element) {
  static constexpr std::array<std::string_view, 7> names{"u8", "u16", "u32", "i32", "i64", "f32", "f64"};
  return names[static_cast<std::size_t>(element)];
}

std::string to_string(const Shape& shape) {
  if (shape.kind == Kind::none) return "nothing";
  std::string text = std::to_string(shape.width);
  const bool line = shape.kind == Kind::sequence || shape.kind == Kind::scalar;
  if (!line) text += "x" + std::to_string(shape.height);
  if (shape.kind == Kind::volume) text += "x" + std::to_string(shape.depth);
  text += " " + std::string(name_of(shape.element)) + " x" + std::to_string(shape.channels);
  return text + " " + std::string(name_of(shape.kind));
}

}  // namespace threadscape
