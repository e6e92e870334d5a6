#include "compute/algorithms/edges/prewitt/prewitt.h"

#include "compute/registry/algorithm.h"

namespace threadscape {

AlgorithmInfo describe_prewitt() {
  return describe<Prewitt>(Prewitt::name);
}

}  // namespace threadscape
