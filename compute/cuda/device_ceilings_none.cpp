#include "compute/cuda/device.h"
#include "compute/cuda/device_ceilings.h"

namespace threadscape::cuda {

MeasuredCeilings device_ceilings() {
  require_device();
  return {};
}

}  // namespace threadscape::cuda
