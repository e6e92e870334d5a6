#include "app/panels/view_settings/view_settings_panel.h"

#include "app/shell/field_widgets.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

bool ViewSettingsPanel::is_there(Desk& desk) {
  // While a scene is prepared its settings are not known. The tab stays, so that it is still selected afterwards.
  was_there_ = desk.listed_settings() != nullptr || (was_there_ && desk.scenes().preparing());
  return was_there_;
}

void ViewSettingsPanel::draw(Desk& desk) {
  ParamBox* const settings = desk.listed_settings();
  if (settings == nullptr) return;
  draw_fields(*settings, {desk.files(), desk.log(), desk.previews(), [&desk](const auto& edit) {
                            if (ParamBox* params = desk.scene().settings()) edit(*params);
                          }});
  ImGui::Spacing();
  if (ImGui::Button("Reset", {-1, 0})) *settings = desk.scenes().type_for(desk.workspace().algorithm()).settings();
}

}  // namespace threadscape::app
