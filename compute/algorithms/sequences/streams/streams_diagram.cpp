// Data for the scene: the prefix sums of a block of each CUDA variant, step by step.

#include <algorithm>
#include <bit>

#include "compute/algorithms/sequences/streams/streams.h"
#include "compute/registry/diagram.h"
#include "compute/warp/requests.h"

namespace threadscape {

namespace {

constexpr int warp_threads = 32, word_bytes = 4;

/// Counts the warps that work and those that diverge, and the accesses to shared memory.
void count_accesses(TreeDiagram::Step& step, int threads) {
  for (int first = 0; first < threads; first += warp_threads) {
    warp::Addresses targets{}, sources{};
    std::uint32_t mask = 0;
    bool exchanges = false;
    for (const TreeDiagram::Combination& one : step.working) {
      if (one.thread < first || one.thread >= first + warp_threads) continue;
      const auto lane = static_cast<std::size_t>(one.thread - first);
      targets[lane] = static_cast<std::uint64_t>(one.target) * word_bytes;
      sources[lane] = static_cast<std::uint64_t>(one.source) * word_bytes;
      mask |= 1U << lane;
      exchanges |= one.exchange;
    }
    if (mask == 0) continue;
    ++step.warps_working;
    if (std::popcount(mask) < std::min(warp_threads, threads - first)) ++step.warps_diverging;
    if (step.in_registers) continue;
    const auto access = [&](const warp::Addresses& places, bool writes) {
      const warp::Wavefronts cost = warp::wavefronts(places, mask, word_bytes, writes);
      step.wavefronts += cost.all;
      step.conflicts += cost.all - cost.best;
      step.bank_conflict = std::max(step.bank_conflict, (cost.all + cost.best - 1) / cost.best);
    };
    access(targets, false);
    access(sources, false);
    access(targets, true);
    if (exchanges) access(sources, true);
  }
}

/// Steps in which every thread adds the value that lies 1, 2, 4 ... places before its own, in parts of `part` threads.
std::vector<TreeDiagram::Step> steps_by_doubling(int threads, int part, bool in_registers) {
  std::vector<TreeDiagram::Step> steps;
  for (int distance = 1; distance < part; distance *= 2) {
    TreeDiagram::Step& step = steps.emplace_back();
    step.title = (in_registers ? "lane - " : "") + std::to_string(distance) + (in_registers ? "" : " before");
    step.in_registers = in_registers;
    step.block_barrier = !in_registers;
    for (int thread = 0; thread < threads; ++thread)
      if (thread % part >= distance) step.working.push_back({thread, thread, thread - distance});
  }
  return steps;
}

/// A tree of sums up, and down again from a 0 in the last place.
std::vector<TreeDiagram::Step> steps_of_tree(int threads) {
  std::vector<TreeDiagram::Step> steps;
  const auto add = [&](int distance, bool down) {
    TreeDiagram::Step& step = steps.emplace_back();
    step.title = (down ? "down, " : "up, ") + std::to_string(distance) + " apart";
    step.block_barrier = true;
    if (down && 2 * distance == threads) step.cleared = threads - 1;
    for (int thread = 0; 2 * distance * (thread + 1) <= threads; ++thread) {
      const int target = 2 * distance * (thread + 1) - 1;
      step.working.push_back({thread, target, target - distance, down});
    }
  };
  for (int distance = 1; distance < threads; distance *= 2)
    add(distance, false);
  for (int distance = threads / 2; distance > 0; distance /= 2)
    add(distance, true);
  return steps;
}

std::optional<TreeDiagram> tree_of_scan(const ParamBox& box, int variant, int threads) {
  if (!streams::scans(box.as<Streams::Params>().operation)) return {};
  TreeDiagram diagram;
  const Variant& chosen = Streams::cuda_variants[static_cast<std::size_t>(variant)];
  diagram.title = std::string(chosen.name) + "   " + std::string(chosen.help);
  diagram.threads = threads;
  diagram.all_needed = true;
  diagram.steps = variant == 0   ? steps_by_doubling(threads, std::min(threads, warp_threads), true)
                  : variant == 1 ? steps_by_doubling(threads, threads, false)
                                 : steps_of_tree(threads);
  for (TreeDiagram::Step& step : diagram.steps)
    count_accesses(step, threads);
  return diagram;
}

}  // namespace

DiagramInfo describe_streams_diagram() {
  DiagramInfo info;
  info.tree = tree_of_scan;
  return info;
}

}  // namespace threadscape
