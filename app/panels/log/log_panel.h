#pragma once

#include "app/panels/panel.h"

namespace threadscape::app {

/// The messages of the log. The number of those that nobody has read stands in the title.
class LogPanel final : public Panel {
 public:
  void draw(Desk& desk) override;
  [[nodiscard]] std::string badge(Desk& desk) const override;
};

}  // namespace threadscape::app
