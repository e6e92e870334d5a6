#pragma once
// All linear device memory of the program is taken and given back here, so that it is counted and can be limited.

#include <cstddef>

namespace threadscape::cuda {

/// A block of device memory, aligned to 256 bytes. Throws CudaError if there is none.
///
/// The environment variable TS_CUDA_MEMORY=BYTES, which is read at every call, refuses a block with which the program
/// would hold more bytes; a value that is no number allows none. Free memory is reported without that limit, so that it
/// stands for another program that takes the memory after it was found to be free.
[[nodiscard]] void* allocate_block(std::size_t bytes);
/// Gives a block back; null is allowed. Errors are ignored: after a sticky one every call fails, and nothing is left to
/// save.
void free_block(void* block) noexcept;

}  // namespace threadscape::cuda
