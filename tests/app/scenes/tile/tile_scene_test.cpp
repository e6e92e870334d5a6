// The tile of a block in shared memory: its figures, and what the mouse marks.

#include "app/scenes/tile/tile_scene.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <map>

#include "app/scenes/scene_set.h"
#include "compute/engines/planes/ladder_block.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

std::optional<TileDiagram> tile_of(std::string_view algorithm, std::string_view variant, const Shape& input,
                                   const std::vector<std::pair<std::string, std::string>>& sets = {}) {
  const AlgorithmInfo& info = find_algorithm(algorithm);
  ParamBox params = info.defaults();
  for (const auto& [name, value] : sets)
    params.assign(name, value);
  const auto variants = info.variants_of(Backend::cuda);
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (variants[i].name == variant) return diagrams_of(info).tile(params, input, static_cast<int>(i));
  throw UsageError("no such variant");
}

const Shape grey = Shape::image(Element::u8, 1, 64, 48), floats = Shape::image(Element::f32, 1, 64, 48);

TEST(TileDiagram, HasTheHaloOfTheWindow) {
  const auto tile = tile_of("convolution", "shared", grey, {{"size", "5"}});
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->width(), ladder::block_width + 4);
  EXPECT_EQ(tile->height(), ladder::block_height + 4);
  EXPECT_EQ(tile->bytes(), 36 * 12);
  EXPECT_EQ(tile->window_values, 25);
  EXPECT_EQ(tile->most_copied(), 4) << "columns 0 and 32 of rows 0 and 8";
  EXPECT_EQ(tile_of("median", "shared", floats, {{"size", "3"}})->bytes(), 34 * 10 * 4);
}

TEST(TileDiagram, TheRowsOfAnElementAreCopiedOneByOne) {
  const auto tile =
      tile_of("morphology", "shared", grey, {{"shape", "rect"}, {"width", "7"}, {"height", "3"}, {"border", "mirror"}});
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->width(), ladder::block_width + 6);
  EXPECT_EQ(tile->height(), ladder::block_height);
  EXPECT_EQ(tile->window_values, 21);
  EXPECT_EQ(tile->copied, "once for each of 3 rows of the element");
}

TEST(TileDiagram, OtherKernelsHaveNone) {
  EXPECT_FALSE(tile_of("convolution", "tiled", grey));
  EXPECT_FALSE(tile_of("median", "global", grey));
  EXPECT_FALSE(tile_of("morphology", "herk", grey));
  EXPECT_FALSE(tile_of("convolution", "shared", Shape::image(Element::u8, 4, 64, 48), {{"alpha", "weighted"}}));
}

class TileSceneTest : public TestedWindowTest {};

TEST_P(TileSceneTest, TheMouseMarksTheThreadOfAPixel) {
  tested_->settle();
  TileScene scene(tested_->shaders_);
  const gl::Framebuffer target(1000, 600);
  const auto figures = [&] {
    std::map<std::string, double> found;
    for (const auto& [name, value] : scene.figures())
      found[name] = value;
    return found;
  };
  EXPECT_TRUE(figures().empty()) << "nothing was drawn";
  scene.draw(tested_->live_, target);
  EXPECT_EQ(figures()["values"], 34 * 10);
  EXPECT_EQ(figures()["halo"], 34 * 10 - 32 * 8);
  EXPECT_EQ(scene.settings()->as<TileView>().thread_x, 0);
  // The middle of the view is that of the block.
  ImGui::GetIO().MousePos = {500, 292};
  ImGui::GetIO().DisplayFramebufferScale = {1, 1};
  scene.interact(tested_->live_, {0, 0}, {1000, 600}, true);
  EXPECT_NEAR(scene.settings()->as<TileView>().thread_x, 16, 1);
  EXPECT_GT(scene.settings()->as<TileView>().thread_y, 0);
  const int marked = scene.settings()->as<TileView>().thread_x;
  ImGui::GetIO().MousePos = {1, 1};
  scene.interact(tested_->live_, {0, 0}, {1000, 600}, true);
  EXPECT_EQ(scene.settings()->as<TileView>().thread_x, marked) << "no pixel of the block is there";
}

INSTANTIATE_TEST_SUITE_P(Platforms, TileSceneTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
