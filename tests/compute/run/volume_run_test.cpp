// Runs on volumes whose result is computed in slabs while its layers are read.

#include "compute/run/volume_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "compute/run/similarity.h"
#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

/// A volume in memory that notes how many layers of it are read at a time.
class VolumeOf final : public LayerReader {
 public:
  explicit VolumeOf(HostArray volume) : volume_(std::move(volume)) {}
  [[nodiscard]] const Shape& shape() const override { return volume_.shape(); }
  void read(std::int64_t first, std::int64_t end, float* to) override {
    most = std::max(most, end - first);
    const std::int64_t layer = shape().width * shape().height;
    std::memcpy(to, reinterpret_cast<const float*>(volume_.data()) + first * layer,
                static_cast<std::size_t>((end - first) * layer) * sizeof(float));
  }
  [[nodiscard]] HostIn view() const { return volume_.view(); }

  std::int64_t most = 0;

 private:
  HostArray volume_;
};

struct VolumeCase {
  std::string_view name;
  Backend backend;
  std::string_view variant;
  std::vector<std::pair<std::string, std::string>> sets;
};

RunRequest volume_request(const VolumeCase& is) {
  const AlgorithmInfo& algorithm = find_algorithm(is.name);
  RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = is.backend, .threads = 2};
  make_small(request.params);
  request.variant = algorithm.variant_index(is.backend, is.variant);
  for (const auto& [set, value] : is.sets)
    request.params.assign(set, value);
  return request;
}

/// Reads a whole result, `at_once` layers at a time.
HostArray read_all(LayerReader& from, std::int64_t at_once) {
  HostArray volume(from.shape());
  const std::int64_t layer = from.shape().width * from.shape().height;
  for (std::int64_t z = 0; z < from.shape().depth; z += at_once)
    from.read(z, std::min(z + at_once, from.shape().depth), reinterpret_cast<float*>(volume.data()) + z * layer);
  return volume;
}

class VolumeRunTest : public ::testing::TestWithParam<VolumeCase> {};

TEST_P(VolumeRunTest, EqualsARunOnTheWholeHoweverThickTheSlabsAre) {
  const RunRequest request = volume_request(GetParam());
  VolumeOf input(request.algorithm->own_input->make(request.params, 1));
  Runner runner;
  const HostArray whole = runner.run(request, input.view()).output;
  const VolumePlan roomy = plan_volume(request, input.shape(), 100, std::size_t{1} << 40);
  EXPECT_EQ(roomy.slabs, 1);
  int plans = 0;
  // With each smaller memory slabs become thinner, or fewer layers of the input are read at a time.
  for (std::size_t memory = roomy.bytes;; ++plans) {
    const VolumePlan plan = plan_volume(request, input.shape(), 100, memory);
    EXPECT_LE(plan.bytes, memory);
    input.most = 0;
    VolumeResult result(runner, request, plan, input);
    const HostArray slabs = read_all(result, 1 + plans % 4);
    EXPECT_LE(input.most, plan.input_layers);
    ASSERT_EQ(measure_similarity(std::as_const(slabs).view(), whole.view()).different, 0)
        << plan.slabs << " slabs, " << plan.input_layers << " layers of the input at a time";
    if (plan.layers == 1 && plan.input_layers == 1) break;
    memory = plan.bytes - 1;
  }
  EXPECT_GE(plans, 3);
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, VolumeRunTest,
    ::testing::Values(VolumeCase{"beer_lambert", Backend::openmp, "", {}},
                      VolumeCase{"beer_lambert", Backend::serial, "", {}},
                      VolumeCase{"reconstruction", Backend::openmp, "", {}},
                      VolumeCase{"reconstruction", Backend::openmp, "loops", {{"filter", "hann"}}},
                      VolumeCase{"reconstruction", Backend::serial, "", {{"geometry", "parallel"}}},
                      // A detector that sees more on one side has columns in front of the measured ones.
                      VolumeCase{"reconstruction", Backend::openmp, "", {{"offset_u", "5"}}},
                      VolumeCase{
                          "reconstruction", Backend::serial, "", {{"angles", "0,20,45,80,100,140,180,190,230"}}}),
    [](const auto& info) { return std::string(info.param.name) + std::to_string(info.index); });

std::string plan_message(const RunRequest& request, const Shape& shape, std::size_t memory) {
  try {
    (void)plan_volume(request, shape, 0, memory);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(VolumePlan, WhatCannotBeCutSaysSo) {
  constexpr std::size_t plenty = std::size_t{1} << 40;
  const auto refused = [&](const VolumeCase& is, std::size_t memory) {
    const RunRequest request = volume_request(is);
    return plan_message(request, request.algorithm->own_input->shape(request.params), memory);
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(refused({"reconstruction", Backend::openmp, "", {{"method", "sirt"}}}, plenty),
                  "cannot be cut into slabs: each iteration of sirt needs the whole result"));
  EXPECT_TRUE(has(refused({"reconstruction", Backend::cuda, "", {}}, plenty), "of a GPU the whole result"));
  EXPECT_TRUE(has(refused({"projection", Backend::openmp, "", {}}, plenty), "can depend on all of its input"));
  EXPECT_TRUE(has(refused({"beer_lambert", Backend::openmp, "", {{"photons", "100"}}}, plenty),
                  "a layer of the result can depend on all layers of the volume"));
  EXPECT_TRUE(has(refused({"beer_lambert", Backend::openmp, "", {}}, 1000), "bytes of memory for slabs of one layer"));
}

TEST(VolumeRun, AViewThatIsNotFiniteIsNamedByItsNumber) {
  const RunRequest request = volume_request({"reconstruction", Backend::openmp, "", {}});
  HostArray views = request.algorithm->own_input->make(request.params, 1);
  const std::int64_t view = views.shape().width * views.shape().height;
  reinterpret_cast<float*>(views.data())[4 * view + 1] = std::numeric_limits<float>::infinity();
  VolumeOf input(std::move(views));
  Runner runner;
  const VolumePlan plan{.layers = 3, .slabs = 3, .input_layers = 3, .reads_all = true};
  VolumeResult result(runner, request, plan, input);
  try {
    (void)read_all(result, 1);
    FAIL() << "an infinite value is taken";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("column 1, row 0 of view 4 is not a finite number"), std::string::npos)
        << error.what();
  }
}

TEST(VolumeRun, AStopEndsIt) {
  const RunRequest request = volume_request({"reconstruction", Backend::openmp, "", {}});
  VolumeOf input(request.algorithm->own_input->make(request.params, 1));
  Runner runner;
  std::stop_source stop;
  const VolumePlan plan = plan_volume(request, input.shape(), 0, std::size_t{1} << 40);
  VolumeResult result(runner, request, plan, input, stop.get_token());
  stop.request_stop();
  EXPECT_THROW((void)read_all(result, 1), Cancelled);
}

}  // namespace
}  // namespace threadscape::testing
