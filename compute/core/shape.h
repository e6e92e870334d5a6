#pragma once
// The names of shapes, for messages and files.

#include <string>
#include <string_view>

#include "compute/kernel/shape.h"

namespace threadscape {

[[nodiscard]] std::string_view name_of(Kind kind);
[[nodiscard]] std::string_view name_of(Element element);
/// The shape as text for messages: "4096x4096 8-bit grey image".
[[nodiscard]] std::string to_string(const Shape& shape);

}  // namespace threadscape
