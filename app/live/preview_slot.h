#pragma once
// Previews: results from a quarter of a picture's width, which are shown while the true result takes long. A preview is
// computed before the true run, in about a sixteenth of its time, so that both never share the cores. Nothing but the
// view knows of it: no statistics, no file and no measurement.

#include <optional>
#include <utility>

#include "app/live/job.h"
#include "app/session/work.h"
#include "render/gl/resource.h"

namespace threadscape::app {

/// The sides of a result are so many times as long as those of its preview.
inline constexpr int preview_divisor = 4;

/// The parameters for a picture of a quarter of the width: numbers of pixels are a quarter, as far as their range and
/// step let them. None if parameters name files, or do not fit together any more.
[[nodiscard]] std::optional<ParamBox> preview_params(const ParamBox& params);

/// A picture of a quarter of the width and height, whose pixels are means of 4 x 4 pixels; for 8-bit, 16-bit and float
/// pictures.
[[nodiscard]] HostArray quarter_of(HostIn picture);

class PreviewSlot {
 public:
  void want(bool wanted) { wanted_ = wanted; }
  /// The run of the preview of `work` on these data; none if it is not wanted, was tried before, or cannot tell what
  /// the result looks like. `known_ms` is the time of such a run on these data, if there was one.
  [[nodiscard]] std::optional<PreviewRun> due(const Work& work, const std::shared_ptr<const Source>& source,
                                              std::optional<double> known_ms);
  /// Keeps the result of a run. Throws UsageError and EnvironmentError.
  void store(const PreviewRun& run, const RunResult& result);
  void drop() { held_.reset(); }
  /// Shows what is kept if the run of `wanted` takes long, by what has passed of it, and drops it if it is of other
  /// work.
  void update(const Work& wanted, double run_ms, double progress);
  /// Null unless a preview is to be shown.
  [[nodiscard]] const gl::Resource* shown() const { return held_ && held_->is_shown ? &held_->picture : nullptr; }
  /// The size of the result that the preview stands for.
  [[nodiscard]] const Shape& whole() const { return whole_; }

 private:
  struct Held {
    Work work;
    gl::Resource picture;
    bool is_shown = false;
  };
  std::optional<Held> held_;
  Shape whole_;
  std::optional<Work> tried_;  ///< The work that the last preview was asked for.
  bool wanted_ = false;
};

}  // namespace threadscape::app
