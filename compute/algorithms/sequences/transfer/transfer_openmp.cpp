// Transfer on the CPU with all cores: each thread copies chunks.

#include <algorithm>
#include <cstring>

#include "compute/algorithms/sequences/transfer/transfer.h"

namespace threadscape {

void Transfer::openmp(const Params&, const HostRun& run) {
  constexpr std::int64_t chunk = 1 << 20;  // bytes
  const auto bytes = static_cast<std::int64_t>(run.in.shape.bytes());
#pragma omp parallel for schedule(static) num_threads(run.threads)
  for (std::int64_t first = 0; first < bytes; first += chunk)
    if (!run.stop.stop_requested())
      std::memcpy(run.out.data + first, run.in.data + first, static_cast<std::size_t>(std::min(chunk, bytes - first)));
}

}  // namespace threadscape
