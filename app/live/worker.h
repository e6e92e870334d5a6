#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "app/live/job.h"

namespace threadscape::app {

/// Runs one job at a time on a thread, so that long work never blocks the window. Sketches have a second thread, whose
/// priority is low: the window stays quick while they run on all cores, and other runs keep their speed. One other
/// thread owns a worker: that starts jobs and takes them back.
class Worker {
 public:
  /// `wake` is called on the thread of a job when that is done.
  explicit Worker(std::function<void()> wake);
  /// Cancels the job that runs, and waits for it.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Only while idle().
  void start(Job job);
  [[nodiscard]] bool idle() const { return !job_; }
  /// The job that runs or waits to be taken back; null when idle.
  [[nodiscard]] const Job* current() const { return job_ ? &*job_ : nullptr; }
  /// The same if it is of this type, else null.
  template <class J>
  [[nodiscard]] const J* current_as() const {
    return job_ ? std::get_if<J>(&*job_) : nullptr;
  }
  void cancel();
  /// Returns whether the output of a watched WorkerRun may be looked at.
  [[nodiscard]] bool blanked() const { return blanked_.load(std::memory_order_acquire); }
  /// Share of the current job that is done, 0..1.
  [[nodiscard]] double progress() const { return progress_.done(); }
  /// The finished job, once.
  [[nodiscard]] std::optional<FinishedJob> take();
  /// Waits until the current job is done.
  void wait();

 private:
  void loop(const std::stop_token& quit, bool of_sketches);

  std::function<void()> wake_;
  Runner runner_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Job> job_;  ///< Belongs to the owner's thread; what runs is a copy.
  std::optional<Job> pending_;
  std::optional<FinishedJob> finished_;
  std::stop_source cancel_;
  Progress progress_;
  std::atomic<bool> blanked_{false};
  std::jthread thread_;  ///< The last members: they start when everything else exists, and end first.
  std::jthread sketch_thread_;
};

}  // namespace threadscape::app
