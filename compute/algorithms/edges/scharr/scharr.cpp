#include "compute/algorithms/edges/scharr/scharr.h"

#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

AlgorithmInfo describe_scharr() {
  return describe<SixteenBit<Scharr>>(Scharr::name);
}

}  // namespace threadscape
