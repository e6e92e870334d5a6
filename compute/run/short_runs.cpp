#include "compute/run/short_runs.h"

#include <algorithm>

namespace threadscape {

bool ShortRuns::goes_on(const RunRequest& request, const Shape& input) const {
  return request.algorithm == series_.algorithm && request.variant == series_.variant &&
         request.route == series_.route && input == series_.input && request.params == series_.params;
}

int ShortRuns::threads(const RunRequest& request, const Shape& input) {
  asked_ = request.backend == Backend::openmp && request.threads == 0;
  if (!asked_) return threads_of(request);
  if (!goes_on(request, input)) {
    series_ = {.algorithm = request.algorithm,
               .params = request.params,
               .variant = request.variant,
               .route = request.route,
               .input = input};
    choice_ = ThreadChoice(most_);
    runs_ = 0;
  }
  return choice_.threads();
}

void ShortRuns::took(double milliseconds) {
  // Threads wake within some 10 us, which longer runs do not notice.
  constexpr double longest = 0.5;
  constexpr int runs_to_compare = 5;  // The first run on a number of threads may start them.
  if (!asked_ || choice_.settled()) return;
  best_ms_ = runs_ == 0 ? milliseconds : std::min(best_ms_, milliseconds);
  if (++runs_ < runs_to_compare || best_ms_ > longest) return;
  choice_.measured(best_ms_);
  runs_ = 0;
}

}  // namespace threadscape
