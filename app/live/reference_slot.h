#pragma once

#include <optional>
#include <utility>

#include "app/session/work.h"
#include "render/gl/resource.h"
#include "render/interop/host_upload.h"

namespace threadscape::app {

/// The serial run whose result the one of `work` is compared with.
[[nodiscard]] Work reference_of(Work work);

/// The serial result of the displayed work, or the result of another work that it is compared with, in GPU memory of
/// its own.
class ReferenceSlot {
 public:
  void want(bool wanted) { wanted_ = wanted; }
  /// Compares every result with that of `other` from now on, which runs on a CPU backend; with its serial one if none.
  void compare_with(std::optional<Work> other) { other_ = std::move(other); }
  [[nodiscard]] bool has_other() const { return other_.has_value(); }
  /// The run whose result the one of `work` is compared with.
  [[nodiscard]] Work compared(const Work& work) const { return other_ ? *other_ : reference_of(work); }
  /// Returns whether it is wanted for `work`, and not there.
  [[nodiscard]] bool is_due(const Work& work) const { return wanted_ && held_ != compared(work); }
  /// Null unless it holds what the result of `work` is compared with.
  [[nodiscard]] const gl::Resource* of(const Work& work) const;

  /// The work whose result it holds, also if that is out of date; null if there is none.
  [[nodiscard]] const Work* held() const { return held_ ? &*held_ : nullptr; }

  /// Host memory for the next reference, until store() or cancel(). Throws UsageError and EnvironmentError.
  [[nodiscard]] HostOut acquire(const Shape& shape) { return uploader_.acquire(shape); }
  /// Queues the copy of the acquired memory, which holds the result of `reference`, to the GPU. Throws UsageError and
  /// EnvironmentError.
  void store(const Work& reference, const Shape& shape);
  void cancel() { uploader_.cancel(); }
  /// Frees the GPU memory: what it held has to be computed and stored again.
  void free();
  /// Upload times of references are not shown anywhere, but have to be collected.
  void drop_upload_times() { (void)uploader_.poll_upload_ms(); }

 private:
  interop::HostUploader uploader_;
  gl::Resource memory_;
  std::optional<Work> held_;   ///< Whose result memory_ holds.
  std::optional<Work> other_;  ///< The run that all are compared with; none for the serial ones.
  bool wanted_ = false;
};

}  // namespace threadscape::app
