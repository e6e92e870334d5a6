#include "app/bench/bench_measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>

#include "app/analysis/samples.h"
#include "compute/core/cpu_info.h"
#include "compute/core/machine.h"
#include "compute/core/scratch.h"
#include "compute/core/timings.h"
#include "compute/registry/registry.h"
#include "compute/run/device_bench.h"
#include "compute/run/device_group.h"
#include "compute/run/memory_plan.h"
#include "compute/run/runner.h"
#include "compute/run/stage_run.h"

namespace threadscape::app {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr std::size_t min_samples = 3;
/// Minimum duration of a sample on the device. CUDA events resolve about half a microsecond, so the error stays below
/// 0.1 %.
constexpr double min_sample_ms = 2.0;
constexpr int max_batch = 1000;

/// Empties the caches of the CPU by writing to four times as much memory as they hold. The calling thread does it,
/// which also empties the private caches of other cores, because lines of the shared cache that are replaced leave the
/// private ones as well, or are older than what the runs have written.
class CacheEvictor {
 public:
  CacheEvictor() : bytes_(std::max(std::size_t{64} << 20, 4 * cpu_info().l3_bytes), 1) {}
  void evict() {
    constexpr std::size_t line = 64;
    for (std::size_t i = 0; i < bytes_.size(); i += line)
      ++bytes_[i];
  }

 private:
  std::vector<unsigned char> bytes_;
};

/// Something that takes samples: an algorithm on one of the backends, or a peer.
class Subject {
 public:
  explicit Subject(BenchPoint of, std::string peer = "") : point(std::move(of)), result(row_of(point)) {
    const RunRequest& request = point.request;
    result.where.peer = std::move(peer);
    result.counts.bytes = bytes_moved(*request.algorithm, request.params, point.input, point.output);
    if (request.algorithm->operations)
      result.counts.operations = request.algorithm->operations(request.params, point.input);
  }
  virtual ~Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  /// Makes the runs before the samples, and keeps their times.
  virtual void warm_up(const SamplingRule& rule) {
    for (int n = 0; n < rule.warm_up_runs; ++n)
      result.samples.warm_up.push_back(milliseconds());
  }
  /// Takes one sample and returns it in milliseconds per run.
  virtual double milliseconds() = 0;
  /// Measures what is not sampled in turns.
  virtual void finish() {}
  /// Counts one run. Runs of more than a second are not made again for that. `evictor` empties the caches before the
  /// run; null leaves them as they are.
  void count(CacheEvictor* evictor) {
    constexpr double max_ms = 1000.0;
    if (result.samples.median() > max_ms) return;
    if (evictor != nullptr) evictor->evict();
    CpuCounters counters;
    counters.start();
    (void)milliseconds();
    result.counts.cpu = counters.stop();
  }
  [[nodiscard]] bool on_cpu() const { return point.request.backend != Backend::cuda; }

  BenchPoint point;
  Measurement result;
};

class CpuSubject : public Subject {
 public:
  CpuSubject(const BenchPoint& of, HostIn input, std::stop_token stop)
      : Subject(of), input_(input), output_(of.output), stop_(std::move(stop)) {
    point.request.threads = of.threads();  // A short run that leaves it open may take fewer than the row states.
  }
  double milliseconds() override { return runner_.run_into(point.request, input_, output_.view(), stop_).compute_ms; }
  void finish() override {
    // Allocation varies little, so only the minimum number of samples is taken. A machine without room for a second
    // result has no figure for it.
    const MemoryPlan need = plan_memory(point.request, input_.shape);
    if (need.host_bytes() > free_host_bytes()) return;
    for (std::size_t n = 0; n < min_samples; ++n) {
      const auto start = Clock::now();
      {
        HostArray output(point.output);
        HostScratch scratch;
        scratch.reset(need.host_scratch);
        if (!output.empty()) std::memset(output.data(), 0, need.host_output);
        if (need.host_scratch > 0) std::memset(scratch.take<std::byte>(need.host_scratch).data(), 0, need.host_scratch);
      }
      result.samples.allocation.push_back(seconds_since(start) * 1e3);
    }
  }

