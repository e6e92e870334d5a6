#include "app/scenes/image/difference_count.h"

#include <chrono>
#include <cmath>

#include "compute/core/errors.h"

namespace threadscape::app {

namespace {

/// Returns true if the values are not the same; two values that are no numbers are.
template <class T>
bool differs(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a != b && !(std::isnan(a) && std::isnan(b));
  else
    return a != b;
}

template <class T>
PictureDifference compare_values(HostIn a, HostIn b) {
  PictureDifference found;
  found.pixels = a.shape.items();
  const std::int64_t channels = a.shape.channels;
  for (std::int64_t y = 0; y < a.shape.height; ++y) {
    const auto* left = reinterpret_cast<const T*>(a.data + static_cast<std::size_t>(y) * a.pitch);
    const auto* right = reinterpret_cast<const T*>(b.data + static_cast<std::size_t>(y) * b.pitch);
    for (std::int64_t x = 0; x < a.shape.width; ++x) {
      bool differing = false;
      for (std::int64_t c = x * channels; c < (x + 1) * channels; ++c) {
        if (!differs(left[c], right[c])) continue;
        differing = true;
        const double distance = std::abs(static_cast<double>(left[c]) - static_cast<double>(right[c]));
        if (distance <= found.largest && found.differing > 0) continue;
        found.largest = distance;
        found.place = {static_cast<int>(x), static_cast<int>(y)};
      }
      if (differing) ++found.differing;
    }
  }
  return found;
}

}  // namespace

PictureDifference compare_pictures(HostIn a, HostIn b) {
  if (a.shape != b.shape) throw UsageError(to_string(a.shape) + " cannot be compared with " + to_string(b.shape));
  switch (a.shape.element) {
    case Element::u8:
      return compare_values<std::uint8_t>(a, b);
    case Element::u16:
      return compare_values<std::uint16_t>(a, b);
    case Element::f32:
      return compare_values<float>(a, b);
    default:
      throw UsageError(to_string(a.shape) + " is no picture that can be compared");
  }
}

DifferenceCount::~DifferenceCount() {
  if (thread_.valid()) thread_.wait();  // It reads the memory of the pending reads.
}

void DifferenceCount::rest() {
  if (thread_.valid() && thread_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  thread_ = {};
  result_.reset();
  reference_.reset();
  work_.reset();
  found_.reset();
}

void DifferenceCount::follow(const Work& work, const gl::Resource& result, const Work& against,
                             const gl::Resource& reference) {
  if (work_ != work || against_ != against) {
    rest();
    if (thread_.valid()) return;  // The memory of the last comparison is still being read.
    work_ = work;
    against_ = against;
    if (result.shape() != reference.shape()) return;
    result_ = result.begin_read();
    reference_ = reference.begin_read();
  }
  if (thread_.valid()) {
    if (thread_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    found_ = thread_.get();
    result_.reset();
    reference_.reset();
    return;
  }
  if (!result_) return;
  const std::optional<HostIn> a = result_->poll(), b = reference_->poll();
  if (a && b) thread_ = std::async(std::launch::async, [a = *a, b = *b] { return compare_pictures(a, b); });
}

}  // namespace threadscape::app
