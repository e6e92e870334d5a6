// Runs that are cut into slabs, because the memory of a request ends.

#include "compute/run/slabs.h"

#include <gtest/gtest.h>

#include "compute/core/moving_scene.h"
#include "compute/gpu/device.h"
#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

RunRequest request_of(std::string_view name, std::string_view set, std::string_view value, Backend backend) {
  const AlgorithmInfo& algorithm = find_algorithm(name);
  RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = backend, .threads = 2};
  if (!set.empty()) request.params.assign(set, value);
  return request;
}

HostArray picture() {
  return make_synthetic(InputPattern::photo, Shape::image(Element::u8, 4, 90, 70), 1);
}

TEST(Slabs, LieSideBySideAndNeedTheRowsBetween) {
  const RunRequest request = request_of("median", "size", "5", Backend::serial);
  const Shape input = picture().shape();
  const auto slabs = cut_into_slabs(request, input, [](const MemoryPlan& need) { return need.host_output < 20'000; });
  ASSERT_GT(slabs.size(), 2u);
  std::int64_t next = 0;
  for (const Slab& slab : slabs) {
    EXPECT_EQ(slab.output.y, next);
    EXPECT_LE(slab.input.y, std::max<std::int64_t>(next - 2, 0));
    EXPECT_EQ(slab.input.width, input.width);
    next += slab.output.height;
  }
  EXPECT_EQ(next, input.height);
  EXPECT_TRUE(cut_into_slabs(request, input, [](const MemoryPlan&) { return false; }).empty());
}

TEST(Slabs, AreTilesWhereHalosOfRowsWouldBeLargerThanTheRows) {
  Runner runner;
  const HostArray input = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 4, 400, 40), 1);
  const RunRequest request = request_of("median", "size", "15", Backend::serial);
  const HostArray whole = runner.run(request, input.view()).output;
  const std::size_t rows = plan_memory(request, Shape::image(Element::u8, 4, 400, 30)).host_output;
  const auto tiles =
      cut_into_slabs(request, input.shape(), [&](const MemoryPlan& need) { return need.host_output < rows; });
  ASSERT_GT(tiles.size(), 2u);
  HostArray result(whole.shape());
  HostExecutor executor;
  for (const Slab& tile : tiles) {
    EXPECT_LT(tile.output.width, 400);
    EXPECT_LE(tile.input.height, 2 * tile.output.height);
    run_slab(tile, request, input.view(), result.view(),
             [&](HostIn in, HostOut out) { executor.run(request, in, out, {}, nullptr); });
  }
  EXPECT_EQ(difference_of(whole, result), "");
}

TEST(Slabs, GiveTheBitsOfTheWholeRun) {
  Runner runner;
  const HostArray input = picture();
  for (const auto& [name, set, value] : {std::tuple{"gaussian", "border", "crop"},
                                         {"gaussian", "border", "wrap"},
                                         {"morphology", "iterations", "2"},
                                         {"chain", "", ""}})
    for (const Backend backend : {Backend::serial, Backend::openmp}) {
      RunRequest request = request_of(name, set, value, backend);
      const HostArray whole = runner.run(request, input.view()).output;
      request.memory = plan_memory(request, input.shape()).host_scratch * 2 / 3;
      Progress progress;
      const HostArray cut = runner.run(request, input.view(), {}, &progress).output;
      EXPECT_EQ(difference_of(whole, cut), "") << name << " " << value << " on " << name_of(backend);
      EXPECT_EQ(progress.done(), 1.0);
    }
}

TEST(Slabs, AreWhatARunOnADeviceWithLittleMemoryConsistsOf) {
  if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  Runner runner;
  const HostArray input = picture();
  RunRequest request = request_of("sobel", "", "", Backend::cuda);
  const HostArray whole = runner.run(request, input.view()).output;
  request.memory = plan_memory(request, input.shape()).device_bytes() / 3;
  EXPECT_EQ(difference_of(whole, runner.run(request, input.view()).output), "");
}

TEST(Slabs, OfAClipTakeTheSameRowsOfAllFrames) {
  const RunRequest request = request_of("temporal_median", "", "", Backend::serial);
  const HostArray clip = request.algorithm->own_input->make(request.params, 1);
  const HostArray whole = run_serial(*request.algorithm, request.params, clip);
  HostArray result(whole.shape());
  const auto slabs =
      cut_into_slabs(request, clip.shape(), [](const MemoryPlan& need) { return need.host_output < 2'000'000; });
  ASSERT_GT(slabs.size(), 1u);
  HostExecutor executor;
  for (const Slab& slab : slabs)
    run_slab(slab, request, clip.view(), result.view(),
             [&](HostIn in, HostOut out) { executor.run(request, in, out, {}, nullptr); });
  EXPECT_EQ(difference_of(whole, result), "");
}

}  // namespace
}  // namespace threadscape::testing
