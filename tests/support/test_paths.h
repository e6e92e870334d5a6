#pragma once
// The folders that tests read from and write into. They are functions, because a macro with the path of a clone would
// change the command that compiles every test, and ccache would find none of the objects that another clone has made.

#include <string>

namespace threadscape {

/// The root of the source tree, without a slash at the end.
[[nodiscard]] std::string source_dir();
/// tests/ in the source tree: reference data, goldens and seeds of the fuzzers.
[[nodiscard]] std::string test_dir();
/// The folder for files that tests make. It exists.
[[nodiscard]] std::string test_output_dir();

}  // namespace threadscape
