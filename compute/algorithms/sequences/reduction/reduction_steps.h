#pragma once
// The steps of the kernels of the ladder, for diagrams: the working threads of a block, the places in shared memory
// that they read, and the diverging warps. Bank conflicts of these places are counted as the machine of warps counts
// those of kernels. The kernels themselves are in reduction_ladder.cuh and reduction_shuffle.cuh.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "compute/algorithms/sequences/reduction/cuda/reduction_cuda.h"
#include "compute/warp/requests.h"

namespace threadscape::reduction {

/// The work of a thread in a step: it combines the value at `target` with the value at `source`. Both are places in
/// shared memory, or lanes in the variant `shuffle`, whose values stay in registers.
struct Combination {
  int thread = 0, target = 0, source = 0;
  friend bool operator==(const Combination&, const Combination&) = default;
};

/// One step of the tree in a block.
struct TreeStep {
  int distance = 0;                  ///< Distance between the two combined places.
  std::vector<Combination> working;  ///< The combinations, in ascending order of threads.
  bool block_barrier = false;        ///< If true, __syncthreads() follows; otherwise only warps are synchronised.
  bool in_registers = false;         ///< If true, values are exchanged by shuffles, without shared memory.

  int warps_working = 0;    ///< Number of warps with at least one working thread.
  int warps_diverging = 0;  ///< Number of those warps in which other threads are idle.
  int wavefronts = 0;       ///< The wavefronts of all accesses to shared memory.
  int conflicts = 0;        ///< How many of them are conflicts.
  int bank_conflict = 0;    ///< How many times as long as without conflicts the worst access takes; 0 = no access.
};

/// The properties of the hardware that the model depends on.
struct Machine {
  int warp_threads = 32, banks = 32, bank_bytes = 4, value_bytes = 4;
};

namespace detail {

/// Counts the working and diverging warps and the bank conflicts of a step.
inline void count_conflicts(TreeStep& step, int threads, const Machine& machine) {
  for (int first = 0; first < threads; first += machine.warp_threads) {
    warp::Addresses targets{}, sources{};
    std::uint32_t mask = 0;
    for (const Combination& one : step.working) {
      if (one.thread < first || one.thread >= first + machine.warp_threads) continue;
      const auto lane = static_cast<std::size_t>(one.thread - first);
      targets[lane] = static_cast<std::uint64_t>(one.target) * static_cast<std::uint64_t>(machine.value_bytes);
      sources[lane] = static_cast<std::uint64_t>(one.source) * static_cast<std::uint64_t>(machine.value_bytes);
      mask |= 1U << lane;
    }
    if (mask == 0) continue;
    ++step.warps_working;
    if (std::popcount(mask) < std::min(machine.warp_threads, threads - first)) ++step.warps_diverging;
    if (step.in_registers) continue;
    for (const auto& [places, writes] : {std::pair(&targets, false), {&sources, false}, {&targets, true}}) {
      const warp::Wavefronts cost = warp::wavefronts(*places, mask, machine.value_bytes, writes);
      step.wavefronts += cost.all;
      step.conflicts += cost.all - cost.best;
      step.bank_conflict = std::max(step.bank_conflict, (cost.all + cost.best - 1) / cost.best);
    }
  }
}

}  // namespace detail

/// Number of values that a thread of this kernel loads before the tree; 0 = it loads in strides until the end.
[[nodiscard]] constexpr int loads_per_thread(Rung rung) {
  if (rung == Rung::shuffle || rung == Rung::grid_stride || rung == Rung::cub) return 0;
  return rung == Rung::interleaved_modulo || rung == Rung::interleaved_stride || rung == Rung::sequential ? 1 : 2;
}

/// The steps of the tree for a block of `threads`, a power of two, and at least two warps for the kernels that unroll
/// the last warp. For `shuffle` they are the steps within a warp, which all warps perform. CUB is not modelled and has
/// none.
[[nodiscard]] inline std::vector<TreeStep> tree_steps(Rung rung, int threads, const Machine& machine = {}) {
  std::vector<TreeStep> steps;
  if (rung == Rung::cub) return steps;
  const bool rising = rung == Rung::interleaved_modulo || rung == Rung::interleaved_stride || rung == Rung::shuffle;
  const bool last_warp_alone = rung == Rung::unroll_warp || rung == Rung::unroll_all || rung == Rung::grid_stride;
  const int end = rung == Rung::shuffle ? std::min(threads, machine.warp_threads) : threads;
  for (int i = 1; i < end; i *= 2) {
    TreeStep step;
    step.distance = rising ? i : end / 2 / i;
    const bool in_warp = last_warp_alone && step.distance <= machine.warp_threads;
    step.block_barrier = rung != Rung::shuffle && !in_warp;
    step.in_registers = rung == Rung::shuffle;
    for (int t = 0; t < threads; ++t) {
      if (rung == Rung::shuffle)
        step.working.push_back({t, t, t ^ step.distance});
      else if (rung == Rung::interleaved_modulo && t % (2 * step.distance) == 0)
        step.working.push_back({t, t, t + step.distance});
      else if (rung == Rung::interleaved_stride && 2 * step.distance * t < threads)
        step.working.push_back({t, 2 * step.distance * t, 2 * step.distance * t + step.distance});
      else if (!rising && t < (in_warp ? machine.warp_threads : step.distance))
        step.working.push_back({t, t, t + step.distance});
    }
    detail::count_conflicts(step, threads, machine);
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace threadscape::reduction
