#pragma once
// The properties of each kind of data. A new kind is a value of Kind (compute/core/shape.h) and a row of the
// table in kind_info.cpp.

#include <string_view>

#include "compute/core/shape.h"

namespace threadscape {

struct KindInfo {
  std::string_view name;       ///< Name in JSON, in `threadscape list` and in messages about shapes.
  std::string_view user_name;  ///< Name in messages that ask for data of this kind.
  int dimensions = 0;          ///< How many of width, height and depth may differ from 1, in this order.
  bool coloured = false;       ///< If true, data may have four channels.
};

[[nodiscard]] const KindInfo& info_of(Kind kind);
/// The row of the kind with this name. Throws UsageError with the list of the known names if there is none.
[[nodiscard]] const KindInfo& find_kind(std::string_view name);

}  // namespace threadscape
