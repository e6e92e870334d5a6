#pragma once

#include <chrono>
#include <functional>

#include "app/live/result_slot.h"
#include "app/live/ticker.h"
#include "render/interop/host_upload.h"

namespace threadscape::app {

/// Displays the result of a CPU run while it is computed: copies of what the run has written so far, of some slices of
/// a volume or of a whole picture. Copies, and what is drawn after them, take a tenth of the time at most.
class PartialCopies {
 public:
  /// A run has started whose result can be displayed while it grows. `wake` is called when it is time to look.
  void begin(std::function<void()> wake);
  /// Sets the time of the first copy, in milliseconds after the start of a run.
  void set_first(double milliseconds) { first_ms_ = milliseconds; }
  /// The run has ended.
  void end() { ticker_.stop(); }
  /// Returns whether a copy is due, `run_ms` after the start of the run.
  [[nodiscard]] bool due(double run_ms) const;
  /// Queues a copy of what `uploader` has acquired and the run is writing. `progress` tells the share of the run that
  /// is done (acquire order: what was reported is in the memory). `result` has memory of the result's shape. Throws
  /// EnvironmentError and UsageError.
  void copy(const Work& work, const std::function<double()>& progress, interop::HostUploader& uploader,
            ResultSlot& result);

 private:
  using Clock = std::chrono::steady_clock;
  void copy_slices(gl::VolumeTexture& volume, const std::function<double()>& progress, interop::HostUploader& uploader,
                   PartialResult& partial);

  Ticker ticker_;
  double first_ms_ = 250.0;
  bool begun_ = false;        ///< At least one copy was queued.
  int next_slice_ = 0;        ///< First slice of the next copy.
  double round_share_ = 0.0;  ///< Progress when the first slice of this round was copied.
  Clock::time_point next_;    ///< No copy is due before.
};

}  // namespace threadscape::app
