// Memory access, the readable reference: one thread computes the words of all threads one after another.

#include "compute/algorithms/sequences/memory_access/memory_access.h"

namespace threadscape {

namespace {

using namespace memory_access;

void read_table(const Plan& plan, const std::uint32_t* in, std::uint32_t* table, std::uint32_t* out, int threads) {
  for (std::uint32_t w = 0; w < table_words; ++w)
    table[w] = table_word(plan, in, w);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (std::uint32_t i = 0; i < plan.count; ++i) {
    const int lane = static_cast<int>(i % lanes);
    std::uint32_t result = in[i];
    for (int round = 0; round < plan.rounds; ++round) {
      const int first = first_word(plan, lane, round);
      for (int j = 0; j < round_reads; ++j)
        result = fold(result, table[first + j]);
    }
    out[i] = result;
  }
}

}  // namespace

void MemoryAccess::serial(const Params& params, const HostRun& run) {
  const Plan plan = MemoryAccess::plan(params, run.in.shape);
  const auto* in = reinterpret_cast<const std::uint32_t*>(run.in.data);
  auto* out = reinterpret_cast<std::uint32_t*>(run.out.data);
  if (reads_table(plan.pattern))
    return read_table(plan, in, run.scratch->take<std::uint32_t>(table_words).data(), out, run.threads);
  with_direct_pattern(plan.pattern, [&]<Pattern pattern>() {
#pragma omp parallel for schedule(static) num_threads(run.threads) if (run.threads > 1)
    for (std::uint32_t i = 0; i < plan.count; ++i)
      out[i] = in[place_of<pattern>(plan, i)];
  });
}

}  // namespace threadscape
