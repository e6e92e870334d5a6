#pragma once
// The numbers of GPUs by compute capability that counts, caches and occupancy are modelled for. One GPU stands for each
// capability: others of it have more or fewer multiprocessors and another L2.

#include <cstdint>
#include <span>
#include <string_view>

namespace threadscape::warp {

struct GpuModel {
  int capability;         ///< Times ten: 90 for 9.0.
  std::string_view name;  ///< The GPU that stands for the capability.
  int multiprocessors;
  int warps;               ///< Resident warps of a multiprocessor.
  int blocks;              ///< Resident blocks of a multiprocessor.
  int registers;           ///< 32-bit registers of a multiprocessor, and of a block.
  int shared_bytes;        ///< Shared memory of a multiprocessor.
  int shared_of_block;     ///< The most that a block can have.
  int reserved_shared;     ///< What the driver takes of it for each block.
  int shared_granularity;  ///< Shared memory is allocated in multiples of this.
  int l1_bytes;            ///< Unified data cache and shared memory of a multiprocessor.
  std::int64_t l2_bytes;
};

/// All models, by capability. Multiprocessors, caches and memories are those of NVIDIA's data sheets and of the tuning
/// guides of each architecture; resident warps and blocks, registers and shared memory are those of the table of
/// compute capabilities in the CUDA C++ Programming Guide; what is reserved and the granularity are in
/// cuda_occupancy.h.
[[nodiscard]] std::span<const GpuModel> gpu_models();

/// The model of a capability, 90 for 9.0; else that of the largest one below it. Throws UsageError with those that
/// exist if all are above.
[[nodiscard]] const GpuModel& gpu_model(int capability);

/// Parses a capability as it is written, "9.0" or "90". Throws UsageError.
[[nodiscard]] const GpuModel& parse_gpu_model(std::string_view text);

}  // namespace threadscape::warp
