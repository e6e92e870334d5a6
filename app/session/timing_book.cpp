#include "app/session/timing_book.h"

namespace threadscape::app {

void TimingBook::push(const TimingSample& sample) {
  const std::size_t i = index(sample.backend);
  TimingSample numbered = sample;
  numbered.run = runs_++;
  const auto [series, first] = statistics_.try_emplace({sample.backend, sample.variant, sample.threads});
  // The first run of a backend, of a variant and of a number of threads is a warm-up, because it includes page faults,
  // the start of threads and the loading of kernels.
  numbered.warm_up = first;
  variant_[i] = sample.variant;
  threads_[i] = sample.threads;
  history_[i].push(numbered);
  series->second.push(numbered);
  latest_ = numbered;
}

void TimingBook::start_statistics() {
  for (auto& [key, series] : statistics_)
    series.clear();
}

const TimingHistory& TimingBook::statistics(Backend backend) const {
  static const TimingHistory none;
  const std::size_t i = index(backend);
  const TimingHistory* const found = statistics(backend, variant_[i], threads_[i]);
  return found == nullptr ? none : *found;
}

const TimingHistory* TimingBook::statistics(Backend backend, int variant, int threads) const {
  const auto found = statistics_.find({backend, variant, threads});
  return found == statistics_.end() || found->second.size() == 0 ? nullptr : &found->second;
}

const TimingHistory* TimingBook::variant_statistics(Backend backend, int variant) const {
  return statistics(backend, variant, threads_[index(backend)]);
}

void TimingBook::clear() {
  *this = TimingBook{};
}

}  // namespace threadscape::app
