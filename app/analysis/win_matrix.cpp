#include "app/analysis/win_matrix.h"

#include <algorithm>
#include <array>
#include <set>

#include "app/analysis/rank_test.h"
#include "compute/core/timings.h"

namespace threadscape::app {

namespace {

/// The fastest contender of every backend at a place, fastest first.
std::vector<const Contender*> ranking(const std::vector<Contender>& contenders, const std::string& row, double column) {
  std::array<const Contender*, 3> best{};
  const auto median = [](const Contender* contender) { return summarize(contender->samples).median; };
  for (const Contender& contender : contenders) {
    if (contender.row != row || contender.column != column || contender.samples.empty()) continue;
    const Contender*& own = best[static_cast<std::size_t>(contender.backend)];
    if (own == nullptr || median(&contender) < median(own)) own = &contender;
  }
  std::vector<const Contender*> ranked;
  for (const Contender* contender : best)
    if (contender != nullptr) ranked.push_back(contender);
  std::ranges::sort(ranked, {}, median);
  return ranked;
}

}  // namespace

WinMatrix win_matrix(const std::vector<Contender>& contenders) {
  WinMatrix matrix;
  std::set<double> columns;
  for (const Contender& contender : contenders) {
    columns.insert(contender.column);
    if (std::ranges::find(matrix.rows, contender.row) == matrix.rows.end()) matrix.rows.push_back(contender.row);
  }
  matrix.columns.assign(columns.begin(), columns.end());
  for (const std::string& row : matrix.rows)
    for (const double column : matrix.columns) {
      WinCell cell;
      const std::vector<const Contender*> ranked = ranking(contenders, row, column);
      if (!ranked.empty()) {
        cell.measured = true;
        cell.winner = ranked.front()->backend;
      }
      for (const Contender* contender : ranked)
        cell.times.push_back({contender->backend, median_interval(contender->samples), contender->samples.size()});
      if (ranked.size() > 1) {
        const RatioEstimate ratio = ratio_of_times(ranked[0]->samples, ranked[1]->samples, 0.95);
        cell.factor = cell.times[1].median.median / cell.times[0].median.median;
        cell.pairs = ratio.ratio;
        cell.tie = ratio.interval.low <= 1.0;  // Medians and ratios of pairs may disagree about who is first.
      }
      matrix.cells.push_back(cell);
    }
  return matrix;
}

}  // namespace threadscape::app
