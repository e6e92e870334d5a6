#include "compute/warp/study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "compute/core/errors.h"
#include "compute/warp/cubin.h"
#include "compute/warp/kernel_parameters.h"
#include "compute/warp/machine_counts.h"

namespace threadscape::warp {

namespace {

/// Blocks whose pace is found: those of a launch differ little but at the edges.
constexpr std::uint64_t paced_blocks = 8;

constexpr std::array rows{
    Figure{"warp_instructions", "warp instructions", &Counts::warp_instructions},
    Figure{"global_load_requests", "global load requests", &Counts::global_load_requests},
    Figure{"global_load_sectors", "global load sectors", &Counts::global_load_sectors},
    Figure{"global_store_requests", "global store requests", &Counts::global_store_requests},
    Figure{"global_store_sectors", "global store sectors", &Counts::global_store_sectors},
    Figure{"texture_requests", "texture requests", &Counts::texture_requests},
    Figure{"texture_sectors", "texture sectors", &Counts::texture_sectors},
    Figure{"shared_load_wavefronts", "shared load wavefronts", &Counts::shared_load_wavefronts},
    Figure{"shared_load_conflicts", "shared load conflicts", &Counts::shared_load_conflicts},
    Figure{"shared_store_wavefronts", "shared store wavefronts", &Counts::shared_store_wavefronts},
    Figure{"shared_store_conflicts", "shared store conflicts", &Counts::shared_store_conflicts},
    Figure{"divergent_branches", "divergent branches", &Counts::divergent_branches},
    Figure{"atomics", "atomics", &Counts::atomics},
};

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

/// Counts of the whole grid, from those of the executed blocks.
Counts scaled(const Counts& counts, double factor) {
  Counts result = counts;
  for (std::uint64_t Counts::*count :
       {&Counts::warp_instructions,      &Counts::ptx_instructions,      &Counts::thread_instructions,
        &Counts::global_load_requests,   &Counts::global_load_sectors,   &Counts::global_store_requests,
        &Counts::global_store_sectors,   &Counts::texture_requests,      &Counts::texture_sectors,
        &Counts::shared_load_wavefronts, &Counts::shared_load_conflicts, &Counts::shared_store_wavefronts,
        &Counts::shared_store_conflicts, &Counts::divergent_branches,    &Counts::atomics,
        &Counts::atomic_collisions,      &Counts::global_load_bytes,     &Counts::global_store_bytes,
        &Counts::shared_load_bytes,      &Counts::shared_store_bytes,    &Counts::local_load_bytes,
        &Counts::local_store_bytes})
    result.*count = static_cast<std::uint64_t>(std::llround(static_cast<double>(counts.*count) * factor));
  return result;
}

/// Gives the instructions of the kernel, their lines and the launch the warp instructions of its machine code.
void take_machine_counts(const MachineCounts& machine, const Module& module, const Function& kernel,
                         LaunchResult& launch) {
  std::map<std::pair<int, int>, double> changes;
  auto next = machine.issued.begin();
  const auto take = [&](const Function& function, std::vector<Counts>& instructions) {
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      std::uint64_t& known = instructions[i].warp_instructions;
      const Location& place = module.locations[function.instructions[i].location];
      const auto issued = static_cast<std::uint64_t>(std::llround(*next++));
      changes[{place.file, place.line}] += static_cast<double>(issued) - static_cast<double>(known);
      known = issued;
    }
  };
  take(kernel, launch.instructions);
  for (CalledFunction& called : launch.called)
    take(*called.function, called.instructions);
  for (LineCounts& line : launch.lines)
    if (const auto change = changes.find({line.file, line.line}); change != changes.end())
      line.counts.warp_instructions =
          static_cast<std::uint64_t>(std::llround(static_cast<double>(line.counts.warp_instructions) + change->second));
  launch.total.warp_instructions = static_cast<std::uint64_t>(std::llround(machine.total));
  launch.total.divergent_branches = static_cast<std::uint64_t>(std::llround(machine.divergent));
}

/// Writes the shown name of a kernel where a text has its symbol.
void show_name(std::string& text, const std::string& symbol) {
  const std::string shown = shown_name(symbol);
  if (shown == symbol) return;
  for (std::size_t at = text.find(symbol); at != std::string::npos; at = text.find(symbol, at + shown.size()))
    text.replace(at, symbol.size(), shown);
}

/// Neighbouring blocks in the middle of a grid.
std::vector<std::uint64_t> neighbours(std::uint64_t of, std::uint64_t count) {
  std::vector<std::uint64_t> blocks(count);
  std::iota(blocks.begin(), blocks.end(), (of - count) / 2);
  return blocks;
}

}  // namespace

std::string_view name_of(Certainty certainty) {
  constexpr std::array<std::string_view, 3> names{"counted", "modelled", "unknown"};
  return names[static_cast<std::size_t>(certainty)];
}

std::span<const Figure> figures() {
  return rows;
}

