// Tests of whole pictures of a terrain.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "app/cli/commands/render.h"
#include "app/platform/platform.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

/// Number of pixels whose red differs by more than `bound` from that of each of their eight neighbours.
int lonely_pixels(ImageView<const Rgba8> pixels, int bound) {
  int count = 0;
  for (int y = 1; y + 1 < pixels.height; ++y)
    for (int x = 1; x + 1 < pixels.width; ++x) {
      int nearest = 255;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (dx != 0 || dy != 0)
            nearest = std::min(nearest, std::abs(int{pixels(x, y).r} - int{pixels(x + dx, y + dy).r}));
      if (nearest > bound) ++count;
    }
  return count;
}

TEST(TerrainPictureTest, TheSeaHidesTheGroundBehindItsSides) {
  if (!threadscape::testing::headless_or_skip(16, 16)) return;
  const threadscape::testing::TemporaryFolder folder;
  RenderOptions options;
  options.display.run.algorithm = "diamond_square";
  options.display.run.backend = Backend::openmp;
  options.output = folder.path() / "terrain.png";
  options.width = 1044;
  options.height = 600;
  options.scene.view = {{"samples", "1"}, {"pixel_error", "5"}};
  options.quiet = true;
  ASSERT_EQ(render(options), 0);
  const io::Loaded picture = io::load_picture(options.output);
  // Sand that is seen through a hole in dark water stands out by 160. Neighbouring pixels of the landscape, of which
  // every one is lit by its own slope, differ by less than 80 from at least one of the others.
  EXPECT_EQ(lonely_pixels(picture.pixels.image<Rgba8>(), 80), 0);
}

}  // namespace
}  // namespace threadscape::app
