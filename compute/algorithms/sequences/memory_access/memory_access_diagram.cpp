// Data for the scene: the words that the first warp reads, and what the read costs, which is counted as the machine of
// warps counts the requests of kernels.

#include <algorithm>
#include <cstdint>
#include <set>

#include "compute/algorithms/sequences/memory_access/memory_access.h"
#include "compute/registry/diagram.h"
#include "compute/warp/requests.h"

namespace threadscape {

namespace {

using memory_access::Pattern;

constexpr int sector_words = 8;  ///< Global memory is fetched in sectors of 32 bytes.

std::string plural(int count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// The addresses of a warp that reads these words.
struct Request {
  explicit Request(const std::vector<std::int64_t>& words) : mask(words.size() < 32 ? (1U << words.size()) - 1 : ~0U) {
    for (std::size_t lane = 0; lane < words.size(); ++lane)
      at[lane] = 4 * static_cast<std::uint64_t>(words[lane]);
  }
  warp::Addresses at{};
  std::uint32_t mask;
};

void describe_global(const memory_access::Plan& plan, AccessDiagram& diagram) {
  const int threads = static_cast<int>(std::min<std::uint32_t>(plan.count, memory_access::lanes));
  memory_access::with_direct_pattern(plan.pattern, [&]<Pattern pattern>() {
    for (int i = 0; i < threads; ++i)
      diagram.words.push_back(memory_access::place_of<pattern>(plan, static_cast<std::uint32_t>(i)));
  });
  const Request request(diagram.words);
  const warp::Sectors sectors(request.at, request.mask, 4);
  std::set<std::uint64_t> lines;
  for (const std::uint64_t sector : sectors.list())
    lines.insert(sector / 4);
  diagram.memory = "Global memory: a row is a line of 128 bytes, which is fetched in sectors of 32 bytes";
  diagram.fetched_together = sector_words;
  diagram.turns = static_cast<int>(lines.size());
  const std::size_t count = sectors.list().size();
  diagram.result = plural(static_cast<int>(count), "sector") + " of " + plural(diagram.turns, "line") + ": " +
                   std::to_string(32 * count) + " bytes are fetched for " + std::to_string(4 * threads);
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
    const Request request(diagram.words);
    diagram.turns = warp::wavefronts(request.at, request.mask, 4, false).all;
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
