// The runs that the lab counts for its rows.

#include "app/lab/lab_counts.h"

#include <gtest/gtest.h>

#include "compute/registry/registry.h"

namespace threadscape::app {
namespace {

Measurement measured(const Shape& input) {
  Measurement row;
  row.what.algorithm = "convolution";
  row.what.input = row.what.output = input;
  row.what.params = {{.name = "size", .json = "9", .text = "9"}};
  row.where = {.backend = Backend::cuda, .variant = "tiled"};
  return row;
}

TEST(LabCounts, ARowIsCountedOnAPartOfItsInput) {
  const auto found = observed_row(measured(Shape::image(Element::u8, 1, 4096, 300)));
  ASSERT_TRUE(found);
  const auto& [work, source] = *found;
  EXPECT_EQ(work.work.algorithm, &find_algorithm("convolution"));
  EXPECT_EQ(work.work.algorithm->variants_of(Backend::cuda)[static_cast<std::size_t>(work.variant)].name, "tiled");
  EXPECT_NE(to_json(work.work.params).find("\"size\": 9,"), std::string::npos) << to_json(work.work.params);
  ASSERT_NE(source, nullptr);
  EXPECT_EQ(source->picture.pixels.shape(), Shape::image(Element::u8, 1, 512, 300));
  // A route is a way of the variant.
  Measurement routed = measured(Shape::image(Element::u8, 1, 8, 8));
  routed.where.variant += "/rows";
  EXPECT_TRUE(observed_row(routed));
}

TEST(LabCounts, OtherRowsAreNotCounted) {
  const Shape small = Shape::image(Element::u8, 1, 8, 8);
  Measurement row = measured(small);
  row.where.backend = Backend::openmp;
  EXPECT_FALSE(observed_row(row));
  row = measured(small);
  row.where.peer = "NPP";
  EXPECT_FALSE(observed_row(row));
  row = measured(small);
  row.where.variant = "of another version";
  EXPECT_FALSE(observed_row(row));
  row = measured(small);
  row.what.algorithm = "of another version";
  EXPECT_FALSE(observed_row(row));
  row = measured(small);
  row.what.params[0].json = "\"no number\"";
  EXPECT_FALSE(observed_row(row));
}

}  // namespace
}  // namespace threadscape::app
