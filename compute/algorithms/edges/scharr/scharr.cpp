#include "compute/algorithms/edges/scharr/scharr.h"

namespace threadscape {

AlgorithmInfo describe_scharr() {
  return describe<Scharr>(Scharr::name);
}

}  // namespace threadscape
