#include "compute/algorithms/edges/prewitt/prewitt.h"

#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

AlgorithmInfo describe_prewitt() {
  return describe<SixteenBit<Prewitt>>(Prewitt::name);
}

}  // namespace threadscape
