#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace threadscape::app {

/// A stop token that is requested by another one, or when some seconds have passed.
class Deadline {
 public:
  Deadline(const std::stop_token& outer, double seconds)
      : forward_(outer, [this] { stop_.request_stop(); }), timer_([this, seconds](const std::stop_token& quit) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any over;
          over.wait_for(lock, quit, std::chrono::duration<double>(seconds), [] { return false; });
          if (!quit.stop_requested()) stop_.request_stop();
        }) {}
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> forward_;
  std::jthread timer_;
};

}  // namespace threadscape::app
