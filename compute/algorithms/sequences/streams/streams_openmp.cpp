// Operations on streams with all cores. Prefix sums are made in three steps: threads sum up chunks of the input, one of
// them adds the sums of the chunks, and threads go through the chunks again, each from the sum in front of it.

#include <algorithm>

#include "compute/algorithms/sequences/streams/streams.h"

namespace threadscape {

void Streams::openmp(const Params& params, const HostRun& run) {
  using namespace streams;
  const Plan plan = Streams::plan(params, run.in.shape);
  const auto* in = reinterpret_cast<const std::uint32_t*>(run.in.data);
  auto* out = reinterpret_cast<std::uint32_t*>(run.out.data);
  if (plan.operation == Operation::network) {
    const auto first = run.scratch->take<std::uint32_t>(plan.results);
    const auto second = run.scratch->take<std::uint32_t>(plan.results);
    // Tasks side by side: a thread takes chunks of either kernel, and the sum waits for both.
    const auto chunk = static_cast<std::int64_t>(plan.results / host_chunks + 1);
    const std::int64_t chunks = (plan.results + chunk - 1) / chunk;
#pragma omp parallel num_threads(run.threads)
    {
#pragma omp for schedule(dynamic)
      for (std::int64_t task = 0; task < 2 * chunks; ++task) {
        const auto begin = static_cast<std::uint32_t>(task / 2 * chunk);
        const auto end = static_cast<std::uint32_t>(std::min<std::int64_t>(begin + chunk, plan.results));
        for (std::uint32_t i = begin; i < end; ++i)
          (task % 2 == 0 ? first : second)[i] = task % 2 == 0 ? zipped(plan, in, i) : beside(plan, in, i);
      }
#pragma omp for schedule(static)
      for (std::uint32_t i = 0; i < plan.results; ++i)
        out[i] = first[i] + second[i];
    }
    return;
  }
  if (!scans(plan.operation)) {
#pragma omp parallel for schedule(static) num_threads(run.threads)
    for (std::uint32_t i = 0; i < plan.results; ++i)
      out[i] = mapped(plan, in, i);
    return;
  }
  const auto begin_of = [&](int chunk) {
    return static_cast<std::uint32_t>(std::uint64_t{plan.count} * static_cast<std::uint64_t>(chunk) / host_chunks);
  };
  const auto sums = run.scratch->take<std::uint32_t>(host_chunks);
  std::uint32_t total = 0;
#pragma omp parallel num_threads(run.threads)
  {
#pragma omp for schedule(static)
    for (int chunk = 0; chunk < host_chunks; ++chunk) {
      std::uint32_t sum = 0;
      for (std::uint32_t i = begin_of(chunk); i < begin_of(chunk + 1); ++i)
        sum += summand(plan, in[i]);
      sums[static_cast<std::size_t>(chunk)] = sum;
    }
#pragma omp single
    for (std::uint32_t& sum : sums) {
      const std::uint32_t of_chunk = sum;
      sum = total;
      total += of_chunk;
    }
#pragma omp for schedule(static)
    for (int chunk = 0; chunk < host_chunks; ++chunk) {
      std::uint32_t before = sums[static_cast<std::size_t>(chunk)];
      for (std::uint32_t i = begin_of(chunk); i < begin_of(chunk + 1); ++i) {
        store(plan, in[i], i, before, total, out);
        before += summand(plan, in[i]);
      }
    }
  }
}

}  // namespace threadscape
