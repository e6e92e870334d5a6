#include "compute/run/kernel_counters.h"

#include <algorithm>
#include <cmath>

#include "compute/core/symbol_name.h"

namespace threadscape::cuda {

namespace {

constexpr std::array figures{
    CounterFigure{"warp_instructions", "smsp__inst_executed.sum"},
    CounterFigure{"active_lanes", "smsp__thread_inst_executed_per_inst_executed.ratio", true},
    CounterFigure{"global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    CounterFigure{"global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    CounterFigure{"global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    CounterFigure{"global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    CounterFigure{"texture_requests", "l1tex__t_requests_pipe_tex_mem_texture.sum"},
    CounterFigure{"texture_sectors", "l1tex__t_sectors_pipe_tex_mem_texture.sum"},
    CounterFigure{"shared_load_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    CounterFigure{"shared_load_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    CounterFigure{"shared_store_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    CounterFigure{"shared_store_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
    CounterFigure{"divergent_branches", "smsp__sass_branch_targets_threads_divergent.sum"},
    CounterFigure{"l1_hit_rate", "l1tex__t_sector_hit_rate.pct", true},
    CounterFigure{"l2_hit_rate", "lts__t_sector_hit_rate.pct", true},
    CounterFigure{"occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", true},
    CounterFigure{"l2_bytes", "lts__t_bytes.sum"},
    CounterFigure{"dram_read_bytes", "dram__bytes_read.sum"},
    CounterFigure{"dram_write_bytes", "dram__bytes_write.sum"},
    CounterFigure{"nanoseconds", "gpu__time_duration.sum"}};

constexpr std::array reasons{StallReason{"long_scoreboard", "global or local memory"},
                             StallReason{"short_scoreboard", "shared memory or special functions"},
                             StallReason{"lg_throttle", "room in the queue of global memory"},
                             StallReason{"mio_throttle", "room in the queue of shared memory"},
                             StallReason{"tex_throttle", "room in the queue of textures"},
                             StallReason{"math_pipe_throttle", "a pipe that others use"},
                             StallReason{"wait", "an instruction of fixed latency"},
                             StallReason{"barrier", "a barrier"},
                             StallReason{"membar", "a fence"},
                             StallReason{"branch_resolving", "a branch"},
                             StallReason{"dispatch_stall", "the dispatcher"},
                             StallReason{"drain", "their last stores"},
                             StallReason{"imc_miss", "constants"},
                             StallReason{"no_instruction", "instructions"},
                             StallReason{"sleeping", "the end of a sleep"},
                             StallReason{"not_selected", "others that issue"},
                             StallReason{"selected", "nothing: they issue"}};

}  // namespace

std::span<const CounterFigure> counter_figures() {
  return figures;
}

std::span<const StallReason> stall_reasons() {
  return reasons;
}

std::optional<double> CountedKernel::count(const std::string& name) const {
  const auto found = counts.find(name);
  return found == counts.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> counter_metrics() {
  std::vector<std::string> metrics;
  for (const CounterFigure& figure : figures)
    metrics.emplace_back(figure.metric);
  for (const StallReason& reason : reasons)
    metrics.push_back("smsp__average_warps_issue_stalled_" + std::string(reason.name) + "_per_issue_active.ratio");
  return metrics;
}

CountedRun counted_run(const gpu::RunCounts& counts) {
  CountedRun run{.left_out = counts.left_out};
  // Means are sums until all launches are known.
  for (const gpu::LaunchCounts& launch : counts.launches) {
    auto kernel = std::ranges::find_if(run.kernels, [&](const CountedKernel& known) {
      return known.symbol == launch.symbol && known.grid == launch.grid && known.block == launch.block;
    });
    if (kernel == run.kernels.end())
      kernel = run.kernels.insert(
          kernel,
          {.name = kernel_name(launch.symbol), .symbol = launch.symbol, .grid = launch.grid, .block = launch.block});
    ++kernel->launches;
    for (std::size_t i = 0; i < launch.values.size(); ++i) {
      if (std::isnan(launch.values[i])) continue;
      const bool stall = i >= figures.size();
      (stall ? kernel->stalls
             : kernel->counts)[std::string(stall ? reasons[i - figures.size()].name : figures[i].name)] +=
          launch.values[i];
    }
  }
  for (CountedKernel& kernel : run.kernels) {
    for (const CounterFigure& figure : figures)
      if (const auto mean = kernel.counts.find(std::string(figure.name)); figure.mean && mean != kernel.counts.end())
        mean->second /= kernel.launches;
    double all = 0.0;
    std::erase_if(kernel.stalls, [](const auto& stall) { return stall.second <= 0.0; });
    for (const auto& [reason, warps] : kernel.stalls)
      all += warps;
    for (auto& [reason, share] : kernel.stalls)
      share *= 100.0 / all;
  }
  return run;
}

}  // namespace threadscape::cuda
