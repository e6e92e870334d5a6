// The OpenMP variant `loops`: which algorithms have it, and runs that are wide enough for all of their threads.

#include "compute/registry/loops.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compute/core/synthetic.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape {
namespace {

/// The number of the variant among those of openmp, or -1.
int loops_of(const AlgorithmInfo& algorithm) {
  const auto variants = algorithm.variants_of(Backend::openmp);
  const auto found = std::ranges::find(variants, loops_variant.name, &Variant::name);
  return found == variants.end() ? -1 : static_cast<int>(found - variants.begin());
}

TEST(Loops, BelongToEveryAlgorithmWhoseSerialCodeHasSome) {
  for (const AlgorithmInfo& algorithm : algorithms())
    // The serial code of transfer and crop copies memory, which the default variant of openmp shares out: their serial
    // code with threads.
    EXPECT_EQ(loops_of(algorithm) >= 0, algorithm.name != "transfer" && algorithm.name != "crop") << algorithm.name;
}

TEST(Loops, CarveWidePicturesAsSerialDoes) {
  const AlgorithmInfo& algorithm = find_algorithm("seam_carving");
  const HostArray input = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 400, 300), 3);
  for (const char* path : {"dp", "greedy"})
    for (const char* at_once : {"1", "3"}) {
      ParamBox params = algorithm.defaults();
      params.assign("path", path);
      params.assign("seams_per_pass", at_once);
      params.assign("seams", "9");
      params.assign("output", "order");
      const auto run = [&](Backend backend, int variant, int threads) {
        return Runner()
            .run(
                {.algorithm = &algorithm, .params = params, .backend = backend, .variant = variant, .threads = threads},
                input.view())
            .output;
      };
      const HostArray expected = run(Backend::serial, 0, 1), carved = run(Backend::openmp, loops_of(algorithm), 4);
      EXPECT_EQ(testing::difference(carved, expected), "") << path << ", " << at_once << " at once";
    }
}

}  // namespace
}  // namespace threadscape
