#pragma once
// Lines of a source that a compiler or a machine has something to say about.

#include <string>
#include <string_view>
#include <vector>

namespace threadscape::app {

struct CodeMark {
  int line = 0;       ///< The line of the source, from 1 on.
  bool error = true;  ///< False for warnings.
  std::string text;   ///< What is said, without the place.
  bool operator==(const CodeMark&) const = default;
};

/// The places in a file that a text names: "FILE(3): error: ..." as NVRTC and nvcc, "FILE:3:7: error: ..." as g++ and
/// clang++, and "FILE:3: ..." and "FILE:3, ..." as this program writes them. Folders before the name of the file do not
/// count.
[[nodiscard]] std::vector<CodeMark> code_marks(std::string_view text, std::string_view file_name);

/// The mark to show where there is room for one: the first error, or else the first warning; null without marks.
/// Compilers may warn before they refuse, and what they refuse is what has to be changed.
[[nodiscard]] const CodeMark* first_to_mend(const std::vector<CodeMark>& marks);

}  // namespace threadscape::app
