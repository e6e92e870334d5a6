#include "compute/warp/prediction.h"

#include <algorithm>
#include <cmath>

#include "compute/core/errors.h"

namespace threadscape::warp {

namespace {

constexpr double sector_bytes = 32, sectors_of_wavefront = 4, schedulers = 4, lanes_of_warp = 32;
/// Cycles in which the four texture units of a multiprocessor take the coordinates of a warp.
constexpr double texture_cycles = 8;
/// Cycles from the end of a block to the first instruction of the next one in its place, with what its first load waits
/// longer because memory is busy. Copies of a word per thread, 1586 cycles a wave, and sums with few instructions in
/// docs/benchmarks show it.
constexpr double turnover_cycles = 1000;
/// The share of its cycles in which a scheduler that always has work issues: convolutions and medians in
/// docs/benchmarks.
constexpr double issuing = 0.9;
/// Times of which none is much longer than the others overlap in part: the fourth root of the sum of their fourth
/// powers.
constexpr double overlap = 4;

/// Hopper. Multiprocessors, clock and capacity are those of NVIDIA's data sheets, the bytes of a copy and of reading
/// from L2 those in docs/benchmarks, the latencies those in arXiv:2402.13499, table IV, and the times between launches
/// those of the smallest and of the shortest kernels in docs/benchmarks.
constexpr double mebibyte = 1024.0 * 1024.0;
const std::array<GpuRates, 2>& hopper() {
  static const std::array<GpuRates, 2> gpus{
      GpuRates{"H100", 132, 50 * mebibyte, 1.98e9, 2.987e12, 7.7e12, 3.3e-6, 2.0e-6},
      GpuRates{"H200", 132, 60 * mebibyte, 1.98e9, 4.2e12, 7.7e12, 3.3e-6, 2.0e-6}};
  return gpus;
}

constexpr std::size_t place_of(Bound bound) {
  return static_cast<std::size_t>(bound);
}

}  // namespace

std::string_view name_of(Bound bound) {
  constexpr std::array<std::string_view, bounds> names{"DRAM", "L2", "shared", "issue", "latency", "tail", "launch"};
  return names[place_of(bound)];
}

std::span<const GpuRates> known_rates() {
  return hopper();
}

const GpuRates& parse_gpu_rates(std::string_view text) {
  for (const GpuRates& gpu : known_rates())
    if (gpu.name == text) return gpu;
  if (text == "9.0" || text == "90") return known_rates().front();
  throw UsageError("--gpu '" + std::string(text) + "': times are predicted for H100 (9.0) and H200");
}

LaunchWork work_of(const std::string& kernel, const Study& study, double launches, const Extent& grid,
                   const Extent& block) {
  const Counts& total = study.launch.total;
  const CacheTotals& caches = study.caches;
  const auto mean = [launches](auto... counts) { return (static_cast<double>(counts) + ...) / launches; };
  LaunchWork work;
  work.kernel = kernel;
  work.launches = launches;
  work.blocks = static_cast<double>(grid.count());
  work.warps = std::ceil(static_cast<double>(block.count()) / lanes_of_warp);
  work.resident = std::max(1, study.occupancy.blocks);
  work.instructions = mean(total.warp_instructions);
  work.issue_cycles = mean(study.issue_cycles);
  const Pace& pace = study.launch.pace;
  for (std::size_t i = 0; i < load_sources && pace.blocks > 0; ++i)
    work.pace[i] = static_cast<double>(pace.cycles[i]) / static_cast<double>(pace.blocks);
  work.wavefronts =
      mean(total.shared_load_wavefronts, total.shared_store_wavefronts, total.atomics, total.atomic_collisions) +
      std::max(mean(total.global_load_requests, total.global_store_requests),
               mean(total.global_load_sectors, total.global_store_sectors) / sectors_of_wavefront) +
      std::max(texture_cycles * mean(total.texture_requests), mean(total.texture_sectors) / sectors_of_wavefront);
  work.l2_stores = std::min(mean(total.global_store_sectors), mean(caches.l2_asked));
  work.l2_loads = mean(caches.l2_asked) - work.l2_stores;
  const double loaded = mean(total.global_load_sectors, total.texture_sectors);
  work.l1_misses = loaded > 0 ? std::min(1.0, work.l2_loads / loaded) : 0.0;
  work.memory_loads = mean(caches.memory_loads);
  work.memory_stores = mean(caches.memory_stores);
  return work;
}

std::vector<LaunchWork> extended(const std::vector<LaunchWork>& smaller, double smaller_values,
                                 const std::vector<LaunchWork>& larger, double larger_values, double wanted) {
  const auto alike = [](const LaunchWork& a, const LaunchWork& b) {
    return a.kernel == b.kernel && a.warps == b.warps;
  };
  const bool matched = std::ranges::equal(smaller, larger, alike);
  std::vector<LaunchWork> result = larger;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto extended_by = [&](double value, double before) {
      const double slope = matched ? (value - before) / (larger_values - smaller_values) : value / larger_values;
      return std::max(0.0, value + slope * (wanted - larger_values));
    };
    for (double LaunchWork::*count :
         {&LaunchWork::blocks, &LaunchWork::instructions, &LaunchWork::issue_cycles, &LaunchWork::wavefronts,
          &LaunchWork::l2_loads, &LaunchWork::l2_stores, &LaunchWork::memory_loads, &LaunchWork::memory_stores})
      result[i].*count = extended_by(larger[i].*count, matched ? smaller[i].*count : 0);
    // More blocks are not slower ones; only if their number stays, each has more to do.
    if (matched && larger[i].blocks == smaller[i].blocks)
      for (std::size_t k = 0; k < load_sources; ++k)
        result[i].pace[k] = extended_by(larger[i].pace[k], smaller[i].pace[k]);
    if (!matched) continue;
    const double growth = (larger[i].launches - smaller[i].launches) / std::log(larger_values / smaller_values);
    result[i].launches = std::max(1.0, larger[i].launches + growth * std::log(wanted / larger_values));
  }
  return result;
}

