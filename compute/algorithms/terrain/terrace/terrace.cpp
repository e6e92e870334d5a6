#include "compute/algorithms/terrain/terrace/terrace.h"

#include "compute/registry/algorithm_info.h"

namespace threadscape {

AlgorithmInfo describe_terrace() {
  return describe<Terrace>(Terrace::name);
}

}  // namespace threadscape
