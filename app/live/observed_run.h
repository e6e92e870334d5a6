#pragma once
// A run of an algorithm's CUDA kernels on the emulated device, on a thread of its own.

#include <cstdint>
#include <functional>
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
  /// The pixels of the result are those of the displayed result from there on.
  bool in_place = true;
};

/// The predicted time of a sketch's kernels on an H100, in a clause: "predicted on a H100: 0.0067 ms for ..., bound by
/// issue"; "" if there are none.
[[nodiscard]] std::string predicted_time(const ObservedRun& run);

/// The name of a kernel without its namespaces and the arguments of its template.
[[nodiscard]] std::string short_kernel_name(const std::string& name);
/// The place of a block in its grid: "5, 2".
[[nodiscard]] std::string block_place(std::uint64_t block, const warp::Extent& grid);

/// The threads that have stored the elements of an observed run's result.
struct ObservedThreads {
  std::shared_ptr<const ObservedRun> run;
  ResultThreads all;

  /// The thread that has computed a pixel of the displayed result; nothing where none is known.
  [[nodiscard]] std::optional<ElementThread> of(std::int64_t x, std::int64_t y) const;
  /// "block 37 (5, 2), warp 1, lane 12 of blur"
  [[nodiscard]] std::string text(const ElementThread& thread) const;
};

/// What is observed: the kernels of a variant on the input of a work.
struct ObservedWork {
  Work work;
  int variant = 0;
  bool operator==(const ObservedWork&) const = default;
};

/// What is observed of a displayed work, whoever has computed it.
[[nodiscard]] ObservedWork observed_work(const Work& shown, int variant);

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

  /// Begins to observe the work on these data, which may be null, unless it is the one of the last call. Returns what
  /// was found; null while it is being observed. With `wait`, returns when it is there. `wake` is called from the
  /// thread when something was found.
  std::shared_ptr<const ObservedRun> follow(const ObservedWork& wanted, std::shared_ptr<const Source> source, bool wait,
                                            const std::function<void()>& wake = {});
  /// Ends what is under way, which follow() begins again.
  void stop() {
    stop_.request_stop();
    outdated_ = thread_.valid();
  }
  [[nodiscard]] bool running() const { return thread_.valid(); }
  /// The threads that have stored the result of what was observed last, if that was a run of this work, for any of its
  /// variants; null otherwise, and until they are found. With `wait`, returns when they are.
  [[nodiscard]] std::shared_ptr<const ObservedThreads> threads_of(const Work& shown, bool wait = false);
  /// Returns true while threads are being found.
  [[nodiscard]] bool finding() const { return finding_.valid(); }

 private:
  std::optional<ObservedWork> wanted_;
  std::stop_source stop_;
  std::future<ObservedRun> thread_;
  bool outdated_ = false;  ///< What the thread observes is not wanted any more.
  std::shared_ptr<const ObservedRun> found_;
  std::future<std::shared_ptr<const ObservedThreads>> finding_;
  std::shared_ptr<const ObservedThreads> threads_;
};

}  // namespace threadscape::app
