#include "app/python/description.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "app/python/arrays.h"
#include "compute/core/kind_info.h"

namespace threadscape::python {

namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;  // Clang deduces this itself from version 17 on.

nb::dict describe_field(const FieldRef& field) {
  nb::dict row;
  row["name"] = field.name;
  row["help"] = help_of(field);
  row["unit"] = field.unit;
  row["accepted"] = accepted(field);
  const auto range = [&](const auto& v) {
    row["minimum"] = v.lo;
    row["maximum"] = v.hi;
  };
  std::visit(Overloaded{[&](const IntValue& v) {
                          row["type"] = "int";
                          row["default"] = *v.value;
                          row["step"] = v.step;
                          range(v);
                        },
                        [&](const FloatValue& v) {
                          row["type"] = "float";
                          // The shortest text of the number, which the conversion of a float to a double is not.
                          row["default"] = nb::float_(nb::str(to_text(field).c_str()));
                          range(v);
                        },
                        [&](const BoolValue& v) {
                          row["type"] = "bool";
                          row["default"] = *v.value;
                        },
                        [&](const ChoiceValue& v) {
                          row["type"] = "choice";
                          row["default"] = v.choices[static_cast<std::size_t>(v.get())];
                          row["choices"] = std::vector<std::string_view>(v.choices.begin(), v.choices.end());
                        },
                        [&](const TextValue& v) {
                          row["type"] = v.is_path ? "path" : "text";
                          row["default"] = *v.value;
                        },
                        [&](const GridValue& v) {
                          row["type"] = "grid";
                          row["default"] = *v.values;
                          range(v);
                        },
                        [&](const StepsValue&) {
                          row["type"] = "steps";
                          row["default"] = to_text(field);
                        }},
             field.value);
  return row;
}

}  // namespace

nb::dict describe(const AlgorithmInfo& algorithm) {
  nb::dict row;
  row["name"] = algorithm.name;
  row["title"] = algorithm.title;
  row["summary"] = algorithm.summary;
  row["source"] = algorithm.source;
  row["group"] = algorithm.group;
  row["input"] = name_of(algorithm.input);
  row["input_dimensions"] = dimensions_of(algorithm.input);
  row["output"] = name_of(algorithm.output);
  row["output_dimensions"] = dimensions_of(algorithm.output);
  row["makes_input"] = algorithm.own_input.has_value();
  row["exact"] = algorithm.tolerance.is_exact() && algorithm.tolerance_of == nullptr;
  nb::list parameters;
  const ParamBox defaults = algorithm.defaults();
  for (const FieldRef& field : defaults.fields())
    parameters.append(describe_field(field));
  row["parameters"] = parameters;
  nb::dict variants;
  for (const Backend backend : backends) {
    nb::dict helps;
    for (const Variant& variant : algorithm.variants_of(backend))
      helps[nb::str(variant.name.data(), variant.name.size())] = variant.help;
    variants[nb::str(name_of(backend).data(), name_of(backend).size())] = helps;
  }
  row["variants"] = variants;
  return row;
}

}  // namespace threadscape::python
