// Tests of the scene of seams. The picture of every intermediate size, which the scene replays from the map of seams,
// equals what the algorithm computes for that size.

#include "app/scenes/seams/seams_scene.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "app/platform/platform.h"
#include "app/scenes/scene_set.h"
#include "app/ui/ui_context.h"
#include "compute/core/convert.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "render/capture.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

class SeamsSceneTest : public ::testing::Test {
 protected:
  void SetUp() override {
    platform_ = threadscape::testing::headless_or_skip(320, 200);
    if (!platform_) return;
    route_ = interop::probe_route(platform_->context(), gpu::devices().first());
    live_ = std::make_unique<LiveView>(route_, [] {});
    ui_ = std::make_unique<UiContext>(*platform_, FontChoice::built_in, std::string{});
    apply_theme(Theme::dark, 1.0f);
    scene_ = std::make_unique<SeamsScene>(shaders_);
    scene_->work_at(desk_);
    frame_ = gl::Framebuffer(320, 200);
    workspace_.choose_algorithm(find_algorithm("seam_carving"));
    workspace_.set_source("photo.png", threadscape::testing::test_photo());
  }
  void set(std::string_view name, std::string_view value) { workspace_.set_parameter(name, value); }
  void show(SeamsShow what, int step) {
    scene_->show(static_cast<int>(what));
    scene_->settings()->as<SeamsView>().step = step;
    // The loop runs twice, because the size of the energy picture follows from the step, and the number of seams that
    // the first run finds limits the step.
    for (int i = 0; i < 2; ++i) {
      workspace_.compute_instead(scene_->params_to_compute(workspace_));
      ASSERT_EQ(workspace_.problem(), "");
      live_->finish(workspace_);
      do {
        (void)platform_->poll(false);
        ui_->begin_frame();
        scene_->draw(*live_, frame_);
        ui_->drop_frame();
      } while (scene_->animating());
    }
  }
  [[nodiscard]] double figure(std::string_view name) const {
    for (const auto& [key, value] : scene_->figures())
      if (key == name) return value;
    return -1;
  }
  /// What the serial backend computes from the source with these parameters.
  [[nodiscard]] HostArray made(const std::vector<std::pair<std::string, std::string>>& sets) {
    ParamBox params = workspace_.algorithm().defaults();
    for (const auto& [name, value] : sets)
      params.assign(name, value);
    const HostIn input = workspace_.source()->picture.pixels.view();
    HostArray result(workspace_.algorithm().output_shape(params, input.shape));
    Runner runner;
    runner.run_into({.algorithm = &workspace_.algorithm(), .params = params, .backend = Backend::serial}, input,
                    result.view());
    return result;
  }
  /// The pixels that the scene would save to a file; none if it would save the output itself.
  [[nodiscard]] std::optional<HostArray> result() {
    std::optional<SceneResult> shown = scene_->result(*live_);
    if (!shown) return {};
    return shown->convert(shown->contents.wait());
  }
  void expect_shown(const HostArray& expected) {
    const auto shown = result();
    ASSERT_TRUE(shown);
    expect_same(*shown, expected);
  }
  static void expect_same(const HostArray& shown, const HostArray& expected) {
    ASSERT_TRUE(testing::same_pixels(shown, expected));
  }

