#pragma once
// A sketch in one file with all that shows what it does: parameters, the input, and the results so far. The file is a
// source that compiles; the rest stands in comments at its end, each line of which begins with "// @".

#include <string>
#include <string_view>
#include <vector>

namespace threadscape::app {

struct ExportedSketch {
  std::string source;   ///< The text without what is said about it.
  std::string params;   ///< JSON; "" if nothing is stated.
  std::string input;    ///< What the input is, in words: "astronaut.png, 512x512 8-bit RGBA image".
  std::string picture;  ///< The input as a data address, "data:image/png;base64,..."; "" if it is not there.
  std::vector<std::string> results;  ///< A line for each try.
};

[[nodiscard]] std::string text_of(const ExportedSketch& sketch);
/// Splits the text of a file. Files of others have a source alone.
[[nodiscard]] ExportedSketch read_exported(std::string_view text);

}  // namespace threadscape::app
