// Data for the scene: the words that the first warp reads, and what the read costs, which is counted as the machine of
// warps counts the requests of kernels.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

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

/// The transactions of global memory on compute capability 1.x, where half a warp makes a request. On 1.0 and 1.1
/// thread k has to read word k of 64 aligned bytes, or every thread has a transaction of its own. On 1.2 and 1.3 there
/// is one for each segment of 128 bytes, which is as small as the half, or the quarter, that has all words.
std::string first_transactions(const std::vector<std::int64_t>& words) {
  constexpr std::size_t half_warp = 16;
  int strict = 0, segments = 0;
  std::int64_t bytes = 0;
  for (std::size_t first = 0; first < words.size(); first += half_warp) {
    const std::size_t end = std::min(first + half_warp, words.size());
    const std::int64_t start = words[first] / 16 * 16;
    bool coalesced = true;
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> ranges;  // The first and last word of each segment.
    for (std::size_t lane = first; lane < end; ++lane) {
      coalesced &= words[lane] == start + static_cast<std::int64_t>(lane - first);
      const auto [at, added] = ranges.try_emplace(words[lane] / 32, words[lane], words[lane]);
      at->second = {std::min(at->second.first, words[lane]), std::max(at->second.second, words[lane])};
    }
    strict += coalesced ? 1 : static_cast<int>(end - first);
    segments += static_cast<int>(ranges.size());
    for (const auto& [segment, range] : ranges)
      bytes += range.first / 8 == range.second / 8 ? 32 : range.first / 16 == range.second / 16 ? 64 : 128;
  }
  return "Compute capability 1.0: " + plural(strict, "transaction") + "; 1.2: " + plural(segments, "transaction") +
         " of " + std::to_string(bytes) + " bytes";
}

/// The accesses of shared memory on compute capability 1.x: each half of a warp has 16 banks of its own.
std::string first_accesses(const std::vector<std::int64_t>& words) {
  constexpr std::size_t banks = 16;
  std::size_t turns = 0;
  for (std::size_t first = 0; first < words.size(); first += banks) {
    std::map<std::int64_t, std::set<std::int64_t>> words_of_bank;
    std::size_t worst = 0;
    for (std::size_t lane = first; lane < std::min(first + banks, words.size()); ++lane) {
      auto& different = words_of_bank[words[lane] % static_cast<std::int64_t>(banks)];
      different.insert(words[lane]);
      worst = std::max(worst, different.size());
    }
    turns += worst;
  }
  return "Compute capability 1.x: " + std::to_string(turns) +
         " accesses, by half warps to 16 banks; two without conflicts";
}

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
  diagram.on_first_devices = first_transactions(diagram.words);
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
  if (params.pattern == Pattern::local) {
    // Word j of the array of thread t is word 32 j + t of the local memory of its warp.
    for (int lane = 0; lane < memory_access::lanes; ++lane)
      diagram.words.push_back(lane);
    diagram.memory =
        "Local memory: word j of all threads of a warp is a line of 128 bytes, in the cache of the "
        "multiprocessor";
    diagram.turns = 1;
    diagram.fetched_together = sector_words;
    diagram.result = "4 sectors of 1 line: 128 bytes for 128, though every thread has its own array";
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
  } else if (params.pattern == Pattern::l1 || params.pattern == Pattern::l2) {
    const Request request(diagram.words);
    const std::size_t sectors = warp::Sectors(request.at, request.mask, 4).list().size();
    const bool near = params.pattern == Pattern::l1;
    diagram.memory = near ? "Global memory, in the cache of the multiprocessor (L1): a row is a line of 128 bytes"
                          : "Global memory, past the L1 in the cache of the whole GPU (L2), which sends sectors of 32 "
                            "bytes";
    diagram.fetched_together = sector_words;
    diagram.turns = 1;
    diagram.result = plural(static_cast<int>(sectors), "sector") + " of 1 line: " + std::to_string(32 * sectors) +
                     " bytes are read for " + std::to_string(4 * memory_access::lanes);
    return diagram;
  } else {
    diagram.memory = "Shared memory: a column is a bank of 4 bytes; the words of a bank are read in turns";
    const Request request(diagram.words);
    diagram.turns = warp::wavefronts(request.at, request.mask, 4, false).all;
    diagram.on_first_devices = first_accesses(diagram.words);
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
