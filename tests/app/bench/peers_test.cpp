// Tests that the peers of `bench --peers` (such as OpenCV) compute the same function as the algorithms of Threadscape.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/bench/bench_measure.h"
#include "app/bench/opengl_peer.h"
#include "app/bench/peers/opencv_peer.h"
#include "app/bench/peers/textbook_peer.h"
#include "compute/core/moving_scene.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

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

/// Settings whose defaults the textbook does not have, or that make nothing to do.
const std::vector<std::pair<std::string, std::string>>& textbook_settings(std::string_view algorithm) {
  static const std::map<std::string, std::vector<std::pair<std::string, std::string>>, std::less<>> all{
      {"diamond_square", {{"n", "6"}}},
      {"memory_access", {{"count", "1000"}}},
      {"phantom", {{"voxels", "24"}}},
      {"projection", {{"pixels", "60"}}},
      {"rasterize", {{"output", "depth"}, {"width", "64"}, {"height", "48"}}},
      {"reconstruction", {{"voxels", "12"}, {"detector_pixels", "20"}, {"step", "30"}}},
      {"reduction", {{"count", "1000"}}},
      {"seam_carving", {{"seams", "9"}}},
      {"sorting", {{"count", "5000"}}},
      {"streams", {{"count", "1000"}}},
      {"transfer", {{"count", "1000"}}}};
  static const std::vector<std::pair<std::string, std::string>> none;
  const auto found = all.find(algorithm);
  return found == all.end() ? none : found->second;
}

/// How far a result of floats may be from ours: exponentials and sums in another order. Bytes may differ by one where
/// ours are sums of integers, whose weights are rounded.
Tolerance textbook_tolerance(const RunRequest& request, const Shape& input) {
  constexpr std::array rounded{"gaussian", "weighted_mean", "sharpen", "laplacian_of_gaussian", "chain"};
  const std::string_view name = request.algorithm->name;
  if (std::ranges::find(rounded, name) != rounded.end()) return {.abs = 1.0, .rel = 0.0};
  if (name == "rasterize") return {.abs = 1e-5, .rel = 0.0};
  if (name == "beer_lambert") return {.abs = 1e-6, .rel = 1e-6};
  return tolerance_of(request, input);
}

TEST(Peers, EveryAlgorithmHasATextbookThatGivesItsResult) {
  for (const AlgorithmInfo& algorithm : algorithms()) {
    if (algorithm.group == "Sketches") continue;  // They have none.
    RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::serial};
    for (const auto& [name, value] : textbook_settings(algorithm.name))
      request.params.assign(name, value);
    HostArray in;
    if (algorithm.input == Kind::clip)
      in = make_moving_clip({Kind::clip, Element::u8, 1, 61, 43, 24}, 3);
    else if (algorithm.own_input)
      in = algorithm.own_input->make(request.params, 5);
    else if (algorithm.input == Kind::image)
      in = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 67, 41), 3);
    else if (algorithm.input == Kind::volume)
      in = make_synthetic(InputPattern::gradient, {Kind::volume, Element::f32, 1, 19, 11, 3}, 3);
    int compared = 0;
    for (const Peer& peer : textbook_peers()) {
      if (peer.algorithm != algorithm.name) continue;
      EXPECT_EQ(peer.backend, Backend::serial) << algorithm.name;
      ASSERT_TRUE(peer.supports(request.params, in.shape())) << algorithm.name;
      ++compared;
      Runner runner;
      const HostArray ours = runner.run(request, in.view()).output;
      HostArray theirs(ours.shape());
      peer.run(in.view(), theirs.view(), 1, request.params);
      const auto mismatch = compare(ours.view(), theirs.view(), textbook_tolerance(request, in.shape()));
      EXPECT_FALSE(mismatch) << algorithm.name << ": " << to_string(*mismatch);
    }
    EXPECT_EQ(compared, 1) << algorithm.name;
  }
}

TEST(Peers, TheTextbookOfRasterizeClipsWhatReachesOutOfTheView) {
  const AlgorithmInfo& algorithm = find_algorithm("rasterize");
  RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::serial};
  for (const auto& [name, value] :
       {std::pair{"output", "depth"}, {"width", "64"}, {"height", "48"}, {"distance", "0.8"}})
    request.params.assign(name, value);
  const HostArray mesh = algorithm.own_input->make(request.params, 0);
  const auto peer = std::ranges::find(textbook_peers(), std::string_view("rasterize"), &Peer::algorithm);
  ASSERT_NE(peer, textbook_peers().end());
  ASSERT_TRUE(peer->supports(request.params, mesh.shape()));
  Runner runner;
  const HostArray ours = runner.run(request, mesh.view()).output;
  HostArray theirs(ours.shape());
  peer->run(mesh.view(), theirs.view(), 1, request.params);
  int drawn = 0, different = 0;  // Cut corners are rounded to 1/256 pixel, so that pixels at edges may differ.
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) {
      drawn += ours.image<float>()(x, y) < 1.0f;
      different += std::abs(ours.image<float>()(x, y) - theirs.image<float>()(x, y)) > 1e-4f;
    }
  EXPECT_GT(drawn, 2000);
  EXPECT_LE(different, 10);
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
