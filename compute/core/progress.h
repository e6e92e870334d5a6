#pragma once

#include <atomic>

namespace threadscape {

/// How far a run is, 0..1. Written by the thread that computes, read by the one that draws.
class Progress {
 public:
  void report(double done) { done_.store(done, std::memory_order_relaxed); }
  [[nodiscard]] double done() const { return done_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> done_{0.0};
};

}  // namespace threadscape
