// Reduction, the readable reference: one thread goes through the values in the order of the sequence.

#include <algorithm>

#include "compute/algorithms/sequences/reduction/reduction.h"

namespace threadscape {

namespace {

/// Combines all values with one accumulator.
template <class Op>
typename Op::Partial reduce_loop(const Op& op, SequenceView<const typename Op::Value> values) {
  typename Op::Partial result = Op::identity();
  for (std::int64_t i = 0; i < values.size; ++i)
    result = Op::combine(result, op.load(values[i], static_cast<std::uint32_t>(i)));
  return result;
}

/// Combines the values in the order that defines a sum of floats (reduction_math.h).
template <class Op>
typename Op::Partial reduce_tree(const Op& op, SequenceView<const typename Op::Value> values,
                                 typename Op::Partial* partials) {
  constexpr std::int64_t tile = reduction::tile_values<typename Op::Value>;
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
      result = reduce_loop(op, values);
    } else {
      const auto tiles = static_cast<std::size_t>(reduction::tiles_of<typename Op::Value>(values.size));
      result = reduce_tree(op, values, run.scratch->take<typename Op::Partial>(tiles).data());
    }
    run.out.sequence<typename Op::Result>()[0] = op.finish(result);
  });
}

}  // namespace threadscape
