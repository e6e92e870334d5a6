// Previews, which the worker computes before a slow run.

#include <exception>
#include <optional>
#include <utility>

#include "app/live/live_view.h"

namespace threadscape::app {

bool LiveView::start_preview(const Workspace& workspace, const Work& work) {
  // What a scene computes in the place of the chosen work is no picture for the eye.
  if (finishing_ || comparing() || work.params != workspace.work().params) return false;
  const TimingSample* last = workspace.timings.latest();
  const bool known = last != nullptr && measured_ && measured_->algorithm == work.algorithm &&
                     measured_->source_id == work.source_id && last->backend == work.backend &&
                     last->variant == work.variant;
  std::optional<PreviewRun> run =
      preview_.due(work, source(), known ? std::optional(last->times.compute_ms) : std::nullopt);
  if (!run || can_be_watched(work, input_.shape(), preview_.whole())) return false;
  job_start_.restart();
  worker_.start(std::move(*run));
  return true;
}

void LiveView::take(Workspace& workspace, Finished<PreviewRun> done) {
  // A preview that cannot be computed or shown is no error: the true result follows.
  if (done.result() == nullptr || done.job.work != due(workspace)) return;
  try {
    preview_.store(done.job, *done.result());
  } catch (const std::exception&) {
    preview_.drop();
  }
}

}  // namespace threadscape::app
