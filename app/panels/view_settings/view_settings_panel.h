#pragma once

#include "app/panels/panel.h"

namespace threadscape::app {

/// The settings of the scene, for scenes without widgets of their own for them.
class ViewSettingsPanel final : public Panel {
 public:
  void draw(Desk& desk) override;
  [[nodiscard]] bool is_there(Desk& desk) override;

 private:
  bool was_there_ = false;
};

}  // namespace threadscape::app
