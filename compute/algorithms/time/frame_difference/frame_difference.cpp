#include "compute/algorithms/time/frame_difference/frame_difference.h"

namespace threadscape {

Shape FrameDifference::output_shape(const Params&, const Shape& input) {
  return clips::picture_of_clip("frame_difference", input);
}

std::size_t FrameDifference::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

AlgorithmInfo describe_frame_difference() {
  return describe<FrameDifference>("frame_difference");
}

}  // namespace threadscape
