#pragma once
// Measurement of GPU time without waiting.

#include <glad/gl.h>

#include <array>
#include <optional>

namespace threadscape::gl {

/// Measures the GPU time between begin() and end() by timestamp queries, which are read some frames later, when they
/// are ready. It never waits: if all pairs of its ring are pending, a measurement is skipped.
class GpuTimer {
 public:
  GpuTimer();
  ~GpuTimer();
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;

  /// Starts a measurement. Returns false if it is skipped.
  bool begin();
  void end();
  /// Returns the oldest measurement in milliseconds and removes it, or nothing if none is ready. Call it until it
  /// returns nothing.
  [[nodiscard]] std::optional<double> poll_ms();

 private:
  static constexpr std::size_t pairs = 8;

  std::array<GLuint, 2 * pairs> queries_{};
  std::size_t first_ = 0;    ///< Index of the oldest pending pair.
  std::size_t pending_ = 0;  ///< Number of pending pairs.
  bool open_ = false;        ///< If true, begin() took a pair that end() has not completed.
};

}  // namespace threadscape::gl
