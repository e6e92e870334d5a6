#pragma once
// Asynchronous copies from global to shared memory (cp.async, from compute capability 8.0 on), which go on while the
// thread computes. On older devices the functions copy at once.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace threadscape::cuda {

/// Starts a copy of 16 bytes. `given` is the number of bytes that are read, 0 or 16; the others become zeros. Both
/// addresses are multiples of 16.
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
/// Makes the copies that this thread has started since the last call one group.
__device__ inline void close_copy_group() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits until at most the last `groups` groups of this thread are not complete. Other threads see the copied bytes
/// after the next barrier.
template <int groups>
__device__ void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
}

}  // namespace threadscape::cuda
