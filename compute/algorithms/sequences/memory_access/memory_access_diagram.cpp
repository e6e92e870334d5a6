// Data for the scene: the words that the first warp reads, and what the read costs.

#include <algorithm>
#include <map>
#include <set>

#include "compute/algorithms/sequences/memory_access/memory_access.h"
#include "compute/registry/diagram.h"

namespace threadscape {

namespace {

using memory_access::Pattern;

constexpr int sector_words = 8;  ///< Global memory is fetched in sectors of 32 bytes.
constexpr int banks = 32;

std::string plural(int count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// The largest number of different words that lie in one bank of shared memory.
int bank_conflict_of(const std::vector<std::int64_t>& words) {
  std::map<std::int64_t, std::set<std::int64_t>> of_bank;
  int worst = 0;
  for (const std::int64_t word : words) {
    auto& different = of_bank[word % banks];
    different.insert(word);
    worst = std::max(worst, static_cast<int>(different.size()));
  }
  return worst;
}

void describe_global(const memory_access::Plan& plan, AccessDiagram& diagram) {
  std::set<std::int64_t> sectors, lines;
  const int threads = static_cast<int>(std::min<std::uint32_t>(plan.count, memory_access::lanes));
  memory_access::with_direct_pattern(plan.pattern, [&]<Pattern pattern>() {
    for (int i = 0; i < threads; ++i)
      diagram.words.push_back(memory_access::place_of<pattern>(plan, static_cast<std::uint32_t>(i)));
  });
  for (const std::int64_t word : diagram.words) {
    sectors.insert(word / sector_words);
    lines.insert(word / banks);
  }
  diagram.memory = "Global memory: a row is a line of 128 bytes, which is fetched in sectors of 32 bytes";
  diagram.fetched_together = sector_words;
  diagram.turns = static_cast<int>(lines.size());
  diagram.result = plural(static_cast<int>(sectors.size()), "sector") + " of " + plural(diagram.turns, "line") + ": " +
                   std::to_string(32 * sectors.size()) + " bytes are fetched for " + std::to_string(4 * threads);
}

AccessDiagram access(const ParamBox& box) {
  const auto& params = box.as<MemoryAccess::Params>();
  const memory_access::Plan plan = MemoryAccess::plan(params, MemoryAccess::input_shape(params));
  AccessDiagram diagram;
  diagram.title = std::string(MemoryAccess::pattern_names[static_cast<std::size_t>(params.pattern)]) +
                  ": the words that the 32 threads of a warp read in one instruction";
  if (!memory_access::reads_table(params.pattern)) {
    describe_global(plan, diagram);
    return diagram;
  }
  if (params.pattern == Pattern::registers) {
    diagram.memory = "Registers: every thread reads its own, without any memory";
    diagram.result = "one operand of an instruction";
    return diagram;
  }
  for (int lane = 0; lane < memory_access::lanes; ++lane)
    diagram.words.push_back(memory_access::first_word(plan, lane, 0));
  if (params.pattern == Pattern::constant || params.pattern == Pattern::constant_apart) {
    const std::set<std::int64_t> different(diagram.words.begin(), diagram.words.end());
    diagram.memory = "Constant memory: one word is read at a time, for all threads that ask for it";
    diagram.turns = static_cast<int>(different.size());
  } else {
    diagram.memory = "Shared memory: a column is a bank of 4 bytes; the words of a bank are read in turns";
    diagram.turns = bank_conflict_of(diagram.words);
  }
  diagram.result = diagram.turns == 1 ? "one access for the whole warp"
                                      : std::to_string(diagram.turns) + " accesses, one after another";
  return diagram;
}

}  // namespace

DiagramInfo describe_memory_access_diagram() {
  DiagramInfo info;
  info.access = access;
  return info;
}

}  // namespace threadscape