 private:
  HostIn input_;
  HostArray output_;
  std::stop_token stop_;
  Runner runner_;
};

class PeerSubject : public Subject {
 public:
  PeerSubject(const BenchPoint& point, HostIn input, const Peer& peer)
      : Subject(point, std::string(peer.name)), input_(input), output_(point.output), peer_(peer) {}
  double milliseconds() override {
    const auto start = Clock::now();
    peer_.run(input_, output_.view(), point.threads(), point.request.params);
    return seconds_since(start) * 1e3;
  }

 private:
  HostIn input_;
  HostArray output_;
  const Peer& peer_;
};

class CudaSubject : public Subject {
 public:
  CudaSubject(const BenchPoint& point, HostIn input)
      : Subject(point), input_(input), output_(point.output), device_(point.request, input, point.output) {
    note_buffers();
  }
  CudaSubject(const BenchPoint& point, HostIn input, const Peer& peer)
      : Subject(point, std::string(peer.name)),
        input_(input),
        output_(point.output),
        device_(device_of(point.request), peer.on_device(point.request.params, input.shape, device_of(point.request)),
                input, point.output) {
    note_buffers();
  }
  void warm_up(const SamplingRule& rule) override {
    Samples& series = result.samples;
    for (int n = 0; n < std::max(rule.warm_up_runs, 1); ++n)
      series.warm_up.push_back(device_.compute_ms(series.buffers));
    const double once = std::max(series.warm_up.back(), 1e-4);
    series.batch = std::clamp(static_cast<int>(std::ceil(min_sample_ms / once)), 1, max_batch);
  }
  double milliseconds() override { return device_.compute_ms(result.samples.batch); }
  void finish() override {
    if (!result.where.peer.empty()) return;  // Kernels, transfers and memory are stated for our own runs.
    result.counts.kernels = device_.kernels();
    // Transfers take long and vary little, so only the minimum number of samples is taken.
    for (std::size_t n = 0; n <= min_samples; ++n) {
      const double up = input_.shape.items() > 0 ? device_.upload_ms(input_) : 0.0;
      const double down = device_.download_ms(output_.view());
      if (n == 0) continue;  // The first transfer touches memory pages for the first time and is not counted.
      if (const std::optional<double> allocation = device_.allocation_ms())
        result.samples.allocation.push_back(*allocation);
      result.samples.upload.push_back(up);
      result.samples.download.push_back(down);
    }
  }

 private:
  void note_buffers() {
    result.samples.buffers = device_.pairs();
    result.samples.caches = device_.pairs() > 1 ? "cold" : "warm";
  }

  HostIn input_;
  HostArray output_;
  cuda::DeviceBench device_;
};

/// Whole runs on the first devices of a request, from host memory to host memory. One device works in pieces as several
/// do, so that what several gain is not that uploads run beside kernels.
class DevicesSubject : public Subject {
 public:
  DevicesSubject(const BenchPoint& point, std::size_t count, HostIn input, std::stop_token stop)
      : Subject(on_first(point, count)), input_(input), output_(point.output), stop_(std::move(stop)) {}
  double milliseconds() override {
    const auto start = Clock::now();
    group_.run(point.request, input_, output_.view(), stop_, nullptr);
    return seconds_since(start) * 1e3;
  }

 private:
  static BenchPoint on_first(BenchPoint point, std::size_t count) {
    point.request.devices.resize(count);
    return point;
  }

