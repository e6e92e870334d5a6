#include "app/analysis/why.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/analysis/verdict.h"
#include "app/report/text.h"

namespace threadscape::app {

namespace {

std::string percent(double share) {
  if (share > 0.0 && share < 0.005) return format_number(share * 100.0, 1) + " %";  // It is not 0.
  return std::to_string(std::lround(share * 100.0)) + " %";
}

std::string count_text(double threads) {
  return std::to_string(std::lround(threads));
}

void transfers(const WhyFacts& facts, std::vector<std::string>& sentences) {
  const double moved = facts.upload_ms + facts.download_ms, share = moved / (moved + facts.compute_ms);
  if (share >= WhyLimits::transfers)
    sentences.push_back("Transfers are " + percent(share) +
                        " of the total: keep the data on the GPU, or give it more work per byte.");
}

void memory_or_latency(const WhyFacts& facts, std::vector<std::string>& sentences) {
  const bool on_gpu = facts.backend == Backend::cuda;
  if (on_gpu && facts.compute_ms <= WhyLimits::launch_ms)
    sentences.push_back("Bound by latency: a run of " + format_number(facts.compute_ms * 1e3) +
                        " us is not much longer than the launches of its kernels.");
  if (on_gpu && facts.busy_multiprocessors > 0 && facts.busy_multiprocessors < facts.multiprocessors)
    sentences.push_back("Bound by latency: at most " + std::to_string(facts.busy_multiprocessors) + " of " +
                        std::to_string(facts.multiprocessors) + " multiprocessors have work.");
  if (facts.of_copy > 1.05)
    sentences.push_back("Faster than a copy of memory (" + percent(facts.of_copy) + "): the data stay in a cache.");
  else if (facts.of_copy >= WhyLimits::memory)
    sentences.push_back("Bound by memory: at " + percent(facts.of_copy) + " of a plain copy.");
}

/// The verdicts on the time of each of `points`, compared with that of `reference`.
std::vector<RowComparison> compared_with(const ThreadPoint& reference, std::span<const ThreadPoint> points) {
  std::vector<RowSamples> rows;
  for (const ThreadPoint& point : points)
    rows.push_back({.before = reference.samples, .after = point.samples});
  return compare_rows(rows, {});
}

/// " Other programs kept 0.94 cores busy meanwhile, which may be why."; "" on a quiet machine.
std::string load_hint(const WhyFacts& facts) {
  if (facts.other_load <= WhyLimits::quiet_load) return {};
  return " Other programs kept " + format_number(facts.other_load, 2) + " cores busy meanwhile, which may be why.";
}

/// Says whether threads beyond the physical cores help. Returns false if they do, or if nothing is known about that.
bool beyond_the_cores(const WhyFacts& facts, std::vector<std::string>& sentences) {
  const auto on_cores =
      std::ranges::find(facts.scaling, static_cast<double>(facts.physical_cores), &ThreadPoint::threads);
  if (on_cores == facts.scaling.end() || on_cores + 1 == facts.scaling.end()) return false;
  const std::vector<RowComparison> verdicts = compared_with(*on_cores, {on_cores + 1, facts.scaling.end()});
  const auto any = [&](Verdict verdict) { return std::ranges::count(verdicts, verdict, &RowComparison::verdict) > 0; };
  if (any(Verdict::faster)) return false;
  const std::string beyond = "hreads beyond the " + std::to_string(facts.physical_cores) + " physical cores ";
  sentences.push_back((any(Verdict::unclear) ? "UNCLEAR: more runs decide whether t" + beyond + "help."
                                             : "T" + beyond + "do not help.") +
                      load_hint(facts));
  return true;
}

/// Says which smaller number of threads is faster than the largest, if the samples bear that out.
void fewer_threads(const WhyFacts& facts, std::vector<std::string>& sentences) {
  const ThreadPoint& most = facts.scaling.back();
  const std::vector<RowComparison> verdicts = compared_with(most, {facts.scaling.begin(), facts.scaling.end() - 1});
  const auto best = std::ranges::min_element(verdicts, {}, &RowComparison::after);
  const double fewer = facts.scaling[static_cast<std::size_t>(best - verdicts.begin())].threads;
  const std::string fast =
      count_text(fewer) + (fewer == 1.0 ? " thread is" : " threads are") + " faster than " + count_text(most.threads);
  if (best->verdict == Verdict::faster)
    sentences.push_back(fast + ": " + format_number(1.0 / best->ratio.ratio) +
                        "x (95 %: " + format_number(1.0 / best->ratio.interval.high) + " to " +
                        format_number(1.0 / best->ratio.interval.low) + ")." + load_hint(facts));
  else if (best->verdict == Verdict::unclear && best->after < best->before)
    sentences.push_back("UNCLEAR: more runs decide whether " + fast + "." + load_hint(facts));
}

void threads(const WhyFacts& facts, std::vector<std::string>& sentences) {
  if (facts.scaling.size() < 2) return;
  const ThreadPoint& most = facts.scaling.back();
  if (most.threads > 1.0 && most.milliseconds < WhyLimits::thread_ms)
    sentences.push_back("Too little work: " + count_text(most.threads) + " threads share " +
                        format_number(most.milliseconds * 1e3) + " us, and waking them takes a part of that.");
  const bool sampled =
      std::ranges::none_of(facts.scaling, [](const ThreadPoint& point) { return point.samples.empty(); });
  if (sampled && !beyond_the_cores(facts, sentences)) fewer_threads(facts, sentences);
  const std::optional<AmdahlFit> fit = fit_amdahl(facts.scaling);
  if (fit && fit->interval.low > 0.0 && fit->serial_fraction >= WhyLimits::serial_fraction)
    sentences.push_back("A serial fraction of " + format_number(fit->serial_fraction * 100.0) + " % (95 %: " +
                        format_number(fit->interval.low * 100.0) + " to " + format_number(fit->interval.high * 100.0) +
                        " %) allows a speed-up of at most " + format_number(fit->max_speed_up()) + "x.");
}

}  // namespace

std::vector<std::string> why(const WhyFacts& facts) {
  std::vector<std::string> sentences;
  if (facts.compute_ms <= 0.0) return sentences;
  transfers(facts, sentences);
  memory_or_latency(facts, sentences);
  threads(facts, sentences);
  if (sentences.empty() && facts.of_copy > 0.0)
    sentences.push_back("Not bound by memory: it is used at only " + percent(facts.of_copy) +
                        " of the rate of a copy." +
                        (facts.counted                    ? ""
                         : facts.backend == Backend::cuda ? " The scene Kernel counts what else takes the time by line."
                                                          : " What else takes the time was not measured."));
  else if (sentences.empty() && !facts.counted)
    sentences.push_back("None of the known causes (transfers, launches, threads) explains this time.");
  if (facts.precision >= WhyLimits::precision)
    sentences.push_back("Uncertain: the median is known to +/- " + percent(facts.precision) + " only.");
  if (facts.missing_runs > 0)
    sentences.push_back("UNCLEAR: the median has no interval yet; " + std::to_string(facts.missing_runs) +
                        (facts.missing_runs == 1 ? " run is missing." : " runs are missing."));
  return sentences;
}

}  // namespace threadscape::app
