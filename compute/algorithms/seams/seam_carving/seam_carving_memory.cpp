#include "compute/algorithms/seams/seam_carving/cuda/seam_carving_cuda.h"
#include "compute/core/scratch.h"

namespace threadscape::seam_carving {

namespace {

struct Counter {
  std::size_t bytes = 0;
  template <class T>
  std::span<T> take(std::size_t count) {
    bytes += DeviceScratch::padded(count * sizeof(T));
    return {};
  }
};

}  // namespace

std::size_t device_bytes(const Plan& plan, const Shape& input) {
  Counter counter;
  (void)DevicePlanes(plan, input, counter);
  return counter.bytes;
}

}  // namespace threadscape::seam_carving
