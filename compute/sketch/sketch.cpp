#include "compute/sketch/sketch.h"

#include <array>
#include <cmath>
#include <utility>

#include "compute/core/errors.h"

namespace threadscape::sketch {

bool has_sketch_extension(const std::filesystem::path& file) {
  return file.extension() == ".cu" || file.extension() == ".cpp";
}

Sketch make_sketch(std::string source, const std::filesystem::path& file) {
  Sketch sketch;
  sketch.file = file;
  sketch.source = std::move(source);
  sketch.head = parse_head(sketch.source, file.filename().string());
  sketch.twin = file.extension() == ".cpp";
  for (const Parameter& parameter : sketch.head.parameters)
    sketch.choices.emplace_back(parameter.choices.begin(), parameter.choices.end());
  return sketch;
}

std::string place_of(const Sketch& sketch, int line) {
  return sketch.file.filename().string() + ":" + std::to_string(line);
}

std::string line_directive(const Sketch& sketch, int line) {
  std::string name;
  for (const char c : sketch.file.string()) {
    if (c == '"' || c == '\\') name += '\\';
    name += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  }
  return "#line " + std::to_string(line) + " \"" + name + "\"\n";
}

std::vector<Value> default_values(const Head& head) {
  std::vector<Value> values;
  for (const Parameter& parameter : head.parameters) {
    Value& value = values.emplace_back();
    value.integer = parameter.integer;
    value.flag = parameter.integer != 0;
    if (parameter.type == Parameter::Type::real) value.real = parameter.values.front();
    if (parameter.type != Parameter::Type::list) continue;
    value.list = parameter.values;
    value.side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(value.list.size()))));
  }
  return values;
}

Names names_of(const Head& head, const std::vector<Value>& values, const Shape& shape) {
  Names names;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = head.parameters[i];
    if (parameter.type == Parameter::Type::flag) names[parameter.name] = values[i].flag ? 1 : 0;
    if (parameter.type == Parameter::Type::integer || parameter.type == Parameter::Type::choice)
      names[parameter.name] = values[i].integer;
  }
  if (shape.kind == Kind::none) return names;
  if (shape.kind == Kind::mesh) {
    names["vertices"] = names["triangles"] = 1;
    return names;
  }
  names["width"] = shape.width;
  names["height"] = shape.height;
  names["depth"] = shape.depth;
  names["count"] = shape.items();
  return names;
}

Shape accepted_shape(const Sketch& sketch, const Shape& input) {
  const DataType& reads = sketch.head.reads;
  if (reads.kind == Kind::none) return {};
  Shape wanted = input;
  wanted.element = reads.element;
  wanted.channels = reads.channels;
  const bool converts = reads.kind == Kind::image && input.kind == Kind::image;
  if (input.kind != reads.kind || (!converts && wanted != input))
    throw UsageError(sketch.head.name + " reads " + to_string(wanted) + ", not " + to_string(input));
  return wanted;
}

Shape shape_of(const DataType& type, const Names& names, const Shape& input) {
  Shape shape{
      .kind = type.kind, .element = type.element, .channels = type.channels, .width = 1, .height = 1, .depth = 1};
  const int dimensions = type.kind == Kind::volume                                    ? 3
                         : type.kind == Kind::image || type.kind == Kind::heightfield ? 2
                         : type.kind == Kind::sequence                                ? 1
                                                                                      : 0;
  std::array<std::int64_t, 3> extents{1, 1, 1};
  if (type.size.size() > static_cast<std::size_t>(dimensions))
    throw UsageError("a " + std::string(name_of(type.kind)) + " has " + std::to_string(dimensions) + " extents");
  for (std::size_t i = 0; i < type.size.size(); ++i)
    extents[i] = value_of(type.size[i], names);
  if (type.size.empty()) extents = {dimensions == 1 ? input.items() : input.width, input.height, input.depth};
  for (int i = 0; i < dimensions; ++i) {
    const std::int64_t extent = extents[static_cast<std::size_t>(i)];
    // Kernels count pixels along an axis as int; sequences have more.
    const std::int64_t most = dimensions == 1 ? std::int64_t{1} << 40 : (std::int64_t{1} << 31) - 1;
    if (extent < 1 || extent > most)
      throw UsageError("a size of " + std::to_string(extent) + ": accepted are 1 to " + std::to_string(most));
    (i == 0 ? shape.width : i == 1 ? shape.height : shape.depth) = extent;
  }
  return shape;
}

Shape result_shape(const Sketch& sketch, const std::vector<Value>& values, const Shape& input) {
  const Shape accepted = accepted_shape(sketch, input);
  const Names names = names_of(sketch.head, values, accepted);
  const auto named = [&](const auto& work) {
    try {
      return work();
    } catch (const UsageError& error) {
      throw UsageError(sketch.head.name + ": " + error.what());
    }
  };
  const Shape result = named([&] { return shape_of(sketch.head.makes, names, accepted); });
  const Names for_needs = accepted.kind == Kind::none ? names_of(sketch.head, values, result) : names;
  for (const Need& need : sketch.head.needs)
    if (named([&] { return value_of(need.condition, for_needs); }) == 0)
      throw UsageError(sketch.head.name + " needs " + need.message);
  return result;
}

}  // namespace threadscape::sketch
