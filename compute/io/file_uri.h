#pragma once

#include <filesystem>
#include <string_view>

namespace threadscape::io {

/// The path that a URI such as file:///pictures/a%20b.png or file://localhost/a.png names; empty if it names no file.
[[nodiscard]] std::filesystem::path path_of_uri(std::string_view uri);

}  // namespace threadscape::io
