// Tests that the peers of `bench --peers` (such as OpenCV) compute the same function as the algorithms of Threadscape.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/bench/bench_measure.h"
#include "app/bench/opengl_peer.h"
#include "app/bench/peers/opencv_peer.h"
#include "app/bench/peers/textbook_peer.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"

namespace threadscape::app {
namespace {

struct Case {
  const char* algorithm;
  std::vector<std::pair<std::string, std::string>> sets;
  /// Maximum difference in grey levels: 0 if both are exact, more if they round weights and sums differently.
  int tolerance;
};

TEST(Peers, ComputeTheFunctionOfTheAlgorithm) {
  if (opencv_peers().empty()) GTEST_SKIP() << "this build has no OpenCV";
  const std::array cases{Case{"convolution", {{"preset", "sharpen"}}, 0},
                         Case{"sobel", {{"norm", "l1"}}, 0},
                         Case{"mean", {{"size", "7"}}, 1},
                         Case{"gaussian", {{"sigma", "1.3"}, {"radius", "3"}}, 2},
                         Case{"median", {{"size", "5"}, {"border", "clamp"}}, 0},
                         Case{"laplacian", {{"kind", "four"}}, 0},
                         Case{"morphology", {{"operation", "open"}, {"shape", "ellipse"}, {"size", "9"}}, 0},
                         Case{"morphology", {{"operation", "dilate"}, {"size", "5"}}, 0}};
  const HostArray in = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 203, 157), 3);
  for (const Case& c : cases) {
    const AlgorithmInfo& algorithm = find_algorithm(c.algorithm);
    ParamBox params = algorithm.defaults();
    for (const auto& [name, value] : c.sets)
      params.assign(name, value);
    int compared = 0;
    for (const Peer& peer : opencv_peers()) {
      if (peer.algorithm != c.algorithm || !peer.supports(params, in.shape())) continue;
      ++compared;
      Runner runner;
      const HostArray ours = runner.run({.algorithm = &algorithm, .params = params}, in.view()).output;
      for (const int threads : {1, 3}) {
        HostArray theirs(in.shape());
        peer.run(in.view(), theirs.view(), threads, params);
        int max_difference = 0;
        for (int y = 0; y < in.shape().height; ++y)
          for (int x = 0; x < in.shape().width; ++x)
            max_difference = std::max(max_difference,
                                      std::abs(ours.image<std::uint8_t>()(x, y) - theirs.image<std::uint8_t>()(x, y)));
        EXPECT_LE(max_difference, c.tolerance) << peer.name << " with " << threads << " threads";
      }
    }
    EXPECT_EQ(compared, 1) << c.algorithm;
  }
}

/// Returns whether the serial backend and the peer of the textbook give the same picture.
void expect_textbook_result(const char* algorithm_name, const char* size, const HostArray& in) {
  const AlgorithmInfo& algorithm = find_algorithm(algorithm_name);
  ParamBox params = algorithm.defaults();
  if (*size != 0) params.assign("size", size);
  int compared = 0;
  for (const Peer& peer : textbook_peers()) {
    if (peer.algorithm != algorithm_name || !peer.supports(params, in.shape())) continue;
    ++compared;
    EXPECT_EQ(peer.backend, Backend::serial);
    Runner runner;
    const HostArray ours = runner.run({.algorithm = &algorithm, .params = params}, in.view()).output;
    HostArray theirs(in.shape());
    peer.run(in.view(), theirs.view(), 1, params);
    int different = 0;
    for (int y = 0; y < in.shape().height; ++y)
      for (int x = 0; x < in.shape().width; ++x)
        different += ours.image<std::uint8_t>()(x, y) != theirs.image<std::uint8_t>()(x, y);
    EXPECT_EQ(different, 0) << algorithm_name << " " << size << ", " << in.shape().width << " pixels wide";
  }
  EXPECT_EQ(compared, 1) << algorithm_name;
}

