#pragma once

#include <atomic>

namespace threadscape {

/// The completed fraction of a run, 0..1, reported by the threads that compute and read by the thread that draws.
/// Release and acquire order make everything written before report() visible to a reader of that fraction, so the
/// complete part of a result can be displayed during the run.
class Progress {
 public:
  void report(double done) { done_.store(done, std::memory_order_release); }
  /// Reports one of several fractions that threads have counted side by side: one that comes late and is smaller than
  /// another changes nothing. The loop whose parts are counted calls report(0) before it.
  void advance(double done) {
    double before = done_.load(std::memory_order_relaxed);
    while (before < done &&
           !done_.compare_exchange_weak(before, done, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] double done() const { return done_.load(std::memory_order_acquire); }

 private:
  std::atomic<double> done_{0.0};
};

}  // namespace threadscape
