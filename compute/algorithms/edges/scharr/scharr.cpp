#include "compute/algorithms/edges/scharr/scharr.h"

#include "compute/registry/algorithm.h"

namespace threadscape {

AlgorithmInfo describe_scharr() {
  return describe<Scharr>(Scharr::name);
}

}  // namespace threadscape
