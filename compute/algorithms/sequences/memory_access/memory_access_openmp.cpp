// Memory access with all cores. Threads take chunks of the result in turn. The places of a chunk follow from its first
// one without divisions, and 32 neighbouring words with a table are computed together, in vectors where they read
// neighbouring words.

#include <algorithm>

#include "compute/algorithms/sequences/memory_access/memory_access.h"

namespace threadscape {

namespace {

using namespace memory_access;

constexpr std::int64_t chunk = 1 << 14;  ///< Words that a thread computes at a time; a multiple of `lanes`.

/// Computes the words [begin, end) of the result of `strided`, which lie in the matrix.
void read_columns(const Plan& plan, const std::uint32_t* in, std::uint32_t begin, std::uint32_t end,
                  std::uint32_t* out) {
  std::uint32_t column = begin / plan.rows, row = begin % plan.rows;
  for (std::uint32_t i = begin; i < end; ++column, row = 0) {
    const std::uint32_t count = std::min(plan.rows - row, end - i);
    const std::uint32_t* from = in + std::size_t{row} * plan.stride + column;
    for (std::uint32_t k = 0; k < count; ++k)
      out[i + k] = from[std::size_t{k} * plan.stride];
    i += count;
  }
}

template <Pattern pattern>
void read_directly(const Plan& plan, const std::uint32_t* in, std::uint32_t begin, std::uint32_t end,
                   std::uint32_t* out) {
  if constexpr (pattern == Pattern::strided) {
    const std::uint32_t inside = std::clamp(plan.rows * plan.stride, begin, end);
    if (begin < inside) read_columns(plan, in, begin, inside, out);
    begin = inside;
  }
  for (std::uint32_t i = begin; i < end; ++i)
    out[i] = in[place_of < pattern == Pattern::strided ? Pattern::coalesced : pattern > (plan, i)];
}

/// Computes up to 32 words of the result from word `begin` on, a multiple of 32, with the table.
void read_table_part(const Plan& plan, const std::uint32_t* in, const std::uint32_t* table, std::uint32_t begin,
                     int count, std::uint32_t* out) {
  alignas(64) std::uint32_t results[lanes] = {};
  std::copy_n(in + begin, count, results);
  for (int round = 0; round < plan.rounds; ++round) {
    const int shift = round * plan.round_step;
    for (int j = 0; j < round_reads; ++j) {
      // Lanes that read the same or neighbouring words have loops of their own, which become vector instructions.
      const int low = shift & (span - 1);
      const std::uint32_t* from = table + low + j;
      if (plan.lane_bytes == 0) {
        for (std::uint32_t& result : results)
          result = fold(result, *from);
      } else if (plan.lane_bytes == 4 && low + lanes <= span) {
        for (int lane = 0; lane < lanes; ++lane)
          results[lane] = fold(results[lane], from[lane]);
      } else {
        for (int lane = 0; lane < lanes; ++lane)
          results[lane] = fold(results[lane], table[first_word(plan, lane, round) + j]);
      }
    }
  }
  std::copy_n(results, count, out + begin);
}

}  // namespace

void MemoryAccess::openmp(const Params& params, const HostRun& run) {
  const Plan plan = MemoryAccess::plan(params, run.in.shape);
  const auto* in = reinterpret_cast<const std::uint32_t*>(run.in.data);
  auto* out = reinterpret_cast<std::uint32_t*>(run.out.data);
  std::uint32_t* table = nullptr;
  if (reads_table(plan.pattern)) {
    table = run.scratch->take<std::uint32_t>(table_words).data();
    for (std::uint32_t w = 0; w < table_words; ++w)
      table[w] = table_word(plan, in, w);
  }
  const std::int64_t chunks = (std::int64_t{plan.count} + chunk - 1) / chunk;
#pragma omp parallel for schedule(static) num_threads(run.threads)
  for (std::int64_t n = 0; n < chunks; ++n) {
    if (run.stop.stop_requested()) continue;
    const auto begin = static_cast<std::uint32_t>(n * chunk);
    const auto end = static_cast<std::uint32_t>(std::min((n + 1) * chunk, std::int64_t{plan.count}));
    if (table == nullptr)
      with_direct_pattern(plan.pattern, [&]<Pattern pattern>() { read_directly<pattern>(plan, in, begin, end, out); });
    else
      for (std::uint32_t i = begin; i < end; i += lanes)
        read_table_part(plan, in, table, i, static_cast<int>(std::min<std::uint32_t>(lanes, end - i)), out);
  }
}

}  // namespace threadscape
