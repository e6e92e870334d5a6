#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace threadscape::io {

/// The bytes of a text in base64, whose end may lack its padding; none if it contains other characters.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace threadscape::io
