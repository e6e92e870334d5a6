// Tests of the scene of volumes and projections: the diagram of the scanner against the results of the backends, the
// mouse, and results that are shown while they are computed.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "app/platform/platform.h"
#include "app/scenes/scene_set.h"
#include "app/scenes/volume/volume_scene.h"
#include "app/ui/ui_context.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "render/capture.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

ParamBox params_of(const std::vector<std::pair<std::string, std::string>>& sets) {
  ParamBox params = find_algorithm("projection").defaults();
  for (const auto& [name, value] : sets)
    params.assign(name, value);
  return params;
}

const std::vector<std::vector<std::pair<std::string, std::string>>> scanners{
    {{"pixels", "24"}},
    {{"pixels", "17"}, {"phantom", "shepp_logan"}},
    {{"geometry", "cone"},
     {"voxels", "20"},
     {"voxels_z", "11"},
     {"voxel_size_y", "1.5"},
     {"detector_pixels", "19"},
     {"detector_rows", "12"},
     {"pixel_size", "3"},
     {"offset_u", "2.5"},
     {"arc", "360"},
     {"step", "45"}},
    {{"geometry", "parallel"}, {"voxels", "16"}, {"detector_pixels", "15"}, {"pixel_size", "1.7"}, {"step", "30"}},
};

