#pragma once
// The editor of a chain of filters: add, remove, reorder, switch on and off, and the parameters of each.

#include <string_view>
#include <vector>

#include "app/shell/field_widgets.h"
#include "compute/registry/steps.h"

namespace threadscape::app {

/// Draws the editor. `field` is the name of the steps among the parameters that `context.change` changes. Returns
/// whether the steps or their parameters were changed.
bool draw_steps(std::vector<Step>& steps, std::string_view field, const FieldContext& context);

}  // namespace threadscape::app
