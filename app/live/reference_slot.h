#pragma once

#include <optional>

#include "app/session/work.h"
#include "render/gl/resource.h"
#include "render/interop/host_upload.h"

namespace threadscape::app {

/// The serial run whose result the one of `work` is compared with.
[[nodiscard]] Work reference_of(Work work);

/// The serial result of the displayed work, in GPU memory of its own, for the difference view.
class ReferenceSlot {
 public:
  void want(bool wanted) { wanted_ = wanted; }
  /// Whether it is wanted for `work`, and not there.
  [[nodiscard]] bool is_due(const Work& work) const { return wanted_ && held_ != reference_of(work); }
  /// Null unless it holds the serial result of `work`.
  [[nodiscard]] const gl::Resource* of(const Work& work) const;

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
  std::optional<Work> held_;  ///< Whose result memory_ holds; always serial.
  bool wanted_ = false;
};

}  // namespace threadscape::app
