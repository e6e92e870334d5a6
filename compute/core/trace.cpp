#include "compute/core/trace.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#ifdef THREADSCAPE_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace threadscape::trace {

namespace {

struct Recorder {
  std::atomic<bool> recording = false;
  std::mutex mutex;  ///< Guards what follows.
  std::chrono::steady_clock::time_point start;
  Timeline timeline;
  std::map<std::thread::id, int> rows;
  bool watching = false;  ///< The last moments are kept, not all.
};

Recorder& recorder() {
  static Recorder one;
  return one;
}

/// The row of the calling thread.
int own_row() {
  Recorder& all = recorder();
  const std::scoped_lock lock(all.mutex);
  const int next = first_other + static_cast<int>(all.rows.size()) - 1;
  return all.rows.try_emplace(std::this_thread::get_id(), next).first->second;
}

}  // namespace

namespace {

void begin(Recorder& all, bool watching) {
  all.timeline = {};
  all.watching = watching;
  all.rows = {{std::this_thread::get_id(), host_row}};
  // Spans may begin before the window stops watching and end after it watches again: their clock is one.
  if (!watching) all.start = std::chrono::steady_clock::now();
  all.recording = true;
}

}  // namespace

void begin() {
  Recorder& all = recorder();
  const std::scoped_lock lock(all.mutex);
  begin(all, false);
}

void watch() {
  Recorder& all = recorder();
  const std::scoped_lock lock(all.mutex);
  if (!all.recording) begin(all, true);
}

Recent recent(double microseconds) {
  Recorder& all = recorder();
  const std::scoped_lock lock(all.mutex);
  if (!all.watching) return {};
  Recent last{.now_us = now_us()};
  const double from = last.now_us - microseconds;
  std::ranges::copy_if(all.timeline.events, std::back_inserter(last.events),
                       [from](const Event& event) { return event.begin_us + event.duration_us >= from; });
  return last;
}

void stop_watching() {
  Recorder& all = recorder();
  const std::scoped_lock lock(all.mutex);
  if (!std::exchange(all.watching, false)) return;
  all.recording = false;
  all.timeline = {};
}

bool recording() {
  return recorder().recording.load(std::memory_order_acquire);
}

Timeline end() {
  Recorder& all = recorder();
  const std::scoped_lock lock(all.mutex);
  all.recording = all.watching = false;
  return std::exchange(all.timeline, {});
}

double now_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - recorder().start).count();
}

void add(Event event) {
  Recorder& all = recorder();
  const std::scoped_lock lock(all.mutex);
  if (!all.recording) return;
  std::vector<Event>& events = all.timeline.events;
  if (all.watching && events.size() == 2 * most_watched)
    events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(most_watched));
  if (events.size() < most_events)
    events.push_back(std::move(event));
  else
    ++all.timeline.left_out;
}

void add_device(std::initializer_list<DeviceEvent> events) {
  if (!recording()) return;
  constexpr double microseconds = 1e3;
  double begin_us = now_us();
  for (const DeviceEvent& event : events)
    begin_us -= microseconds * event.milliseconds;
  for (const DeviceEvent& event : events) {
    const double duration_us = microseconds * event.milliseconds;
    if (duration_us > 0)
      add({.name = std::string(event.name),
           .category = std::string(event.category),
           .row = device_row,
           .begin_us = begin_us,
           .duration_us = duration_us});
    begin_us += duration_us;
  }
}

Span::Span(std::string_view name, std::string_view category) {
#ifdef THREADSCAPE_NVTX
  nvtxRangePushA(std::string(name).c_str());
#endif
  if (!recording()) return;
  name_ = name;
  category_ = category;
  begin_us_ = now_us();
}

Span::~Span() {
#ifdef THREADSCAPE_NVTX
  nvtxRangePop();
#endif
  if (begin_us_ < 0) return;
  add({.name = std::move(name_),
       .category = std::move(category_),
       .row = own_row(),
       .begin_us = begin_us_,
       .duration_us = now_us() - begin_us_});
}

}  // namespace threadscape::trace