TEST(Peers, TheTextbookGivesTheSameBits) {
  for (const auto& [width, height] : {std::pair{600, 157}, {3, 40}, {1, 1}}) {
    const HostArray in = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, width, height), 3);
    for (const char* size : {"3", "5", "7", "9"})
      expect_textbook_result("convolution", size, in);
    expect_textbook_result("sobel", "", in);
    expect_textbook_result("laplacian", "", in);
    for (const char* algorithm : {"mean", "threshold_mean", "median", "morphology"})
      for (const char* size : {"3", "11"})
        expect_textbook_result(algorithm, size, in);
  }
}

TEST(Peers, OpenGlDrawsBesideRasterize) {
  if (opengl_peers().empty()) GTEST_SKIP() << "there is no OpenGL 4.5";
  const Peer& peer = opengl_peers().front();
  const AlgorithmInfo& algorithm = find_algorithm("rasterize");
  ParamBox params = algorithm.defaults();
  params.assign("width", "64");
  params.assign("height", "48");
  const HostArray mesh = algorithm.own_input->make(params, 0);
  EXPECT_TRUE(peer.supports(params, mesh.shape()));
  if (peer.backend == Backend::cuda && !gpu::devices().first().problem().empty())
    GTEST_SKIP() << "there is no CUDA device to compare with";
  const BenchPoint point{.request = {.algorithm = &algorithm, .params = params, .backend = peer.backend, .threads = 2},
                         .input = mesh.shape(),
                         .output = algorithm.output_shape(params, mesh.shape())};
  const std::vector<Measurement> results =
      measure(point, mesh.view(), opengl_peers(), {.repetitions = 3, .min_seconds = 0, .max_seconds = 5}, {});
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[1].where.peer, peer.name);
  EXPECT_GT(results[1].peer_over_ours, 0.0);

  // What is drawn otherwise is not compared.
  params.assign("output", "depth");
  EXPECT_FALSE(peer.supports(params, mesh.shape()));
  params.assign("output", "picture");
  params.assign("wireframe", "true");
  EXPECT_FALSE(peer.supports(params, mesh.shape()));
}

TEST(Samples, OfShortRunsAreThinnedOut) {
  BenchPoint point;
  point.request = {.algorithm = &find_algorithm("noise"), .params = find_algorithm("noise").defaults()};
  const HostArray picture(Shape::image(Element::u8, 1, 1, 1));
  point.input = point.output = picture.shape();
  const auto rows = measure(point, picture.view(), {}, {.repetitions = 25'000, .min_seconds = 0}, {});
  // Every fourth of 25,000 samples is kept, because 10,000 are the most.
  EXPECT_EQ(rows.front().samples.compute.size(), 6250u);
}

TEST(Peers, AFragmentProgramIsMeasuredBesideConvolution) {
  if (opengl_peers().empty()) GTEST_SKIP() << "there is no OpenGL 4.5";
  const Peer& peer = opengl_peers().back();
  const AlgorithmInfo& algorithm = find_algorithm("convolution");
  ParamBox params = algorithm.defaults();
  const HostArray picture = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 64, 48), 3);
  EXPECT_TRUE(peer.supports(params, picture.shape()));
  if (peer.backend == Backend::cuda && !gpu::devices().first().problem().empty())
    GTEST_SKIP() << "there is no CUDA device to compare with";
  const BenchPoint point{.request = {.algorithm = &algorithm, .params = params, .backend = peer.backend, .threads = 2},
                         .input = picture.shape(),
                         .output = picture.shape()};
  const std::vector<Measurement> results =
      measure(point, picture.view(), opengl_peers(), {.repetitions = 3, .min_seconds = 0, .max_seconds = 5}, {});
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[1].where.peer, peer.name);
  EXPECT_GT(results[1].peer_over_ours, 0.0);

  // Larger masks, and pictures whose hidden colours do not count, have no fragment program.
  params.assign("alpha", "weighted");
  EXPECT_TRUE(peer.supports(params, picture.shape()));
  EXPECT_FALSE(peer.supports(params, Shape::image(Element::u8, 4, 64, 48)));
  params.assign("size", "11");
  EXPECT_FALSE(peer.supports(params, picture.shape()));
}

}  // namespace
}  // namespace threadscape::app