  /// The errors in the log, one after another.
  [[nodiscard]] std::string errors() const {
    std::string all;
    for (const LogBook::Entry& entry : workspace_.log.entries())
      if (entry.level == LogBook::Level::error) all += entry.text;
    return all;
  }
  /// Drags the mouse over the view; positions are in pixels of the view. Returns the error that the scene reports, ""
  /// for none.
  std::string drag(ImVec2 from, ImVec2 to, ImGuiMouseButton button) {
    ImGuiIO& io = ImGui::GetIO();
    workspace_.log.clear();
    const auto frame = [&] {
      (void)platform_->poll(false);
      ui_->begin_frame();
      scene_->interact(*live_, {0, 0}, {320, 200}, true);
      scene_->draw(*live_, frame_);
      ui_->drop_frame();
      scene_->update_edits(workspace_);
    };
    io.AddMousePosEvent(from.x, from.y);
    frame();
    io.AddMouseButtonEvent(button, true);
    frame();
    io.AddMousePosEvent(to.x, to.y);
    frame();
    frame();
    io.AddMouseButtonEvent(button, false);
    do
      frame();
    while (scene_->animating());  // Another thread writes the masks, so frames continue until it has finished.
    return errors();
  }
  [[nodiscard]] std::string text(std::string_view name) {
    for (const FieldRef& field : workspace_.work().params.fields())
      if (field.name == name) return to_text(field);
    return "?";
  }

  std::unique_ptr<Platform> platform_;
  interop::RouteReport route_;
  gl::ShaderLibrary shaders_;
  Workspace workspace_;
  BareDesk desk_{workspace_};
  std::unique_ptr<LiveView> live_;
  std::unique_ptr<UiContext> ui_;
  std::unique_ptr<SeamsScene> scene_;
  gl::Framebuffer frame_;
};

TEST_F(SeamsSceneTest, IsTheDefaultOfSeamCarvingOnly) {
  EXPECT_EQ(find_scene("", find_algorithm("seam_carving")).name, "seams");
  EXPECT_EQ(find_scene("image", find_algorithm("seam_carving")).name, "image");
  EXPECT_EQ(find_scene("", find_algorithm("sobel")).name, "image");
  EXPECT_THROW((void)find_scene("seams", find_algorithm("sobel")), UsageError);
}

TEST_F(SeamsSceneTest, AMapIsNeverDrawnAsThePhaseThatIsNotThereYet) {
  const auto brightest = [this] {
    ui_->begin_frame();
    scene_->draw(*live_, frame_);
    ui_->drop_frame();
    const HostArray picture = render::capture(frame_);
    const auto pixels = picture.image<Rgba8>();
    int most = 0;
    for (int y = 60; y < 140; ++y)
      for (int x = 120; x < 200; ++x)
        most = std::max<int>(most, pixels(x, y).g);
    return most;
  };
  set("width", "60");
  show(SeamsShow::picture, 3);
  const int before = brightest();
  ASSERT_GT(before, 60);
  // The frame of the key in which the phases are chosen, before anything is requested.
  scene_->settings()->as<SeamsView>().phase = SeamsPhase::grey;
  scene_->show(static_cast<int>(SeamsShow::phases));
  EXPECT_GT(brightest(), before / 2) << "numbers of seams as grey values are black";
}

TEST_F(SeamsSceneTest, PhasesLeadFromOneSeamToTheNext) {
  set("width", "60");
  set("path", "greedy");
  set("start", "bottom");
  const auto show_phase = [&](SeamsPhase phase, int seam) {
    scene_->settings()->as<SeamsView>().phase = phase;
    show(SeamsShow::phases, seam);
  };
  const std::vector<std::pair<std::string, std::string>> after_seven{
      {"width", "89"}, {"path", "greedy"}, {"start", "bottom"}};
  constexpr std::array<std::string_view, 4> outputs{"grey", "energy", "candidates", "candidates"};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    show_phase(static_cast<SeamsPhase>(i), 7);
    EXPECT_EQ(figure("width"), 89) << outputs[i];
    EXPECT_EQ(figure("step"), 7);
    // The live view holds the state; the scene draws it.
    EXPECT_FALSE(result());
    auto state = after_seven;
    state.emplace_back("output", outputs[i]);
    expect_same(live_->output()->read(), made(state));
  }
  show_phase(SeamsPhase::removal, 7);
  EXPECT_EQ(figure("width"), 88);
  expect_shown(made({{"width", "88"}, {"path", "greedy"}, {"start", "bottom"}}));
  // Without a chosen seam the phases are those of the first one, and there is none behind the last.
  show_phase(SeamsPhase::energy, -1);
  EXPECT_EQ(figure("width"), 96);
  show_phase(SeamsPhase::removal, 100);
  EXPECT_EQ(figure("width"), 60);
}

