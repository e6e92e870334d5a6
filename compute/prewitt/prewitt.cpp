#include "compute/prewitt/prewitt.h"

namespace threadscape {

AlgorithmInfo describe_prewitt() {
  return describe<Prewitt>("prewitt");
}

}  // namespace threadscape
