#pragma once
// Lists of texts as bytes, for pipes between processes: each text stands after its length.

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace threadscape::warp {

/// Appends a text to the bytes of a list.
inline void put_text(std::string& list, std::string_view text) {
  const std::uint64_t size = text.size();
  list.append(reinterpret_cast<const char*>(&size), sizeof size);
  list += text;
}

/// Takes the next text from the bytes of a list; nothing at its end, and where the text is incomplete.
inline std::optional<std::string> take_text(std::string_view& list) {
  std::uint64_t size = 0;
  if (list.size() < sizeof size) return {};
  std::memcpy(&size, list.data(), sizeof size);
  list.remove_prefix(sizeof size);
  if (list.size() < size) return {};
  std::string text(list.substr(0, size));
  list.remove_prefix(size);
  return text;
}

}  // namespace threadscape::warp
