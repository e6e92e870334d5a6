// What compute/registry/facets/scanner.h promises, for every algorithm with projections of an object as input or
// output. That the sum of a ray is the value of its pixel is tested with the scene of volumes.

#include "compute/registry/facets/scanner.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compute/registry/diagram.h"
#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

using Point = ScannerDiagram::Point;

double distance(const Point& a, const Point& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// The shape that the diagram states for the input or the output.
Shape shape_of(const ScannerDiagram& diagram, ScannerDiagram::Holds holds) {
  if (holds == ScannerDiagram::Holds::voxels)
    return {Kind::volume, Element::f32, 1, diagram.voxels_x, diagram.voxels_z, diagram.voxels_y};
  return {Kind::volume,    Element::f32, 1,
          diagram.columns, diagram.rows, static_cast<std::int64_t>(diagram.views.size())};
}

TEST(ScannerFacet, StatesTheShapesOfInputAndOutput) {
  for (const AlgorithmInfo& info : algorithms()) {
    const std::optional<ScannerFacet>& facet = diagrams_of(info).scanner;
    if (!facet) continue;
    int compared = 0;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::optional<HostArray> made = suitable_input(info, setting.params);
      if (!made) continue;
      const HostArray& input = *made;
      const std::optional<ScannerDiagram> diagram = facet->diagram(setting.params, input.shape());
      ASSERT_TRUE(diagram);
      EXPECT_EQ(shape_of(*diagram, diagram->input), input.shape());
      EXPECT_EQ(shape_of(*diagram, diagram->output), info.output_shape(setting.params, input.shape()));
      ++compared;
    }
    EXPECT_GT(compared, 0) << info.name;
  }
}

TEST(ScannerFacet, RaysCrossTheirVoxels) {
  for (const AlgorithmInfo& info : algorithms()) {
    const std::optional<ScannerFacet>& facet = diagrams_of(info).scanner;
    if (!facet) continue;
    SCOPED_TRACE(info.name);
    ParamBox params = info.defaults();
    ASSERT_TRUE(make_small(params));
    const HostArray input = small_input(info, params);
    const std::optional<ScannerDiagram> diagram = facet->diagram(params, input.shape());
    ASSERT_TRUE(diagram);
    const HostArray voxels = make_synthetic(InputPattern::noise, shape_of(*diagram, ScannerDiagram::Holds::voxels), 3);
    const auto value = voxels.view().volume<float>();
    const int views = static_cast<int>(diagram->views.size());
    int crossed = 0;
    for (int view = 0; view < views; ++view)
      for (int row = 0; row < diagram->rows; row += 3)
        for (int column = 0; column < diagram->columns; column += 2) {
          const std::optional<RayDiagram> ray = facet->ray(params, voxels.view(), view, row, column);
          ASSERT_TRUE(ray);
          const ScannerDiagram::View& v = diagram->views[static_cast<std::size_t>(view)];
          const Point pixel{v.corner.x + column * v.column.x + row * v.row.x,
                            v.corner.y + column * v.column.y + row * v.row.y,
                            v.corner.z + column * v.column.z + row * v.row.z};
          EXPECT_NEAR(distance(ray->to, pixel), 0.0, 1e-9);
          if (!diagram->parallel) {
            EXPECT_NEAR(distance(ray->from, v.source), 0.0, 1e-9);
          }
          double length = 0.0, sum = 0.0;
          for (const RayDiagram::Piece& piece : ray->pieces) {
            length += piece.length;
            sum += piece.length * piece.value;
            EXPECT_EQ(piece.value, static_cast<double>(value(piece.x, piece.z, piece.y)));
          }
          EXPECT_NEAR(length, distance(ray->in, ray->out), 1e-9 * distance(ray->from, ray->to));
          EXPECT_NEAR(ray->sum, sum, 1e-9 * (1.0 + std::abs(sum)));
          crossed += ray->pieces.empty() ? 0 : 1;
        }
    EXPECT_GT(crossed, 0);
    EXPECT_FALSE(facet->ray(params, voxels.view(), views, 0, 0));
    EXPECT_FALSE(facet->ray(params, voxels.view(), 0, diagram->rows, 0));
    EXPECT_FALSE(facet->ray(params, voxels.view(), 0, 0, -1));
  }
}

}  // namespace
}  // namespace threadscape::testing
