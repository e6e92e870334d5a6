#pragma once

#include <string>

#include "app/panels/panel.h"
#include "app/panels/parameters/volume_reading_fields.h"
#include "app/session/workspace.h"

namespace threadscape::app {

/// Why a backend cannot be used, and what would help, as a sentence for its card; "" if it can be used.
[[nodiscard]] std::string absence_text(const Workspace& workspace, Backend backend);

/// The comparison with B, and backend, variant, threads, seed and the parameters of the algorithm. The widgets for the
/// parameters are made from their fields().
class ParameterPanel final : public Panel {
 public:
  void draw(Desk& desk) override;

 private:
  VolumeReadingFields volume_;
};

}  // namespace threadscape::app
