#pragma once
// Tables of the panel of the pipeline.

#include <string>

namespace threadscape::app {

/// Begins a table of the panel with narrow cells; ImGui::EndTable() ends it if this returns true.
[[nodiscard]] bool begin_panel_table(const char* id, int columns);
/// Draws a row of two columns. The help is the tooltip of the name.
void panel_row(const char* name, const std::string& text, const char* help);

}  // namespace threadscape::app
