#include "compute/warp/occupancy.h"

#include <limits>

namespace threadscape::warp {

namespace {

constexpr int lanes = 32, sub_partitions = 4, register_granularity = 256, most_threads = 1024, most_registers = 255;

template <class T>
T next_multiple(T value, T to) {
  return (value + to - 1) / to * to;
}

int blocks_by_registers(const GpuModel& gpu, int warps, int registers) {
  const int of_warp = next_multiple(registers * lanes, register_granularity);
  if (registers > most_registers || of_warp * next_multiple(warps, sub_partitions) > gpu.registers) return 0;
  if (of_warp == 0) return std::numeric_limits<int>::max();
  // Each sub-partition of a multiprocessor has its own registers, and a warp lives in one.
  const int warps_at_once = gpu.registers / sub_partitions / of_warp * sub_partitions;
  return warps_at_once / warps;
}

int blocks_by_shared_memory(const GpuModel& gpu, std::int64_t bytes) {
  if (bytes < 0 || bytes > gpu.shared_of_block) return 0;
  const std::int64_t allocated = next_multiple<std::int64_t>(bytes + gpu.reserved_shared, gpu.shared_granularity);
  return allocated == 0 ? std::numeric_limits<int>::max() : static_cast<int>(gpu.shared_bytes / allocated);
}

}  // namespace

Occupancy occupancy_of(const GpuModel& gpu, const BlockResources& block) {
  const int warps = (block.threads + lanes - 1) / lanes;
  Occupancy result;
  result.registers_known = block.registers.has_value();
  if (block.threads < 1 || block.threads > most_threads) return result;
  result.blocks = gpu.warps / warps;
  const auto bound = [&result](int blocks, OccupancyLimit limit) {
    if (blocks >= result.blocks) return;
    result.blocks = blocks;
    result.limit = limit;
  };
  bound(gpu.blocks, OccupancyLimit::blocks);
  if (block.registers) bound(blocks_by_registers(gpu, warps, *block.registers), OccupancyLimit::registers);
  bound(blocks_by_shared_memory(gpu, block.shared_bytes), OccupancyLimit::shared_memory);
  result.fraction = static_cast<double>(result.blocks) * warps / gpu.warps;
  return result;
}

}  // namespace threadscape::warp
