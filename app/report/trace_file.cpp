#include "app/report/trace_file.h"

#include <nlohmann/json.hpp>

#include <set>
#include <string_view>

#include "app/report/environment.h"
#include "compute/io/file_writer.h"

namespace threadscape::app {

namespace {

constexpr int process = 1;

std::string row_name(int row) {
  if (row == trace::host_row) return "host";
  if (row == trace::device_row) return "GPU (CUDA events)";
  if (row >= trace::first_other) return "host thread " + std::to_string(row - trace::first_other + 2);
  return "OpenMP thread " + std::to_string(row - trace::first_thread);
}

Json name_of(std::string_view what, int row, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", process}, {"tid", row}, {"args", {{"name", name}}}};
}

}  // namespace

std::string trace_json(const trace::Timeline& timeline) {
  Json json{{"displayTimeUnit", "ms"}, {"traceEvents", Json::array()}};
  Json& events = json["traceEvents"];
  events.push_back(name_of("process_name", trace::host_row, "threadscape"));
  std::set<int> rows;
  for (const trace::Event& event : timeline.events)
    rows.insert(event.row);
  for (const int row : rows)
    events.push_back(name_of("thread_name", row, row_name(row)));
  for (const trace::Event& event : timeline.events)
    events.push_back({{"name", event.name},
                      {"cat", event.category},
                      {"ph", "X"},
                      {"ts", event.begin_us},
                      {"dur", event.duration_us},
                      {"pid", process},
                      {"tid", event.row}});
  if (timeline.left_out > 0) json["otherData"] = {{"events_left_out", timeline.left_out}};
  return dump(json);
}

int traced(const std::filesystem::path& file, const std::function<int()>& work) {
  if (file.empty()) return work();
  io::require_writable(file);
  trace::begin();
  const int code = work();
  io::save_bytes(file, trace_json(trace::end()));
  return code;
}

}  // namespace threadscape::app
