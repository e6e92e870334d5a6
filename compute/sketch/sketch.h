#pragma once
// A sketch: a kernel, or its twin for the CPU, that a user writes beside those of the program.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compute/sketch/head.h"

namespace threadscape::sketch {

struct Sketch {
  std::filesystem::path file;  ///< The file that messages name, and beside which headers are looked for.
  std::string source;
  Head head;
  bool twin = false;                                   ///< A source for the CPU, which is no kernel.
  std::vector<std::vector<std::string_view>> choices;  ///< The choices of each parameter, for the fields of panels.
};

/// The extensions of files that may be sketches: .cu for kernels, .cpp for their twins.
[[nodiscard]] bool has_sketch_extension(const std::filesystem::path& file);
/// Reads the head. Nothing is compiled. Throws UsageError.
[[nodiscard]] Sketch make_sketch(std::string source, const std::filesystem::path& file);

/// The value of a parameter, of which one member counts.
struct Value {
  int integer = 0;  ///< The value of integers and choices.
  float real = 0;
  bool flag = false;
  std::vector<float> list;
  int side = 0;  ///< The list is that of a square with this side.
  bool operator==(const Value&) const = default;
};

/// The defaults of the parameters.
[[nodiscard]] std::vector<Value> default_values(const Head& head);
/// The names that expressions of the head may use, for these parameters and an input or, without one, a result of this
/// shape. The extents are left out of an empty shape; a mesh, whose shape does not say more, has one triangle and
/// vertex.
[[nodiscard]] Names names_of(const Head& head, const std::vector<Value>& values, const Shape& shape);

/// The shape of the input as the kernels see it: pictures are converted to the colours and numbers that the head
/// states. Throws UsageError for an input of another kind, or for numbers that are not converted.
[[nodiscard]] Shape accepted_shape(const Sketch& sketch, const Shape& input);
/// The shape of the result for an accepted input. Throws UsageError for what the head does not take.
[[nodiscard]] Shape result_shape(const Sketch& sketch, const std::vector<Value>& values, const Shape& input);
/// The shape of data of this type beside an input of this shape.
[[nodiscard]] Shape shape_of(const DataType& type, const Names& names, const Shape& input);

/// The place of a line of the sketch, for messages: "blur.cu:3".
[[nodiscard]] std::string place_of(const Sketch& sketch, int line);
/// A directive after which compilers count lines of this file from `line` on.
[[nodiscard]] std::string line_directive(const Sketch& sketch, int line);

}  // namespace threadscape::sketch
