#include "app/lab/lab_session.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/bench/resample.h"
#include "app/lab/lab_plan.h"
#include "compute/core/ceilings.h"
#include "compute/core/errors.h"

namespace threadscape::app {

namespace {

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

HostRooflines measure_ceilings() {
  const Roofline one = roofline_of(host_ceilings(1));
  const int threads = hardware_threads();
  return {.one_thread = one, .all_threads = threads > 1 ? roofline_of(host_ceilings(threads)) : one};
}

std::string text_of(const BenchPoint& point) {
  std::string text = std::string(name_of(point.request.backend)) + " " + extent_text(work_shape(point));
  if (point.request.backend == Backend::openmp) text += " on " + std::to_string(point.threads()) + " threads";
  return text;
}

/// The input of a point: the loaded one at the size of the point, or what `bench` would take.
HostArray input_of(const LabSweep& sweep, const BenchPoint& point) {
  if (!sweep.input) return make_input(point);
  const HostIn loaded = sweep.input->picture.pixels.view();
  const Shape &own = point.input, &given = loaded.shape;
  const bool alike = own.kind == given.kind && own.element == given.element && own.channels == given.channels;
  return alike ? resampled(loaded, own) : make_input(point);
}

}  // namespace

std::optional<double> LabProgress::remaining() const {
  if (done == 0 || !running) return {};
  return seconds / static_cast<double>(done) * static_cast<double>(total - done);
}

std::string LabProgress::count_text() const {
  std::string text = std::to_string(done) + "/" + std::to_string(total);
  if (const auto left = remaining()) text += ", " + std::to_string(std::lround(*left)) + " s left";
  return text;
}

std::string LabProgress::sentence() const {
  return "Measuring " + now + " (" + count_text() + ")";
}

LabSession::LabSession(std::function<void()> wake) : wake_(std::move(wake)) {}

LabSession::~LabSession() {
  stop();
  wait();
}

void LabSession::start(LabSweep sweep, LogBook& log) {
  stop();
  wait();
  {
    gpu::Device& device = device_of(sweep.points.empty() ? RunRequest{} : sweep.points.front().point.request);
    const std::scoped_lock lock(mutex_);
    report_ = {.environment = environment_of(device)};
    if (sweep.suite) {
      report_.suite = sweep.suite->name;
      report_.suite_definition = sweep.suite->definition;
    }
    progress_ = {
        .running = true, .done = 0, .total = sweep.points.size(), .seconds = 0.0, .now = "the limits of this machine"};
    started_ = now_seconds();
  }
  stop_ = std::stop_source();
  thread_ = std::jthread([this, &log, sweep = std::move(sweep)] { measure_all(sweep, log, stop_.get_token()); });
}

void LabSession::stop() {
  stop_.request_stop();
}

void LabSession::wait() {
  if (thread_.joinable()) thread_.join();
}

void LabSession::measure_all(const LabSweep& sweep, LogBook& log, const std::stop_token& stop) {
  try {
    {
      static const HostRooflines measured = measure_ceilings();  // They do not change while the program runs.
      const std::scoped_lock lock(mutex_);
      ceilings_ = measured;
    }
    CopyLimits limits = measure_limits(sweep.points);
    {
      const std::scoped_lock lock(mutex_);
      report_.limits = std::move(limits);
    }
    for (const PlannedPoint& planned : sweep.points) {
      if (stop.stop_requested()) break;
      measure_point(sweep, planned, log, stop);
      wake_();
    }
  } catch (const Cancelled&) {
    // The user has stopped the sweep; what was measured stays.
  } catch (const std::exception& error) {
    const std::scoped_lock lock(mutex_);
    log.warning("lab: " + (progress_.trouble = error.what()));
  }
  {
    const std::scoped_lock lock(mutex_);
    progress_.running = false;
    progress_.seconds = now_seconds() - started_;
  }
  wake_();
}

void LabSession::measure_point(const LabSweep& sweep, const PlannedPoint& planned, LogBook& log,
                               const std::stop_token& stop) {
  {
    const std::scoped_lock lock(mutex_);
    progress_.now = text_of(planned.point);
  }
  std::vector<Measurement> results;
  std::string trouble = planned.left_out;
  try {
    if (trouble.empty()) {
      const HostArray input = input_of(sweep, planned.point);
      results = measure(planned.point, input.view(), sweep.peers, planned.rule, stop);
    }
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    trouble = error.what();  // The machine cannot run this point; others may still be measured.
  }
  const std::scoped_lock lock(mutex_);
  if (!trouble.empty()) log.warning("lab: " + (progress_.trouble = text_of(planned.point) + ": " + trouble));
  for (Measurement& row : results)
    report_.add(std::move(row));
  ++progress_.done;
}

LabProgress LabSession::progress() const {
  const std::scoped_lock lock(mutex_);
  LabProgress progress = progress_;
  if (progress.running) progress.seconds = now_seconds() - started_;
  return progress;
}

Report LabSession::report() const {
  const std::scoped_lock lock(mutex_);
  return report_;
}

std::size_t LabSession::measured() const {
  const std::scoped_lock lock(mutex_);
  return report_.rows.size();
}

HostRooflines LabSession::ceilings() const {
  const std::scoped_lock lock(mutex_);
  return ceilings_;
}

}  // namespace threadscape::app
