// What compute/registry/facets/halo.h promises, for every algorithm that is computed from a bounded neighbourhood.

#include "compute/registry/facets/halo.h"

#include <gtest/gtest.h>

#include <map>
#include <string_view>

#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

/// The algorithms without the facet, and the reason.
const std::map<std::string_view, std::string_view>& unbounded() {
  static const std::map<std::string_view, std::string_view> reasons{
      {"crop", "counts from the corner of the whole picture"},
      {"diamond_square", "makes its result without an input"},
      {"memory_access", "reads its input in an order that spans all of it"},
      {"noise", "counts its random numbers by the place in the whole picture"},
      {"normalise", "needs the minimum and the maximum of all heights"},
      {"phantom", "makes its result without an input"},
      {"projection", "adds up rays through the whole volume"},
      {"rasterize", "draws a mesh whose triangles can lie anywhere"},
      {"reconstruction", "adds up all views for each voxel"},
      {"reduction", "makes one number of all values"},
      {"rotate", "moves a pixel to the other end of the picture"},
      {"seam_carving", "finds seams from one end of the picture to the other"},
      {"sorting", "can move a value to any place"},
      {"streams", "stores a value behind all that pass before it"}};
  return reasons;
}

TEST(HaloFacet, IsMissingWhereTheReasonIsKnown) {
  for (const AlgorithmInfo& info : algorithms())
    EXPECT_NE(info.halo.has_value(), unbounded().contains(info.name)) << info.name;
}

/// Regions of a result at its corners, at its sides and inside of it: single elements, rows, and all of it.
std::vector<Region> regions_of(const Shape& shape) {
  std::vector<Region> regions{whole_of(shape)};
  const std::int64_t w = shape.width, h = shape.height, d = shape.depth;
  for (const auto& [x, width] : {std::pair{std::int64_t{0}, std::min<std::int64_t>(w, 3)}, {w / 2, 1}, {w - 1, 1}})
    for (const auto& [y, height] : {std::pair{std::int64_t{0}, std::min<std::int64_t>(h, 2)}, {h / 2, 1}, {h - 1, 1}})
      regions.push_back({x, y, d / 2, width, height, d - d / 2});
  regions.push_back({0, h / 3, 0, w, h - h / 3, d});
  return regions;
}

/// A region of an array, as an array of its own.
HostArray cut(const HostArray& array, const Region& region) {
  HostArray part(shape_of(array.shape(), region));
  copy_region(array.view(), region, part.view(), {});
  return part;
}

/// suitable_input(), or its upper left corner if it is large.
std::optional<HostArray> little_input(const AlgorithmInfo& info, const ParamBox& params) {
  std::optional<HostArray> input = suitable_input(info, params);
  if (!input) return input;
  Region corner = whole_of(input->shape());
  corner.width = std::min<std::int64_t>(corner.width, 60);
  corner.height = std::min<std::int64_t>(corner.height, 43);
  return cut(*input, corner);
}

TEST(HaloFacet, RegionsComputedAloneEqualThoseOfTheWholeResult) {
  Runner runner;
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.halo) continue;
    int parts = 0;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::optional<HostArray> input = little_input(info, setting.params);
      if (!input) continue;
      for (const Backend backend : {Backend::serial, Backend::openmp}) {
        const RunRequest request{.algorithm = &info, .params = setting.params, .backend = backend, .threads = 2};
        const HostArray whole = runner.run(request, input->view()).output;
        for (const Region& region : regions_of(whole.shape())) {
          const Region needed = info.halo->input_needed(setting.params, input->shape(), region);
          parts += needed == whole_of(input->shape()) ? 0 : 1;
          const HostArray part = cut(*input, needed);
          const HostArray result = runner.run(request, part.view()).output;
          Region own = region;
          own.x -= needed.x;
          own.y -= needed.y;
          own.z -= whole.shape().depth > 1 ? needed.z : 0;
          ASSERT_EQ(difference_of(cut(whole, region), cut(result, own)), "")
              << "x " << region.x << ", y " << region.y << ", " << to_string(shape_of(whole.shape(), region));
        }
      }
    }
    EXPECT_GT(parts, 0) << info.name << " never needs less than the whole input";
  }
}

}  // namespace
}  // namespace threadscape::testing
