#pragma once
// The bandwidth at which a backend can copy memory, with which the variants of the backend are compared. It is measured
// once, on a separate thread.

#include <future>
#include <map>
#include <optional>

#include "compute/core/backend.h"
#include "compute/gpu/device.h"

namespace threadscape::app {

class CopyLimit {
 public:
  /// Starts the measurement unless there was one before. It takes a fraction of a second, in which nothing else should
  /// run.
  void measure(Backend backend, int threads, gpu::Device& device);
  /// Called once a frame. Returns whether a measurement is in progress.
  bool update();
  /// The bandwidth in bytes per second, read plus written; none before the measurement or if it failed.
  [[nodiscard]] std::optional<double> of(Backend backend, int threads, const gpu::Device& device) const;

 private:
  struct Key {
    Backend backend = Backend::serial;
    int threads = 1;                      ///< Number of CPU threads; 0 for CUDA.
    const gpu::Device* device = nullptr;  ///< Null for the CPU.
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes a 0 in the generated comparison for a null pointer.
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  [[nodiscard]] static Key key(Backend backend, int threads, const gpu::Device& device);

  std::map<Key, double> known_;
  Key measured_;
  std::future<double> running_;  ///< The measurement in progress; invalid if there is none.
};

}  // namespace threadscape::app
