#pragma once

#include <atomic>

namespace threadscape {

/// The completed fraction of a run, 0..1, reported by the thread that computes and read by the thread that draws.
/// Release and acquire order make everything written before report() visible to a reader of that fraction, so the
/// complete part of a result can be displayed during the run.
class Progress {
 public:
  void report(double done) { done_.store(done, std::memory_order_release); }
  [[nodiscard]] double done() const { return done_.load(std::memory_order_acquire); }

 private:
  std::atomic<double> done_{0.0};
};

}  // namespace threadscape
