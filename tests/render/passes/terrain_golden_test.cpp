// Compares drawn landscapes with stored pictures, as tests/app/shell/golden_test.cpp does: only with llvmpipe, and
// THREADSCAPE_UPDATE_GOLDENS=1 writes the stored pictures instead.

#include <cstdlib>
#include <filesystem>

#include "compute/io/pictures/image_file.h"
#include "render/capture.h"
#include "render/passes/terrain_pass.h"
#include "tests/support/render/terrain_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape {
namespace {

using render::TerrainSettings;

struct Case {
  const char* name;
  std::vector<std::pair<const char*, const char*>> settings;
};

void PrintTo(const Case& wanted, std::ostream* out) {
  *out << wanted.name;
}

class TerrainGoldenTest : public testing::GlTest, public ::testing::WithParamInterface<Case> {};

TEST_P(TerrainGoldenTest, RenderMatches) {
  if (!context().software()) GTEST_SKIP() << "goldens are for llvmpipe, this is " << context().renderer();
  constexpr double mean_bound = 0.5;
  constexpr int max_bound = 24;  // one sample of an edge
  const Case& wanted = GetParam();
  ParamBox settings = ParamBox::of(TerrainSettings{});
  for (const auto& [name, value] : wanted.settings)
    settings.assign(name, value);
  const gl::ShaderLibrary shaders;
  render::TerrainPass pass(shaders);
  gl::Framebuffer target(240, 150);
  const gl::Texture heights = testing::heightmap(257, 257, testing::hills);
  do
    pass.draw(heights, 1, {}, settings.as<TerrainSettings>(), {0.1f, 0.1f, 0.11f}, target);
  while (pass.unfinished());
  const HostArray drawn = render::capture(target);

  const auto path = std::filesystem::path(test_dir()) / "goldens" / (std::string("terrain_") + wanted.name + ".png");
  if (const char* update = std::getenv("THREADSCAPE_UPDATE_GOLDENS"); update != nullptr && *update == '1') {
    io::save_picture(path, drawn.view(), io::FileColour::rgb);
    GTEST_SKIP() << "wrote " << path;
  }
  const io::Loaded golden = io::load_picture(path);
  ASSERT_EQ(drawn.shape(), golden.pixels.shape());
  const auto a = drawn.image<Rgba8>(), b = golden.pixels.image<Rgba8>();
  double sum = 0.0;
  int largest = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x)
      for (const auto channel : {&Rgba8::r, &Rgba8::g, &Rgba8::b}) {
        const int far = std::abs(a(x, y).*channel - b(x, y).*channel);
        sum += far;
        largest = std::max(largest, far);
      }
  const double mean = sum / (3.0 * a.width * a.height);
  if (mean <= mean_bound && largest <= max_bound) return;
  const auto actual = std::filesystem::path(test_output_dir()) / path.filename();
  std::filesystem::create_directories(actual.parent_path());
  io::save_picture(actual, drawn.view(), io::FileColour::rgb);
  FAIL() << "mean difference " << mean << ", largest " << largest << ": " << actual;
}

INSTANTIATE_TEST_SUITE_P(
    Pictures, TerrainGoldenTest,
    ::testing::Values(
        Case{"outdoor", {}},
        Case{"flat", {{"shading", "flat"}, {"light", "plain"}, {"surface", "hypsometric"}, {"pixel_error", "4"}}},
        Case{"gouraud", {{"shading", "gouraud"}, {"light", "plain"}, {"surface", "hypsometric"}, {"pixel_error", "4"}}},
        Case{"phong", {{"shading", "phong"}, {"light", "plain"}, {"surface", "hypsometric"}, {"specular", "0.4"}}},
        Case{"blinn_phong", {{"light", "plain"}, {"surface", "hypsometric"}, {"specular", "0.4"}}},
        Case{"contours", {{"contours", "0.05"}, {"surface", "slope"}, {"projection", "orthographic"}}},
        Case{"wireframe", {{"wireframe", "overlay"}, {"surface", "levels"}, {"pixel_error", "3"}}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace threadscape
