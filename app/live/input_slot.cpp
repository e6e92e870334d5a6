#include "app/live/input_slot.h"

#include <utility>

#include "app/live/stopwatch.h"
#include "compute/core/errors.h"

namespace threadscape::app {

namespace {

/// Up to this size an upload takes less than 4 ms at 2 GB/s, and is done at once.
constexpr std::size_t small_bytes = std::size_t{8} << 20;

/// Returns whether the source is uploaded at once, into memory that is there if it fits. The frames of a moving picture
/// are, whatever their size, because new memory for each of them would cost more than the wait.
bool is_written_at_once(const Source& source, const gl::Resource& memory) {
  const Shape& shape = source.picture.pixels.shape();
  return shape.bytes() <= small_bytes || (source.stream != 0 && memory.fits(shape));
}

bool same_source(const std::shared_ptr<const Source>& a, const std::shared_ptr<const Source>& b) {
  return a && b && a->id == b->id;
}

}  // namespace

bool InputSlot::replaces_memory(const std::shared_ptr<const Source>& source) const {
  if (!source) return !memory_.empty();
  if (same_source(source, latest()) || same_source(source, source_)) return false;
  return !is_written_at_once(*source, memory_) || !memory_.fits(source->picture.pixels.shape());
}

void InputSlot::show(const std::shared_ptr<const Source>& source, ByDevice by_device) {
  if (same_source(source, latest())) return;
  arriving_.reset();
  if (same_source(source, source_)) return;
  awaits_device_ = false;
  if (!source) {
    source_ = nullptr;
    memory_ = {};
    return;
  }
  const Shape& shape = source->picture.pixels.shape();
  try {
    const bool awaits = source->on_device && (by_device == ByDevice::into_any_memory ||
                                              (by_device == ByDevice::into_old_memory && memory_.fits(shape)));
    if (awaits) {
      if (!memory_.fits(shape)) {
        memory_ = {};  // first, so that both never exist at once
        memory_ = gl::Resource(shape);
      }
      source_ = source;
      upload_ms_ = 0.0;
      awaits_device_ = true;
      return;
    }
    if (!is_written_at_once(*source, memory_)) {
      arriving_ = Arriving{.source = source, .memory = allocate(shape)};
      return;
    }
    source_ = source;
    const Stopwatch watch;
    if (!memory_.fits(shape)) {
      memory_ = {};  // first, so that both never exist at once
      memory_ = gl::Resource(shape);
    }
    memory_.write(source_->picture.pixels.view());
    upload_ms_ = watch.ms();
  } catch (...) {
    keep_without_memory(source);
    throw;
  }
}

void InputSlot::write_instead_of_device() {
  if (!std::exchange(awaits_device_, false)) return;
  try {
    const Stopwatch watch;
    memory_.write(source_->picture.pixels.view());
    upload_ms_ = watch.ms();
  } catch (...) {
    keep_without_memory(source_);
    throw;
  }
}

void InputSlot::show_again() {
  const std::shared_ptr<const Source> source = latest();
  source_ = nullptr;
  memory_ = {};
  arriving_.reset();
  show(source);
}

std::string InputSlot::arriving_text(double patience_ms) const {
  if (!arriving_ || arriving_->upload_ms < patience_ms || arriving_->source->title().empty()) return {};
  const int percent = 100 * arriving_->parts_done / arriving_->memory.write_parts();
  return arriving_->source->title() + ": " + std::to_string(percent) + " %";
}

void InputSlot::upload_parts(double budget_ms) {
  if (!arriving_) return;
  const Stopwatch watch;
  const int parts = arriving_->memory.write_parts();
  try {
    const HostIn data = arriving_->source->picture.pixels.view();
    do {
      arriving_->memory.write_part(data, arriving_->parts_done);
      ++arriving_->parts_done;
    } while (arriving_->parts_done < parts && watch.ms() < budget_ms);
  } catch (...) {
    keep_without_memory(arriving_->source);
    throw;
  }
  arriving_->upload_ms += watch.ms();
  if (arriving_->parts_done < parts) return;
  Arriving arrived = *std::exchange(arriving_, std::nullopt);
  source_ = std::move(arrived.source);
  memory_ = std::move(arrived.memory);
  upload_ms_ = arrived.upload_ms;
  awaits_device_ = false;
}

gl::Resource InputSlot::allocate(const Shape& shape) {
  try {
    return gl::Resource(shape);
  } catch (const EnvironmentError&) {
    if (memory_.empty()) throw;
    memory_ = {};
    return gl::Resource(shape);
  }
}

void InputSlot::keep_without_memory(std::shared_ptr<const Source> source) {
  source_ = std::move(source);
  memory_ = {};
  arriving_.reset();
  awaits_device_ = false;
}

}  // namespace threadscape::app
