// Tests that the peers from the standard library, from liblqr and from NPP compute what the algorithms of Threadscape
// compute. OpenCV and OpenGL are in peers_test.cpp.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/bench/npp_peer.h"
#include "app/bench/peers/lqr_peer.h"
#include "app/bench/peers/std_peer.h"
#include "compute/core/synthetic.h"
#include "compute/registry/registry.h"
#include "compute/run/device_bench.h"
#include "compute/run/runner.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

using Sets = std::vector<std::pair<std::string, std::string>>;

ParamBox params_of(const AlgorithmInfo& algorithm, const Sets& sets) {
  ParamBox params = algorithm.defaults();
  for (const auto& [name, value] : sets)
    params.assign(name, value);
  return params;
}

TEST(StdPeers, SortAndReduceToTheBit) {
  if (std_peers().empty()) GTEST_SKIP() << "this build has no TBB, which runs the parallel algorithms";
  for (const Peer& peer : std_peers()) {
    const AlgorithmInfo& algorithm = find_algorithm(peer.algorithm);
    const ParamBox params = params_of(algorithm, {{"count", "100003"}});
    const HostArray in = algorithm.own_input->make(params, 5);
    ASSERT_TRUE(peer.supports(params, in.shape())) << peer.name;
    const HostArray ours = Runner().run({.algorithm = &algorithm, .params = params}, in.view()).output;
    for (const int threads : {1, 2}) {
      HostArray theirs(ours.shape());
      peer.run(in.view(), theirs.view(), threads, params);
      EXPECT_TRUE(testing::same_pixels(theirs, ours)) << peer.name << " with " << threads << " threads";
    }
  }
}

TEST(StdPeers, LeaveOutWhatTheyDefineOtherwise) {
  for (const Peer& peer : std_peers()) {
    const AlgorithmInfo& algorithm = find_algorithm(peer.algorithm);
    const ParamBox params = params_of(algorithm, {{"type", "float"}});
    EXPECT_FALSE(peer.supports(params, algorithm.own_input->shape(params))) << peer.name;
  }
}

TEST(LqrPeer, RemovesColumnsAndKeepsThePixelsOfRowsInTheirOrder) {
  if (lqr_peers().empty()) GTEST_SKIP() << "this build has no liblqr";
  const Peer& peer = lqr_peers().front();
  const AlgorithmInfo& algorithm = find_algorithm(peer.algorithm);
  const ParamBox params = params_of(algorithm, {{"width", "50"}});
  const HostArray in = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 64, 40), 3);
  ASSERT_TRUE(peer.supports(params, in.shape()));
  HostArray out(algorithm.output_shape(params, in.shape()));
  peer.run(in.view(), out.view(), 1, params);
  ASSERT_EQ(out.shape().width, 50);
  const auto from = in.image<std::uint8_t>(), to = std::as_const(out).image<std::uint8_t>();
  for (int y = 0; y < 40; ++y) {
    int x = 0;  // Column of the input up to which the row of the result has been found.
    for (int i = 0; i < 50; ++i, ++x) {
      while (x < 64 && from(x, y) != to(i, y))
        ++x;
      ASSERT_LT(x, 64) << "row " << y;
    }
  }
}

struct NppCase {
  const char* algorithm;
  Sets sets;
  int channels;
  /// Maximum difference in grey levels: NPP cuts quotients off where ours are rounded.
  int tolerance;
};

TEST(NppPeers, ComputeTheFunctionOfTheAlgorithm) {
  if (npp_peers().empty()) GTEST_SKIP() << npp_problem();
  const std::array cases{NppCase{"convolution", {{"preset", "sharpen"}, {"border", "clamp"}}, 1, 0},
                         NppCase{"convolution", {{"mask", "1,2,3,0,-4,1,0,0,-2"}, {"border", "clamp"}}, 1, 0},
                         NppCase{"convolution", {{"size", "9"}, {"preset", "sharpen"}, {"border", "clamp"}}, 1, 0},
                         NppCase{"mean", {{"size", "5"}, {"border", "clamp"}}, 1, 1},
                         NppCase{"median", {{"size", "3"}, {"border", "clamp"}}, 1, 0},
                         NppCase{"median", {{"size", "9"}, {"border", "clamp"}}, 1, 0},
                         NppCase{"morphology", {{"operation", "open"}, {"size", "9"}}, 1, 0},
                         NppCase{"morphology", {{"operation", "open"}, {"size", "5"}}, 4, 0}};
  for (const NppCase& c : cases) {
    const AlgorithmInfo& algorithm = find_algorithm(c.algorithm);
    const ParamBox params = params_of(algorithm, c.sets);
    const HostArray in = make_synthetic(InputPattern::noise, Shape::image(Element::u8, c.channels, 203, 157), 3);
    const Peer* peer = nullptr;
    for (const Peer& candidate : npp_peers())
      if (candidate.algorithm == c.algorithm && candidate.supports(params, in.shape())) peer = &candidate;
    ASSERT_NE(peer, nullptr) << c.algorithm;
    const HostArray ours = Runner().run({.algorithm = &algorithm, .params = params}, in.view()).output;
    HostArray theirs(ours.shape());
    gpu::Device& device = gpu::devices().first();
    cuda::DeviceBench bench(device, peer->on_device(params, in.shape(), device), in.view(), ours.shape());
    EXPECT_GT(bench.compute_ms(1), 0.0);
    (void)bench.download_ms(theirs.view());
    int difference = 0;
    for (int y = 0; y < in.shape().height; ++y)
      for (int x = 0; x < in.shape().width * c.channels; ++x) {
        if (c.channels == 4 && x % 4 == 3) continue;  // NPP opens alpha, which ours keeps.
        const auto at = [&](const HostArray& array) {
          return std::to_integer<int>(
              array.data()[static_cast<std::size_t>(y) * array.pitch() + static_cast<std::size_t>(x)]);
        };
        difference = std::max(difference, std::abs(at(ours) - at(theirs)));
      }
    EXPECT_LE(difference, c.tolerance) << peer->name;
  }
}

}  // namespace
}  // namespace threadscape::app