double length(const ScannerDiagram::Point& a, const ScannerDiagram::Point& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// The line integral that the diagram states for a ray equals the value of that ray's pixel in the output.
TEST(ScannerDiagrams, RaysEqualThoseOfTheResult) {
  const AlgorithmInfo& projection = find_algorithm("projection");
  Runner runner;
  for (const auto& sets : scanners) {
    const ParamBox params = params_of(sets);
    const HostArray voxels = projection.own_input->make(params, 0);
    HostArray result(projection.output_shape(params, voxels.shape()));
    runner.run_into({.algorithm = &projection, .params = params, .backend = Backend::serial}, voxels.view(),
                    result.view());
    const auto scanner = diagrams_of(find_algorithm("projection")).scanner->diagram(params, voxels.shape());
    ASSERT_TRUE(scanner);
    ASSERT_EQ(static_cast<std::int64_t>(scanner->views.size()), result.shape().depth);
    EXPECT_EQ(scanner->columns, result.shape().width);
    EXPECT_EQ(scanner->rows, result.shape().height);
    const auto values = result.view().volume<float>();
    for (int view = 0; view < values.depth; ++view)
      for (int row = 0; row < values.height; row += 3)
        for (int column = 0; column < values.width; column += 2) {
          const auto ray =
              diagrams_of(find_algorithm("projection")).scanner->ray(params, voxels.view(), view, row, column);
          ASSERT_TRUE(ray);
          EXPECT_NEAR(ray->sum, static_cast<double>(values(column, row, view)), 1e-6 * (1 + std::abs(ray->sum)));
          double way = 0.0;
          for (const RayDiagram::Piece& piece : ray->pieces)
            way += piece.length;
          EXPECT_NEAR(way, length(ray->in, ray->out), 1e-9 * length(ray->from, ray->to));
          const auto& seen = scanner->views[static_cast<std::size_t>(view)];
          const ScannerDiagram::Point pixel{seen.corner.x + column * seen.column.x + row * seen.row.x,
                                            seen.corner.y + column * seen.column.y + row * seen.row.y,
                                            seen.corner.z + column * seen.column.z + row * seen.row.z};
          EXPECT_NEAR(length(pixel, ray->to), 0.0, 1e-9 * length(ray->from, ray->to));
        }
    EXPECT_FALSE(diagrams_of(find_algorithm("projection")).scanner->ray(params, voxels.view(), 0, values.height, 0));
    EXPECT_FALSE(diagrams_of(find_algorithm("projection")).scanner->ray(params, voxels.view(), values.depth, 0, 0));
  }
}

TEST(VolumeSceneTest, ShowsVolumes) {
  EXPECT_EQ(find_scene("", find_algorithm("projection")).name, "volume");
  EXPECT_EQ(find_show(find_scene("volume", find_algorithm("projection")), "sinogram"), 2);
  EXPECT_THROW((void)find_scene("volume", find_algorithm("sobel")), UsageError);
  EXPECT_FALSE(diagrams_of(find_algorithm("sobel")).scanner);
}

/// A workspace and a live view on a headless platform of 400 x 300 pixels.
class Headless : public ::testing::Test {
 protected:
  void SetUp() override {
    platform_ = threadscape::testing::headless_or_skip(400, 300);
    if (!platform_) return;
    ui_ = std::make_unique<UiContext>(*platform_, FontChoice::built_in, std::string{});
    apply_theme(Theme::dark, 1.0f);
    workspace_.choose_algorithm(find_algorithm("projection"));
    workspace_.set_parameters(params_of({{"pixels", "40"}}));
    live_ = std::make_unique<LiveView>(interop::probe_route(platform_->context(), gpu::devices().first()),
                                       [this] { ++wakes_; });
  }
  void TearDown() override {
    live_.reset();
    ui_.reset();
  }

  std::unique_ptr<Platform> platform_;
  std::unique_ptr<UiContext> ui_;
  gl::ShaderLibrary shaders_;
  Workspace workspace_;
  std::atomic<int> wakes_{0};
  std::unique_ptr<LiveView> live_;
};

/// Shaders are compiled for the formats of textures and for which of their sides are powers of two.
TEST_F(Headless, ShaderKindsAreThoseOfTexturesAndPrograms) {
  VolumeScene scene(shaders_);
  EXPECT_EQ(scene.shader_kinds(*live_, {400, 300}), "") << "there is nothing to draw";
  const auto kinds = [&](const char* voxels, const char* rows, glm::ivec2 size = {400, 300}) {
    workspace_.set_parameters(params_of({{"geometry", "parallel"},
                                         {"voxels", voxels},
                                         {"voxels_y", "6"},
                                         {"voxels_z", "6"},
                                         {"detector_pixels", "9"},
                                         {"detector_rows", rows},
                                         {"step", "30"}}));
    live_->finish(workspace_);
    return scene.shader_kinds(*live_, size);
  };
  const std::string usual = kinds("6", "5");
  EXPECT_EQ(kinds("7", "9"), usual) << "none is a power of two";
  EXPECT_NE(kinds("8", "5"), usual) << "the object's width";
  EXPECT_NE(kinds("6", "4"), usual) << "the height of the views";
  EXPECT_NE(kinds("6", "5", {300, 400}), usual) << "no room for pictures beside the scene";
  for (const auto& [setting, value] : {std::pair{"volume", "sum"}, {"samples", "2"}, {"smooth", "off"}}) {
    scene.settings()->assign(setting, value);
    EXPECT_NE(kinds("6", "5"), usual) << setting;
    *scene.settings() = ParamBox::of(VolumeView{});
  }
  scene.settings()->assign("rays", "5");
  EXPECT_EQ(kinds("6", "5"), usual) << "lines are drawn by a shader that is there";
  scene.show(static_cast<int>(VolumeShow::slices));
  EXPECT_NE(kinds("6", "5"), usual);
}

class VolumeSceneMouse : public Headless {
 protected:
  void SetUp() override {
    Headless::SetUp();
    if (IsSkipped()) return;
    live_->finish(workspace_);
    ASSERT_NE(live_->output(), nullptr);
    target_ = gl::Framebuffer(400, 300);
    scene_ = std::make_unique<VolumeScene>(shaders_);
    scene_->settings()->assign("samples", "1");
    scene_->settings()->assign("quality", "0.3");
    scene_->settings()->assign("profile", "off");
  }
  void TearDown() override {
    scene_.reset();
    target_ = {};
    Headless::TearDown();
  }
  void frame(float x, float y, float wheel = 0.0f) {
    (void)platform_->poll(false);
    ImGui::GetIO().AddMousePosEvent(x, y);
    if (wheel != 0.0f) ImGui::GetIO().AddMouseWheelEvent(0, wheel);
    ui_->begin_frame();
    scene_->draw(*live_, target_);
    scene_->interact(*live_, {0, 0}, {400, 300}, true);
    ui_->drop_frame();
  }
  void press(ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, true);
    frame(200, 150);
    ImGui::GetIO().AddKeyEvent(key, false);
    frame(200, 150);
  }
  void drag(int button, float x0, float y0, float x1, float y1) {
    frame(x0, y0);
    ImGui::GetIO().AddMouseButtonEvent(button, true);
    frame(x0, y0);
    frame(x1, y1);
    ImGui::GetIO().AddMouseButtonEvent(button, false);
    frame(x1, y1);
  }
  [[nodiscard]] double figure(std::string_view name) const {
    for (const auto& [known, value] : scene_->figures())
      if (known == name) return value;
    return std::numeric_limits<double>::quiet_NaN();
  }
  [[nodiscard]] const VolumeView& look() const { return scene_->settings()->as<VolumeView>(); }

  gl::Framebuffer target_;
  std::unique_ptr<VolumeScene> scene_;
};

