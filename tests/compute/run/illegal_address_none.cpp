#include "tests/compute/run/illegal_address.h"

namespace threadscape::testing {

void write_to_illegal_address(const DeviceRun&) {}

}  // namespace threadscape::testing
