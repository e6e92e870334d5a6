#pragma once

#include <atomic>

namespace threadscape {

/// How far a run is, 0..1. Written by the thread that computes, read by the one that draws: who sees a share sees all
/// that was written before it was reported, so what is said to be whole can be looked at.
class Progress {
 public:
  void report(double done) { done_.store(done, std::memory_order_release); }
  [[nodiscard]] double done() const { return done_.load(std::memory_order_acquire); }

 private:
  std::atomic<double> done_{0.0};
};

}  // namespace threadscape
