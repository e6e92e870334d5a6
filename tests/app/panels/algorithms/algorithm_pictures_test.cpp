// The small pictures in the list of algorithms.

#include "app/panels/algorithms/algorithm_pictures.h"

#include <gtest/gtest.h>

#include "compute/registry/registry.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

bool is_varied(const HostArray& picture) {
  const auto pixels = picture.image<Rgba8>();
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x)
      if (pixels(x, y) != pixels(0, 0)) return true;
  return false;
}

TEST(AlgorithmPictures, EveryAlgorithmThatMakesAPictureHasOne) {
  int made = 0;
  for (const AlgorithmInfo& algorithm : algorithms()) {
    const std::optional<HostArray> small = small_result(algorithm);
    ASSERT_EQ(small.has_value(), has_small_picture(algorithm)) << algorithm.name;
    if (!small) continue;
    ++made;
    EXPECT_EQ(small->shape(), Shape::image(Element::u8, 4, algorithm_picture_side, algorithm_picture_side));
    EXPECT_TRUE(is_varied(*small)) << algorithm.name;
  }
  EXPECT_GT(made, 20);
}

TEST(AlgorithmPictures, SequencesAndVolumesHaveNone) {
  EXPECT_FALSE(has_small_picture(find_algorithm("sorting")));
  EXPECT_FALSE(has_small_picture(find_algorithm("reduction")));
  EXPECT_FALSE(has_small_picture(find_algorithm("projection")));
}

TEST(AlgorithmPictures, ShowWhatTheAlgorithmDoes) {
  const HostArray edges = *small_result(find_algorithm("sobel")), smooth = *small_result(find_algorithm("median"));
  EXPECT_FALSE(testing::same_pixels(edges, smooth));
}

}  // namespace
}  // namespace threadscape::app
