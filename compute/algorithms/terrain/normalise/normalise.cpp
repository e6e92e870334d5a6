#include "compute/algorithms/terrain/normalise/normalise.h"

#include "compute/algorithms/terrain/normalise/normalise_parts.h"
#include "compute/core/height_range.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

std::size_t Normalise::scratch_bytes(const Params&, const Shape& input, Backend backend, int) {
  if (backend == Backend::serial) return 0;
  const auto ranges = backend == Backend::cuda ? static_cast<std::size_t>(normalise::max_blocks)
                                               : static_cast<std::size_t>(input.height);
  return HostScratch::padded(ranges * sizeof(normalise::Range));
}

std::string Normalise::report(const Params&, const HostIn& in, const HostIn& result) {
  return "input " + height_range_text(in) + "output " + height_range_text(result);
}

AlgorithmInfo describe_normalise() {
  return describe<Normalise>(Normalise::name);
}

}  // namespace threadscape
