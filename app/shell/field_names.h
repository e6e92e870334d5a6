#pragma once

#include <string>
#include <string_view>

#include "compute/core/params.h"
#include "compute/registry/effects.h"

namespace threadscape::app {

/// The tip of a parameter: what it is, its range and unit, and its name and value as `--set` takes them.
[[nodiscard]] std::string tip_of(const FieldRef& field);
/// The parameter with its value as a script names it: "divide_by=sum".
[[nodiscard]] std::string script_text(const FieldRef& field);

/// Why the rule takes the effect from one of these parameters, as a sentence: "Without effect now: only with Divide by
/// = divisor."
[[nodiscard]] std::string reason_of(const EffectRule& rule, const ParamBox& params);

}  // namespace threadscape::app
