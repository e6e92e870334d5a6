// Tests of reduction: all short lengths, exact integer sums, the defined order of float sums and its error bound, NaN
// and -0, and the model of the tree.

#include "compute/algorithms/sequences/reduction/reduction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "compute/algorithms/sequences/distributions.h"
#include "compute/algorithms/sequences/reduction/reduction_steps.h"
#include "compute/run/runner.h"
#include "tests/support/compute/sequence_testing.h"

namespace threadscape::testing {
namespace {

using Type = Reduction::Type;
using Operator = Reduction::Operator;
using ReductionParams = Reduction::Params;

ReductionParams operator_params(Type type, Operator operation) {
  return {.count = 1, .type = type, .operation = operation};
}
/// The result of a reduction. Checks that all backends and variants return it.
template <class Result, class T>
Result reduced(Type type, Operator operation, const std::vector<T>& values) {
  const HostArray in = sequence_of(values);
  std::optional<Result> first;
  for (const CpuRun& run : cpu_runs<Reduction>()) {
    const HostArray out =
        run_sequence<Reduction>(run.backend, run.variant, operator_params(type, operation), in, run.threads);
    const auto result = values_of<Result>(out);
    EXPECT_EQ(result.size(), 1u);
    if (!first) first = result[0];
    EXPECT_EQ(std::memcmp(&*first, result.data(), sizeof(Result)), 0) << values.size() << " variant " << run.variant;
  }
  return *first;
}

TEST(Reduction, EveryLengthUpTo2049) {
  const auto all =
      values_of<std::int32_t>(sequences::make_sequence(Element::i32, 2049, sequences::Distribution::random, 11));
  std::int64_t sum = 0;
  std::int32_t least = all[0], largest = all[0];
  std::int64_t place = 0;
  for (std::size_t n = 1; n <= all.size(); ++n) {
    const std::int32_t value = all[n - 1];
    sum += value;
    if (value < least) {
      least = value;
      place = static_cast<std::int64_t>(n) - 1;
    }
    largest = std::max(largest, value);
    const std::vector<std::int32_t> values(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
    ASSERT_EQ(reduced<std::int64_t>(Type::int32, Operator::sum, values), sum) << n;
    ASSERT_EQ(reduced<std::int32_t>(Type::int32, Operator::min, values), least) << n;
    ASSERT_EQ(reduced<std::int32_t>(Type::int32, Operator::max, values), largest) << n;
    ASSERT_EQ(reduced<std::int64_t>(Type::int32, Operator::argmin, values), place) << n;
  }
}

TEST(Reduction, SumsOfIntegersAreExactOrWrap) {
  // 2^17 times the maximum int32 does not fit into 32 bits; sums of int64 wrap around.
  const std::vector<std::int32_t> large(1 << 17, std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(reduced<std::int64_t>(Type::int32, Operator::sum, large), std::int64_t{0x7fffffff} << 17);
  const std::vector<std::int64_t> wrapping(40000, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(reduced<std::int64_t>(Type::int64, Operator::sum, wrapping), -40000);
}

TEST(Reduction, LengthsAroundTiles) {
  constexpr int tile = reduction::tile_values<std::int64_t>;
  for (const int n : {tile - 1, tile, tile + 1, 5 * tile, 5 * tile + 3}) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), -17);
    EXPECT_EQ(reduced<std::int64_t>(Type::int64, Operator::sum, values),
              std::accumulate(values.begin(), values.end(), std::int64_t{0}));
    std::ranges::reverse(values);
    EXPECT_EQ(reduced<std::int64_t>(Type::int64, Operator::argmin, values), n - 1);
    EXPECT_EQ(reduced<std::int64_t>(Type::int64, Operator::max, values), n - 18);
  }
}

TEST(Reduction, TiesGoToTheLowestPlace) {
  std::vector<double> values(50000, 3.0);
  values[20001] = values[33000] = values[49999] = -1.0;
  EXPECT_EQ(reduced<std::int64_t>(Type::float64, Operator::argmin, values), 20001);
  EXPECT_EQ(reduced<std::int64_t>(Type::float64, Operator::argmin, std::vector<double>(50000, 3.0)), 0);
}

TEST(Reduction, NanAndMinusZero) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values{2.0f, nan, 0.0f, -0.0f, infinity, -0.0f};
  EXPECT_TRUE(std::signbit(reduced<float>(Type::float32, Operator::min, values)));
  EXPECT_EQ(reduced<std::int64_t>(Type::float32, Operator::argmin, values), 3);
  EXPECT_TRUE(std::isnan(reduced<float>(Type::float32, Operator::max, values)));
  EXPECT_EQ(reduced<float>(Type::float32, Operator::max, std::vector<float>{1.0f, infinity}), infinity);
  EXPECT_TRUE(std::isnan(reduced<float>(Type::float32, Operator::sum, values)));
  EXPECT_TRUE(std::isnan(reduced<float>(Type::float32, Operator::sum, std::vector<float>{infinity, -infinity})));
  EXPECT_FALSE(std::signbit(reduced<float>(Type::float32, Operator::sum, std::vector<float>{-0.0f, -0.0f})));
}

/// Random values of both signs with magnitudes from 2^-20 to 2^20.
template <class T>
std::vector<T> uneven_floats(std::int64_t count) {
  auto values = values_of<T>(sequences::make_sequence(PixelTraits<T>::element, count, {}, 5));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = std::ldexp(values[i] - T(0.4), static_cast<int>(i * 7919 % 41) - 20);
  return values;
}

template <class T>
void expect_within_bound(Type type, double unit) {
  for (const std::int64_t count : {1, 2, 127, 128, 129, 16383, 16384, 16385, 300000}) {
    const std::vector<T> values = uneven_floats<T>(count);
    const HostArray in = sequence_of(values);
    long double exact = 0.0L, absolute = 0.0L;
    for (const T value : values) {
      exact += static_cast<long double>(value);
      absolute += std::abs(static_cast<long double>(value));
    }
    std::optional<T> stated;
    for (const CpuRun& run : cpu_runs<Reduction>()) {
      const auto sum = values_of<T>(
          run_sequence<Reduction>(run.backend, run.variant, operator_params(type, Operator::sum), in, run.threads))[0];
      const bool loop = run.backend == Backend::serial && run.variant == 1;
      const double roundings = loop ? static_cast<double>(count) : count <= 16384 / int{sizeof(T) / 4} ? 26.0 : 52.0;
      EXPECT_LE(std::abs(static_cast<double>(static_cast<long double>(sum) - exact)),
                roundings * unit * static_cast<double>(absolute))
          << count << " variant " << run.variant;
      if (loop) continue;
      if (!stated) stated = sum;
      EXPECT_EQ(std::memcmp(&*stated, &sum, sizeof(T)), 0) << count << " threads " << run.threads;
    }
  }
}

TEST(Reduction, FloatSumsKeepTheirOrderAndBound) {
  expect_within_bound<float>(Type::float32, 0x1p-24);
  expect_within_bound<double>(Type::float64, 0x1p-53);
}

TEST(Reduction, OneLoopOverManyFloatsIsVisiblyWrong) {
  const HostArray in = sequence_of(std::vector<float>((1 << 24) + (1 << 20), 1.0f));
  const ReductionParams params = operator_params(Type::float32, Operator::sum);
  EXPECT_EQ(values_of<float>(run_sequence<Reduction>(Backend::serial, 1, params, in))[0], 16777216.0f);
  EXPECT_EQ(values_of<float>(run_sequence<Reduction>(Backend::serial, 0, params, in))[0], 17825792.0f);
  const HostArray sum = run_sequence<Reduction>(Backend::openmp, 0, params, in, 2);
  const std::string words = Reduction::report(params, in.view(), sum.view());
  EXPECT_NE(words.find("sum of 17825792 float: 17825792"), std::string::npos) << words;
  EXPECT_NE(words.find("one loop, one accumulator: 16777216, relative error 0.059"), std::string::npos) << words;
}

TEST(Reduction, ShapesAndRefusals) {
  const auto shape = [](Element element, std::int64_t count) { return Shape{Kind::sequence, element, 1, count, 1, 1}; };
  const auto result = [&](Type type, Operator operation, Element element) {
    return Reduction::output_shape(operator_params(type, operation), shape(element, 9));
  };
  EXPECT_EQ(result(Type::int32, Operator::sum, Element::i32), (Shape{Kind::scalar, Element::i64, 1, 1, 1, 1}));
  EXPECT_EQ(result(Type::int32, Operator::max, Element::i32), (Shape{Kind::scalar, Element::i32, 1, 1, 1, 1}));
  EXPECT_EQ(result(Type::float64, Operator::argmin, Element::f64), (Shape{Kind::scalar, Element::i64, 1, 1, 1, 1}));
  EXPECT_THROW((void)result(Type::int32, Operator::sum, Element::u32), UsageError);
  EXPECT_THROW((void)Reduction::output_shape({}, shape(Element::i32, std::int64_t{1} << 32)), UsageError);
  ParamBox params = ParamBox::of(ReductionParams{});
  EXPECT_THROW(params.assign("count", "0"), UsageError);
  EXPECT_THROW(params.assign("operator", "mean"), UsageError);
  const AlgorithmInfo info = describe<Reduction>("reduction");
  Runner runner;
  const HostArray empty({Kind::sequence, Element::i32, 1, 0, 1, 1});
  EXPECT_THROW((void)runner.run({.algorithm = &info, .params = info.defaults()}, empty.view()), UsageError);
}

// ---- the model of the tree

using reduction::Rung;
using reduction::tree_steps;

TEST(ReductionSteps, EveryKernelReducesTheBlock) {
  for (int rung = 0; rung < static_cast<int>(Rung::cub); ++rung) {
    const int threads = rung == 0 ? 32 : 256;
    std::vector<int> values(2 * static_cast<std::size_t>(threads), 0);  // places beyond the block, read but not used
    for (std::size_t i = 0; i < static_cast<std::size_t>(threads); ++i)
      values[i] = static_cast<int>(i) + 1;
    for (const auto& step : tree_steps(static_cast<Rung>(rung), threads)) {
      const std::vector<int> before = values;
      for (const auto& [thread, target, source] : step.working)
        values[static_cast<std::size_t>(target)] += before[static_cast<std::size_t>(source)];
    }
    EXPECT_EQ(values[0], threads * (threads + 1) / 2) << rung;
  }
}

TEST(ReductionSteps, DivergenceAndBankConflicts) {
  const auto modulo = tree_steps(Rung::interleaved_modulo, 256);
  const auto stride = tree_steps(Rung::interleaved_stride, 256);
  const auto sequential = tree_steps(Rung::sequential, 256);
  ASSERT_EQ(modulo.size(), 8u);
  EXPECT_EQ(modulo[0].working.size(), 128u);
  EXPECT_EQ(modulo[0].warps_working, 8);
  EXPECT_EQ(modulo[0].warps_diverging, 8);
  EXPECT_EQ(modulo[4].warps_working, 8);  // a thread in every warp
  EXPECT_EQ(stride[0].working.size(), 128u);
  EXPECT_EQ(stride[0].warps_working, 4);
  EXPECT_EQ(stride[0].warps_diverging, 0);
  EXPECT_EQ(stride[0].bank_conflict, 2);
  EXPECT_EQ(stride[1].bank_conflict, 4);
  EXPECT_EQ(stride[2].bank_conflict, 8);
  EXPECT_EQ(stride[3].bank_conflict, 8);  // half a warp is left
  for (const auto& step : sequential)
    EXPECT_EQ(step.bank_conflict, 1);
  EXPECT_EQ(sequential[0].warps_working, 4);
  EXPECT_EQ(sequential[0].warps_diverging, 0);
  // Of 8 bytes, a block has as many wavefronts and conflicts of stores and loads as Nsight Compute reads on an H100 for
  // each of 4096 blocks: of stores, 60 and 79 without those of the first store, 0 and 79; of loads as much as PTX asks
  // for.
  const auto sums = [](Rung rung) {
    std::array<int, 2> sum{};
    for (const auto& step : tree_steps(rung, 256, {.value_bytes = 8})) {
      sum[0] += step.wavefronts;
      sum[1] += step.conflicts;
    }
    return sum;
  };
  EXPECT_EQ(sums(Rung::interleaved_stride), (std::array{3 * 79, 60 + 120}));
  EXPECT_EQ(sums(Rung::interleaved_modulo), (std::array{3 * 79, 64}));
  // Values of 8 bytes are read by half a warp at a time, without conflicts if they are neighbours.
  EXPECT_EQ(tree_steps(Rung::sequential, 256, {.value_bytes = 8})[0].bank_conflict, 1);
}

TEST(ReductionSteps, BarriersAndRegisters) {
  const auto barriers = [](Rung rung) {
    return std::ranges::count_if(tree_steps(rung, 256), [](const auto& step) { return step.block_barrier; });
  };
  EXPECT_EQ(barriers(Rung::sequential), 8);
  EXPECT_EQ(barriers(Rung::first_add), 8);
  EXPECT_EQ(barriers(Rung::unroll_warp), 2);
  EXPECT_EQ(barriers(Rung::shuffle), 0);
  for (const auto& step : tree_steps(Rung::shuffle, 256)) {
    EXPECT_TRUE(step.in_registers);
    EXPECT_EQ(step.warps_diverging, 0);
    EXPECT_EQ(step.bank_conflict, 0);
  }
  EXPECT_TRUE(tree_steps(Rung::cub, 256).empty());
}

}  // namespace
}  // namespace threadscape::testing
