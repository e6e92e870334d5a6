#pragma once
// Names of files in JSON, which holds UTF-8, while a name may be any bytes.

#include <string>
#include <string_view>

namespace threadscape {

/// Returns true if the text is UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

/// The path as UTF-8: the path itself, or "file:" and the path with codes such as %ff in the place of "%" and of bytes
/// beyond ASCII if it is no UTF-8 or begins with "file:". path_of_text() gives the path back.
[[nodiscard]] std::string text_of_path(const std::string& path);
[[nodiscard]] std::string path_of_text(const std::string& text);

/// A part of a URI with its codes such as %20 as the characters that they stand for.
[[nodiscard]] std::string without_escapes(std::string_view uri);

}  // namespace threadscape
