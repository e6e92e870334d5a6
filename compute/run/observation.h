#pragma once
// A run on the emulated device, with what each of its kernels has done.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "compute/core/data.h"
#include "compute/run/run_request.h"
#include "compute/warp/kept_launch.h"
#include "compute/warp/prediction.h"
#include "compute/warp/study.h"

namespace threadscape {

/// A kernel, and all launches of it that have this grid and block.
struct ObservedKernel {
  std::string name;  ///< The name that is shown.
  const warp::Module* module = nullptr;
  warp::Extent grid, block;
  std::uint64_t launches = 1;
  warp::Study study;  ///< The sum of the launches.
  /// The first launch, to be looked at (warp::Stepper); null if its memory was not kept.
  std::shared_ptr<const warp::KeptLaunch> first;
};

/// What the launches of each kernel do, for warp::predict().
[[nodiscard]] std::vector<warp::LaunchWork> works_of(const std::vector<ObservedKernel>& kernels);

/// The thread that has computed an element of the result.
struct ElementThread {
  std::size_t kernel = 0;  ///< Among Observation::kernels.
  warp::Writer writer;
};

struct Observation {
  std::vector<ObservedKernel> kernels;  ///< The kernels in the order of their first launches.
  std::size_t last = 0;                 ///< The kernel of the last launch.
  HostArray output;
  /// The last thread that has stored each element of the memory of the result, if the run was told where that lies
  /// (LaunchObserver::note_writers()); empty otherwise. Elements without one have no function.
  std::vector<ElementThread> writers;
  std::size_t row_elements = 0;  ///< The elements of that memory from one row to the next.
};

/// The threads that have stored the elements of the result.
class ResultThreads {
 public:
  ResultThreads() = default;
  /// Where the writers were not noted, executes the kept launches once more. Then nothing is found if the last launch
  /// is not kept, or the result is not in its memory.
  explicit ResultThreads(const Observation& observation);
  /// The thread that has stored the element at (x, y); nothing if none has but by atomic operations.
  [[nodiscard]] std::optional<ElementThread> of(std::int64_t x, std::int64_t y) const;
  /// Calls f(x, y, thread) for each element that a thread has stored.
  template <class F>
  void for_each(const F& f) const {
    for (std::int64_t y = 0; y < height_; ++y)
      for (std::int64_t x = 0; x < width_; ++x)
        if (const auto thread = of(x, y)) f(x, y, *thread);
  }

 private:
  std::int64_t width_ = 0, height_ = 0;
  std::size_t pitch_ = 0;               ///< The elements from one row to the next.
  std::vector<ElementThread> writers_;  ///< For each element; those without one have no function.
};

struct ObserveRequest {
  RunRequest run;  ///< The run of the CUDA backend, whose device is not used.
  const warp::GpuModel* gpu = nullptr;
  std::uint64_t instructions = 0;  ///< The run ends after so many instructions of warps.
  std::uint64_t kept_bytes = 0;    ///< Launches are kept as long as their memory takes no more than this together.
  bool races = false;              ///< Look for races in global memory, too, which takes longer.
  bool uninitialised = false;      ///< Report reads of memory that nothing has written.
  bool assembles = false;          ///< Make machine code where ptxas is found, for registers and instructions.
  bool writers = false;            ///< Note which threads of a sketch store its result (Observation::writers).
  bool from_ptx = false;           ///< Instructions are estimated from PTX, even where machine code is known.
};

/// Executes launches and adds each to the kernel that it belongs to. Launches of other threads are executed alone.
class LaunchObserver {
 public:
  /// The run of the request is not used. `cubin` is the machine code of the kernels, if it is known; it must outlive
  /// the observer.
  explicit LaunchObserver(const ObserveRequest& request, std::stop_token stop = {}, std::string_view cubin = {})
      : gpu_(request.gpu),
        left_(request.instructions),
        room_(request.kept_bytes),
        races_(request.races),
        uninitialised_(request.uninitialised),
        assembles_(request.assembles),
        stop_(std::move(stop)),
        cubin_(cubin) {}
  /// Notes from now on which threads store the elements of the result, which has this shape and lies in the allocation
  /// of that name, with so many bytes from one row to the next.
  void note_writers(std::string allocation, const Shape& shape, std::size_t pitch);
  /// Faults are in the observation alone, so that the run goes on.
  warp::LaunchResult launch(const warp::LaunchRequest& request);
  [[nodiscard]] Observation take(HostArray output);

 private:
  /// Lets a launch of that kernel note what it stores, if anything is to be noted.
  void watch(std::size_t kernel, const warp::LaunchRequest& request, warp::LaunchOptions& options);
  std::shared_ptr<const warp::KeptLaunch> keep(const warp::LaunchRequest& request);
  /// The machine code of the kernel; empty if it is unknown.
  std::string_view machine_code(const warp::LaunchRequest& request);

  const warp::GpuModel* gpu_;
  std::uint64_t left_, room_;
  bool races_, uninitialised_, assembles_;
  std::stop_token stop_;
  std::string_view cubin_;
  std::map<std::pair<const warp::Module*, std::string>, std::string> assembled_;
  std::thread::id thread_ = std::this_thread::get_id();
  std::string result_;                ///< The allocation of note_writers().
  std::size_t element_bytes_ = 0;     ///< The bytes of an element there.
  std::vector<warp::Writer> stored_;  ///< What launches of the kernel `storing_` have noted in a row.
  std::size_t storing_ = 0;
  Observation observation_;
};

/// Runs the CUDA variant on the emulated device, and returns what its kernels have done. Faults do not end the run;
/// each launch begins with empty caches. A second observation waits for the first one. Throws BackendAbsent where this
/// build has no kernels, UsageError, Cancelled, and EnvironmentError for what the machine does not know and for a run
/// that has too many instructions.
[[nodiscard]] Observation observe(const ObserveRequest& request, HostIn input, const std::stop_token& stop = {});

}  // namespace threadscape
