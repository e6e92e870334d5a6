#pragma once
// The bandwidth at which a backend can copy memory: what its variants are measured against. Measured aside, once.

#include <future>
#include <map>
#include <optional>

#include "compute/core/backend.h"

namespace threadscape::app {

class CopyLimit {
 public:
  /// Begins to measure unless that was done before. It takes a fraction of a second; nothing else should run meanwhile.
  void measure(Backend backend, int threads);
  /// Once a frame. Returns whether a measurement is under way.
  bool update();
  /// Bytes per second, read plus written; nothing before it was measured.
  [[nodiscard]] std::optional<double> of(Backend backend, int threads) const;

 private:
  struct Key {
    Backend backend = Backend::serial;
    int threads = 1;  ///< 0 for CUDA
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  [[nodiscard]] static Key key(Backend backend, int threads);

  std::map<Key, double> known_;
  Key measured_;
  std::future<double> running_;  ///< invalid while nothing is measured
};

}  // namespace threadscape::app
