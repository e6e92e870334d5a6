#pragma once
// A parameter is declared once, in fields() of a Params struct. The widget, `--set key=value`, `--help`, the JSON
// preset and the test sweep are all derived from that declaration.
//
//   struct Params {
//     int radius = 4;
//     Border border = Border::mirror;
//     static auto fields() {
//       return std::tuple{Field{"radius", &Params::radius, 1, 32, "pixels", "window radius"},
//                         EnumField{"border", &Params::border, border_names, "values outside the picture"}};
//     }
//     bool operator==(const Params&) const = default;
//     // optional:
//     void assigned(std::string_view field);     // adapts dependent fields after `field` was assigned from text
//     void edited(std::string_view field);       // after a change in the window; without it, assigned() is called
//     std::string problem() const;               // why the values do not fit together, "" if they do
//     // in place of fields(), where the parameters are known at run time alone:
//     std::vector<FieldRef> bound_fields();      // the fields, bound to the values of this object
//   };

#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace threadscape {

/// An algorithm with its parameters. A parameter can be a list of steps. compute/registry/steps.h defines the type, and
/// the StepsText by which this lower layer reads and writes such lists.
struct Step;

/// The functions that write and read a list of steps.
struct StepsText {
  std::string (*to_text)(const std::vector<Step>&);
  std::string (*to_json)(const std::vector<Step>&);  ///< Returns a JSON array.
  /// Parses a list. Throws UsageError for a text that is not accepted; the list is then unchanged.
  void (*assign_text)(std::vector<Step>&, std::string_view text);
  /// Converts a JSON array of steps to the text form. Throws UsageError for what is no such array.
  std::string (*text_of_json)(std::string_view json);
};

// Every field has a `title`, its name for people: that of divide_by is "Divide by" unless titled() states another one.

/// A number (int or float) in [lo, hi]. `step` restricts integers to lo, lo + step, lo + 2 step, ... If runs with `hi`
/// take too long for a test, `sweep_hi` is the maximum in the sweep of verify.h; 0 stands for `hi`. zero_as() states
/// what the number 0 stands for if it is no number of its unit: `zero` is "unchanged" for a width of 0.
template <class P, class T>
struct Field {
  std::string_view name;
  T P::*member;
  T lo{}, hi{};
  std::string_view unit = "";
  std::string_view help = "";
  T step = T{1};
  T sweep_hi = T{};
  std::string_view title = "";
  std::string_view zero = "";
};
template <class P>
struct BoolField {
  std::string_view name;
  bool P::*member;
  std::string_view help = "";
  std::string_view title = "";
};
/// An enumeration whose values are 0, 1, 2, ... in the order of `choices`.
template <class P, class E>
struct EnumField {
  std::string_view name;
  E P::*member;
  std::span<const std::string_view> choices;
  std::string_view help = "";
  std::string_view title = "";
};
/// Free text. If `is_path`, it is a file name, and the widget has a button that opens a file dialog.
template <class P>
struct TextField {
  std::string_view name;
  std::string P::*member;
  bool is_path = false;
  std::string_view help = "";
  std::string_view title = "";
};
/// A square grid of `side` x `side` numbers in [lo, hi], row-major; `side` is an int member of the same struct.
template <class P>
struct GridField {
  std::string_view name;
  std::vector<float> P::*member;
  int P::*side;
  float lo, hi;
  std::string_view help = "";
  std::string_view title = "";
};
/// Algorithms that are applied one after another, each with its own parameters. `text` is &steps_text of
/// compute/registry/steps.h.
template <class P>
struct StepsField {
  std::string_view name;
  std::vector<Step> P::*member;
  const StepsText* text;
  std::string_view help = "";
  std::string_view title = "";
};

// Deduction guides, because clang before version 17 does not deduce the template arguments of aggregates.
template <class P, class T>
Field(std::string_view, T P::*, std::type_identity_t<T> = {}, std::type_identity_t<T> = {}, std::string_view = {},
      std::string_view = {}, std::type_identity_t<T> = {}, std::type_identity_t<T> = {}) -> Field<P, T>;
template <class P>
BoolField(std::string_view, bool P::*, std::string_view = {}) -> BoolField<P>;
template <class P, class E>
EnumField(std::string_view, E P::*, std::span<const std::string_view>, std::string_view = {}) -> EnumField<P, E>;
template <class P>
TextField(std::string_view, std::string P::*, bool = false, std::string_view = {}) -> TextField<P>;
template <class P>
GridField(std::string_view, std::vector<float> P::*, int P::*, float, float, std::string_view = {}) -> GridField<P>;
template <class P>
StepsField(std::string_view, std::vector<Step> P::*, const StepsText*, std::string_view = {}) -> StepsField<P>;

/// The field with a name for people that its name in scripts does not give: titled("Voxels in y", Field{"voxels_y",
/// ...}).
template <class F>
[[nodiscard]] constexpr F titled(std::string_view title, F field) {
  field.title = title;
  return field;
}
/// The field whose number 0 stands for something else: zero_as("as along x", Field{"voxels_y", ...}).
template <class P, class T>
[[nodiscard]] constexpr Field<P, T> zero_as(std::string_view zero, Field<P, T> field) {
  field.zero = zero;
  return field;
}

}  // namespace threadscape
