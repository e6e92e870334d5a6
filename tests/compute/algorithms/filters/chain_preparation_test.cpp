// Preparations of a chain's steps: what a step of a CUDA run is given is made from the step's own input.

#include <gtest/gtest.h>

#include "compute/algorithms/filters/chain/chain.h"
#include "compute/algorithms/seams/seam_carving/seam_carving_transport.h"
#include "compute/registry/registry.h"
#include "compute/run/run_request.h"
#include "compute/run/runner.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

std::shared_ptr<const Preparation> prepared(const char* algorithm, ParamBox params, const HostArray& in,
                                            std::uint64_t seed, std::uint64_t frame) {
  const RunRequest request{.algorithm = &find_algorithm(algorithm),
                           .params = std::move(params),
                           .backend = Backend::cuda,
                           .seed = seed,
                           .frame = frame};
  return make_preparation(request, in.view(), {}, nullptr);
}

/// Noise, then seam carving with order=optimal: the input of the second step depends on seed and frame.
Chain::Params noise_and_carving() {
  const AlgorithmInfo &noise = find_algorithm("noise"), &carving = find_algorithm("seam_carving");
  SeamCarving::Params optimal;
  optimal.width = 26;
  optimal.height = 21;
  optimal.order = SeamCarving::Order::optimal;
  Chain::Params chain;
  chain.steps = {{&noise, noise.defaults()}, {&carving, ParamBox::of(optimal)}};
  return chain;
}

TEST(ChainPreparation, IsNeededOnCudaWhereAStepNeedsOne) {
  Chain::Params chain = noise_and_carving();
  EXPECT_TRUE(Chain::needs_preparation(chain, Backend::cuda));
  EXPECT_FALSE(Chain::needs_preparation(chain, Backend::openmp));
  chain.steps[1].on = false;
  EXPECT_FALSE(Chain::needs_preparation(chain, Backend::cuda));
}

TEST(ChainPreparation, IsMadeFromTheInputOfTheStep) {
  const HostArray in = random_image<std::uint8_t>(30, 24, 8);
  const Chain::Params chain = noise_and_carving();
  constexpr std::uint64_t frame = 3;
  const auto made = prepared("chain", ParamBox::of(chain), in, 7, frame);
  const auto& steps = dynamic_cast<const threadscape::chain::StepPreparations&>(*made).steps;
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0], nullptr);

  Runner runner;
  const HostArray noisy = runner
                              .run({.algorithm = chain.steps[0].algorithm,
                                    .params = chain.steps[0].params,
                                    .backend = Backend::serial,
                                    .seed = 7,
                                    .frame = frame},
                                   in.view())
                              .output;
  const auto alone = prepared("seam_carving", chain.steps[1].params, noisy, 7, frame);
  const auto& expected = dynamic_cast<const seam_carving::PassOrder&>(*alone).passes;
  const auto& passes = dynamic_cast<const seam_carving::PassOrder&>(*steps[1]).passes;
  ASSERT_EQ(passes.size(), expected.size());
  for (std::size_t i = 0; i < passes.size(); ++i)
    EXPECT_EQ(passes[i].of_rows, expected[i].of_rows) << i;
}

}  // namespace
}  // namespace threadscape::testing