namespace {

/// What blocks ask for together, and what the waves behind the first one wait for, in the order of the bounds.
using Times = std::array<double, place_of(Bound::latency) + 1>;

double overlapped(const Times& times) {
  const double longest = *std::ranges::max_element(times);
  if (longest <= 0.0) return 0.0;
  double sum = 0;
  for (const double time : times)
    sum += std::pow(time / longest, overlap);
  return longest * std::pow(sum, 1 / overlap);
}

/// Adds the time of a launch, without that to the next one, to the parts. `cached` is the share of what it loads from
/// memory and stores there that stays in L2. Returns the seconds.
double add_launch(const LaunchWork& work, const GpuRates& gpu, double cached, std::array<double, bounds>& parts) {
  const double all = gpu.multiprocessors, blocks = std::max(1.0, work.blocks);
  const double from_memory = work.memory_loads * (1 - cached), to_memory = work.memory_stores * (1 - cached);
  const double beyond_l2 = work.l2_loads > 0 ? std::min(1.0, from_memory / work.l2_loads) : 0.0;
  // Loads find their bytes in L1, L2 and memory in these shares.
  const double block_cycles = (1 - work.l1_misses) * work.pace[0] +
                              work.l1_misses * ((1 - beyond_l2) * work.pace[1] + beyond_l2 * work.pace[2]);
  // `share` is how much more than the mean the multiprocessor with the most blocks has to do.
  const auto times_of = [&](double share, double waves) {
    return Times{(from_memory + to_memory) * sector_bytes / gpu.memory,
                 (work.l2_loads + work.l2_stores) * sector_bytes / gpu.l2, share * work.wavefronts / (all * gpu.clock),
                 share * work.issue_cycles / (issuing * all * schedulers * gpu.clock),
                 (waves - 1) * (block_cycles + turnover_cycles) / gpu.clock};
  };
  const double most = std::ceil(blocks / all) * all / blocks, waves = std::max(1.0, blocks / (all * work.resident));
  // Too few blocks for all multiprocessors are no tail, but a lack of parallel work, as latency is.
  const Times even = times_of(blocks < all ? most : 1.0, waves);
  const double together = overlapped(even), tail = overlapped(times_of(most, std::ceil(waves))) - together;
  for (std::size_t i = 0; i < even.size() && together > 0.0; ++i)
    parts[i] += work.launches * together * std::pow(even[i] / together, overlap);
  const double first_wave = block_cycles / gpu.clock;
  parts[place_of(Bound::latency)] += work.launches * first_wave;
  parts[place_of(Bound::tail)] += work.launches * tail;
  return together + first_wave + tail;
}

}  // namespace

Prediction predict(std::span<const LaunchWork> launches, const GpuRates& gpu, bool warm) {
  Prediction run;
  double kernels = 0, count = 0;
  for (const LaunchWork& work : launches) {
    const double footprint = (work.memory_loads + work.memory_stores) * sector_bytes;
    const bool first = &work == launches.data();
    const double cached = first && !warm ? 0.0 : std::max(0.0, 1 - footprint / gpu.l2_capacity);
    kernels += work.launches * add_launch(work, gpu, cached, run.parts);
    count += work.launches;
  }
  run.seconds = std::max(kernels + count * gpu.launch_gap, count * gpu.launch_interval);
  run.parts[place_of(Bound::launch)] = run.seconds - kernels;
  run.bound = static_cast<Bound>(std::ranges::max_element(run.parts) - run.parts.begin());
  if (3 * run.parts[place_of(Bound::tail)] >= run.seconds) run.bound = Bound::tail;
  return run;
}

}  // namespace threadscape::warp
