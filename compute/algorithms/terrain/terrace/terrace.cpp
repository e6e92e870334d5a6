#include "compute/algorithms/terrain/terrace/terrace.h"

namespace threadscape {

AlgorithmInfo describe_terrace() {
  return describe<Terrace>(Terrace::name);
}

}  // namespace threadscape
