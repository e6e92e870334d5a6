#include "compute/algorithms/edges/prewitt/prewitt.h"

namespace threadscape {

AlgorithmInfo describe_prewitt() {
  return describe<Prewitt>(Prewitt::name);
}

}  // namespace threadscape
