#include "compute/algorithms/time/running_background/running_background.h"

namespace threadscape {

Shape RunningBackground::output_shape(const Params&, const Shape& input) {
  return clips::picture_of_clip("running_background", input);
}

std::size_t RunningBackground::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

AlgorithmInfo describe_running_background() {
  return describe<RunningBackground>("running_background");
}

}  // namespace threadscape