  HostIn input_;
  HostArray output_;
  std::stop_token stop_;
  DeviceGroup group_{point.request.devices};
};

using Subjects = std::vector<std::unique_ptr<Subject>>;

std::unique_ptr<Subject> make_subject(const BenchPoint& point, HostIn input, const std::stop_token& stop) {
  if (point.request.backend == Backend::cuda) return std::make_unique<CudaSubject>(point, input);
  return std::make_unique<CpuSubject>(point, input, stop);
}

/// Returns true if the interval of every median is as narrow as the rule asks.
bool precise(const Subjects& subjects, double precision) {
  return std::ranges::all_of(subjects, [precision](const auto& subject) {
    const MedianInterval median = median_interval(subject->result.samples.compute);
    return median.reached && median.precision() <= precision;
  });
}

void keep_every_second(std::vector<double>& samples) {
  for (std::size_t i = 0; 2 * i < samples.size(); ++i)
    samples[i] = samples[2 * i];
  samples.resize((samples.size() + 1) / 2);
}

/// Takes samples of all subjects in turns until the rule is met. Returns why it ended, as Series::ended states it.
/// `evictor` empties the caches before every run on the CPU; null leaves them as they are.
std::string sample_in_turns(const Subjects& subjects, const SamplingRule& rule, CacheEvictor* evictor,
                            const std::stop_token& stop) {
  const auto start = Clock::now();
  // The medians are computed again after a tenth more samples, because that takes time too.
  std::size_t next_check = 0, step = 1;
  for (std::size_t samples = 0;; ++samples) {
    const double seconds = seconds_since(start);
    if (rule.enough(samples, seconds)) {
      const bool late = seconds > rule.max_seconds;
      // The last sample that was wanted may end after the time is over.
      const bool complete = samples >= static_cast<std::size_t>(rule.repetitions);
      if (rule.precision <= 0.0) return complete ? "samples" : "time";
      if (late || samples >= next_check) {
        if (complete && precise(subjects, rule.precision)) return "precision";
        if (late) return "time";
        next_check = samples + samples / 10 + 1;
      }
    }
    for (const auto& subject : subjects) {
      if (stop.stop_requested()) throw Cancelled();
      if (evictor && subject->on_cpu()) evictor->evict();
      const double ms = subject->milliseconds();
      if (samples % step == 0) subject->result.samples.compute.push_back(ms);
    }
    if (subjects.front()->result.samples.compute.size() < SamplingRule::most_samples) continue;
    step *= 2;
    for (const auto& subject : subjects)
      keep_every_second(subject->result.samples.compute);
  }
}

/// Warms up, samples in turns, and notes the conditions.
std::vector<Measurement> sample(const Subjects& subjects, const SamplingRule& rule, const std::stop_token& stop) {
  const gpu::Device* gpu = nullptr;
  for (const auto& subject : subjects)
    if (!subject->on_cpu()) gpu = &device_of(subject->point.request);
  for (const auto& subject : subjects) {
    subject->warm_up(rule);
    if (subject->on_cpu()) subject->result.samples.caches = rule.cold ? "cold" : "warm";
  }
  const MachineState before = read_machine_state(gpu);
  std::unique_ptr<CacheEvictor> evictor;
  if (rule.cold) evictor = std::make_unique<CacheEvictor>();
  const std::string ended = sample_in_turns(subjects, rule, evictor.get(), stop);
  const Conditions conditions = conditions_between(before, read_machine_state(gpu));
  std::vector<Measurement> results;
  for (const auto& subject : subjects) {
    subject->finish();
    if (rule.counters && subject->on_cpu()) subject->count(evictor.get());
    subject->result.samples.ended = ended;
    subject->result.conditions = conditions;
    results.push_back(subject->result);
  }
  return results;
}

/// Measures the stages of a run of Threadscape itself, after the samples.
void add_stages(const BenchPoint& point, HostIn input, Measurement& row, const std::stop_token& stop) {
  constexpr int runs = 5;
  constexpr double seconds = 0.5, max_ms = 1000.0;
  if (!point.request.algorithm->stages || row.samples.median() > max_ms) return;
  Runner runner;
  const StageRun run = measure_stages(runner, point.request, input, stop, runs, seconds);
  for (const StageTime& stage : run.stages)
    row.counts.stages.emplace_back(stage.name, stage.ms);
  row.counts.stages.emplace_back("rest", run.rest_ms());
}

}  // namespace