TEST_F(VolumeSceneMouse, KeysChooseAngleAndRow) {
  frame(200, 150);
  EXPECT_EQ(figure("views"), 7.0);
  EXPECT_EQ(figure("view"), 3.0) << "the middle one";
  scene_->settings()->assign("view", "0");
  frame(200, 150);
  EXPECT_EQ(figure("angle"), -45.0);
  press(ImGuiKey_D);
  EXPECT_EQ(figure("angle"), -30.0);
  press(ImGuiKey_A);
  press(ImGuiKey_A);
  EXPECT_EQ(figure("view"), 0.0) << "there is none before";
  const double row = figure("row");
  press(ImGuiKey_W);
  EXPECT_EQ(figure("row"), row + 1);
  press(ImGuiKey_S);
  EXPECT_EQ(figure("row"), row);
  EXPECT_TRUE(scene_->show_frame(1, 2));
  frame(200, 150);
  EXPECT_EQ(figure("view"), 3.0);
}

TEST_F(VolumeSceneMouse, AClickOnTheDetectorChoosesTheRayOfThePixel) {
  scene_->show(static_cast<int>(VolumeShow::view));
  scene_->settings()->assign("view", "2");
  const HostArray result = live_->output()->read();
  const auto values = result.view().volume<float>();
  for (const auto& [x, y] : {std::pair{150.0f, 150.0f}, {170.0f, 120.0f}, {120.0f, 180.0f}}) {
    drag(0, x, y, x, y);
    frame(x, y);
    const int column = look().ray_column, row = static_cast<int>(figure("row"));
    ASSERT_GE(column, 0);
    EXPECT_NEAR(figure("ray"), static_cast<double>(values(column, row, 2)), 1e-4 * (1 + std::abs(figure("ray"))));
  }
  EXPECT_GT(figure("ray_voxels"), 5.0);
  press(ImGuiKey_X);
  EXPECT_TRUE(std::isnan(figure("ray"))) << "it is let go";
}

TEST_F(VolumeSceneMouse, TheMouseChoosesAnglesWindowsAndCuts) {
  scene_->show(static_cast<int>(VolumeShow::sinogram));
  drag(0, 150, 200, 150, 289);
  EXPECT_EQ(figure("view"), 6.0);
  const float window = look().window;
  drag(1, 150, 150, 200, 150);
  EXPECT_GT(look().window, window);
  press(ImGuiKey_R);
  EXPECT_EQ(look().window, 1.0f);

  scene_->show(static_cast<int>(VolumeShow::slices));
  drag(0, 80, 90, 60, 70);
  EXPECT_GE(look().slice_x, 0.0f);
  EXPECT_GE(look().slice_y, 0.0f);
  EXPECT_LT(look().slice_z, 0.0f) << "still where there is something to see";

  scene_->show(static_cast<int>(VolumeShow::scene));
  // The camera looks along the beam, so that the middle of the view is the middle of the detector.
  for (const auto& [name, value] : {std::pair{"azimuth", "180"}, {"elevation", "0"}, {"insets", "off"}, {"view", "3"}})
    scene_->settings()->assign(name, value);
  drag(0, 200, 150, 200, 150);
  EXPECT_NEAR(look().ray_column, 20, 1);
  EXPECT_NEAR(figure("row"), 20.0, 1.0);
  const float azimuth = look().azimuth;
  drag(0, 100, 150, 140, 150);
  EXPECT_NE(look().azimuth, azimuth);
  frame(100, 150);  // ImGui handles a move and a turn of the wheel in two separate frames.
  frame(100, 150, 1.0f);
  const float distance = look().distance;
  EXPECT_GT(distance, 0.0f);
  frame(100, 150, 1.0f);
  EXPECT_LT(look().distance, distance);
  press(ImGuiKey_F);
  EXPECT_EQ(look().distance, 0.0f);
}

