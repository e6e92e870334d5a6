#include "compute/core/trace.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

namespace threadscape::trace {
namespace {

std::vector<Event> of_row(const Timeline& timeline, int row) {
  std::vector<Event> found;
  std::ranges::copy_if(timeline.events, std::back_inserter(found), [row](const Event& e) { return e.row == row; });
  return found;
}

TEST(Trace, KeepsNothingUnlessAsked) {
  { const Span span("before", "run"); }
  begin();
  EXPECT_TRUE(recording());
  EXPECT_TRUE(end().events.empty());
  EXPECT_FALSE(recording());
  add({.name = "after", .category = "run"});
  begin();
  EXPECT_TRUE(end().events.empty());
}

TEST(Trace, AnInnerSpanLiesInTheOuterOne) {
  begin();
  {
    const Span outer("outer", "run");
    const Span inner("inner", "file");
  }
  const Timeline timeline = end();
  ASSERT_EQ(timeline.events.size(), 2u);
  const Event &inner = timeline.events[0], &outer = timeline.events[1];
  EXPECT_EQ(inner.name, "inner");
  EXPECT_EQ(inner.category, "file");
  EXPECT_EQ(outer.name, "outer");
  EXPECT_LE(outer.begin_us, inner.begin_us);
  EXPECT_GE(outer.begin_us + outer.duration_us, inner.begin_us + inner.duration_us);
}

TEST(Trace, TheLastMomentsAreKeptWhileSomeoneWatches) {
  EXPECT_TRUE(recent(1e6).events.empty());
  watch();
  EXPECT_TRUE(recording());
  { const Span span("new", "run"); }
  add({.name = "old", .category = "run", .begin_us = now_us() - 5e6, .duration_us = 1e6});
  const Recent last = recent(2e6);
  ASSERT_EQ(last.events.size(), 1u);
  EXPECT_EQ(last.events.front().name, "new");
  EXPECT_EQ(recent(6e6).events.size(), 2u);
  watch();
  EXPECT_EQ(recent(6e6).events.size(), 2u) << "what was kept is forgotten";
  for (std::size_t i = 0; i < 3 * most_watched; ++i)
    add({.name = "many", .category = "run", .begin_us = now_us()});
  EXPECT_LE(recent(60e6).events.size(), 2 * most_watched);
  EXPECT_GE(recent(60e6).events.size(), most_watched);
  stop_watching();
  EXPECT_FALSE(recording());
  EXPECT_TRUE(recent(6e6).events.empty());
}

TEST(Trace, AFileIsRecordedWholeWhateverIsWatched) {
  begin();
  watch();
  stop_watching();
  EXPECT_TRUE(recording());
  { const Span span("span", "run"); }
  EXPECT_TRUE(recent(1e6).events.empty());
  EXPECT_EQ(end().events.size(), 1u);
  watch();
  begin();
  stop_watching();
  EXPECT_TRUE(recording());
  (void)end();
}

TEST(Trace, EachThreadHasARowOfItsOwn) {
  begin();
  { const Span span("here", "run"); }
  for (int i = 0; i < 2; ++i)
    std::thread([] { const Span span("there", "file"); }).join();
  const Timeline timeline = end();
  ASSERT_EQ(timeline.events.size(), 3u);
  EXPECT_EQ(timeline.events[0].row, host_row);
  EXPECT_EQ(timeline.events[1].row, first_other);
  // A system may give the number of a thread that has ended to the next one.
  EXPECT_LE(timeline.events[2].row, first_other + 1);
  EXPECT_GE(timeline.events[2].row, first_other);
}

TEST(Trace, EventsOfTheDeviceFollowEachOther) {
  begin();
  add_device({{"upload", "upload", 2.0}, {"nothing", "kernels", 0.0}, {"sobel", "kernels", 1.0}});
  const Timeline timeline = end();
  ASSERT_EQ(timeline.events.size(), 2u);
  const Event &upload = timeline.events[0], &kernels = timeline.events[1];
  EXPECT_EQ(kernels.name, "sobel");
  EXPECT_EQ(upload.row, device_row);
  EXPECT_DOUBLE_EQ(upload.duration_us, 2000.0);
  EXPECT_NEAR(kernels.begin_us, upload.begin_us + 2000.0, 1e-6);
}

#if defined(__GNUC__) && !defined(__clang__)
TEST(Trace, EveryThreadOfAParallelRegionHasItsPartAndWaits) {
  constexpr int threads = 3;
  std::array<int, threads> worked{};
  begin();
#pragma omp parallel num_threads(threads)
  worked[static_cast<std::size_t>(omp_get_thread_num())] = omp_get_num_threads();
  const Timeline timeline = end();
  const int team = worked[0];  // A machine may give fewer threads than were asked for.
  ASSERT_GE(team, 1);
  for (int thread = 0; thread < team; ++thread) {
    const std::vector<Event> events = of_row(timeline, first_thread + thread);
    ASSERT_EQ(std::ranges::count(events, "openmp", &Event::category), 1) << thread;
    for (std::size_t i = 1; i < events.size(); ++i)
      EXPECT_GE(events[i].begin_us, events[i - 1].begin_us + events[i - 1].duration_us - 1e-6) << "they do not overlap";
  }
  EXPECT_TRUE(of_row(timeline, first_thread + team).empty());
}
#endif

}  // namespace
}  // namespace threadscape::trace