TEST_F(SeamsSceneTest, EveryWidthEqualsTheResultOfTheAlgorithm) {
  set("width", "60");
  for (const int step : {0, 1, 17, 36}) {
    show(SeamsShow::picture, step);
    EXPECT_EQ(figure("total"), 36);
    EXPECT_EQ(figure("width"), 96 - step);
    expect_shown(made({{"width", std::to_string(96 - step)}}));
  }
}

TEST_F(SeamsSceneTest, ColumnsThenRows) {
  set("width", "80");
  set("height", "50");
  show(SeamsShow::picture, -1);
  EXPECT_EQ(figure("total"), 30);
  expect_shown(made({{"width", "80"}, {"height", "50"}}));
  show(SeamsShow::picture, 16);
  expect_shown(made({{"width", "80"}}));
  show(SeamsShow::picture, 20);
  expect_shown(made({{"width", "80"}, {"height", "60"}}));
}

TEST_F(SeamsSceneTest, RowsAndColumnsInTurns) {
  set("width", "90");
  set("height", "60");
  set("order", "alternate");
  show(SeamsShow::picture, -1);
  expect_shown(made({{"width", "90"}, {"height", "60"}, {"order", "alternate"}}));
}

TEST_F(SeamsSceneTest, Enlarging) {
  set("height", "80");
  show(SeamsShow::picture, -1);
  EXPECT_EQ(figure("height"), 80);
  expect_shown(made({{"height", "80"}}));
}

TEST_F(SeamsSceneTest, GreyAndDeepPictures) {
  for (const Element element : {Element::u16, Element::f32}) {
    const io::Loaded photo = threadscape::testing::test_photo();
    workspace_.set_source("deep", {convert_picture(photo.pixels.view(), element), photo.colour});
    set("width", "70");
    show(SeamsShow::picture, -1);
    expect_shown(made({{"width", "70"}}));
  }
}

TEST_F(SeamsSceneTest, EnergiesAreThoseOfTheStep) {
  set("width", "60");
  show(SeamsShow::energy, 10);
  EXPECT_EQ(figure("width"), 86);
  ASSERT_TRUE(live_->shown());
  EXPECT_EQ(live_->output()->shape().element, Element::f32);
  EXPECT_EQ(live_->output()->shape().width, 86);
  show(SeamsShow::cost, -1);
  EXPECT_EQ(live_->output()->shape().width, 60);
  EXPECT_FALSE(result());  // The scene shows the output of the algorithm, so that is saved.
}

TEST_F(SeamsSceneTest, FramesGoFromTheInputToTheResult) {
  set("width", "66");
  show(SeamsShow::picture, -1);
  ASSERT_TRUE(scene_->show_frame(0, 4));
  EXPECT_EQ(figure("step"), 0);
  ASSERT_TRUE(scene_->show_frame(1, 4));
  EXPECT_EQ(figure("step"), 10);
  ASSERT_TRUE(scene_->show_frame(3, 4));
  EXPECT_EQ(figure("step"), 30);
}

TEST_F(SeamsSceneTest, WithoutSeamsThereIsNothingToPlay) {
  show(SeamsShow::picture, -1);
  EXPECT_EQ(figure("total"), 0);
  EXPECT_FALSE(scene_->show_frame(0, 4));
}

TEST_F(SeamsSceneTest, TheOptimalOrderIsReadFromTheMap) {
  set("width", "90");
  set("height", "58");
  set("order", "optimal");
  show(SeamsShow::picture, -1);
  EXPECT_EQ(figure("total"), 12);
  EXPECT_EQ(figure("width"), 90);
  EXPECT_EQ(figure("height"), 58);
  expect_shown(made({{"width", "90"}, {"height", "58"}, {"order", "optimal"}}));
  show(SeamsShow::picture, 7);
  EXPECT_EQ(figure("width") + figure("height"), 96 + 64 - 7);
}

