#include "app/report/trace_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>

#include "app/report/environment.h"

namespace threadscape::app {
namespace {

TEST(TraceFile, EventsHaveWhatTraceViewersRead) {
  trace::Timeline timeline;
  timeline.events = {
      {.name = "read \"a\".png", .category = "file", .row = trace::host_row, .begin_us = 1, .duration_us = 2},
      {.name = "sobel", .category = "kernels", .row = trace::device_row, .begin_us = 3, .duration_us = 4},
      {.name = "idle", .category = "idle", .row = trace::first_thread + 1, .begin_us = 5, .duration_us = 6}};
  timeline.left_out = 7;
  const Json json = Json::parse(trace_json(timeline));
  std::set<int> rows, named;
  std::size_t complete = 0;
  for (const Json& event : json.at("traceEvents")) {
    EXPECT_TRUE(event.at("name").is_string());
    EXPECT_TRUE(event.at("pid").is_number_integer());
    const int row = event.at("tid").get<int>();
    if (event.at("ph") == "M") {
      EXPECT_TRUE(event.at("args").at("name").is_string());
      if (event.at("name") == "thread_name") named.insert(row);
      continue;
    }
    ASSERT_EQ(event.at("ph"), "X");
    EXPECT_TRUE(event.at("cat").is_string());
    EXPECT_GE(event.at("ts").get<double>(), 0.0);
    EXPECT_GT(event.at("dur").get<double>(), 0.0);
    rows.insert(row);
    ++complete;
  }
  EXPECT_EQ(complete, timeline.events.size());
  EXPECT_EQ(rows, named) << "every row has a name";
  EXPECT_EQ(json.at("otherData").at("events_left_out"), 7);
}

}  // namespace
}  // namespace threadscape::app
