#include "compute/core/scratch.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "compute/core/errors.h"

namespace threadscape {

void* HostMemory::allocate(std::size_t bytes) {
  // Pieces are multiples of 256 bytes, but a caller may reserve any number.
  void* block = std::aligned_alloc(256, HostScratch::padded(bytes));
  if (!block) throw EnvironmentError("out of memory: " + std::to_string(bytes) + " bytes of working memory");
  return block;
}

void HostMemory::release(void* block) {
  std::free(block);
}

void HostMemory::exhausted(std::size_t asked, std::size_t reserved) {
  throw std::logic_error("working memory: " + std::to_string(asked) + " bytes taken, scratch_bytes() reserved " +
                         std::to_string(reserved));
}

}  // namespace threadscape
