#pragma once

#include "app/panels/panel.h"

namespace threadscape::app {

/// The comparison with B, and backend, variant, threads, seed and the parameters of the algorithm. The widgets for the
/// parameters are made from their fields().
class ParameterPanel final : public Panel {
 public:
  void draw(Desk& desk) override;
};

}  // namespace threadscape::app
