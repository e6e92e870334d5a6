#pragma once
// Widgets for the fields of any parameters.

#include <functional>

#include "app/session/log_book.h"
#include "compute/core/params.h"

namespace threadscape::app {

class FileBrowser;
class PreviewEditor;

struct FieldContext {
  FileBrowser& files;
  LogBook& log;
  PreviewEditor& previews;
  /// Finds the parameters again when a file has been chosen, frames later; null when they are gone.
  std::function<ParamBox*()> find;
  float labels = 0.0f;  ///< width of the labels; 0: what their names need, at least label_width()
};

/// One line per field, from its label to the right end of the window. Changes go through ParamBox::edited().
void draw_fields(ParamBox& params, const FieldContext& context);

/// Of the labels to the left of widgets.
[[nodiscard]] float label_width();

}  // namespace threadscape::app
