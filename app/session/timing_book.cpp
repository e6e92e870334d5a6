#include "app/session/timing_book.h"

namespace threadscape::app {

void TimingBook::push(const TimingSample& sample) {
  const std::size_t i = index(sample.backend);
  TimingSample numbered = sample;
  numbered.run = runs_++;
  // The first run of a backend is marked as warm-up, because it includes page faults, the start of threads and the
  // loading of kernels.
  numbered.warm_up = history_[i].size() == 0;
  if (threads_[i] != sample.threads)
    std::erase_if(variant_statistics_, [&](const auto& entry) { return entry.first.first == sample.backend; });
  if (variant_[i] != sample.variant || threads_[i] != sample.threads) {
    statistics_[i].clear();
    variant_[i] = sample.variant;
    threads_[i] = sample.threads;
  }
  history_[i].push(numbered);
  statistics_[i].push(numbered);
  TimingHistory& of_variant = variant_statistics_[{sample.backend, sample.variant}];
  TimingSample own = numbered;
  own.warm_up = of_variant.size() == 0;
  of_variant.push(own);
  latest_ = numbered;
}

void TimingBook::start_statistics() {
  for (TimingHistory& history : statistics_)
    history.clear();
  variant_statistics_.clear();
}

const TimingHistory* TimingBook::variant_statistics(Backend backend, int variant) const {
  const auto found = variant_statistics_.find({backend, variant});
  return found == variant_statistics_.end() ? nullptr : &found->second;
}

void TimingBook::clear() {
  *this = TimingBook{};
}

}  // namespace threadscape::app
