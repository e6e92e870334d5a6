#include "app/timing_book.h"

namespace threadscape::app {

void TimingBook::push(const TimingSample& sample) {
  const std::size_t i = index(sample.backend);
  TimingSample numbered = sample;
  numbered.run = runs_++;
  // The first run of a backend pays for page faults, thread start and kernel loading.
  numbered.warm_up = history_[i].size() == 0;
  if (variant_[i] != sample.variant || threads_[i] != sample.threads) {
    statistics_[i].clear();
    variant_[i] = sample.variant;
    threads_[i] = sample.threads;
  }
  history_[i].push(numbered);
  statistics_[i].push(numbered);
  latest_ = numbered;
}

void TimingBook::start_statistics() {
  for (TimingHistory& history : statistics_)
    history.clear();
}

void TimingBook::clear() {
  *this = TimingBook{};
}

}  // namespace threadscape::app