TEST_F(SeamsSceneTest, TheOptimalOrderOfASquareIsReadFromTheMap) {
  const io::Loaded photo = threadscape::testing::test_photo();
  io::Loaded square{HostArray(Shape::image(Element::u8, 4, 64, 64)), photo.colour};
  for (int y = 0; y < 64; ++y)
    std::copy_n(photo.pixels.image<Rgba8>().row(y), 64, square.pixels.image<Rgba8>().row(y));
  workspace_.set_source("square.png", std::move(square));
  for (const auto& [width, height] : {std::pair{"60", "55"}, {"55", "60"}, {"56", "56"}}) {
    set("width", width);
    set("height", height);
    set("order", "optimal");
    show(SeamsShow::picture, -1);
    expect_shown(made({{"width", width}, {"height", height}, {"order", "optimal"}}));
  }
}

TEST_F(SeamsSceneTest, KnownSeamsAreShownDuringTheSearch) {
  // A part of the result is displayed from a quarter of a second on. A fast machine needs a large picture for that, a
  // slow one would need very long for it, so the picture grows until a part was seen.
  const io::Loaded photo = threadscape::testing::test_photo();
  workspace_.choose_backend(Backend::serial);
  int seen = 0;
  for (int scale = 8; seen == 0 && scale <= 64; scale *= 2) {
    const int full = 96 * scale, height = 64 * scale;
    io::Loaded large{HostArray(Shape::image(Element::u8, 4, full, height)), photo.colour};
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < full; ++x)
        large.pixels.image<Rgba8>()(x, y) = photo.pixels.image<Rgba8>()(x / scale, y / scale);
    workspace_.set_source("large.png", std::move(large));
    set("width", std::to_string(full - 60));
    for (bool done = false; !done;) {
      workspace_.compute_instead(scene_->params_to_compute(workspace_));
      live_->update(workspace_);
      done = live_->settled(workspace_);
      (void)platform_->poll(false);
      ui_->begin_frame();
      scene_->draw(*live_, frame_);
      ui_->drop_frame();
      const double found = figure("found");
      if (done || found < 1 || found >= 60 || ++seen > 1) continue;
      EXPECT_EQ(figure("step"), found);  // The scene shows the picture without all seams that are known so far.
      // The picture may be wider than that, because the replay is limited to part of each frame.
      EXPECT_GE(figure("width"), full - found);
      const auto part = result();
      ASSERT_TRUE(part);
      const int width = static_cast<int>(part->shape().width);
      expect_same(*part, made({{"width", std::to_string(width)}}));
    }
    EXPECT_EQ(figure("found"), 60);
    expect_shown(made({{"width", std::to_string(full - 60)}}));
  }
  EXPECT_GT(seen, 0);
}

TEST_F(SeamsSceneTest, MasksArePaintedWithTheMouse) {
  const threadscape::testing::TemporaryFolder cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  show(SeamsShow::paint, -1);
  scene_->settings()->as<SeamsView>().brush = 12.0f;
  // The view shows the whole picture, with 3 1/3 pixels of the view per pixel of the picture.
  EXPECT_EQ(drag({60, 60}, {60, 140}, ImGuiMouseButton_Left), "");
  EXPECT_NE(text("remove"), "");
  EXPECT_EQ(text("protect"), "");
  show(SeamsShow::paint, -1);
  EXPECT_GT(figure("total"), 8);  // Removing the painted area takes about as many seams as it is wide in pixels.
  const HostArray picture = render::capture(frame_);
  const Rgba8 painted = picture.image<Rgba8>()(60, 100), bare = picture.image<Rgba8>()(200, 100);
  EXPECT_GT(painted.r, painted.g + 40);
  EXPECT_LT(bare.r, 240);
  EXPECT_EQ(drag({60, 60}, {60, 140}, ImGuiMouseButton_Right), "");
  EXPECT_EQ(text("remove"), "");
  unsetenv("XDG_CACHE_HOME");
}

