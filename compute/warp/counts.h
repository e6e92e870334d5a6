#pragma once
// What the machine of warps counts, under the names that Nsight Compute's tables have.

#include <cstdint>

namespace threadscape::warp {

/// Counts of an instruction, a source line or a launch. A request is one instruction of one warp with at least one
/// lane; a sector is an aligned piece of 32 bytes; a wavefront is one pass over the 32 banks of shared memory.
struct Counts {
  std::uint64_t warp_instructions = 0;    ///< An estimate of the machine instructions (SASS) that warps issue.
  std::uint64_t ptx_instructions = 0;     ///< Instructions of PTX that warps execute, exact.
  std::uint64_t thread_instructions = 0;  ///< Lanes that were active, summed over `ptx_instructions`.
  std::uint64_t global_load_requests = 0, global_load_sectors = 0;
  std::uint64_t global_store_requests = 0, global_store_sectors = 0;
  std::uint64_t texture_requests = 0, texture_sectors = 0;  ///< Reads through the texture units.
  std::uint64_t shared_load_wavefronts = 0, shared_load_conflicts = 0;
  std::uint64_t shared_store_wavefronts = 0, shared_store_conflicts = 0;
  std::uint64_t divergent_branches = 0;  ///< Branches that some active lanes take and others do not.
  std::uint64_t atomics = 0;             ///< Requests of atom and red, in shared and global memory.
  std::uint64_t atomic_collisions = 0;   ///< Lanes of these requests whose address an earlier lane has too.
  std::uint64_t global_load_bytes = 0, global_store_bytes = 0;  ///< Bytes that lanes ask for, repeated ones included.
  std::uint64_t shared_load_bytes = 0, shared_store_bytes = 0;
  std::uint64_t local_load_bytes = 0, local_store_bytes = 0;

  /// The mean number of active lanes of an instruction; 0 if there was none.
  [[nodiscard]] double active_lanes() const {
    return ptx_instructions == 0 ? 0 : static_cast<double>(thread_instructions) / static_cast<double>(ptx_instructions);
  }
  Counts& operator+=(const Counts& other);
  bool operator==(const Counts&) const = default;
};

}  // namespace threadscape::warp
