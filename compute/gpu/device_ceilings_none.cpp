#include "compute/gpu/device.h"
#include "compute/gpu/device_ceilings.h"

namespace threadscape::cuda {

MeasuredCeilings device_ceilings() {
  require_device();
  return {};
}

}  // namespace threadscape::cuda
