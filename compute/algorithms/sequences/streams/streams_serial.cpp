// Operations on streams, the readable reference: one loop. Those without prefix sums take threads as they stand, which
// is the OpenMP variant `loops`; a prefix sum needs the one before it.

#include <algorithm>

#include "compute/algorithms/sequences/streams/streams.h"

namespace threadscape {

void Streams::serial(const Params& params, const HostRun& run) {
  const streams::Plan plan = Streams::plan(params, run.in.shape);
  const auto* in = reinterpret_cast<const std::uint32_t*>(run.in.data);
  auto* out = reinterpret_cast<std::uint32_t*>(run.out.data);
  if (plan.operation == Operation::network) {
    const auto zipped = run.scratch->take<std::uint32_t>(plan.results);
    const auto mapped = run.scratch->take<std::uint32_t>(plan.results);
#pragma omp parallel num_threads(run.threads) if (run.threads > 1)
    {
#pragma omp for schedule(static)
      for (std::uint32_t i = 0; i < plan.results; ++i)
        zipped[i] = streams::zipped(plan, in, i);
#pragma omp for schedule(static)
      for (std::uint32_t i = 0; i < plan.results; ++i)
        mapped[i] = streams::beside(plan, in, i);
#pragma omp for schedule(static)
      for (std::uint32_t i = 0; i < plan.results; ++i)
        out[i] = zipped[i] + mapped[i];
    }
    return;
  }
  if (!streams::scans(plan.operation)) {
#pragma omp parallel for schedule(static) num_threads(run.threads) if (run.threads > 1)
    for (std::uint32_t i = 0; i < plan.results; ++i)
      out[i] = streams::mapped(plan, in, i);
    return;
  }
  if (plan.operation == Operation::filter) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < plan.count; ++i)
      if (streams::passes(plan, in[i])) out[kept++] = in[i];
    std::fill(out + kept, out + plan.count, 0u);
    return;
  }
  std::uint32_t total = 0;
  if (plan.operation == Operation::partition)
    for (std::uint32_t i = 0; i < plan.count; ++i)
      total += streams::summand(plan, in[i]);
  std::uint32_t before = 0;
  for (std::uint32_t i = 0; i < plan.count; ++i) {
    streams::store(plan, in[i], i, before, total, out);
    before += streams::summand(plan, in[i]);
  }
}

}  // namespace threadscape
