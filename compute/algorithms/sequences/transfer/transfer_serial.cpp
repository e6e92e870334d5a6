// Transfer, the readable reference: without a device there is nothing to transfer to, and one thread copies the data.

#include <cstring>

#include "compute/algorithms/sequences/transfer/transfer.h"

namespace threadscape {

void Transfer::serial(const Params&, const HostRun& run) {
  std::memcpy(run.out.data, run.in.data, run.in.shape.bytes());
}

}  // namespace threadscape
