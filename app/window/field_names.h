#pragma once

#include <string>
#include <string_view>

#include "compute/core/params.h"
#include "compute/registry/effects.h"

namespace threadscape::app {

/// The name of a parameter for people: "Divide by" for divide_by, "Voxels in y" for voxels_y.
[[nodiscard]] std::string title_of(std::string_view parameter);

/// What the value 0 of a parameter stands for, if its help says so: "unchanged" for "of the result; 0 = unchanged";
/// else
/// "".
[[nodiscard]] std::string_view meaning_of_zero(const FieldRef& field);

/// The tip of a parameter: what it is, its range and unit, and its name and value as `--set` takes them.
[[nodiscard]] std::string tip_of(const FieldRef& field);
/// The parameter with its value as a script names it: "divide_by=sum".
[[nodiscard]] std::string script_text(const FieldRef& field);

/// Why the rule takes the effect from its parameter, as a sentence: "Without effect now: only with Divide by =
/// divisor."
[[nodiscard]] std::string reason_of(const EffectRule& rule);

}  // namespace threadscape::app
