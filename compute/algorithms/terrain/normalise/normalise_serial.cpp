// Normalise, the readable reference: one pass over the heights for their range, and one to map them.

#include <algorithm>
#include <limits>

#include "compute/algorithms/terrain/normalise/normalise.h"
#include "compute/core/rows.h"

namespace threadscape {
namespace {

/// normalise::Range in the type of the heights: comparing integers as such gives the range of their floats.
template <class Height>
struct HeightRange {
  Height min = std::numeric_limits<Height>::max(), max = std::numeric_limits<Height>::lowest();

  /// Extends the range by a row. A NaN is neither less nor greater.
  void take_in(const Height* row, int width) {
    Height lowest = min, highest = max;
    for (int x = 0; x < width; ++x) {
      lowest = std::min(lowest, row[x]);
      highest = std::max(highest, row[x]);
    }
    min = lowest;
    max = highest;
  }
};

/// The stretch is a copy, which no store can change.
template <class Height>
void stretch_row(const normalise::Stretch stretch, const Height* from, float* to, int width) {
  for (int x = 0; x < width; ++x)
    to[x] = stretch(static_cast<float>(from[x]));
}

}  // namespace

void Normalise::serial(const Params& params, const HostRun& run) {
  const auto out = run.out.image<float>();
  terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
    const auto in = run.in.image<Height>();
    normalise::Range range;
#pragma omp parallel num_threads(run.threads) if (run.threads > 1)
    {
      HeightRange<Height> own;
#pragma omp for schedule(static)
      for (int y = 0; y < in.height; ++y)
        own.take_in(in.row(y), in.width);
#pragma omp critical
      normalise::take_in(range, {static_cast<float>(own.min), static_cast<float>(own.max)});
    }
    const normalise::Stretch stretch(range, params.low, params.high);
    for_rows(run, in.height, [&](int y) { stretch_row(stretch, in.row(y), out.row(y), in.width); });
  });
}

}  // namespace threadscape
