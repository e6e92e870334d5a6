#include "compute/warp/counts.h"

namespace threadscape::warp {

Counts& Counts::operator+=(const Counts& other) {
  warp_instructions += other.warp_instructions;
  ptx_instructions += other.ptx_instructions;
  thread_instructions += other.thread_instructions;
  global_load_requests += other.global_load_requests;
  global_load_sectors += other.global_load_sectors;
  global_store_requests += other.global_store_requests;
  global_store_sectors += other.global_store_sectors;
  texture_requests += other.texture_requests;
  texture_sectors += other.texture_sectors;
  shared_load_wavefronts += other.shared_load_wavefronts;
  shared_load_conflicts += other.shared_load_conflicts;
  shared_store_wavefronts += other.shared_store_wavefronts;
  shared_store_conflicts += other.shared_store_conflicts;
  divergent_branches += other.divergent_branches;
  atomics += other.atomics;
  atomic_collisions += other.atomic_collisions;
  global_load_bytes += other.global_load_bytes;
  global_store_bytes += other.global_store_bytes;
  shared_load_bytes += other.shared_load_bytes;
  shared_store_bytes += other.shared_store_bytes;
  local_load_bytes += other.local_load_bytes;
  local_store_bytes += other.local_store_bytes;
  return *this;
}

}  // namespace threadscape::warp
