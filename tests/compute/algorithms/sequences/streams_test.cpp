// Operations on streams against the algorithms of the standard library and hand-made values, and the diagrams of their
// kernels, which are executed.

#include "compute/algorithms/sequences/streams/streams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "compute/core/data.h"
#include "compute/registry/diagram.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"

namespace threadscape {
namespace {

using Operation = Streams::Operation;

HostArray sequence_of(const std::vector<std::int32_t>& values) {
  HostArray array(Shape{Kind::sequence, Element::i32, 1, static_cast<std::int64_t>(values.size()), 1, 1});
  std::memcpy(array.data(), values.data(), values.size() * sizeof(std::int32_t));
  return array;
}

std::vector<std::int32_t> values_of(const HostArray& array) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(array.shape().width));
  std::memcpy(values.data(), array.data(), values.size() * sizeof(std::int32_t));
  return values;
}

/// The result of serial, after comparing the variants of openmp on one and on three threads with it.
std::vector<std::int32_t> result_of(const Streams::Params& params, const std::vector<std::int32_t>& input) {
  const AlgorithmInfo& algorithm = find_algorithm("streams");
  const HostArray in = sequence_of(input);
  const auto run = [&](Backend backend, int variant, int threads) {
    return values_of(Runner()
                         .run({.algorithm = &algorithm,
                               .params = ParamBox::of(params),
                               .backend = backend,
                               .variant = variant,
                               .threads = threads},
                              in.view())
                         .output);
  };
  std::vector<std::int32_t> expected = run(Backend::serial, 0, 1);
  for (const int threads : {1, 3})
    for (const int variant : {0, 1})
      EXPECT_EQ(run(Backend::openmp, variant, threads), expected) << variant << " on " << threads << " threads";
  return expected;
}

std::vector<std::int32_t> random_values(std::size_t count) {
  std::vector<std::int32_t> values(count);
  std::uint32_t state = 12345;
  for (std::int32_t& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<std::int32_t>(state);
  }
  return values;
}

/// Halves and thirds of a sequence as streams, in wrapping arithmetic; what the last stream lacks is 0.
TEST(Streams, KernelsOfSeveralStreams) {
  Streams::Params params;
  params.factor = 3;
  params.addend = 10;
  params.operation = Operation::zip;
  EXPECT_EQ(result_of(params, {1, 2, 3, 100, 200, 300}), (std::vector<std::int32_t>{103, 206, 309}));
  EXPECT_EQ(result_of(params, {1, 2, 3, 100, 200}), (std::vector<std::int32_t>{103, 206, 9}));
  EXPECT_EQ(result_of(params, {7}), (std::vector<std::int32_t>{21}));
  params.operation = Operation::network;  // 3 a + b beside 3 x + 10.
  EXPECT_EQ(result_of(params, {1, 2, 100, 200, 1000, 2000}), (std::vector<std::int32_t>{3113, 6216}));
  EXPECT_EQ(result_of(params, {1, 2, 100, 200}), (std::vector<std::int32_t>{113, 216}));
  const std::vector<std::int32_t> input = random_values(30000);
  const std::vector<std::int32_t> network = result_of(params, input);
  ASSERT_EQ(network.size(), 10000u);
  for (std::size_t i = 0; i < network.size(); ++i) {
    const auto word = [&](std::size_t stream) { return static_cast<std::uint32_t>(input[stream * 10000 + i]); };
    ASSERT_EQ(static_cast<std::uint32_t>(network[i]), 3 * word(0) + word(1) + 3 * word(2) + 10) << i;
  }
}

TEST(Streams, HandMadeValues) {
  const std::vector<std::int32_t> input{5, -3, 8, 0, -1};
  Streams::Params params;
  params.ratio = 2;
  params.limit = 0;
  const auto of = [&](Operation operation) {
    params.operation = operation;
    return result_of(params, input);
  };
  using Values = std::vector<std::int32_t>;
  EXPECT_EQ(of(Operation::map), (Values{16, -8, 25, 1, -2}));
  EXPECT_EQ(of(Operation::expand), (Values{5, 1, -3, 2, 8, 4, 0, 0, -1, -1}));
  EXPECT_EQ(of(Operation::reduce), (Values{5, 8, -1}));
  EXPECT_EQ(of(Operation::scan), (Values{0, 5, 2, 10, 10}));
  EXPECT_EQ(of(Operation::flags), (Values{1, 0, 1, 1, 0}));
  EXPECT_EQ(of(Operation::places), (Values{0, 1, 1, 2, 3}));
  EXPECT_EQ(of(Operation::filter), (Values{5, 8, 0, 0, 0}));
  EXPECT_EQ(of(Operation::partition), (Values{5, 8, 0, -3, -1}));
}

