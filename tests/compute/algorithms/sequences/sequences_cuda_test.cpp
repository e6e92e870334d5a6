// Tests of reduction and sorting on the GPU beyond the sizes and inputs of the parity sweep: passes of several levels,
// all distributions, NaN and both zeros. Emulated runs leave out the variant `cub`.

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/algorithms/sequences/reduction/reduction.h"
#include "compute/algorithms/sequences/sorting/sorting.h"
#include "compute/gpu/device.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"
#include "tests/support/compute/sequence_testing.h"

namespace threadscape::testing {
namespace {

bool emulated() {
  return gpu::devices().first().info().name == "emulator";
}

class SequencesCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  }
  /// Compares every variant, or those named, with the serial backend.
  template <class A>
  void expect_equal(const AlgorithmInfo& info, const typename A::Params& params, const HostArray& in,
                    std::span<const std::string_view> variants = {}) {
    RunRequest request{.algorithm = &info, .params = ParamBox::of(params), .backend = Backend::serial};
    const RunResult expected = runner_.run(request, in.view());
    request.backend = Backend::cuda;
    for (const Variant& variant : A::cuda_variants) {
      if (emulated() && variant.name == "cub") continue;
      if (!variants.empty() && std::ranges::find(variants, variant.name) == variants.end()) continue;
      request.variant = info.variant_index(Backend::cuda, variant.name);
      const RunResult actual = runner_.run(request, in.view());
      const Tolerance tolerance = info.tolerance_of
                                      ? info.tolerance_of(request.params, in.shape(), Backend::cuda, request.variant)
                                      : info.tolerance;
      const auto mismatch = compare(expected.output.view(), actual.output.view(), tolerance);
      EXPECT_FALSE(mismatch) << variant.name << ", " << to_string(in.shape()) << ": " << to_string(*mismatch);
    }
  }
  Runner runner_;
};

TEST_F(SequencesCuda, ReductionsOfSeveralLevels) {
  const AlgorithmInfo info = describe<Reduction>("reduction");
  // The first steps of the ladder leave more than a tile of partial results for 2,500,000 values; on a GPU, the default
  // kernel does so for 2^28 + 1 values.
  std::vector<int> counts{2500000};
  if (!emulated()) counts.insert(counts.end(), {15000000, (1 << 28) + 1});
  for (const int count : counts)
    for (const auto operation : {Reduction::Operator::sum, Reduction::Operator::argmin})
      for (const auto type : {Reduction::Type::int32, Reduction::Type::float64}) {
        const Reduction::Params params{.count = count, .type = type, .operation = operation};
        if (count > 15000000 && type == Reduction::Type::float64) continue;
        expect_equal<Reduction>(info, params, Reduction::make_input(params, 2));
      }
}

TEST_F(SequencesCuda, NanAndZeros) {
  const AlgorithmInfo reduction = describe<Reduction>("reduction"), sorting = describe<Sorting>("sorting");
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  std::vector<float> values(30000, 1.0f);
  for (std::size_t i = 0; i < values.size(); i += 3) {
    constexpr std::size_t kinds = 6;
    const float special[kinds]{0.0f, -0.0f, infinity, -infinity, nan, -nan};
    values[i] = special[i / 3 % kinds];
  }
  const HostArray in = sequence_of(values);
  for (const auto operation : {Reduction::Operator::min, Reduction::Operator::max, Reduction::Operator::argmin})
    expect_equal<Reduction>(reduction, {.type = Reduction::Type::float32, .operation = operation}, in);
  for (const bool pairs : {false, true})
    expect_equal<Sorting>(sorting, {.type = sorting::KeyOrder::float32, .pairs = pairs}, in);
}

TEST_F(SequencesCuda, SortsAllDistributions) {
  const AlgorithmInfo info = describe<Sorting>("sorting");
  for (int distribution = 0; distribution < 5; ++distribution)
    for (const bool pairs : {false, true}) {
      Sorting::Params params;
      params.count = emulated() ? 50000 : 5000000;
      params.type = static_cast<sorting::KeyOrder>(distribution % 3);
      params.pairs = pairs;
      params.distribution = static_cast<sequences::Distribution>(distribution);
      expect_equal<Sorting>(info, params, Sorting::make_input(params, 2));
    }
}

TEST_F(SequencesCuda, RadixAroundItsTiles) {
  const AlgorithmInfo info = describe<Sorting>("sorting");
  constexpr std::array<std::string_view, 1> radix{"radix"};
  for (const int count : {8063, 8064, 8065, 16128, 80000})
    for (const bool pairs : {false, true}) {
      Sorting::Params params;
      params.count = count;
      params.pairs = pairs;
      expect_equal<Sorting>(info, params, Sorting::make_input(params, 6), radix);
    }
}

TEST_F(SequencesCuda, EveryLengthUpTo2049) {
  const AlgorithmInfo sorting = describe<Sorting>("sorting"), reduction = describe<Reduction>("reduction");
  for (int count = 1; count <= 2049; count += emulated() ? 97 : 1) {
    Sorting::Params params;
    params.count = count;
    params.pairs = count % 2 == 0;
    expect_equal<Sorting>(sorting, params, Sorting::make_input(params, 6));
    const Reduction::Params sum{.count = count};
    expect_equal<Reduction>(reduction, sum, Reduction::make_input(sum, 6));
  }
}

}  // namespace
}  // namespace threadscape::testing
