// The variants of the median that hold each window in a list: sorting and selection by themselves, and their pictures
// against results of SciPy.

#include "compute/algorithms/smoothing/median/median_lists.h"

#include <algorithm>
#include <random>

#include "compute/algorithms/smoothing/median/median.h"
#include "tests/support/compute/scratch_testing.h"

namespace threadscape::testing {
namespace {

/// Keys with values below `values`, so that small numbers of values make many equal keys.
std::vector<int> random_keys(std::size_t count, unsigned values, std::mt19937& random) {
  std::vector<int> keys(count);
  for (int& key : keys)
    key = static_cast<int>(random() % values) - 3;
  return keys;
}

TEST(MedianLists, SortingAndSelectionAgreeWithTheStandardLibrary) {
  std::mt19937 random(4);
  for (const std::size_t count : {1u, 2u, 3u, 9u, 25u, 49u, 81u})
    for (const unsigned values : {1u, 2u, 5u, 1000u})
      for (int repetition = 0; repetition < 20; ++repetition) {
        const std::vector<int> keys = random_keys(count, values, random);
        std::vector<int> expected = keys, sorted = keys;
        std::ranges::sort(expected);
        median::bubble_sort(sorted.data(), static_cast<int>(count));
        ASSERT_EQ(sorted, expected);
        for (std::size_t rank = 0; rank < count; ++rank) {
          std::vector<int> list = keys;
          ASSERT_EQ(median::find(list.data(), static_cast<int>(count), static_cast<int>(rank)), expected[rank]);
        }
      }
}

TEST(MedianLists, SortedListsInAnyDirectionAreSorted) {
  std::vector<int> ascending(81), descending(81);
  for (int i = 0; i < 81; ++i) {
    ascending[static_cast<std::size_t>(i)] = i;
    descending[static_cast<std::size_t>(i)] = 80 - i;
  }
  EXPECT_EQ(median::find(descending.data(), 81, 40), 40);
  std::ranges::sort(descending, std::greater{});
  median::bubble_sort(descending.data(), 81);
  EXPECT_EQ(descending, ascending);
}

TEST(MedianLists, SciPy) {
  for_each_stored_case("median.json", "", [](const nlohmann::json& one) {
    const Median::Params params{one.at("size"), one.at("percentile"), border_of(one), Channels::each};
    const HostArray in = stored_image(one, "input");
    for (int variant = 0; variant < static_cast<int>(Median::serial_variants.size()); ++variant) {
      HostArray out(in.shape());
      HostScratch scratch;
      scratch.reset(Median::scratch_bytes(params, in.shape(), Backend::serial, variant));
      HostRun run;
      run.in = in.view();
      run.out = out.view();
      run.scratch = &scratch;
      run.variant = variant;
      Median::serial(params, run);
      EXPECT_EQ(difference(out, stored_image(one, "output")), "")
          << Median::serial_variants[static_cast<std::size_t>(variant)].name << " " << params.size;
    }
  });
}

}  // namespace
}  // namespace threadscape::testing
