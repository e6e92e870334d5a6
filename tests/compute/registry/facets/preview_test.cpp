// What compute/registry/facets/preview.h promises, for every algorithm that explains its parameters with a picture.

#include "compute/registry/facets/preview.h"

#include <gtest/gtest.h>

#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

/// The preview of a setting; none for parameters that make no picture.
std::optional<Preview> preview_of(const AlgorithmInfo& info, const ParamBox& params) {
  try {
    return info.preview->make(params);
  } catch (const UsageError&) {
    return {};
  }
}

bool is_allowed(const Rgba8& cell, Preview::Cells cells) {
  if (cell.a == 0) return cell == Rgba8{0, 0, 0, 0};
  if (cell.a != 255 || cell.r != cell.g || cell.g != cell.b) return false;
  return cells == Preview::Cells::levels || cell.r == 255 ||
         (cells == Preview::Cells::parts_and_background && cell.r == 0);
}

TEST(PreviewFacet, CellsAreGreysOrNoPart) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.preview) {
      EXPECT_FALSE(info.painting) << info.name << " has nothing to paint on";
      continue;
    }
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::optional<Preview> preview = preview_of(info, setting.params);
      if (!preview) continue;
      const ImageView<const Rgba8> cells = preview->picture.image<Rgba8>();
      int wrong = 0;
      for (int y = 0; y < cells.height; ++y)
        for (int x = 0; x < cells.width; ++x)
          wrong += is_allowed(cells(x, y), preview->cells) ? 0 : 1;
      EXPECT_EQ(wrong, 0);
      EXPECT_GE(preview->origin_x, -1);
      EXPECT_LT(preview->origin_x, preview->width());
      EXPECT_GE(preview->origin_y, -1);
      EXPECT_LT(preview->origin_y, preview->height());
    }
  }
}

TEST(PaintingFacet, ParametersTakeThePictureThatWasPainted) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.painting) continue;
    int painted = 0;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      std::optional<Preview> wanted = preview_of(info, setting.params);
      if (!wanted || wanted->width() > Preview::max_painted || wanted->height() > Preview::max_painted) continue;
      // One cell less, unless none would be left.
      const ImageView<Rgba8> cells = wanted->picture.image<Rgba8>();
      if (cells.width * cells.height > 1) cells(cells.width - 1, cells.height - 1) = {0, 0, 0, 0};
      ParamBox params = setting.params;
      try {
        info.painting->take(params, *wanted);
      } catch (const UsageError&) {
        continue;
      }
      ++painted;
      const Preview actual = info.preview->make(params);
      EXPECT_EQ(difference_of(wanted->picture, actual.picture), "");
      EXPECT_EQ(actual.origin_x, wanted->origin_x);
      EXPECT_EQ(actual.origin_y, wanted->origin_y);
      EXPECT_EQ(actual.cells, wanted->cells);
    }
    EXPECT_GT(painted, 0) << info.name;
  }
}

}  // namespace
}  // namespace threadscape::testing
