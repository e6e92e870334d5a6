#pragma once
// Occupancy of a multiprocessor by the rules of NVIDIA's cuda_occupancy.h, for any GPU of the table.

#include <cstdint>
#include <optional>

#include "compute/warp/gpu_models.h"

namespace threadscape::warp {

/// What bounds the resident blocks of a multiprocessor.
enum class OccupancyLimit : std::uint8_t { warps, blocks, registers, shared_memory };

struct BlockResources {
  int threads = 1;
  std::optional<int> registers;   ///< Registers of a thread; nothing where they are not known.
  std::int64_t shared_bytes = 0;  ///< Shared memory of the block, static and dynamic.
};

struct Occupancy {
  int blocks = 0;         ///< Resident blocks of a multiprocessor; 0 where the block cannot run.
  double fraction = 0.0;  ///< Their warps divided by the warps that a multiprocessor holds, 0..1.
  OccupancyLimit limit = OccupancyLimit::warps;
  bool registers_known = false;  ///< Without them blocks and fraction are upper bounds.
};

[[nodiscard]] Occupancy occupancy_of(const GpuModel& gpu, const BlockResources& block);

}  // namespace threadscape::warp
