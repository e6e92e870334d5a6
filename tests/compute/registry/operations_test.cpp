// Algorithms that state their operations state those of their definitions.

#include <gtest/gtest.h>

#include "compute/registry/registry.h"

namespace threadscape {
namespace {

double operations_of(const char* name, const Shape& input, const char* parameter = nullptr,
                     const char* value = nullptr) {
  const AlgorithmInfo& algorithm = find_algorithm(name);
  ParamBox params = algorithm.defaults();
  if (parameter != nullptr) params.assign(parameter, value);
  return algorithm.operations(params, input);
}

TEST(Operations, AreThoseOfTheDefinition) {
  const Shape grey = Shape::image(Element::u8, 1, 10, 20), colour = Shape::image(Element::u8, 4, 10, 20);
  EXPECT_EQ(operations_of("convolution", grey), 200 * 18.0);
  EXPECT_EQ(operations_of("convolution", colour, "size", "5"), 800 * 50.0);
  EXPECT_EQ(operations_of("sobel", grey), 200 * 36.0);
  EXPECT_EQ(operations_of("sobel", grey, "directions", "eight"), 200 * 144.0);
  EXPECT_EQ(operations_of("mean", grey, "size", "5"), 200 * 20.0);
  const Shape sequence{Kind::sequence, Element::f32, 1, 1024, 1, 1};
  EXPECT_EQ(operations_of("reduction", sequence), 1024.0);
  EXPECT_EQ(operations_of("sorting", sequence), 10240.0);
}

TEST(Operations, ArePositiveWhereTheyAreStated) {
  for (const AlgorithmInfo& algorithm : algorithms()) {
    if (!algorithm.operations || algorithm.input != Kind::image) continue;
    EXPECT_GT(algorithm.operations(algorithm.defaults(), Shape::image(Element::u8, 1, 64, 64)), 0.0) << algorithm.name;
  }
}

}  // namespace
}  // namespace threadscape
