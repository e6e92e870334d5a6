#pragma once

#include <cstdint>
#include <future>
#include <glm/vec2.hpp>
#include <optional>

#include "app/session/work.h"
#include "render/gl/pending_read.h"
#include "render/gl/resource.h"

namespace threadscape::app {

/// How two pictures of the same shape differ.
struct PictureDifference {
  std::int64_t pixels = 0;     ///< Number of pixels of a picture.
  std::int64_t differing = 0;  ///< Number of pixels with a channel of another value. A NaN equals a NaN.
  double largest = 0.0;        ///< Largest difference of a channel, in the unit of the values.
  glm::ivec2 place{0, 0};      ///< Pixel with that difference, the first in the order of rows.
};

/// Compares pictures of 8-bit, 16-bit or float numbers. Throws UsageError if the shapes differ.
[[nodiscard]] PictureDifference compare_pictures(HostIn a, HostIn b);

/// Compares two pictures on the GPU on a thread, without making the drawing thread wait. All functions are called on
/// the drawing thread.
class DifferenceCount {
 public:
  DifferenceCount() = default;
  DifferenceCount(const DifferenceCount&) = delete;
  DifferenceCount& operator=(const DifferenceCount&) = delete;
  /// Waits for the thread.
  ~DifferenceCount();

  /// Begins a comparison of the result of `work` with that of `against`, unless it is the one of the last call, and
  /// takes what has arrived. Throws EnvironmentError if there is not enough memory.
  void follow(const Work& work, const gl::Resource& result, const Work& against, const gl::Resource& reference);
  /// Forgets the comparison, as soon as its thread has ended.
  void rest();
  /// The difference; none until it is known.
  [[nodiscard]] const std::optional<PictureDifference>& found() const { return found_; }
  [[nodiscard]] bool pending() const { return result_ || thread_.valid(); }

 private:
  std::optional<Work> work_, against_;
  std::optional<gl::PendingRead> result_, reference_;
  std::future<PictureDifference> thread_;
  std::optional<PictureDifference> found_;
};

}  // namespace threadscape::app
