#pragma once
// Widgets for the fields of parameters, of any algorithm or scene.

#include <functional>
#include <optional>
#include <string>

#include "app/session/log_book.h"
#include "compute/core/params.h"

namespace threadscape::app {

class FileBrowser;
class PreviewEditor;
class AdvancedFields;

/// A parameter that has no effect now.
struct IdleField {
  std::string why;    ///< A sentence for the tip.
  std::string value;  ///< What stands in the place of its value; "" = its own value is shown.
};

struct FieldContext {
  FileBrowser& files;
  LogBook& log;
  PreviewEditor& previews;
  /// Calls its argument with the parameters, to change them when a file has been chosen in the file browser, which is
  /// some frames later, unless they do not exist any more.
  std::function<void(const std::function<void(ParamBox&)>& edit)> change;
  float labels = 0.0f;  ///< Width of the column of labels in pixels; 0 = label_width().
  /// Tells of parameters without effect, which are greyed; empty if all have one.
  std::function<std::optional<IdleField>(const FieldRef&)> idle = {};
  /// Draws what stands below a field, such as a message about its value; empty if nothing does.
  std::function<void(const FieldRef&)> below = {};
  /// The fields that are folded away below the others; null if there are no sections.
  const AdvancedFields* advanced = nullptr;
};

/// Draws one line per field, from its label to the right end of the window. Changes go through ParamBox::edited().
/// Returns whether anything was changed.
bool draw_fields(ParamBox& params, const FieldContext& context);

/// Width in pixels of the column of labels to the left of widgets, the same for all fields of a panel. Longer names are
/// cut, and whole in the tip.
[[nodiscard]] float label_width();

}  // namespace threadscape::app
