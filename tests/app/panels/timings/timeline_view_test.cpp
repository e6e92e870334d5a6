// The timeline of the last second: its rows, and that nothing is kept while it is not shown.

#include "app/panels/timings/timeline_view.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

constexpr double now = 10e6;

trace::Event event(const char* name, const char* category, int row, double begin_us, double duration_us) {
  return {.name = name, .category = category, .row = row, .begin_us = begin_us, .duration_us = duration_us};
}

TEST(Timeline, RowsAreFramesWorkersThreadsAndTheGpu) {
  const trace::Recent recent{.events = {event("median", "kernels", trace::device_row, now - 4e5, 1e5),
                                        event("parallel", "openmp", trace::first_thread + 1, now - 5e5, 1e5),
                                        event("parallel", "openmp", trace::first_thread, now - 5e5, 2e5),
                                        event("idle", "idle", trace::first_thread + 1, now - 4e5, 1e5),
                                        event("read photo.png", "file", trace::first_other + 1, now - 9e5, 1e5),
                                        event("median on openmp", "run", trace::first_other, now - 5e5, 2e5),
                                        event("frame", "frame", trace::host_row, now - 2e5, 1e5)},
                             .now_us = now};
  const std::vector<TimelineRow> rows = timeline_rows(recent);
  std::vector<std::string> titles;
  for (const TimelineRow& row : rows)
    titles.push_back(row.title);
  EXPECT_EQ(titles, (std::vector<std::string>{"frames", "runs", "files", "thread 0", "thread 1", "GPU"}));
  EXPECT_FLOAT_EQ(rows[3].busy, 0.2f);
  EXPECT_FLOAT_EQ(rows[4].busy, 0.1f) << "waiting counts as work";
  ASSERT_EQ(rows[4].bars.size(), 2u);
  EXPECT_EQ(rows[4].bars[0].category, "openmp");
  EXPECT_FLOAT_EQ(rows[4].bars[0].begin, -0.5f);
  EXPECT_FLOAT_EQ(rows[4].bars[0].end, -0.4f);
}

TEST(Timeline, WhatReachesBeyondTheSecondIsCutAndWhatOverlapsCountsOnce) {
  const trace::Recent recent{.events = {event("inner", "run", trace::first_other, now - 3e5, 1e5),
                                        event("outer", "file", trace::first_other, now - 2e6, 1.8e6)},
                             .now_us = now};
  const std::vector<TimelineRow> rows = timeline_rows(recent);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].title, "worker 1");
  EXPECT_FLOAT_EQ(rows[0].busy, 0.8f);
  EXPECT_FLOAT_EQ(rows[0].bars.front().begin, -1.0f);
  EXPECT_TRUE(timeline_rows({}).empty());
}

class TimelinePanelTest : public TestedWindowTest {
 protected:
  /// Clicks along the first line of the panel, where the last of its three plots is, until the timeline is shown.
  void click_heading() {
    const ImGuiWindow* const panel = ImGui::FindWindowByName("Timings###timings");
    ASSERT_NE(panel, nullptr);
    ImGuiIO& io = ImGui::GetIO();
    const ImRect room = panel->WorkRect;
    for (float x = room.Min.x + 0.6f * room.GetWidth(); x < room.Max.x && !trace::recording(); x += 8) {
      io.AddMousePosEvent(x, room.Min.y + ImGui::GetFrameHeight() / 2);
      tested_->frame();
      for (const bool down : {true, false}) {
        io.AddMouseButtonEvent(0, down);
        tested_->frame();
      }
      tested_->frame();
    }
  }
};

TEST_P(TimelinePanelTest, EventsAreKeptWhileItIsShownAlone) {
  tested_->settle();
  tested_->window_.show_panel("timings");
  tested_->frame();
  EXPECT_FALSE(trace::recording());
  click_heading();
  EXPECT_TRUE(trace::recording()) << "a click on the heading does not show the timeline";
  tested_->press(ImGuiKey_Space);
  tested_->settle();
  EXPECT_FALSE(trace::recent(60e6).events.empty()) << "a run leaves no event";
  tested_->window_.show_panel("log");
  tested_->frame();
  tested_->frame();
  EXPECT_FALSE(trace::recording()) << "a hidden timeline keeps events";
}

INSTANTIATE_TEST_SUITE_P(Platforms, TimelinePanelTest, ::testing::Values(Where::window, Where::headless),
                         name_of_place);

}  // namespace
}  // namespace threadscape::app
