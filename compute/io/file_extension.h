#pragma once
// File name extensions: how they are read off a path and listed in messages.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace threadscape::io {

/// The extension of the path's file name in lower case, with the dot; empty where there is none. ".nii.gz" is one
/// extension.
[[nodiscard]] std::string extension_of(const std::filesystem::path& path);

/// The path's file name without what extension_of() returns.
[[nodiscard]] std::string stem_of(const std::filesystem::path& path);

/// Which file formats a list is of: those that are read, or those that are written.
enum class FormatUse : std::uint8_t { read, written };

/// "a", "a or b", "a, b or c"; `last` is the word before the last item.
[[nodiscard]] std::string enumerated(std::span<const std::string_view> items, std::string_view last = "or");

}  // namespace threadscape::io
