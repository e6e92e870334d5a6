#pragma once
// Measures the points of a sweep on a thread of its own, so that the window goes on drawing. The owner's thread starts
// and stops it, and takes what has been measured.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/analysis/roofline.h"
#include "app/bench/bench_suite.h"
#include "app/session/log_book.h"
#include "app/session/sources.h"

namespace threadscape::app {

/// What a sweep measures, and from which input.
struct LabSweep {
  std::vector<PlannedPoint> points;
  /// The loaded input, which is resampled to the size of each point; null for synthetic inputs. A point of another
  /// kind, element type or number of channels has a synthetic input all the same.
  std::shared_ptr<const Source> input;
  std::shared_ptr<const Suite> suite = {};  ///< The suite whose points they are; null for none.
  std::vector<Peer> peers = {};             ///< Measured in turns with the points whose work they do.
};

struct LabProgress {
  bool running = false;
  std::size_t done = 0, total = 0;  ///< Points.
  double seconds = 0.0;             ///< Since the start.
  std::string now;                  ///< What is being measured.
  std::string trouble = {};         ///< Why the last point that was left out was, or the sweep has ended; or "".
  /// Seconds until the end, if the remaining points take as long as those that are done; unset before the first is
  /// done.
  [[nodiscard]] std::optional<double> remaining() const;
  /// "3/10, 12 s left".
  [[nodiscard]] std::string count_text() const;
  /// "Measuring openmp 1920x1080 on 2 threads (3/10, 12 s left)", for the place of a plot without points.
  [[nodiscard]] std::string sentence() const;
};

class LabSession {
 public:
  /// `wake` is called on the measuring thread whenever there is something new to draw.
  explicit LabSession(std::function<void()> wake);
  ~LabSession();
  LabSession(const LabSession&) = delete;
  LabSession& operator=(const LabSession&) = delete;

  /// Starts a sweep, after the one that runs has been stopped. What was measured before is forgotten. `log` is told why
  /// points are left out, and of an error that ends the sweep; it has to exist until that is over.
  void start(LabSweep sweep, LogBook& log);
  /// Ends the sweep after the run that is in progress. What is measured stays.
  void stop();
  [[nodiscard]] LabProgress progress() const;
  /// Number of results of the sweep.
  [[nodiscard]] std::size_t measured() const;
  /// All results of the sweep, in the order in which they were measured, as `bench` reports them.
  [[nodiscard]] Report report() const;
  /// The ceilings of this machine's CPU, which are measured before the first point of the first sweep; empty before
  /// that.
  [[nodiscard]] HostRooflines ceilings() const;
  /// Waits until the sweep is over.
  void wait();

 private:
  void measure_all(const LabSweep& sweep, LogBook& log, const std::stop_token& stop);
  void measure_point(const LabSweep& sweep, const PlannedPoint& planned, LogBook& log, const std::stop_token& stop);

  std::function<void()> wake_;
  mutable std::mutex mutex_;  ///< Guards the members from here to started_.
  Report report_;
  HostRooflines ceilings_;
  LabProgress progress_;
  double started_ = 0.0;   ///< Steady clock in seconds.
  std::stop_source stop_;  ///< Of the present sweep; replaced only while no thread runs.
  std::jthread thread_;
};

}  // namespace threadscape::app
