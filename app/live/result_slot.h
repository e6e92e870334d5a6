#pragma once

#include <cstdint>
#include <utility>
#include <variant>

#include "app/session/work.h"
#include "render/gl/resource.h"

namespace threadscape::app {

/// The displayed memory holds no result of any work that counts: it is undefined, or outdated.
struct Empty {};

/// The displayed memory holds a part of a result: of a run that goes on, or of one that was cancelled. Values that are
/// not computed yet are NaN in floats, 0 in integers.
struct PartialResult {
  Work work;
  /// Share of the result that the memory certainly holds, 0..1; of n parts exactly k / n.
  double share = 0.0;
  /// Slices [first, second) of a volume that differ from the version before; an empty range: any may differ.
  std::pair<int, int> changed_slices{0, 0};
};

/// The displayed memory holds the result of `work`.
struct CompleteResult {
  Work work;
};

/// The GPU memory that the result is displayed from, and what it holds.
class ResultSlot {
 public:
  [[nodiscard]] const gl::Resource& memory() const { return memory_; }
  [[nodiscard]] gl::Resource& memory() { return memory_; }
  /// Allocates memory of this shape in the place of the present one. Nothing of CUDA may be registered with that any
  /// more. Throws UsageError and EnvironmentError.
  void allocate(const Shape& shape);
  /// Frees the memory, so that allocate() has to come before the next result. Nothing of CUDA may be registered with
  /// it.
  void free();
  /// Grows by one whenever the contents change.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  void contents_changed() { ++version_; }

  /// The contents stay on display, but count as no result of any work.
  void set_empty() { state_ = Empty{}; }
  /// Calls set_empty() if the contents are a whole result.
  void drop_complete() {
    if (complete_work() != nullptr) set_empty();
  }
  /// Calls set_empty() if the contents are a part of a result.
  void drop_partial() {
    if (partial() != nullptr) set_empty();
  }
  /// Clears the memory to NaN or 0: it becomes a result of which nothing is there yet.
  void begin_partial(const Work& work);
  void set_complete(const Work& work) { state_ = CompleteResult{work}; }
  /// Null unless a part of a result is on display.
  [[nodiscard]] const PartialResult* partial() const { return std::get_if<PartialResult>(&state_); }
  [[nodiscard]] PartialResult* partial() { return std::get_if<PartialResult>(&state_); }
  /// The work whose whole result is on display; null when there is none.
  [[nodiscard]] const Work* complete_work() const;
  /// The work whose result, or a part of it, is on display; null when there is none.
  [[nodiscard]] const Work* displayed_work() const;

 private:
  gl::Resource memory_;
  std::variant<Empty, PartialResult, CompleteResult> state_;
  std::uint64_t version_ = 0;
};

}  // namespace threadscape::app
