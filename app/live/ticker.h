#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace threadscape::app {

/// Calls a function at intervals, from a thread of its own, until it is stopped.
class Ticker {
 public:
  ~Ticker() { stop(); }
  /// Calls `tick` every `interval` from now on, instead of what was called before. An empty function is not called.
  void start(std::chrono::milliseconds interval, std::function<void()> tick) {
    stop();
    if (!tick) return;
    thread_ = std::jthread([this, interval, tick = std::move(tick)](const std::stop_token& token) {
      std::unique_lock lock(mutex_);
      while (!stopped_.wait_for(lock, token, interval, [] { return false; }) && !token.stop_requested())
        tick();
    });
  }
  /// Ends the calls. When this returns, none is under way.
  void stop() { thread_ = {}; }

 private:
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread thread_;
};

}  // namespace threadscape::app
