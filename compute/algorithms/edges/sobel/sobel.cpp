#include "compute/algorithms/edges/sobel/sobel.h"

#include "compute/registry/algorithm.h"

namespace threadscape {

AlgorithmInfo describe_sobel() {
  return describe<Sobel>(Sobel::name);
}

}  // namespace threadscape