/// A run of 91 views with 160,000 rays each, which takes one thread seconds on any machine. Its pixels appear one after
/// another; those that are not yet computed are NaN. The run wakes the window when there is something new to draw.
TEST_F(Headless, LongRunsAreShownWhileTheyAreComputed) {
  workspace_.set_parameters(params_of({{"pixels", "400"}, {"step", "1"}}));
  workspace_.choose_backend(Backend::serial);
  const auto known = [&] {
    const HostArray part = live_->output()->read();
    const auto* values = reinterpret_cast<const float*>(part.data());
    return part.shape().items() -
           std::count_if(values, values + part.shape().items(), [](float v) { return std::isnan(v); });
  };
  const auto wait_for_version = [&](std::uint64_t version) {
    const auto start = std::chrono::steady_clock::now();
    while (live_->output_version() < version && live_->busy() &&
           std::chrono::steady_clock::now() - start < std::chrono::seconds(60)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      live_->update(workspace_);
    }
  };
  live_->update(workspace_);
  wait_for_version(1);
  ASSERT_TRUE(live_->busy());
  ASSERT_TRUE(live_->partial());
  EXPECT_EQ(*live_->partial(), workspace_.wanted());
  EXPECT_FALSE(live_->shown());
  EXPECT_FALSE(live_->settled(workspace_));
  const std::int64_t before = known(), all = live_->output()->shape().items();
  EXPECT_LT(before, all);
  wait_for_version(6);
  EXPECT_GE(known(), before);
  EXPECT_GT(wakes_, 0);
  live_->cancel();
  while (live_->busy())
    live_->update(workspace_);
  EXPECT_TRUE(live_->partial()) << "what was computed until then stays";
  // An unfinished output can be drawn: its minimum and maximum are taken over the values that are computed.
  const gl::Framebuffer target(400, 300);
  VolumeScene scene(shaders_);
  scene.show(static_cast<int>(VolumeShow::sinogram));
  do {
    (void)platform_->poll(false);
    ui_->begin_frame();
    scene.draw(*live_, target);
    ui_->drop_frame();
  } while (scene.animating());
  for (const auto& [name, value] : scene.figures()) {
    if (name == "high") {
      EXPECT_GT(value, 1000.0);
    }
    if (name == "views") {
      EXPECT_EQ(value, 91.0);
    }
  }
}

/// An algorithm that makes a volume and states no scanner geometry.
struct PlainVolume {
  static constexpr std::string_view title = "Plain", summary = "a ramp", source = "the tests";
  static constexpr Kind input = Kind::none, output = Kind::volume;
  static constexpr Tolerance tolerance = Tolerance::exact();
  struct Params {
    static auto fields() { return std::tuple{}; }
    bool operator==(const Params&) const = default;
  };
  static Shape output_shape(const Params&, const Shape&) { return {Kind::volume, Element::u16, 1, 12, 9, 17}; }
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int) { return 0; }
  static void serial(const Params&, const HostRun& run) {
    const auto out = run.out.volume<std::uint16_t>();
    for (int z = 0; z < out.depth; ++z)
      for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x)
          out(x, y, z) = static_cast<std::uint16_t>(3000 * z + 10 * y + x);
  }
  static void openmp(const Params& params, const HostRun& run) { serial(params, run); }
  static void cuda(const Params&, const DeviceRun&) {}
};

