#pragma once
// What the program does over time, for a file that trace viewers show (`--trace`), and for the window, which shows the
// last moments. Nothing is kept while nobody asks.

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::trace {

/// Rows of a timeline: that of the thread that called begin(), and that of the GPU. Thread n of OpenMP has the row
/// `first_thread` + n, and other threads those from `first_other` on, in the order of their first spans.
inline constexpr int host_row = 0, device_row = 1, first_thread = 2, first_other = 1 << 20;

struct Event {
  std::string name;
  std::string category;  ///< "file", "run", "upload", "kernels", "download", "openmp", "idle" or "frame".
  int row = host_row;
  double begin_us = 0, duration_us = 0;  ///< Microseconds since begin().
};

/// The most events that are kept; those that end later are counted alone.
inline constexpr std::size_t most_events = 1'000'000;

struct Timeline {
  std::vector<Event> events;  ///< In the order in which they ended.
  std::size_t left_out = 0;   ///< Events beyond most_events.
};

/// Forgets what was kept, and keeps events from now on.
void begin();
[[nodiscard]] bool recording();
/// Keeps none any more, and returns those that were kept.
[[nodiscard]] Timeline end();
/// Microseconds since begin().
[[nodiscard]] double now_us();

/// Keeps events from now on for recent(), and forgets those that are older than the last `most_watched` ones. Does
/// nothing while a file is recorded, or while it watches already.
void watch();
inline constexpr std::size_t most_watched = 1 << 15;
/// The events that have ended in the last microseconds before `now_us`; none unless it watches.
struct Recent {
  std::vector<Event> events;
  double now_us = 0;
};
[[nodiscard]] Recent recent(double microseconds);
/// Keeps none any more, if it watches.
void stop_watching();

/// Keeps an event that has ended, of any thread. Does nothing unless recording().
void add(Event event);
/// Keeps events of the GPU that follow each other, the last of which has ended now: their names, categories and
/// milliseconds by its own clock. Those that took no time are left out.
struct DeviceEvent {
  std::string_view name, category;
  double milliseconds = 0;
};
void add_device(std::initializer_list<DeviceEvent> events);

/// An event of the calling thread from its construction to its destruction. Where NVTX was found it is a range of that
/// as well, also while nothing is recorded, so that NVIDIA's profilers show it.
class Span {
 public:
  Span(std::string_view name, std::string_view category);
  ~Span();
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  std::string name_, category_;
  double begin_us_ = -1;  ///< Negative unless it is recorded.
};

}  // namespace threadscape::trace
