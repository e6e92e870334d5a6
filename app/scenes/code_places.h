#pragma once
// Where the source stands of what a diagram draws: the file and the function of each variant, and the line of a step.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/registry/algorithm_info.h"

namespace threadscape::app {

/// What a scene draws: a variant, and a step of it in a few words that code_place() knows; "" for the whole.
struct DrawnCode {
  Backend backend = Backend::serial;
  int variant = 0;
  std::string step;
  bool operator==(const DrawnCode&) const = default;
};

struct CodePlace {
  std::string file;           ///< From the root of the sources on: "compute/algorithms/...".
  std::string_view function;  ///< Its name, as its definition has it.
  std::string_view line;      ///< What a line of it contains that belongs to the step; "" if none is marked.
};

/// The place of a variant; none for algorithms without a diagram.
[[nodiscard]] std::optional<CodePlace> code_place(const AlgorithmInfo& algorithm, const DrawnCode& drawn);
/// The value of a parameter as text, such as the name of a method; "" if there is no such parameter.
[[nodiscard]] std::string value_text(ParamBox params, std::string_view name);
/// All places of an algorithm.
[[nodiscard]] std::vector<CodePlace> code_places(const AlgorithmInfo& algorithm);

/// Lines of a function, counted from 0; `end` is behind the last one. Both are 0 if the file does not define it.
struct CodeRange {
  std::size_t begin = 0, end = 0;
  std::vector<std::size_t> marked;  ///< Those with CodePlace::line.
};
[[nodiscard]] CodeRange find_code(std::span<const std::string> lines, const CodePlace& place);

}  // namespace threadscape::app
