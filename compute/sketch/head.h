#pragma once
// The head of a sketch: the comment lines at the top of a file of kernels, which say what it reads, makes and launches.
// It is read without compiling. docs/SKETCHES.md describes it for users.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/shape.h"
#include "compute/sketch/expression.h"

namespace threadscape::sketch {

/// A type of data, and expressions for its extents.
struct DataType {
  Kind kind = Kind::none;
  Element element = Element::u8;
  int channels = 1;
  std::vector<std::string> size;  ///< Width, height, depth; empty for the extents of the input.
};

/// A buffer that the passes use and nobody sees.
struct Temporary {
  std::string name;
  DataType type;
};

struct Parameter {
  enum class Type : std::uint8_t { integer, real, flag, choice, list };
  Type type = Type::integer;
  std::string name, help;
  bool constant = false;             ///< It is the variable of that name in constant memory, and no argument.
  double lo = 0, hi = 0;             ///< The range of numbers.
  std::vector<float> values;         ///< The default: one number, or those of a list.
  int integer = 0;                   ///< The default of an integer, a flag (0 or 1) and a choice (its index).
  std::vector<std::string> choices;  ///< The names of a choice.
};

/// A line of the head that is executed: a launch, a loop, or the end of a loop.
struct Statement {
  enum class Kind : std::uint8_t { pass, loop, end };
  Kind kind = Kind::pass;
  int line = 0;

  // These members are for a pass.
  std::string kernel;
  std::vector<std::string> arguments;  ///< Names of data and parameters, or expressions.
  std::vector<std::string> block;      ///< Expressions along x, y, z.
  std::vector<std::string> threads;    ///< The threads that are wanted along x, y, z; empty = one for each element.
  std::vector<std::string> blocks;     ///< The blocks along x, y, z, in place of `threads`.
  std::string shared;                  ///< Bytes of dynamic shared memory; "" = none.

  // These members are for a loop: for (variable = first; condition; variable = next).
  std::string variable, first, condition, next;
};

/// A condition for the input and the parameters.
struct Need {
  std::string condition, message;
};

struct Head {
  std::string name, title;
  DataType reads, makes;
  std::vector<Parameter> parameters;
  std::vector<Temporary> temporaries;
  std::vector<Statement> statements;
  std::vector<Need> needs;
  std::string halo;  ///< An expression for how far a result reads around its place; "" if the head does not say.
  std::string check_algorithm;  ///< The algorithm, or the file of a sketch beside this one, that makes equal results.
  /// Values of that algorithm's parameters: texts, or expressions between parentheses.
  std::vector<std::pair<std::string, std::string>> check_values;
};

/// A text that is longer than this is no sketch.
inline constexpr std::size_t max_sketch_bytes = std::size_t{1} << 20;

/// Returns true if the first line that is not empty is that of a sketch: "// sketch: NAME".
[[nodiscard]] bool is_sketch(std::string_view text);
/// Reads the head of a source. `file` is its name in messages. Throws UsageError with file and line for what is wrong.
[[nodiscard]] Head parse_head(std::string_view text, const std::string& file);

}  // namespace threadscape::sketch
