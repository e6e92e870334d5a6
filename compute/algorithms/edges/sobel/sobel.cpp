#include "compute/algorithms/edges/sobel/sobel.h"

#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

AlgorithmInfo describe_sobel() {
  return describe<SixteenBit<Sobel>>(Sobel::name);
}

}  // namespace threadscape
