#include "compute/core/timings.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace threadscape {

namespace {

/// Reorders `values`. Of an even count, the mean of the two in the middle.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2.0;
}

}  // namespace

Summary summarize(std::vector<double> values) {
  if (values.empty()) return {};
  Summary summary;
  summary.count = values.size();
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  summary.minimum = *low;
  summary.maximum = *high;
  summary.median = median_of(values);
  for (double& value : values)
    value = std::abs(value - summary.median);
  summary.spread = median_of(values);
  return summary;
}

void TimingHistory::push(const TimingSample& sample) {
  if (samples_.size() < capacity) {
    samples_.push_back(sample);
    return;
  }
  samples_[next_] = sample;
  next_ = (next_ + 1) % capacity;
}

const TimingSample& TimingHistory::operator[](std::size_t i) const {
  if (i >= samples_.size()) throw std::out_of_range("timing sample beyond the history");
  return samples_[(next_ + i) % samples_.size()];
}

Summary TimingHistory::summary(double StageTimes::*stage) const {
  std::vector<double> values;
  values.reserve(samples_.size());
  for (const TimingSample& sample : samples_)
    if (!sample.warm_up) values.push_back(stage ? sample.times.*stage : sample.times.total_ms());
  return summarize(std::move(values));
}

}  // namespace threadscape
