#pragma once
// Which parameters have no effect on the result, because of the values of other parameters or because a file is open.
// An algorithm that has such parameters has a file <name>_effects.cpp, which CMake finds:
//
//   std::span<const EffectRule> effects_of_<name>();
//
// Each rule is checked by a test that runs the algorithm (tests/compute/registry/effects_test.cpp).

#include <string_view>

#include "compute/core/params.h"

namespace threadscape {

/// A condition on another parameter.
struct EffectCondition {
  std::string_view parameter;
  /// Its values as text, separated by bars: "gaussian|uniform". "" is an empty text. An exclamation mark before them
  /// stands for all values but these.
  std::string_view values;

  [[nodiscard]] bool holds(const ParamBox& params) const;
};

/// The condition under which a parameter has an effect. A parameter may have several rules: all of them have to hold.
struct EffectRule {
  std::string_view field;
  /// Without the name of a parameter, this rule is of a parameter that says which input the algorithm makes itself. It
  /// has no effect while a file is open.
  EffectCondition only{};
  EffectCondition or_else{};  ///< A second condition that is enough, too, if it names a parameter.

  [[nodiscard]] bool is_of_own_input() const { return only.parameter.empty(); }
  /// Returns whether the parameter has an effect as far as the other parameters decide that.
  [[nodiscard]] bool holds(const ParamBox& params) const;
};

}  // namespace threadscape