Certainty certainty_of(const Figure& figure, const Study& study) {
  const bool of_code = figure.count == &Counts::warp_instructions || figure.count == &Counts::divergent_branches;
  const bool estimate = of_code && !study.instructions_in_code;
  return study.launch.sampled() < 1.0 || estimate ? Certainty::modelled : Certainty::counted;
}

double Study::l1_hit_rate() const {
  return percent(caches.l1_hits, caches.l1_sectors);
}

double Study::l2_hit_rate() const {
  return percent(caches.l2_hits, caches.l2_sectors);
}

void Study::add(const Study& other) {
  launch.total += other.launch.total;
  std::map<std::pair<int, int>, Counts> lines;
  launch.lines.insert(launch.lines.end(), other.launch.lines.begin(), other.launch.lines.end());
  for (const LineCounts& line : launch.lines)
    lines[{line.file, line.line}] += line.counts;
  launch.lines.clear();
  for (const auto& [place, counts] : lines)
    launch.lines.push_back({place.first, place.second, counts});
  for (const Fault& fault : other.launch.faults) {
    const auto known = std::ranges::find_if(launch.faults, [&](const Fault& earlier) {
      return earlier.kind == fault.kind && earlier.location == fault.location;
    });
    if (known != launch.faults.end())
      known->times += fault.times;
    else if (launch.faults.size() < LaunchLimits{}.faults)
      launch.faults.push_back(fault);
  }
  if (launch.stopped.empty()) launch.stopped = other.launch.stopped;
  launch.blocks += other.launch.blocks;
  launch.executed += other.launch.executed;
  launch.pace.add(other.launch.pace);
  active_lanes = launch.total.active_lanes();
  issue_cycles += other.issue_cycles;
  caches.l1_sectors += other.caches.l1_sectors;
  caches.l1_hits += other.caches.l1_hits;
  caches.l2_sectors += other.caches.l2_sectors;
  caches.l2_hits += other.caches.l2_hits;
  caches.l2_asked += other.caches.l2_asked;
  caches.memory_loads += other.caches.memory_loads;
  caches.memory_stores += other.caches.memory_stores;
}

Study study(const StudyRequest& request) {
  Study result;
  const GpuModel& gpu = *request.gpu;
  LaunchRequest launch_request = request.launch;
  const Function* const kernel = launch_request.module->kernel(launch_request.kernel);
  if (kernel == nullptr) throw UsageError("the program has no kernel " + launch_request.kernel);
  std::optional<KernelCode> code;
  for (KernelCode& one : kernels_of_cubin(request.cubin))
    if (one.name == kernel->name) code = std::move(one);
  if (code && code->registers > 0) result.registers = code->registers;
  const auto threads = static_cast<int>(std::min<std::uint64_t>(launch_request.block.count(), 1u << 20));
  const auto shared = static_cast<std::int64_t>(
      std::min<std::uint64_t>(kernel->shared_bytes + launch_request.dynamic_shared_bytes, std::uint64_t{1} << 40));
  result.occupancy = occupancy_of(gpu, {.threads = threads, .registers = result.registers, .shared_bytes = shared});

  CacheModel caches(gpu, (shared + gpu.reserved_shared) * result.occupancy.blocks);
  LaunchOptions& options = launch_request.options;
  options.multiprocessors = gpu.multiprocessors;
  options.resident_blocks = std::max(1, result.occupancy.blocks);
  options.paced_blocks = paced_blocks;
  const Extent& grid = launch_request.grid;
  if (request.blocks > 0) options.blocks = sample_blocks(grid, request.blocks);
  const bool all = options.blocks.empty();
  if (all) options.observer = &caches;
  result.launch = launch(launch_request);
  for (Fault& fault : result.launch.faults)
    show_name(fault.text, kernel->name);
  show_name(result.launch.stopped, kernel->name);
  if (!result.launch.stopped.empty()) return result;
  if (!all) {
    request.refill();
    options.blocks = neighbours(grid.count(), std::min(grid.count(), request.blocks));
    options.per_instruction = options.races = options.global_races = false;
    options.paced_blocks = 0;
    options.observer = &caches;
    (void)launch(launch_request);
  }
  result.caches = caches.totals();
  result.caches.l2_sectors += other_lookups(gpu);
  result.caches.l2_hits += other_lookups(gpu);

  result.active_lanes = result.launch.total.active_lanes();
  const auto machine = code ? machine_counts(*code, *launch_request.module, *kernel, result.launch) : std::nullopt;
  result.issue_cycles = static_cast<double>(result.launch.total.warp_instructions);
  if (machine && machine->total > 0) {
    result.issue_cycles = machine->cycles.most();
    take_machine_counts(*machine, *launch_request.module, *kernel, result.launch);
    result.active_lanes = machine->lanes;
    result.instructions_in_code = machine->certain;
  }
  if (const double share = result.launch.sampled(); share > 0.0 && share < 1.0) {
    result.launch.total = scaled(result.launch.total, 1.0 / share);
    result.issue_cycles /= share;
    for (LineCounts& line : result.launch.lines)
      line.counts = scaled(line.counts, 1.0 / share);
  }
  return result;
}

}  // namespace threadscape::warp
