#include "compute/algorithms/edges/sobel/sobel.h"

namespace threadscape {

AlgorithmInfo describe_sobel() {
  return describe<Sobel>(Sobel::name);
}

}  // namespace threadscape
