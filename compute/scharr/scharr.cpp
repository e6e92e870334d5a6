#include "compute/scharr/scharr.h"

namespace threadscape {

AlgorithmInfo describe_scharr() {
  return describe<Scharr>("scharr");
}

}  // namespace threadscape
