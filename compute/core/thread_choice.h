#pragma once
// How many threads pay for work that is done again and again, found by measuring pieces of it.

namespace threadscape {

/// Chooses a number of threads by what pieces of the work take: the first piece runs on all threads, each further one
/// on half as many as the one before, until a piece takes longer than the best or one thread is left. The clock is the
/// caller's.
class ThreadChoice {
 public:
  /// A choice among `most` threads, a half of them, a quarter, and so on down to one. `most` is at least 1.
  explicit ThreadChoice(int most) : threads_(most), best_(most), settled_(most <= 1) {}

  /// The number of threads on which the next piece runs: the choice, once it is settled.
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] bool settled() const { return settled_; }

  /// States the time, in any unit, that a piece took on threads(). All pieces are as much work. Fewer threads are
  /// taken only if they save one part in twenty, since times of equal work differ. Does nothing once settled.
  void measured(double time) {
    if (settled_) return;
    constexpr double saving = 0.05;
    const bool first = threads_ == best_;
    if (!first && time > best_time_ * (1.0 - saving)) return settle();
    best_ = threads_;
    best_time_ = time;
    if (threads_ == 1) return settle();
    threads_ /= 2;
  }

 private:
  void settle() {
    threads_ = best_;
    settled_ = true;
  }

  int threads_, best_;
  double best_time_ = 0.0;
  bool settled_;
};

}  // namespace threadscape
