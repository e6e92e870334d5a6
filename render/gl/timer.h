#pragma once

#include <glad/gl.h>

#include <array>
#include <optional>

namespace threadscape::gl {

/// GPU time between begin() and end(), from timestamp queries that are read some frames later, when they are ready.
/// Nothing ever waits: when all pairs of the ring are still under way, a measurement is left out.
class GpuTimer {
 public:
  GpuTimer();
  ~GpuTimer();
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;

  /// Returns false when this measurement is left out.
  bool begin();
  void end();
  /// Milliseconds of the oldest measurement not yet given, or nothing when none is ready. Call until it gives nothing.
  [[nodiscard]] std::optional<double> poll_ms();

 private:
  static constexpr std::size_t pairs = 8;

  std::array<GLuint, 2 * pairs> queries_{};
  std::size_t first_ = 0;    ///< oldest pair under way
  std::size_t pending_ = 0;  ///< pairs under way
  bool open_ = false;        ///< begin() took a pair, end() is still to come
};

}  // namespace threadscape::gl
