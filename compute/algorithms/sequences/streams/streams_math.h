#pragma once
// The formulas of operations on streams, shared by all backends. Values are words; their sums are modulo 2^32.
//
// A filter consists of three steps, which are operations of their own: flags are 1 where a value passes, places are the
// exclusive prefix sums of the flags, and every value that passes is stored at its place. In a partition the others
// follow behind them, in their order: value i of n, of which p of t that pass lie before it, goes to place t + (i - p).

//
// A kernel with several input streams takes parts of the sequence for them, one behind the other and as long as each
// other; values that the last one lacks are 0. The network is that of listing 2.1 of source document 002, with a task
// beside the first kernel:
//
//   a, b --> zip --> c --.
//                        +--> sum --> y          zip and map need nothing of each other
//   x -----> map --> d --'

#include "compute/kernel/views.h"

namespace threadscape::streams {

enum class Operation : std::uint8_t { map, expand, reduce, scan, flags, places, filter, partition, zip, network };

/// Returns whether an operation is made of prefix sums, of the values or of the flags.
TS_HD constexpr bool scans(Operation operation) {
  return operation == Operation::scan || operation == Operation::places || operation == Operation::filter ||
         operation == Operation::partition;
}

/// The parameters of a run, passed to kernels by value.
struct Plan {
  Operation operation = Operation::filter;
  std::uint32_t count = 0;               ///< Values of the input.
  std::uint32_t factor = 1, addend = 0;  ///< The operation map multiplies by the one and adds the other.
  std::int32_t limit = 0;                ///< The least value that passes.
  std::uint32_t ratio = 1;               ///< Values that expand makes of one, or of which reduce keeps one.
  std::uint32_t results = 0;             ///< Values of the output.
};

TS_HD constexpr bool passes(const Plan& plan, std::uint32_t value) {
  return static_cast<std::int32_t>(value) >= plan.limit;
}

/// What the prefix sums add up for a value.
TS_HD constexpr std::uint32_t summand(const Plan& plan, std::uint32_t value) {
  return plan.operation == Operation::scan ? value : passes(plan, value) ? 1 : 0;
}

/// Streams that the sequence consists of.
TS_HD constexpr std::uint32_t input_streams(Operation operation) {
  return operation == Operation::zip ? 2 : operation == Operation::network ? 3 : 1;
}
/// Value i of one of the input streams, each as long as the output.
TS_HD inline std::uint32_t value_of(const Plan& plan, const std::uint32_t* in, std::uint32_t stream, std::uint32_t i) {
  const std::uint32_t at = stream * plan.results + i;
  return at < plan.count ? in[at] : 0;
}
/// The kernel of two input streams: a * factor + b.
TS_HD inline std::uint32_t zipped(const Plan& plan, const std::uint32_t* in, std::uint32_t i) {
  return value_of(plan, in, 0, i) * plan.factor + value_of(plan, in, 1, i);
}
/// The task beside it in a network: the map of the third stream.
TS_HD inline std::uint32_t beside(const Plan& plan, const std::uint32_t* in, std::uint32_t i) {
  return value_of(plan, in, 2, i) * plan.factor + plan.addend;
}

/// Result i of an operation without prefix sums, which is no network.
TS_HD inline std::uint32_t mapped(const Plan& plan, const std::uint32_t* in, std::uint32_t i) {
  switch (plan.operation) {
    case Operation::map:
      return in[i] * plan.factor + plan.addend;
    case Operation::expand: {  // Values between two neighbours lie on the line through them; the last value stays.
      const std::uint32_t at = i / plan.ratio, next = at + 1 < plan.count ? at + 1 : at;
      const std::int64_t from = static_cast<std::int32_t>(in[at]), to = static_cast<std::int32_t>(in[next]);
      return static_cast<std::uint32_t>(from + (to - from) * (i - at * plan.ratio) / plan.ratio);
    }
    case Operation::reduce:
      return in[i * plan.ratio];
    case Operation::zip:
      return zipped(plan, in, i);
    default:
      return summand(plan, in[i]);
  }
}

/// Stores what follows from value i of the input, `before`, the prefix sum in front of it, and `total`, the sum of all.
/// Every place of the output is written for exactly one value.
TS_HD inline void store(const Plan& plan, std::uint32_t value, std::uint32_t i, std::uint32_t before,
                        std::uint32_t total, std::uint32_t* out) {
  if (plan.operation == Operation::scan || plan.operation == Operation::places)
    out[i] = before;
  else if (passes(plan, value))
    out[before] = value;
  else
    out[total + (i - before)] = plan.operation == Operation::partition ? value : 0;
}

}  // namespace threadscape::streams
