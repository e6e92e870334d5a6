#pragma once
// Copies from global to shared memory that go on while the thread does something else.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace threadscape::cuda {

/// Starts a copy of 16 bytes, of which `given` (0 or 16) are read and the others are zeros. Both addresses are
/// multiples of 16.
__device__ inline void start_copy16(void* to_shared, const void* from, int given) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to_shared))), "l"(from), "r"(given)
               : "memory");
#else
  memset(to_shared, 0, 16);
  memcpy(to_shared, from, static_cast<std::size_t>(given));
#endif
}
/// What this thread has started since the last call is a group.
__device__ inline void close_copy_group() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits until at most `groups` of this thread are under way. Other threads see the copies after the next barrier.
template <int groups>
__device__ void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
}

}  // namespace threadscape::cuda
