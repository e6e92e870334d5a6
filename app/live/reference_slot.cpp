#include "app/live/reference_slot.h"

namespace threadscape::app {

Work reference_of(Work work) {
  work.backend = Backend::serial;
  work.variant = 0;
  work.threads = 1;
  return work;
}

const gl::Resource* ReferenceSlot::of(const Work& work) const {
  return held_ == compared(work) && !memory_.empty() ? &memory_ : nullptr;
}

void ReferenceSlot::free() {
  held_.reset();
  memory_ = {};
}

void ReferenceSlot::store(const Work& reference, const Shape& shape) {
  if (!memory_.fits(shape)) {
    held_.reset();
    memory_ = gl::Resource(shape);
  }
  uploader_.submit(memory_);
  held_ = reference;
}

}  // namespace threadscape::app
