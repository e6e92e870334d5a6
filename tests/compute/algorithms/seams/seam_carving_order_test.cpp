// The order of rows and columns with order=optimal: CUDA runs get it as a preparation, found on the host before the
// run.

#include <gtest/gtest.h>

#include <stdexcept>
#include <stop_token>

#include "compute/algorithms/seams/seam_carving/seam_carving_transport.h"
#include "compute/run/run_request.h"
#include "tests/support/compute/seam_carving_testing.h"

namespace threadscape::testing {
namespace {

using SidesOrder = SeamCarving::Order;

CarvingParams optimal(int width, int height) {
  CarvingParams params;
  params.width = width;
  params.height = height;
  params.order = SidesOrder::optimal;
  return params;
}

std::shared_ptr<const Preparation> prepared(const CarvingParams& params, const HostArray& in,
                                            const std::stop_token& stop = {}, Progress* progress = nullptr) {
  const RunRequest request{
      .algorithm = &find_algorithm("seam_carving"), .params = ParamBox::of(params), .backend = Backend::cuda};
  return make_preparation(request, in.view(), stop, progress);
}

std::vector<seam_carving::Pass> passes_of(const Preparation& preparation) {
  return dynamic_cast<const seam_carving::PassOrder&>(preparation).passes;
}

TEST(SeamCarvingOrder, OnlyCudaNeedsItBeforeTheRun) {
  EXPECT_TRUE(SeamCarving::needs_preparation(optimal(5, 5), Backend::cuda));
  EXPECT_FALSE(SeamCarving::needs_preparation(optimal(5, 5), Backend::openmp));
  EXPECT_FALSE(SeamCarving::needs_preparation(optimal(5, 5), Backend::serial));
  CarvingParams alternate = optimal(5, 5);
  alternate.order = SidesOrder::alternate;
  EXPECT_FALSE(SeamCarving::needs_preparation(alternate, Backend::cuda));
}

TEST(SeamCarvingOrder, IsTheOneThatOtherBackendsCarveBy) {
  const HostArray in = random_image<std::uint8_t>(30, 24, 17);
  const CarvingParams params = optimal(24, 20);
  HostArray picture = in.clone();
  int rows = 0, columns = 0;
  for (const seam_carving::Pass& pass : passes_of(*prepared(params, in))) {
    EXPECT_EQ(pass.seams, 1);
    EXPECT_FALSE(pass.enlarges);
    ++(pass.of_rows ? rows : columns);
    CarvingParams single;
    (pass.of_rows ? single.height : single.width) =
        static_cast<int>(pass.of_rows ? picture.shape().height : picture.shape().width) - 1;
    picture = carved(single, picture);
  }
  EXPECT_EQ(columns, 6);
  EXPECT_EQ(rows, 4);
  EXPECT_EQ(difference(picture, carved(params, in)), "");
}

TEST(SeamCarvingOrder, EndsWithEnlargingPassesAndIsEmptyWhereOneSideShrinks) {
  const HostArray in = random_image<Rgba8>(20, 16, 3);
  CarvingParams restored = optimal(18, 15);
  restored.restore_size = true;
  const auto passes = passes_of(*prepared(restored, in));
  ASSERT_EQ(passes.size(), 5u);
  EXPECT_TRUE(passes[3].enlarges && !passes[3].of_rows);
  EXPECT_TRUE(passes[4].enlarges && passes[4].of_rows);
  EXPECT_TRUE(passes_of(*prepared(optimal(18, 16), in)).empty());
}

/// The window cuts a run between its parts, so that no frame launches the kernels of all seams.
TEST(SeamCarvingOrder, EachSeamIsAPartOfTheRun) {
  const HostArray in = random_image<std::uint8_t>(18, 16, 3);
  CarvingParams params = optimal(14, 13);
  params.seams_per_pass = 3;
  EXPECT_EQ(SeamCarving::parts(params, in.shape()), 7);
  EXPECT_EQ(passes_of(*prepared(params, in)).size(), 7U);
  // Enlarging passes find three seams in each part: 4 columns take two parts, and 3 rows one.
  params.restore_size = true;
  EXPECT_EQ(SeamCarving::parts(params, in.shape()), 10);
}

TEST(SeamCarvingOrder, ReportsProgressAndStops) {
  const HostArray in = random_image<std::uint8_t>(30, 24, 4);
  Progress progress;
  (void)prepared(optimal(27, 22), in, {}, &progress);
  EXPECT_EQ(progress.done(), 1.0);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW((void)prepared(optimal(27, 22), in, stop.get_token()), Cancelled);
}

/// A run that lacks the order is refused before it has queued anything: so no CUDA run can search it itself.
TEST(SeamCarvingOrder, CudaRunsAreRefusedWithoutIt) {
  const auto cuda = find_algorithm("seam_carving").cuda;
  if (cuda == nullptr) GTEST_SKIP() << "built without CUDA";
  DeviceRun run;
  run.in.shape = Shape::image(Element::u8, 1, 30, 24);
  EXPECT_THROW(cuda(ParamBox::of(optimal(27, 22)), run), std::logic_error);
}

}  // namespace
}  // namespace threadscape::testing
