// Tests of sorting: all short lengths, all distributions, pairs, the order of floats, and the network and its stages.

#include "compute/algorithms/sequences/sorting/sorting.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "compute/algorithms/sequences/sorting/bitonic_network.h"
#include "compute/algorithms/sequences/sorting/openmp/sorting_merge.h"
#include "compute/run/runner.h"
#include "tests/support/compute/sequence_testing.h"

namespace threadscape::testing {
namespace {

using SortingParams = Sorting::Params;
using sequences::Distribution;
using sorting::KeyOrder;
using sorting::Network;

/// The keys encoded as unsigned integers of the same order.
std::vector<std::uint32_t> encoded(const HostArray& in, KeyOrder order) {
  auto keys = values_of<std::uint32_t>(in);
  for (std::uint32_t& key : keys)
    key = sorting::encode(key, order);
  return keys;
}

/// The expected result of sorting pairs: the keys and places of a stable sort.
std::vector<std::uint32_t> expected(const HostArray& in, const SortingParams& params) {
  const auto keys = encoded(in, params.type);
  std::vector<std::uint32_t> places(keys.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = static_cast<std::uint32_t>(i);
  std::ranges::stable_sort(places, [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  std::vector<std::uint32_t> result;
  for (const std::uint32_t place : places)
    result.push_back(sorting::decode(keys[place], params.type));
  if (params.pairs) result.insert(result.end(), places.begin(), places.end());
  return result;
}

void expect_sorted(const HostArray& in, const SortingParams& params) {
  const auto wanted = expected(in, params);
  for (const CpuRun& run : cpu_runs<Sorting>())
    ASSERT_EQ(values_of<std::uint32_t>(run_sequence<Sorting>(run.backend, run.variant, params, in, run.threads)),
              wanted)
        << in.shape().width << " keys, variant " << run.variant << ", threads " << run.threads << ", pairs "
        << params.pairs << ", " << sequences::distribution_names[static_cast<std::size_t>(params.distribution)];
}

SortingParams params_of(KeyOrder type, bool pairs, Distribution distribution = Distribution::random) {
  return {.count = 1, .type = type, .pairs = pairs, .distribution = distribution};
}
HostArray input_of(SortingParams params, int count, std::uint64_t seed) {
  params.count = count;
  return Sorting::make_input(params, seed);
}

TEST(Sorting, EveryLengthUpTo2049) {
  for (int count = 1; count <= 2049; ++count) {
    const auto type = static_cast<KeyOrder>(count % 3);
    const SortingParams params =
        params_of(type, count % 2 == 0, count % 5 == 0 ? Distribution::few : Distribution::random);
    ASSERT_NO_FATAL_FAILURE(expect_sorted(input_of(params, count, 3), params));
  }
}

TEST(Sorting, AllDistributionsTypesAndPairs) {
  for (int distribution = 0; distribution < 5; ++distribution)
    for (int type = 0; type < 3; ++type)
      for (const bool pairs : {false, true})
        for (const int count : {12345, 65537, 131072}) {
          const SortingParams params =
              params_of(static_cast<KeyOrder>(type), pairs, static_cast<Distribution>(distribution));
          ASSERT_NO_FATAL_FAILURE(expect_sorted(input_of(params, count, 9), params));
        }
}

TEST(Sorting, OrderOfFloats) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const HostArray in = sequence_of<float>({nan, 0.0f, -0.0f, infinity, -nan, -1.0f, -infinity, 1e-45f, 1.0f, nan});
  const std::vector<float> order{-infinity, -1.0f, -0.0f, 0.0f, 1e-45f, 1.0f, infinity, nan, nan, -nan};
  for (const CpuRun& run : cpu_runs<Sorting>()) {
    const HostArray out = run_sequence<Sorting>(run.backend, run.variant, params_of(KeyOrder::float32, false), in);
    EXPECT_EQ(std::memcmp(out.data(), order.data(), order.size() * sizeof(float)), 0) << run.variant;
  }
}

TEST(Sorting, StagesOfTheNetworkAreTheSameForAllVariants) {
  for (const bool pairs : {false, true})
    for (const int count : {2, 13, 64, 1000, 5000}) {
      SortingParams params = params_of(KeyOrder::int32, pairs);
      params.network = count % 2 == 0 ? Network::alternating : Network::mirrored;
      const HostArray in = input_of(params, count, 4);
      const int all = sorting::stages_for(count);
      for (int stages = 1; stages <= all + 1; stages += count < 100 ? 1 : 17) {
        params.stages = stages;
        const auto wanted = values_of<std::uint32_t>(run_sequence<Sorting>(Backend::serial, 0, params, in));
        for (const CpuRun& run : cpu_runs<Sorting>())
          ASSERT_EQ(values_of<std::uint32_t>(run_sequence<Sorting>(run.backend, run.variant, params, in, run.threads)),
                    wanted)
              << count << " keys, " << stages << " stages, variant " << run.variant;
        if (stages >= all) {
          EXPECT_EQ(wanted, expected(in, params));
        }
      }
    }
}

TEST(Sorting, EveryStageIsAnIntermediate) {
  SortingParams params;
  params.count = 16;
  const auto steps = Sorting::intermediates(params);
  ASSERT_EQ(steps.size(), 10u);
  EXPECT_EQ(steps[0].first, "runs of 2: 1 apart");
  EXPECT_EQ(steps[4].first, "runs of 8: 2 apart");
  EXPECT_EQ(steps[4].second.stages, 5);
  EXPECT_EQ(steps.back().second, params);
  params.network = Network::mirrored;
  EXPECT_EQ(Sorting::intermediates(params)[3].first, "runs of 8: mirrored");
  EXPECT_TRUE(Sorting::intermediates(SortingParams{}).empty());
}

TEST(Sorting, SaysWhatItDid) {
  SortingParams params = params_of(KeyOrder::int32, true);
  const HostArray in = sequence_of<std::int32_t>({5, -7, 5, 2});
  const HostArray out = run_sequence<Sorting>(Backend::openmp, 0, params, in);
  const std::string words = Sorting::report(params, in.view(), out.view());
  EXPECT_NE(words.find("4 keys from -7 to 5\nsorted: yes\n"), std::string::npos) << words;
  EXPECT_NE(words.find("every place leads to its key: yes"), std::string::npos) << words;
  params.stages = 1;
  const HostArray part = run_sequence<Sorting>(Backend::serial, 0, params, in);
  const std::string partial = Sorting::report(params, in.view(), part.view());
  EXPECT_NE(partial.find("sorted: no, after 1 of 3 stages"), std::string::npos) << partial;
}

TEST(Sorting, ShapesAndRefusals) {
  const Shape input{Kind::sequence, Element::i32, 1, 9, 1, 1};
  EXPECT_EQ(Sorting::output_shape(params_of(KeyOrder::int32, false), input), input);
  EXPECT_EQ(Sorting::output_shape(params_of(KeyOrder::int32, true), input),
            (Shape{Kind::sequence, Element::i32, 1, 9, 2, 1}));
  EXPECT_THROW((void)Sorting::output_shape(params_of(KeyOrder::float32, false), input), UsageError);
  Shape large = input;
  large.width = std::int64_t{1} << 30;
  EXPECT_THROW((void)Sorting::output_shape(params_of(KeyOrder::int32, false), large), UsageError);
  ParamBox params = ParamBox::of(SortingParams{});
  EXPECT_THROW(params.assign("count", "0"), UsageError);
  EXPECT_THROW(params.assign("type", "double"), UsageError);
  const AlgorithmInfo info = describe<Sorting>("sorting");
  Runner runner;
  const HostArray empty({Kind::sequence, Element::i32, 1, 0, 1, 1});
  EXPECT_THROW((void)runner.run({.algorithm = &info, .params = info.defaults()}, empty.view()), UsageError);
}

// ---- the network without values

TEST(BitonicNetwork, Stages) {
  EXPECT_EQ(sorting::stages_for(1), 0);
  EXPECT_EQ(sorting::stages_for(2), 1);
  EXPECT_EQ(sorting::stages_for(8), 6);
  EXPECT_EQ(sorting::stages_for(9), 10);
  EXPECT_EQ(sorting::stages_for((std::int64_t{1} << 30) - 1), Sorting::max_stages);
  const auto mirrored = [](std::int64_t count, int stage) {
    return sorting::comparisons(count, sorting::stage_at(Network::mirrored, count, stage));
  };
  const auto alternating = [](std::int64_t count, int stage) {
    return sorting::comparisons(count, sorting::stage_at(Network::alternating, count, stage));
  };
  using C = sorting::Comparison;
  EXPECT_EQ(mirrored(8, 3), (std::vector<C>{{0, 7}, {1, 6}, {2, 5}, {3, 4}}));
  EXPECT_EQ(mirrored(8, 4), (std::vector<C>{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
  EXPECT_EQ(mirrored(6, 3), (std::vector<C>{{2, 5}, {3, 4}}));
  EXPECT_EQ(alternating(8, 1), (std::vector<C>{{0, 2}, {1, 3}, {4, 6, true}, {5, 7, true}}));
  EXPECT_EQ(alternating(8, 3), (std::vector<C>{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(alternating(6, 0), (std::vector<C>{{0, 1}, {2, 3, true}, {4, 5}}));
  EXPECT_EQ(alternating(6, 1), (std::vector<C>{{0, 2, true}, {1, 3, true}})) << "the incomplete run 4, 5 ascends";
}

/// The alternating form makes the comparisons of the usual loops over k and j, in which the thread of a place compares
/// with place ^ j, and the runs with (place & k) == 0 ascend.
TEST(BitonicNetwork, AlternatingFormIsThatOfTheUsualLoops) {
  constexpr unsigned count = 64;
  int number = 0;
  for (unsigned k = 2; k <= count; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2, ++number) {
      std::vector<sorting::Comparison> wanted;
      for (unsigned place = 0; place < count; ++place)
        if ((place ^ j) > place) wanted.push_back({place, place ^ j, (place & k) != 0});
      const sorting::Stage stage = sorting::stage_at(Network::alternating, count, number);
      EXPECT_EQ(sorting::comparisons(count, stage), wanted) << k << " " << j;
      for (unsigned place = 0; place < count; ++place)
        EXPECT_EQ(stage.partner(place), place ^ j);
    }
  EXPECT_EQ(number, sorting::stages_for(count));
}

/// After merge m of the alternating form every pair of runs of 2^m rises and then falls, as the theorem on bitonic
/// sequences needs it.
TEST(BitonicNetwork, RunsAlternateAfterEachMerge) {
  SortingParams params = params_of(KeyOrder::uint32, false);
  const HostArray in = input_of(params, 64, 5);
  for (int merge = 1; merge < 6; ++merge) {
    params.stages = merge * (merge + 1) / 2;
    const auto keys = values_of<std::uint32_t>(run_sequence<Sorting>(Backend::serial, 0, params, in));
    const std::ptrdiff_t length = std::ptrdiff_t{1} << merge;
    for (auto run = keys.begin(); run != keys.end(); run += 2 * length) {
      EXPECT_TRUE(std::is_sorted(run, run + length)) << merge;
      EXPECT_TRUE(std::is_sorted(run + length, run + 2 * length, std::greater<>())) << merge;
    }
  }
}

/// A network that sorts all sequences of zeros and ones sorts all sequences (the 0-1 principle; Knuth, 5.3.4).
TEST(BitonicNetwork, ZeroOnePrinciple) {
  for (const Network network : {Network::alternating, Network::mirrored})
    for (int count = 1; count <= 13; ++count)
      for (std::uint32_t bits = 0; bits < 1u << count; ++bits) {
        std::uint32_t now = bits;
        for (int number = 0; number < sorting::stages_for(count); ++number)
          for (const auto& [lower, upper, descending] :
               sorting::comparisons(count, sorting::stage_at(network, count, number))) {
            const std::uint32_t low = now >> lower & 1, high = now >> upper & 1;
            if (low != high && (low > high) != descending) now ^= 1u << lower | 1u << upper;
          }
        const auto ones = static_cast<int>(std::popcount(bits));
        ASSERT_EQ(now, ((1u << ones) - 1) << (count - ones)) << count << " " << bits;
      }
}

TEST(Merge, AnyPieceOfAnyRuns) {
  for (const int seed : {1, 2})
    for (const int a_count : {0, 1, 5, 64, 333})
      for (const int b_count : {0, 1, 7, 100}) {
        const auto run = [&](int count, int which) {
          std::vector<std::uint32_t> values(static_cast<std::size_t>(count));
          for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<std::uint32_t>((i * 2654435761u + static_cast<std::size_t>(which * seed)) % 97);
          std::ranges::sort(values);
          return values;
        };
        const auto a = run(a_count, 3), b = run(b_count, 5);
        std::vector<std::uint32_t> wanted(a.size() + b.size()), merged(wanted.size(), 1234);
        std::merge(a.begin(), a.end(), b.begin(), b.end(), wanted.begin());
        const auto total = static_cast<std::int64_t>(wanted.size());
        for (std::int64_t from = 0; from < total; from += 29)
          sorting::merge_piece(a.data(), a_count, b.data(), b_count, from, std::min(total, from + 29), merged.data());
        EXPECT_EQ(merged, wanted) << a_count << " " << b_count;
      }
}

}  // namespace
}  // namespace threadscape::testing
