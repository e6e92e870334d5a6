#pragma once
// A run of an algorithm's CUDA kernels on the emulated device, on a thread of its own.

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/session/work.h"
#include "compute/run/observation.h"

namespace threadscape::app {

struct ObservedRun {
  ParamBox params;      ///< The parameters of the run, of which those of a sketch keep the code of its kernels.
  Observation found;    ///< Without kernels if there is a problem.
  std::string problem;  ///< Why there are none, in a sentence.
  std::string input;    ///< What the kernels have worked on: "the middle of the picture, 512x512 8-bit grey image".
  std::int64_t left = 0, top = 0;  ///< The first pixel of the displayed picture that they have worked on.
};

/// What is observed: the kernels of a variant on the input of a work.
struct ObservedWork {
  Work work;
  int variant = 0;
  bool operator==(const ObservedWork&) const = default;
};

/// Observes the latest work that was asked for. All functions are called on the drawing thread.
class RunObserver {
 public:
  RunObserver() = default;
  RunObserver(const RunObserver&) = delete;
  RunObserver& operator=(const RunObserver&) = delete;
  ~RunObserver();

  /// Large pictures are cut to a part in the middle that is so wide and high.
  static constexpr int most_pixels_across = 512;
  /// A run ends after so many instructions of warps.
  static constexpr std::uint64_t most_instructions = 300'000'000;

  /// Begins to observe the work on these data, which may be null, unless it is the one of the last call, and takes what
  /// was found. Returns true in the call that takes it. With `wait`, returns when it is there.
  bool follow(const ObservedWork& wanted, std::shared_ptr<const Source> source, bool wait);
  /// What was found for the wanted work; null while it is being observed.
  [[nodiscard]] const std::shared_ptr<const ObservedRun>& found() const { return found_; }
  [[nodiscard]] bool running() const { return thread_.valid(); }

 private:
  std::optional<ObservedWork> wanted_;
  std::stop_source stop_;
  std::future<ObservedRun> thread_;
  bool outdated_ = false;  ///< What the thread observes is not wanted any more.
  std::shared_ptr<const ObservedRun> found_;
};

}  // namespace threadscape::app
