#pragma once
// The range of the values of a picture, from which automatic exposure follows.

#include <cstdint>
#include <future>
#include <optional>
#include <tuple>

#include "compute/core/data.h"
#include "render/gl/pending_read.h"
#include "render/gl/texture.h"
#include "render/passes/image_pass.h"

namespace threadscape::app {

/// A range of values in the unit of the data: 0..255 or 0..65535 for integers, floats as they are.
struct ValueRange {
  double low = 0.0, high = 1.0;
  bool operator==(const ValueRange&) const = default;
};

/// Fraction of the values that the robust range leaves out at each of its ends.
inline constexpr double left_out = 0.001;

/// The range of the finite values of a picture's colours without `left_out` of them at each end, so that single pixels
/// do not decide it. If nearly all values are equal, it is the range of all of them. Alpha is left out; `luma` takes
/// the luma of each colour pixel instead of its three values. Large pictures are sampled on a regular grid of about two
/// million pixels. There is no range if no value is finite or if all are equal.
[[nodiscard]] std::optional<ValueRange> robust_range(HostIn picture, bool luma);

/// Exposure and offset with which `range` is shown from black to white, before the exposure and the offset that
/// `settings` state. `white` is the value of the data that the texture holds as 1.
[[nodiscard]] render::ImageTone tone_over_range(const render::ImageViewSettings& settings, const ValueRange& range,
                                                double white);

/// Follows the robust range of a texture: a copy of its contents is read on a thread, so that the drawing thread never
/// waits. All functions are called on the drawing thread.
class ShownRange {
 public:
  ShownRange() = default;
  ~ShownRange();
  ShownRange(const ShownRange&) = delete;
  ShownRange& operator=(const ShownRange&) = delete;

  /// Asks for the range unless it is known, and takes what has arrived. `version` changes with the contents. Throws
  /// EnvironmentError if there is not enough memory for the copy, once for the same contents.
  void follow(const gl::Texture& texture, std::uint64_t version, bool luma);
  /// Forgets the range, for when it is not shown.
  void rest();
  /// The range that arrived last, which may be that of earlier contents; none before, and if the contents have none.
  [[nodiscard]] const std::optional<ValueRange>& found() const { return found_; }
  [[nodiscard]] bool pending() const { return read_ || thread_.valid(); }

 private:
  using Contents = std::tuple<GLuint, std::uint64_t, bool>;
  /// Takes the result of the thread. Returns false while the thread runs.
  bool take();

  std::optional<Contents> asked_;
  std::optional<gl::PendingRead> read_;
  std::future<std::optional<ValueRange>> thread_;
  std::optional<ValueRange> found_;
};

}  // namespace threadscape::app
