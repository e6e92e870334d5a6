#pragma once
// What happened in the last second: the frames of the window, runs and files, the threads of OpenMP with the time they
// wait, and the GPU, as bars along one axis. Events are kept while it is drawn, and at no other time.

#include <string>
#include <vector>

#include "app/ui/ui_context.h"
#include "compute/core/trace.h"

namespace threadscape::app {

/// A bar of a row, in seconds before now, from -1 to 0.
struct TimelineBar {
  float begin = 0.0f, end = 0.0f;
  std::string name, category;
};
struct TimelineRow {
  std::string title;
  std::vector<TimelineBar> bars;  ///< In the order in which they begin.
  float busy = 0.0f;              ///< The share of the second in which it does not wait.
};
/// The rows of the last second, from top to bottom: frames, other threads, threads of OpenMP, the GPU. Threads without
/// events have none. A thread whose events are of one kind is named after that.
[[nodiscard]] std::vector<TimelineRow> timeline_rows(const trace::Recent& recent);

class TimelineView {
 public:
  TimelineView() = default;
  ~TimelineView() { rest(); }
  TimelineView(const TimelineView&) = delete;
  TimelineView& operator=(const TimelineView&) = delete;

  /// Draws into the room that is left. Returns true if the user wants the plots back.
  [[nodiscard]] bool draw(const Fonts& fonts);
  /// Keeps no events any more.
  void rest();

 private:
  void draw_rows(const ImVec2& size) const;

  bool watches_ = false;
  bool held_ = false;  ///< The rows stay as they are.
  std::vector<TimelineRow> rows_;
};

}  // namespace threadscape::app
