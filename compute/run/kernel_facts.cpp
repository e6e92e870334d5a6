#include "compute/run/kernel_facts.h"

#include <algorithm>

namespace threadscape::cuda {

int busy_multiprocessors(const Kernels& kernels, int multiprocessors) {
  double most = 0.0;
  for (const KernelFacts& kernel : kernels)
    most = std::max(most, kernel.blocks());
  return static_cast<int>(std::min(most, static_cast<double>(multiprocessors)));
}

}  // namespace threadscape::cuda
