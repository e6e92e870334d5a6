// Reduction, the readable reference: one thread goes through the values in the order of the sequence.

#include <omp.h>

#include <algorithm>

#include "compute/algorithms/sequences/reduction/reduction.h"

namespace threadscape {

namespace {

/// Combines the values first .. end - 1 with one accumulator.
template <class Op>
typename Op::Partial reduce_loop(const Op& op, SequenceView<const typename Op::Value> values, std::int64_t first,
                                 std::int64_t end) {
  typename Op::Partial result = Op::identity();
  for (std::int64_t i = first; i < end; ++i)
    result = Op::combine(result, op.load(values[i], static_cast<std::uint32_t>(i)));
  return result;
}

/// Combines all values with one accumulator for each thread; of several threads only for operations of any order.
template <class Op>
typename Op::Partial reduce_loops(const Op& op, SequenceView<const typename Op::Value> values, int threads) {
  if (threads <= 1) return reduce_loop(op, values, 0, values.size);
  typename Op::Partial result = Op::identity();
#pragma omp parallel num_threads(threads)
  {
    const std::int64_t thread = omp_get_thread_num(), count = omp_get_num_threads();
    const auto own = reduce_loop(op, values, values.size * thread / count, values.size * (thread + 1) / count);
#pragma omp critical
    result = Op::combine(result, own);
  }
  return result;
}

/// Combines the values in the order that defines a sum of floats (reduction_math.h).
template <class Op>
typename Op::Partial reduce_tree(const Op& op, SequenceView<const typename Op::Value> values,
                                 typename Op::Partial* partials, int threads) {
  constexpr std::int64_t tile = reduction::tile_values<typename Op::Value>;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (std::int64_t first = 0; first < values.size; first += tile)
    partials[first / tile] =
        reduction::reduce_tile(op, values.data + first, std::min(values.size - first, tile), first);
  return reduction::reduce_partials(op, partials, reduction::tiles_of<typename Op::Value>(values.size));
}

}  // namespace

void Reduction::serial(const Params& params, const HostRun& run) {
  with_operation(params, [&]<class Op>(Op op) {
    const auto values = run.in.sequence<typename Op::Value>();
    typename Op::Partial result;
    if (Op::any_order || run.variant == 1) {
      result = reduce_loops(op, values, run.threads);
    } else {
      const auto tiles = static_cast<std::size_t>(reduction::tiles_of<typename Op::Value>(values.size));
      result = reduce_tree(op, values, run.scratch->take<typename Op::Partial>(tiles).data(), run.threads);
    }
    run.out.sequence<typename Op::Result>()[0] = op.finish(result);
  });
}

}  // namespace threadscape
