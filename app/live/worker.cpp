#include "app/live/worker.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace threadscape::app {

namespace {

/// What is not computed yet shall not look like a result.
void blank(const HostOut& output) {
  const auto bytes = output.pitch * static_cast<std::size_t>(output.shape.height * output.shape.depth);
  if (output.shape.element == Element::f32)
    std::fill_n(reinterpret_cast<float*>(output.data), bytes / sizeof(float), std::numeric_limits<float>::quiet_NaN());
  else
    std::memset(output.data, 0, bytes);
}

}  // namespace

Worker::Worker(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& quit) { loop(quit); }) {}

Worker::~Worker() {
  cancel();
  thread_.request_stop();
  changed_.notify_all();
}

void Worker::start(Job job) {
  const std::lock_guard lock(mutex_);
  cancel_ = std::stop_source{};
  progress_.report(0.0);
  blanked_.store(false, std::memory_order_release);
  job_ = std::move(job);
  pending_ = true;
  changed_.notify_all();
}

bool Worker::idle() const {
  const std::lock_guard lock(mutex_);
  return !job_;
}

void Worker::cancel() {
  const std::lock_guard lock(mutex_);
  cancel_.request_stop();
}

std::optional<Worker::Finished> Worker::take() {
  const std::lock_guard lock(mutex_);
  if (!finished_) return std::nullopt;
  std::optional<Finished> result = std::move(finished_);
  finished_.reset();
  job_.reset();
  return result;
}

void Worker::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !job_ || finished_; });
}

void Worker::loop(const std::stop_token& quit) {
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, quit, [this] { return pending_; })) return;
      pending_ = false;
      job = *job_;
    }
    Finished finished = run(job);
    {
      const std::lock_guard lock(mutex_);
      finished_ = std::move(finished);
      changed_.notify_all();
    }
    if (wake_) wake_();
  }
}

Worker::Finished Worker::run(const Job& job) {
  Finished finished{.job = job, .input = {}, .times = {}, .cancelled = false, .error = {}};
  std::stop_token stop;
  {
    const std::lock_guard lock(mutex_);
    stop = cancel_.get_token();
  }
  if (job.watched) {
    blank(job.output);
    blanked_.store(true, std::memory_order_release);
  }
  try {
    if (job.task == Task::input) {
      finished.input = job.work.make_input();
      finished.cancelled = stop.stop_requested();
      return finished;
    }
    const HostIn input = job.source ? job.source->picture.pixels.view() : HostIn{};
    finished.times = runner_.run_into(job.work.request(), input, job.output, stop, &progress_);
  } catch (const Cancelled&) {
    finished.cancelled = true;
  } catch (const std::exception& error) {
    finished.error = error.what();
  }
  return finished;
}

}  // namespace threadscape::app
