// Compares pictures that `render` makes with stored ones (goldens), which were made with Mesa's llvmpipe. The test
// compares only on llvmpipe, because other drivers round differently. With THREADSCAPE_UPDATE_GOLDENS=1 it writes the
// goldens instead; look at them before you commit them.
//
// A picture passes if its mean absolute difference is at most 0.5 of 255, and the difference in any channel at most 8
// of 255. Another version of LLVM or another SIMD width changes filtered samples by that much; a widget that moved or
// is missing changes far more.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "app/cli/commands/render.h"
#include "app/platform/platform.h"
#include "app/ui/theme.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape::app {
namespace {

constexpr double mean_bound = 0.5;
constexpr int max_bound = 8;
/// Pixels that may be further away. llvmpipe compiles shaders for the processor that it runs on, and where that has
/// other multiply-adds, a pixel of a thin line in space can fall beside its place.
constexpr int max_far_pixels = 12;

std::string why_not_llvmpipe() {
  try {
    const auto platform = make_headless(16, 16);
    if (platform->context().renderer().find("llvmpipe") != std::string::npos) return {};
    return "goldens are for llvmpipe, this is " + platform->context().renderer();
  } catch (const EnvironmentError& error) {
    return error.what();
  }
}

struct Case {
  const char* name;
  const char* algorithm;
  std::vector<std::pair<std::string, std::string>> sets;
  const char* show;
  int width, height;
  bool ui;
  bool light;
  int intermediate = 0;
  std::vector<std::pair<std::string, std::string>> view = {};
  const char* scene = "";
};

void PrintTo(const Case& wanted, std::ostream* out) {
  *out << wanted.name;
}

/// A mask for the photo: white inside a circle.
HostArray round_mask(int centre_x, int centre_y, int radius) {
  HostArray mask(Shape::image(Element::u8, 1, 96, 64));
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 96; ++x) {
      const int dx = x - centre_x, dy = y - centre_y;
      mask.image<std::uint8_t>()(x, y) = dx * dx + dy * dy <= radius * radius ? 255 : 0;
    }
  return mask;
}

/// The absolute difference of each channel times 16, so that small differences are visible.
HostArray difference_picture(ImageView<const Rgba8> a, ImageView<const Rgba8> b) {
  HostArray out(Shape::image(Element::u8, 4, a.width, a.height));
  const auto pixels = out.image<Rgba8>();
  const auto far = [](int u, int v) { return static_cast<std::uint8_t>(std::min(255, 16 * std::abs(u - v))); };
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x)
      pixels(x, y) = {far(a(x, y).r, b(x, y).r), far(a(x, y).g, b(x, y).g), far(a(x, y).b, b(x, y).b), 255};
  return out;
}

class GoldenTest : public ::testing::TestWithParam<Case> {};

TEST_P(GoldenTest, RenderMatches) {
  if (const std::string reason = why_not_llvmpipe(); !reason.empty()) GTEST_SKIP() << reason;
  const Case& wanted = GetParam();
  const std::filesystem::path golden_path =
      std::filesystem::path(test_dir()) / "goldens" / (std::string(wanted.name) + ".png");
  const std::filesystem::path output = std::filesystem::path(test_output_dir());
  const std::filesystem::path actual_path = output / (std::string(wanted.name) + ".actual.png");
  const threadscape::testing::TemporaryFolder folder;
  io::save_picture(folder.path() / "photo.png", threadscape::testing::test_photo().pixels.view(), io::FileColour::rgb);

  // The files that parameters of a case name as @/left.png and @/right.png.
  io::save_picture(folder.path() / "left.png", round_mask(28, 30, 14).view(), io::FileColour::grey);
  io::save_picture(folder.path() / "right.png", round_mask(70, 40, 10).view(), io::FileColour::grey);

  RenderOptions options;
  options.display.run.algorithm = wanted.algorithm;
  options.display.run.backend = Backend::openmp;
  options.display.run.sets = wanted.sets;
  for (auto& [name, value] : options.display.run.sets)
    if (value.starts_with("@/")) value = (folder.path() / value.substr(2)).string();
  if (find_algorithm(wanted.algorithm).input == Kind::image) options.display.input = folder.path() / "photo.png";
  options.display.theme = wanted.light ? Theme::light : Theme::dark;
  options.output = actual_path;
  options.width = wanted.width;
  options.height = wanted.height;
  options.scene.name = wanted.scene;
  options.scene.show = wanted.show;
  options.intermediate = wanted.intermediate;
  options.scene.view = wanted.view;
  options.ui = wanted.ui;
  options.fixture = true;
  options.quiet = true;
  std::filesystem::create_directories(output);
  ASSERT_EQ(render(options), 0);

  if (const char* update = std::getenv("THREADSCAPE_UPDATE_GOLDENS");
      update != nullptr && std::string_view(update) == "1") {
    std::filesystem::copy_file(actual_path, golden_path, std::filesystem::copy_options::overwrite_existing);
    GTEST_SKIP() << "wrote " << golden_path;
  }
  const io::Loaded actual = io::load_picture(actual_path);
  const io::Loaded golden = io::load_picture(golden_path);
  ASSERT_EQ(actual.pixels.shape(), golden.pixels.shape());
  const auto a = actual.pixels.image<Rgba8>(), b = golden.pixels.image<Rgba8>();
  double sum = 0;
  int largest = 0, far_pixels = 0;
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      int furthest = 0;
      for (const auto channel : {&Rgba8::r, &Rgba8::g, &Rgba8::b}) {
        const int far = std::abs(a(x, y).*channel - b(x, y).*channel);
        sum += far;
        furthest = std::max(furthest, far);
      }
      largest = std::max(largest, furthest);
      far_pixels += furthest > max_bound ? 1 : 0;
    }
  }
  const double mean = sum / (3.0 * a.width * a.height);
  if (mean > mean_bound || far_pixels > max_far_pixels) {
    const auto difference_path = output / (std::string(wanted.name) + ".difference.png");
    io::save_picture(difference_path, difference_picture(a, b).view(), io::FileColour::rgb);
    FAIL() << "mean difference " << mean << ", largest " << largest << ", pixels beyond " << max_bound << ": "
           << far_pixels << "\n  actual     " << actual_path << "\n  golden     " << golden_path << "\n  difference "
           << difference_path;
  }
  std::filesystem::remove(actual_path);
}

