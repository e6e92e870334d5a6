#pragma once
// The thread on which CPU backends run and inputs are made, so that long work never blocks the window. One job at a
// time.

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/session/workspace.h"

namespace threadscape::app {

class Worker {
 public:
  enum class Task : std::uint8_t {
    input,      ///< what the algorithm makes to work on, for any backend; cannot be stopped on the way
    result,     ///< to be shown
    reference,  ///< the serial result to compare with
  };
  struct Job {
    Task task = Task::result;
    Work work;
    std::shared_ptr<const Source> source;  ///< may be null for algorithms without input
    HostOut output;                        ///< stays valid until the job was taken back
    bool watched = false;                  ///< the output is looked at on the way: it begins as NaN, or zero
  };
  struct Finished {
    Job job;
    HostArray input;  ///< that was made
    StageTimes times;
    bool cancelled = false;
    std::string error;  ///< "" when the input was made, or the output written
  };

  /// `wake` is called on the worker's thread when a job is done.
  explicit Worker(std::function<void()> wake);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Only while idle().
  void start(Job job);
  [[nodiscard]] bool idle() const;
  /// The job that runs or waits to be taken back; null when idle.
  [[nodiscard]] const Job* current() const { return job_ ? &*job_ : nullptr; }
  void cancel();
  /// Whether the output of a watched job is fit to be looked at.
  [[nodiscard]] bool blanked() const { return blanked_.load(std::memory_order_acquire); }
  [[nodiscard]] double progress() const { return progress_.done(); }
  /// The result, once; only the thread that starts jobs may ask.
  [[nodiscard]] std::optional<Finished> take();
  /// Waits until the current job is done.
  void wait();

 private:
  void loop(const std::stop_token& quit);
  Finished run(const Job& job);

  std::function<void()> wake_;
  Runner runner_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Job> job_;  ///< written by the owner's thread only
  bool pending_ = false;
  std::optional<Finished> finished_;
  std::stop_source cancel_;
  Progress progress_;
  std::atomic<bool> blanked_{false};
  std::jthread thread_;  ///< last: starts when everything else exists, ends first
};

}  // namespace threadscape::app
