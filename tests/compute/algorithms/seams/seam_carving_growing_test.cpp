// The order map while its seams are being found: a run that is stopped leaves exactly the seams that it has reported.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <stop_token>
#include <thread>

#include "compute/core/errors.h"
#include "tests/support/compute/seam_carving_testing.h"

namespace threadscape::testing {
namespace {

CarvingParams order_map(int width, int height) {
  CarvingParams params;
  params.width = width;
  params.height = height;
  params.output = SeamCarving::Output::order;
  return params;
}

TEST(SeamCarvingGrowing, AStoppedRunHasTheSeamsThatItReported) {
  const HostArray in = random_image<std::uint8_t>(700, 300, 5);
  const CarvingParams params = order_map(640, 260);
  const int total = 60 + 40;
  const HostArray all = carved(params, in);
  for (const Backend backend : {Backend::serial, Backend::openmp})
    for (const int enough : {7, 75}) {  // Stop in the first pass, and in the second pass.
      HostArray out(all.shape());
      std::fill_n(out.data(), out.pitch() * 300, std::byte{0});
      std::stop_source stop;
      Progress progress;
      const auto found = [&] { return static_cast<int>(std::lround(progress.done() * total)); };
      std::jthread watcher([&](const std::stop_token& ended) {
        while (!ended.stop_requested() && found() < enough)
          std::this_thread::sleep_for(std::chrono::microseconds(50));
        stop.request_stop();
      });
      Runner runner;
      const RunRequest request{.algorithm = &find_algorithm("seam_carving"),
                               .params = ParamBox::of(params),
                               .backend = backend,
                               .threads = 2};
      try {
        runner.run_into(request, in.view(), out.view(), stop.get_token(), &progress);
      } catch (const Cancelled&) {
        EXPECT_LE(found(), total);
      }
      EXPECT_GE(found(), enough);
      for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 700; ++x) {
          const int number = all.image<std::uint16_t>()(x, y);
          ASSERT_EQ(out.image<std::uint16_t>()(x, y), number <= found() ? number : 0)
              << name_of(backend) << " at " << x << ", " << y << ", found " << found();
        }
    }
}

TEST(SeamCarvingGrowing, ProgressCountsEverySeam) {
  const HostArray in = random_image<std::uint8_t>(60, 40, 6);
  for (const Backend backend : {Backend::serial, Backend::openmp}) {
    HostArray out(Shape::image(Element::u16, 1, 60, 40));
    Progress progress;
    Runner runner;
    runner.run_into({.algorithm = &find_algorithm("seam_carving"),
                     .params = ParamBox::of(order_map(50, 33)),
                     .backend = backend,
                     .threads = 1},
                    in.view(), out.view(), {}, &progress);
    EXPECT_EQ(progress.done(), 1.0);
  }
}

}  // namespace
}  // namespace threadscape::testing
