#include <stdexcept>
#include <string>

#include "compute/core/scratch.h"
#include "compute/gpu/block.h"

namespace threadscape {

void* DeviceMemory::allocate(std::size_t bytes) {
  return cuda::allocate_block(bytes);
}

void DeviceMemory::release(void* block) {
  cuda::free_block(block);
}

void DeviceMemory::exhausted(std::size_t asked, std::size_t reserved) {
  throw std::logic_error("device working memory: " + std::to_string(asked) + " bytes taken, scratch_bytes() reserved " +
                         std::to_string(reserved));
}

}  // namespace threadscape
