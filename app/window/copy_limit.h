#pragma once
// The bandwidth at which a backend can copy memory, which the variants of the backend are compared with. Measured once,
// on a thread of its own.

#include <future>
#include <map>
#include <optional>

#include "compute/core/backend.h"

namespace threadscape::app {

class CopyLimit {
 public:
  /// Starts the measurement unless it was made before. It takes a fraction of a second, in which nothing else should
  /// run.
  void measure(Backend backend, int threads);
  /// Called once a frame. Returns whether a measurement is under way.
  bool update();
  /// Bytes read plus bytes written, per second; nothing before the measurement, or when that failed.
  [[nodiscard]] std::optional<double> of(Backend backend, int threads) const;

 private:
  struct Key {
    Backend backend = Backend::serial;
    int threads = 1;  ///< 0 for CUDA.
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  [[nodiscard]] static Key key(Backend backend, int threads);

  std::map<Key, double> known_;
  Key measured_;
  std::future<double> running_;  ///< Invalid while nothing is measured.
};

}  // namespace threadscape::app
