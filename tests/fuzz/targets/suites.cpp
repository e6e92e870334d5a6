// Suites of benchmarks: parsed and planned.

#include "app/bench/bench_suite.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

FUZZ_TARGET(suites) {
  const app::Suite suite = app::parse_suite(input.text(), "fuzz", "fuzz.json");
  std::size_t points = 0;
  for (const app::SuiteGroup& group : suite.groups)
    points += group.params.size() * group.backends.size() * group.variants.size() * group.threads.size() *
              group.sizes.size() * group.channels.size();
  if (points <= 200) (void)app::plan(suite, {});  // Larger plans take long, and their points are alike.
}

}  // namespace threadscape::fuzz
