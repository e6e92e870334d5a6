#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace threadscape::io {

/// The bytes of a text in base64, whose end may lack its padding; none if it contains other characters.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

/// The text of bytes in base64, in one line, with its padding.
[[nodiscard]] std::string to_base64(std::string_view bytes);

}  // namespace threadscape::io
