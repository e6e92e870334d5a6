#pragma once

#include "app/panels/panel.h"

namespace threadscape::app {

/// The times of the moving picture that is open.
class VideoPanel final : public Panel {
 public:
  void draw(Desk& desk) override;
  [[nodiscard]] bool is_there(Desk& desk) override { return desk.moving().active(); }
};

}  // namespace threadscape::app
