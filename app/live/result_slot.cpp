#include "app/live/result_slot.h"

#include <limits>

namespace threadscape::app {

void ResultSlot::free() {
  state_ = Empty{};
  memory_ = {};
}

void ResultSlot::allocate(const Shape& shape) {
  free();  // first, so that both never exist at once
  memory_ = gl::Resource(shape);
}

void ResultSlot::begin_partial(const Work& work) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const bool floats = memory_.shape().element == Element::f32;
  if (gl::VolumeTexture* volume = memory_.volume()) volume->clear(floats ? nan : 0.0f);
  if (gl::Texture* texture = memory_.texture())
    floats ? texture->clear(nan, nan, nan, nan) : texture->clear(0, 0, 0, 0);
  state_ = PartialResult{.work = work};
}

const Work* ResultSlot::complete_work() const {
  const auto* complete = std::get_if<CompleteResult>(&state_);
  return complete != nullptr ? &complete->work : nullptr;
}

const Work* ResultSlot::displayed_work() const {
  return partial() != nullptr ? &partial()->work : complete_work();
}

}  // namespace threadscape::app