/// A stage of the pipeline. The camera is near enough that planes cut the mesh.
Case pipeline_stage(const char* name, const char* show, const char* mesh,
                    std::vector<std::pair<std::string, std::string>> view, bool light = false) {
  return {
      name,
      "rasterize",
      {{"mesh", mesh}, {"subdivision", "3"}, {"width", "160"}, {"height", "120"}, {"distance", "1.6"}, {"near", "1.1"}},
      show,
      480,
      360,
      false,
      light,
      0,
      std::move(view),
      "pipeline"};
}

/// A stage of the pipeline with surroundings that a sphere reflects.
Case pipeline_environment(const char* name, const char* show, const char* environment,
                          std::vector<std::pair<std::string, std::string>> view, bool light) {
  Case stage = pipeline_stage(name, show, "sphere", std::move(view), light);
  stage.sets.insert(stage.sets.end(), {{"environment", environment}, {"reflection", "0.8"}, {"refraction", "0.3"}});
  return stage;
}

INSTANTIATE_TEST_SUITE_P(
    Pipeline, GoldenTest,
    ::testing::Values(pipeline_stage("pipeline_object", "object", "teapot", {{"triangle", "300"}}),
                      pipeline_stage("pipeline_world", "world", "teapot", {{"triangle", "300"}}, true),
                      pipeline_stage("pipeline_camera", "camera", "teapot", {{"faces", "false"}}),
                      pipeline_stage("pipeline_clip", "clip", "teapot", {{"azimuth", "60"}}),
                      pipeline_stage("pipeline_screen", "screen", "teapot", {{"triangle", "300"}}),
                      pipeline_stage("pipeline_coverage", "coverage", "teapot", {{"triangle", "300"}}),
                      pipeline_stage("pipeline_fragments", "fragments", "teapot", {{"drawn", "250"}}),
                      pipeline_stage("pipeline_depth", "depth", "teapot", {}),
                      pipeline_stage("pipeline_overdraw", "overdraw", "teapot", {}),
                      pipeline_stage("pipeline_lighting", "lighting", "cube", {{"term", "specular"}}),
                      pipeline_stage("pipeline_blending", "blending", "glass", {{"layers", "2"}}),
                      pipeline_stage("pipeline_picture", "picture", "cube", {{"pixel_x", "80"}, {"pixel_y", "60"}}),
                      pipeline_stage("pipeline_opengl", "opengl", "sphere", {}, true),
                      pipeline_stage("pipeline_difference", "difference", "sphere", {}),
                      pipeline_environment("pipeline_reflection", "lighting", "sky", {{"term", "reflection"}}, false),
                      pipeline_environment("pipeline_environment", "picture", "room", {}, true),
                      pipeline_environment("pipeline_environment_opengl", "opengl", "room", {}, true)),
    [](const ::testing::TestParamInfo<Case>& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Pictures, GoldenTest,
    ::testing::Values(
        Case{"convolution_gaussian",
             "convolution",
             {{"size", "5"}, {"preset", "gaussian"}},
             "result",
             0,
             0,
             false,
             false},
        Case{"convolution_split", "convolution", {{"preset", "emboss"}}, "split", 160, 100, false, false},
        Case{"sobel_side_by_side", "sobel", {}, "side-by-side", 200, 80, false, false},
        Case{"window_dark", "convolution", {}, "split", 1280, 720, true, false},
        Case{"window_light", "sobel", {{"norm", "l2"}}, "result", 1280, 720, true, true},
        Case{"window_morphology",
             "morphology",
             {{"operation", "tophat"},
              {"shape", "file"},
              {"element", "6x5:001100/011110/111111/011110/001000"},
              {"origin_x", "2"},
              {"origin_y", "1"}},
             "result",
             1280,
             720,
             true,
             false,
             2},
        // The first frames of a window have another layout, after which the triangle must still fill the view.
        Case{"window_pipeline",
             "rasterize",
             {{"subdivision", "4"}, {"width", "320"}, {"height", "240"}},
             "coverage",
             1280,
             720,
             true,
             false,
             0,
             {{"triangle", "300"}},
             "pipeline"},
        Case{"window_terrain", "diamond_square", {{"n", "7"}}, "result", 1280, 720, true, false},
        Case{"launch_square_step",
             "diamond_square",
             {{"n", "2"}},
             "both",
             640,
             360,
             false,
             false,
             4,
             {{"kernel", "5"}},
             "launch"},
        Case{"sorting_bars", "sorting", {{"count", "40"}, {"type", "float"}}, "both", 320, 200, false, false},
        Case{"sorting_strip",
             "sorting",
             {{"count", "5000"}, {"distribution", "few"}, {"pairs", "true"}},
             "both",
             320,
             200,
             false,
             true,
             0,
             {{"style", "strip"}, {"colour", "place"}}},
        Case{"convolution_tile", "convolution", {{"size", "5"}}, "threads", 800, 450, false, false},
        Case{"sorting_network", "sorting", {{"count", "16"}}, "diagram", 640, 360, false, false, 6},
        Case{"reduction_argmin",
             "reduction",
             {{"count", "1000"}, {"type", "double"}, {"operator", "argmin"}},
             "both",
             480,
             270,
             false,
             false},
        Case{"projection_scene",
             "projection",
             {{"pixels", "48"}, {"phantom", "shepp_logan"}},
             "scene",
             800,
             450,
             false,
             false,
             0,
             {{"view", "2"}, {"ray_column", "20"}, {"samples", "2"}}},
        Case{"projection_view",
             "projection",
             {{"pixels", "48"}},
             "view",
             480,
             360,
             false,
             true,
             0,
             {{"view", "3"}, {"map", "magma"}, {"inverted", "on"}, {"row", "20"}}},
        Case{"seams_picture",
             "seam_carving",
             {{"width", "60"}},
             "picture",
             480,
             320,
             false,
             false,
             0,
             {{"step", "20"}, {"highlight", "3"}}},
        Case{"seams_phase_candidates",
             "seam_carving",
             {{"width", "60"}, {"path", "greedy"}, {"start", "bottom"}},
             "phases",
             480,
             320,
             false,
             false,
             0,
             {{"step", "5"}, {"phase", "candidates"}}},
        Case{"seams_phase_cheapest",
             "seam_carving",
             {{"width", "60"}, {"path", "greedy"}, {"start", "bottom"}},
             "phases",
             480,
             320,
             false,
             false,
             0,
             {{"step", "5"}, {"phase", "cheapest"}}},
        Case{"window_seams_phases",
             "seam_carving",
             {{"width", "60"}, {"path", "greedy"}},
             "phases",
             1280,
             720,
             true,
             true,
             0,
             {{"phase", "energy"}}},
        Case{"seams_paint",
             "seam_carving",
             {{"protect", "@/left.png"}, {"remove", "@/right.png"}},
             "paint",
             480,
             320,
             false,
             true},
        Case{"window_seams", "seam_carving", {{"width", "60"}, {"height", "56"}}, "when", 1280, 720, true, false},
        Case{"window_seams_hint", "seam_carving", {}, "picture", 900, 600, true, true},
        Case{"reconstruction_compare",
             "reconstruction",
             {{"voxels", "32"}, {"detector_pixels", "48"}, {"step", "6"}},
             "all",
             900,
             500,
             false,
             false,
             0,
             {{"slice_x", "0.4"}, {"line", "y"}}},
        Case{"window_reconstruction",
             "reconstruction",
             {{"phantom", "cavity"}, {"voxels", "32"}, {"detector_pixels", "48"}, {"step", "6"}},
             "z",
             1280,
             800,
             true,
             true},
        Case{"reduction_tree",
             "reduction",
             {{"count", "1000"}, {"operator", "max"}},
             "diagram",
             800,
             450,
             false,
             true,
             0,
             {{"kernel", "3"}, {"step", "2"}}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace threadscape::app
