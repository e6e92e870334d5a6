#pragma once

#include "app/panels/panel.h"
#include "app/panels/parameters/volume_reading_fields.h"

namespace threadscape::app {

/// The comparison with B, and backend, variant, threads, seed and the parameters of the algorithm. The widgets for the
/// parameters are made from their fields().
class ParameterPanel final : public Panel {
 public:
  void draw(Desk& desk) override;

 private:
  VolumeReadingFields volume_;
};

}  // namespace threadscape::app