TEST(Streams, EqualTheStandardLibrary) {
  for (const std::size_t count : {1UL, 2UL, 255UL, 256UL, 257UL, 511UL, 513UL, 100003UL}) {
    const std::vector<std::int32_t> input = random_values(count);
    Streams::Params params;
    params.limit = 100000000;
    const auto passes = [&](std::int32_t value) { return value >= params.limit; };

    params.operation = Operation::filter;
    std::vector<std::int32_t> kept;
    std::ranges::copy_if(input, std::back_inserter(kept), passes);
    kept.resize(count);
    EXPECT_EQ(result_of(params, input), kept);

    params.operation = Operation::partition;
    std::vector<std::int32_t> parted = input;
    std::ranges::stable_partition(parted, passes);
    EXPECT_EQ(result_of(params, input), parted);

    params.operation = Operation::scan;
    std::vector<std::uint32_t> sums(input.begin(), input.end());
    std::exclusive_scan(sums.begin(), sums.end(), sums.begin(), 0U);
    EXPECT_EQ(result_of(params, input), std::vector<std::int32_t>(sums.begin(), sums.end()));
  }
}

TEST(Streams, TakeOtherDataThanWordsOnlyWithAMessage) {
  EXPECT_THROW((void)Streams::output_shape({}, {Kind::sequence, Element::f32, 1, 10, 1, 1}), UsageError);
  EXPECT_THROW((void)Streams::output_shape({}, {Kind::sequence, Element::i32, 1, (1 << 27) + 1, 1, 1}), UsageError);
  EXPECT_EQ(Streams::report({.limit = 6}, sequence_of({5, -3, 8}).view(), {}), "1 of 3 values are at least 6");
}

/// The values of a block of threads that begins with 1, 2, 3 ... after the steps of the diagram of a variant.
std::vector<int> after_diagram(int variant, int threads) {
  const auto tree = diagrams_of(find_algorithm("streams")).tree(find_algorithm("streams").defaults(), variant, threads);
  if (!tree) return {};
  std::vector<int> values(static_cast<std::size_t>(threads));
  std::iota(values.begin(), values.end(), 1);
  for (const TreeDiagram::Step& step : tree->steps) {
    if (step.cleared >= 0) values[static_cast<std::size_t>(step.cleared)] = 0;
    const std::vector<int> before = values;
    for (const TreeDiagram::Combination& one : step.working) {
      values[static_cast<std::size_t>(one.target)] += before[static_cast<std::size_t>(one.source)];
      if (one.exchange) values[static_cast<std::size_t>(one.source)] = before[static_cast<std::size_t>(one.target)];
    }
  }
  return values;
}

TEST(Streams, DiagramsMakePrefixSums) {
  for (const int threads : {8, 32, 128}) {
    const std::vector<int> by_doubling = after_diagram(1, threads), by_tree = after_diagram(2, threads);
    ASSERT_EQ(by_doubling.size(), static_cast<std::size_t>(threads));
    ASSERT_EQ(by_tree.size(), static_cast<std::size_t>(threads));
    for (int i = 0; i < threads; ++i) {
      EXPECT_EQ(by_doubling[static_cast<std::size_t>(i)], (i + 1) * (i + 2) / 2);  // With the value itself.
      EXPECT_EQ(by_tree[static_cast<std::size_t>(i)], i * (i + 1) / 2);            // Without it.
    }
  }
  const std::vector<int> by_shuffles = after_diagram(0, 64);
  ASSERT_EQ(by_shuffles.size(), 64U);
  EXPECT_EQ(by_shuffles[31], 32 * 33 / 2);
  EXPECT_EQ(by_shuffles[32], 33);  // Every warp begins anew.
}

TEST(Streams, OnlyPrefixSumsHaveDiagrams) {
  ParamBox params = find_algorithm("streams").defaults();
  params.assign("operation", "map");
  EXPECT_FALSE(diagrams_of(find_algorithm("streams")).tree(params, 0, 64));
}

}  // namespace
}  // namespace threadscape
