#include "compute/algorithms/time/clip_filter.h"

#include <string>

#include "compute/core/clip.h"
#include "compute/core/moving_scene.h"

namespace threadscape::clips {

Shape picture_of_clip(std::string_view algorithm, const Shape& input) {
  const bool known = input.element == Element::u8 || input.element == Element::u16 || input.element == Element::f32;
  if (input.kind != Kind::clip || !known || (input.channels != 1 && input.channels != 4))
    throw UsageError(std::string(algorithm) + " takes clips of 8 bit, 16 bit or float in grey or RGBA, not " +
                     to_string(input));
  return frame_shape(input);
}

Shape scene_shape(int frames) {
  return {Kind::clip, Element::u8, 4, 480, 360, frames};
}

HostArray scene(int frames, std::uint64_t seed) {
  return make_moving_clip(scene_shape(frames), seed);
}

}  // namespace threadscape::clips