TEST_F(Headless, APlainVolumeHasSlicesAndNoViews) {
  const AlgorithmInfo plain = describe<PlainVolume>("plain");
  workspace_.choose_algorithm(plain);
  live_->finish(workspace_);
  ASSERT_NE(live_->output()->volume(), nullptr);
  const gl::Framebuffer target(400, 300);
  VolumeScene scene(shaders_);
  for (const VolumeShow show : {VolumeShow::scene, VolumeShow::view, VolumeShow::slices}) {
    scene.show(static_cast<int>(show));
    do {
      (void)platform_->poll(false);
      ui_->begin_frame();
      scene.draw(*live_, target);
      ui_->drop_frame();
    } while (scene.animating());
    const HostArray picture = render::capture(target);
    const auto pixels = picture.image<Rgba8>();
    int bright = 0;
    for (int y = 0; y < pixels.height; ++y)
      for (int x = 0; x < pixels.width; ++x)
        bright += pixels(x, y).r > 120;
    EXPECT_GT(bright, 500) << volume_show_names[static_cast<std::size_t>(show)];
  }
  EXPECT_EQ(scene.figures().front().second, 0.0) << "views";
  live_.reset();  // The live view refers to the algorithm, so it goes first.
  workspace_.choose_algorithm(find_algorithm("projection"));
}

/// Without a GPU the volume is drawn at a resolution that is found in some pictures, by how long they take. Here these
/// times are invented, so that the resolution does not depend on the machine: pictures that take no time have half of
/// the view's width and height, slow ones a sixteenth, which is 25 x 18 pixels. The mean brightness is that of the
/// complete picture within a sixth, since edges and lines are blurred over up to 16 pixels.
TEST_F(Headless, WithoutAGpuThePictureComesToRest) {
  workspace_.choose_algorithm(find_algorithm("phantom"));
  live_->finish(workspace_);
  const gl::Framebuffer target(400, 300);
  const auto drawn = [&](VolumeScene& scene, VolumeShow show) {
    scene.show(static_cast<int>(show));
    int pictures = 0;
    do {
      (void)platform_->poll(false);
      ui_->begin_frame();
      scene.draw(*live_, target);
      ui_->drop_frame();
      glFinish();
    } while (scene.animating() && ++pictures < 50);
    EXPECT_LT(pictures, 50) << volume_show_names[static_cast<std::size_t>(show)];
    return render::capture(target);
  };
  const auto brightness = [](const HostArray& picture) {
    const auto pixels = picture.image<Rgba8>();
    double sum = 0.0;
    for (int y = 0; y < pixels.height; ++y)
      for (int x = 0; x < pixels.width; ++x)
        sum += pixels(x, y).r;
    return sum / (400.0 * 300.0);
  };
  VolumeScene complete(shaders_);
  std::vector<HostArray> scenes;
  for (const double picture_ms : {0.0, 3.0, 30.0, 1e4}) {
    VolumeScene quick(shaders_);
    double now = 0.0;
    quick.set_clock([&] { return now += picture_ms; });
    quick.prefer_speed();
    for (const VolumeShow show : {VolumeShow::scene, VolumeShow::slices, VolumeShow::scene}) {
      const double expected = brightness(drawn(complete, show));
      EXPECT_GT(expected, 20.0);
      HostArray picture = drawn(quick, show);
      EXPECT_NEAR(brightness(picture), expected, expected / 6)
          << volume_show_names[static_cast<std::size_t>(show)] << ", " << picture_ms << " ms per picture";
      if (show == VolumeShow::scene) scenes.push_back(std::move(picture));
    }
  }
  EXPECT_FALSE(testing::same_pixels(scenes.front(), scenes.back())) << "slow pictures are not coarser";
}

TEST_F(Headless, AFinishedRunIsComplete) {
  live_->finish(workspace_);
  EXPECT_FALSE(live_->partial());
  ASSERT_TRUE(live_->shown());
  const HostArray result = live_->output()->read();
  HostArray expected(result.shape());
  Runner runner;
  runner.run_into(workspace_.wanted().request(), live_->source()->picture.pixels.view(), expected.view());
  EXPECT_TRUE(testing::same_pixels(result, expected));
}

}  // namespace
}  // namespace threadscape::app
