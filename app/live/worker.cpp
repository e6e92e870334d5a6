#include "app/live/worker.h"

#include "compute/core/low_priority.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

bool runs_sketch(const Job& job) {
  const auto* const run = std::get_if<WorkerRun>(&job);
  const auto* const preview = std::get_if<PreviewRun>(&job);
  const Work* const work = run != nullptr ? &run->work : preview != nullptr ? &preview->work : nullptr;
  return work != nullptr && sketch::sketch_of(*work->algorithm) != nullptr;
}

}  // namespace

Worker::Worker(std::function<void()> wake)
    : wake_(std::move(wake)),
      thread_([this](const std::stop_token& quit) { loop(quit, false); }),
      sketch_thread_([this](const std::stop_token& quit) {
        take_low_priority();
        loop(quit, true);
      }) {}

Worker::~Worker() {
  cancel();
  thread_.request_stop();
  sketch_thread_.request_stop();
  changed_.notify_all();
}

void Worker::start(Job job) {
  const std::lock_guard lock(mutex_);
  cancel_ = std::stop_source{};
  progress_.report(0.0);
  blanked_.store(false, std::memory_order_release);
  job_ = job;
  pending_ = std::move(job);
  changed_.notify_all();
}

void Worker::cancel() {
  const std::lock_guard lock(mutex_);
  cancel_.request_stop();
}

std::optional<FinishedJob> Worker::take() {
  const std::lock_guard lock(mutex_);
  if (!finished_) return std::nullopt;
  std::optional<FinishedJob> result = std::move(finished_);
  finished_.reset();
  job_.reset();
  return result;
}

void Worker::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !job_ || finished_; });
}

void Worker::loop(const std::stop_token& quit, bool of_sketches) {
  while (true) {
    std::optional<Job> job;
    std::stop_token stop;
    {
      std::unique_lock lock(mutex_);
      const auto is_next = [&] { return pending_ && runs_sketch(*pending_) == of_sketches; };
      if (!changed_.wait(lock, quit, is_next)) return;
      job = std::exchange(pending_, std::nullopt);
      stop = cancel_.get_token();
    }
    JobContext context{.runner = runner_, .stop = std::move(stop), .progress = progress_, .blanked = blanked_};
    FinishedJob finished = run_job(std::move(*job), context);
    {
      const std::lock_guard lock(mutex_);
      finished_ = std::move(finished);
      changed_.notify_all();
    }
    if (wake_) wake_();
  }
}

}  // namespace threadscape::app