TEST_F(SeamsSceneTest, AMaskIsWrittenEvenIfAnotherAlgorithmIsChosen) {
  const threadscape::testing::TemporaryFolder cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  show(SeamsShow::paint, -1);
  ImGuiIO& io = ImGui::GetIO();
  const auto frame = [&] {
    (void)platform_->poll(false);
    ui_->begin_frame();
    scene_->interact(*live_, {0, 0}, {320, 200}, true);
    ui_->drop_frame();
  };
  io.AddMousePosEvent(60, 60);
  frame();
  io.AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  frame();
  workspace_.choose_algorithm(find_algorithm("sobel"));
  scene_->finish_edit(workspace_);
  EXPECT_EQ(errors(), "");
  EXPECT_EQ(workspace_.algorithm().name, "sobel");
  workspace_.choose_algorithm(find_algorithm("seam_carving"));
  EXPECT_TRUE(std::filesystem::exists(text("remove")));
  unsetenv("XDG_CACHE_HOME");
}

TEST_F(SeamsSceneTest, AMaskThatCannotBeWrittenIsAnError) {
  const threadscape::testing::TemporaryFolder cache;
  const auto no_folder = cache.path() / "file";
  std::ofstream(no_folder) << "in the way";
  setenv("XDG_CACHE_HOME", no_folder.c_str(), 1);
  show(SeamsShow::paint, -1);
  const std::string error = drag({60, 60}, {60, 140}, ImGuiMouseButton_Left);
  EXPECT_NE(error.find("cannot make the folder"), std::string::npos) << error;
  EXPECT_EQ(text("remove"), "");
  unsetenv("XDG_CACHE_HOME");
}

TEST_F(SeamsSceneTest, AnEdgeIsDraggedToAnotherWidth) {
  show(SeamsShow::picture, -1);
  // The picture of 96 x 64 pixels is shown in a view of 320 x 200: 3 1/8 pixels of the view per pixel, with a margin of
  // 10 on the left and right.
  EXPECT_EQ(drag({310, 100}, {260, 100}, ImGuiMouseButton_Left), "");
  EXPECT_EQ(text("width"), "80");
  EXPECT_EQ(text("height"), "0");
  show(SeamsShow::picture, -1);
  EXPECT_EQ(figure("width"), 80);
  // Dragging back to sizes that the map of seams contains needs no new run, and the size stays when the button is
  // released.
  EXPECT_EQ(drag({260, 100}, {285, 100}, ImGuiMouseButton_Left), "");
  EXPECT_EQ(text("width"), "88");
  show(SeamsShow::picture, -1);
  EXPECT_EQ(drag({285, 100}, {310, 100}, ImGuiMouseButton_Left), "");
  EXPECT_EQ(text("width"), "0");
}

TEST_F(SeamsSceneTest, FalseColoursAndComparisonsAreDrawn) {
  set("width", "60");
  for (const SeamsShow what : {SeamsShow::when, SeamsShow::often, SeamsShow::compare}) {
    show(what, -1);
    const HostArray picture = render::capture(frame_);
    int coloured = 0;
    for (int y = 0; y < 200; ++y)
      for (int x = 0; x < 320; ++x) {
        const Rgba8 pixel = picture.image<Rgba8>()(x, y);
        coloured += std::abs(pixel.r - pixel.g) > 40 || std::abs(pixel.g - pixel.b) > 40;
      }
    EXPECT_GT(coloured, 1000) << static_cast<int>(what);
  }
}

}  // namespace
}  // namespace threadscape::app
