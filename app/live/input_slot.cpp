#include "app/live/input_slot.h"

#include <utility>

#include "app/live/stopwatch.h"

namespace threadscape::app {

void InputSlot::show_again() {
  memory_ = {};
  show(std::exchange(source_, nullptr));
}

void InputSlot::show(const std::shared_ptr<const Source>& source) {
  if (source && source->id == id()) return;
  source_ = source;
  if (!source_) {
    memory_ = {};
    return;
  }
  try {
    const Stopwatch watch;
    if (!memory_.fits(shape())) {
      memory_ = {};  // first, so that both never exist at once
      memory_ = gl::Resource(shape());
    }
    memory_.write(source_->picture.pixels.view());
    upload_ms_ = watch.ms();
  } catch (...) {
    memory_ = {};
    throw;
  }
}

}  // namespace threadscape::app
