#include "compute/sobel/sobel.h"

namespace threadscape {

AlgorithmInfo describe_sobel() {
  return describe<Sobel>("sobel");
}

}  // namespace threadscape
