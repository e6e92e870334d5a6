#pragma once
// Characters of headers that are texts, whatever the locale.

namespace threadscape::io {

[[nodiscard]] constexpr bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace threadscape::io
