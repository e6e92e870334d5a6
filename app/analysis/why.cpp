#include "app/analysis/why.h"

#include <algorithm>
#include <cmath>

#include "app/report/text.h"

namespace threadscape::app {

namespace {

std::string percent(double share) {
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

void threads(const WhyFacts& facts, std::vector<std::string>& sentences) {
  if (facts.scaling.size() < 2) return;
  const ThreadPoint& most = facts.scaling.back();
  const auto best = std::ranges::min_element(facts.scaling, {}, &ThreadPoint::milliseconds);
  const auto cores = static_cast<double>(facts.physical_cores);
  const auto on_cores = std::ranges::find(facts.scaling, cores, &ThreadPoint::threads);
  if (most.threads > 1.0 && most.milliseconds < WhyLimits::thread_ms)
    sentences.push_back("Too little work: " + count_text(most.threads) + " threads share " +
                        format_number(most.milliseconds * 1e3) + " us, and waking them takes a part of that.");
  if (on_cores != facts.scaling.end() && most.threads > cores &&
      best->milliseconds > WhyLimits::useful * on_cores->milliseconds)
    sentences.push_back("Threads beyond the " + std::to_string(facts.physical_cores) + " physical cores do not help.");
  else if (best->threads < most.threads && best->milliseconds < WhyLimits::useful * most.milliseconds)
    sentences.push_back(count_text(best->threads) + (best->threads == 1.0 ? " thread is" : " threads are") +
                        " faster than " + count_text(most.threads) + ".");
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
  if (sentences.empty())
    sentences.push_back(facts.of_copy > 0.0
                            ? "Not bound by memory: it is used at only " + percent(facts.of_copy) +
                                  " of the rate of a copy. What else takes the time was not measured" +
                                  (facts.backend == Backend::cuda ? "; the scene Kernel counts it by line." : ".")
                            : "None of the known causes (transfers, launches, threads) explains this time.");
  if (facts.precision >= WhyLimits::precision)
    sentences.push_back("Uncertain: the median is known to +/- " + percent(facts.precision) + " only.");
  return sentences;
}

}  // namespace threadscape::app