bool SamplingRule::enough(std::size_t samples, double seconds) const {
  if (samples < std::min(min_samples, static_cast<std::size_t>(repetitions))) return false;
  if (seconds > max_seconds) return true;
  return samples >= static_cast<std::size_t>(repetitions) && seconds >= min_seconds;
}

int BenchPoint::threads() const {
  if (request.backend != Backend::openmp) return 1;
  return request.threads > 0 ? request.threads : hardware_threads();
}

const Shape& work_shape(const BenchPoint& point) {
  return point.input.kind == Kind::none ? point.output : point.input;
}

Measurement row_of(const BenchPoint& point) {
  const RunRequest& request = point.request;
  const Variant& variant = request.algorithm->variants_of(request.backend)[static_cast<std::size_t>(request.variant)];
  std::string route = request.route.empty() ? "" : "/" + request.route;
  if (const std::size_t devices = request.devices.size(); devices > 0)
    route += "/" + std::to_string(devices) + (devices == 1 ? " device" : " devices");
  Measurement row{
      .what = {.algorithm = std::string(request.algorithm->name),
               .params = parameters_of(request.params),
               .input = point.input,
               .output = point.output,
               .file = point.file ? point.file->name : ""},
      .where = {.backend = request.backend, .variant = std::string(variant.name) + route, .threads = point.threads()}};
  row.series = point.series;
  return row;
}

Measurement skipped(const BenchPoint& point, const std::string& why) {
  Measurement row = row_of(point);
  row.skipped = why;
  return row;
}

std::vector<Measurement> measure(const BenchPoint& point, HostIn input, std::span<const Peer> candidates,
                                 const SamplingRule& rule, const std::stop_token& stop) {
  Subjects subjects;
  if (is_divided(point.request)) {
    for (std::size_t count = 1; count <= point.request.devices.size(); ++count)
      subjects.push_back(std::make_unique<DevicesSubject>(point, count, input, stop));
    return sample(subjects, rule, stop);
  }
  subjects.push_back(make_subject(point, input, stop));
  for (const Peer& peer : candidates) {
    const bool comparable = point.request.backend == peer.backend && peer.algorithm == point.request.algorithm->name &&
                            peer.supports(point.request.params, point.input);
    if (comparable && peer.on_device)
      subjects.push_back(std::make_unique<CudaSubject>(point, input, peer));
    else if (comparable)
      subjects.push_back(std::make_unique<PeerSubject>(point, input, peer));
  }
  std::vector<Measurement> results = sample(subjects, rule, stop);
  add_stages(point, input, results[0], stop);
  for (std::size_t i = 1; i < results.size(); ++i)
    results[i].peer_over_ours = results[i].samples.median() / results[0].samples.median();
  return results;
}

void count_on_gpu(const BenchPoint& point, HostIn input, Measurement& row) {
  // Each launch takes some tenths of a millisecond longer in each pass.
  constexpr double max_ms = 1000.0;
  constexpr int max_launches = 2000;
  int launches = 0;
  for (const cuda::KernelFacts& kernel : row.counts.kernels)
    launches += kernel.launches;
  cuda::CountedRun& counts = row.counts.gpu;
  if (row.samples.median() > max_ms || launches > max_launches) {
    counts.why_none = "the counters of the GPU are not read for runs of more than a second, or of more than " +
                      std::to_string(max_launches) + " launches";
    return;
  }
  try {
    counts = cuda::DeviceBench(point.request, input, point.output).count();
  } catch (const Error& error) {
    counts.why_none = error.what();
  }
}

std::vector<Measurement> measure_in_turns(const BenchPoint& a, HostIn input_of_a, const BenchPoint& b,
                                          HostIn input_of_b, const SamplingRule& rule, const std::stop_token& stop) {
  Subjects subjects;
  subjects.push_back(make_subject(a, input_of_a, stop));
  subjects.push_back(make_subject(b, input_of_b, stop));
  std::vector<Measurement> results = sample(subjects, rule, stop);
  add_stages(a, input_of_a, results[0], stop);
  add_stages(b, input_of_b, results[1], stop);
  return results;
}

}  // namespace threadscape::app
