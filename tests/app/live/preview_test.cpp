// Previews of slow results: what is shown meanwhile, and what does not know of it.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "app/live/live_view.h"
#include "app/live/preview_slot.h"
#include "app/platform/platform.h"
#include "compute/registry/registry.h"
#include "compute/registry/steps.h"
#include "compute/sketch/sketch_algorithm.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

std::atomic<bool> whole_may_end{false};

/// Fills a picture with a number of pixels: a small one after 80 ms, a large one when the test lets it.
struct FillsLate {
  static constexpr std::string_view title = "Late", summary = "waits", source = "the tests";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr int small = 300;
  struct Params {
    int radius = 8;
    static auto fields() { return std::tuple{Field{"radius", &Params::radius, 1, 100, "pixels", "of all pixels"}}; }
    bool operator==(const Params&) const = default;
  };
  static Shape output_shape(const Params&, const Shape& in) { return in; }
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int) { return 0; }
  static void openmp(const Params& p, const HostRun& run) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(80);
    const auto waits = [&] {
      return run.in.shape.width < small ? std::chrono::steady_clock::now() < end : !whole_may_end.load();
    };
    while (waits() && !run.stop.stop_requested())
      std::this_thread::yield();
    std::fill_n(run.out.data, run.out.pitch * static_cast<std::size_t>(run.out.shape.height),
                static_cast<std::byte>(p.radius));
  }
  static void serial(const Params& p, const HostRun& run) { openmp(p, run); }
  static void cuda(const Params&, const DeviceRun&) {}
};

const AlgorithmInfo& fills_late() {
  static const AlgorithmInfo info = describe<FillsLate>("fills_late");
  return info;
}

io::Loaded grey(int width, int height) {
  return {HostArray(Shape::image(Element::u8, 1, width, height)), io::FileColour::grey};
}

class PreviewTest : public ::testing::Test {
 protected:
  void SetUp() override {
    platform_ = threadscape::testing::headless_or_skip(64, 64, -1);
    if (!platform_) return;
    whole_may_end = false;
    live_ = std::make_unique<LiveView>(interop::probe_route(platform_->context(), gpu::devices().first()), [] {});
    live_->want_preview(true);
    workspace_.set_source("grey", grey(640, 512));
    workspace_.choose_algorithm(fills_late());
    workspace_.choose_backend(Backend::openmp);
  }
  void TearDown() override { whole_may_end = true; }
  template <class Done>
  void update_until(const Done& done) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    do {
      live_->update(workspace_);
      std::this_thread::yield();
      ASSERT_LT(std::chrono::steady_clock::now(), limit);
    } while (!done());
  }
  [[nodiscard]] auto settled() {
    return [this] { return live_->settled(workspace_); };
  }

  std::unique_ptr<Platform> platform_;
  Workspace workspace_;
  std::unique_ptr<LiveView> live_;
};

TEST_F(PreviewTest, IsShownUntilTheResultIsThereAndCountsAsNone) {
  if (!platform_) return;
  update_until([this] { return live_->preview() != nullptr; });
  EXPECT_EQ(live_->output(), nullptr);
  EXPECT_EQ(live_->shown(), nullptr);
  EXPECT_EQ(live_->displayed(), nullptr);
  EXPECT_EQ(live_->preview()->shape(), Shape::image(Element::u8, 1, 160, 128));
  EXPECT_EQ(live_->previewed_shape(), Shape::image(Element::u8, 1, 640, 512));
  EXPECT_EQ(live_->preview()->read().image<std::uint8_t>()(3, 4), 2) << "a quarter of the radius";
  EXPECT_EQ(workspace_.timings.runs(), 0u);
  whole_may_end = true;
  update_until(settled());
  EXPECT_EQ(live_->preview(), nullptr);
  EXPECT_EQ(live_->output()->read().image<std::uint8_t>()(3, 4), 8);
  EXPECT_EQ(workspace_.timings.runs(), 1u);
}

TEST_F(PreviewTest, IsDroppedWhenSomethingElseIsWantedOrTheRunIsStopped) {
  if (!platform_) return;
  whole_may_end = true;
  workspace_.choose_backend(Backend::serial);
  update_until(settled());
  const Work first = *live_->shown();
  whole_may_end = false;
  workspace_.choose_backend(Backend::openmp);  // How long this takes is not known.
  workspace_.set_parameter("radius", "40");
  update_until([this] { return live_->preview() != nullptr; });
  EXPECT_EQ(live_->preview()->read().image<std::uint8_t>()(0, 0), 10);
  live_->cancel();
  EXPECT_EQ(live_->preview(), nullptr);
  EXPECT_NE(live_->output(), nullptr) << "what was there before";
  update_until([this] { return !live_->busy(); });
  workspace_.set_parameter("radius", "60");
  update_until([this] { return live_->preview() != nullptr; });
  workspace_.set_parameter("radius", "8");
  workspace_.choose_backend(Backend::serial);
  live_->update(workspace_);
  EXPECT_EQ(live_->preview(), nullptr);
  ASSERT_NE(live_->shown(), nullptr);
  EXPECT_EQ(*live_->shown(), first) << "its result is there still";
  update_until(settled());
  EXPECT_EQ(live_->output()->read().image<std::uint8_t>()(0, 0), 8);
}

TEST_F(PreviewTest, IsNotComputedWhereNobodyWantsIt) {
  if (!platform_) return;
  whole_may_end = true;
  live_->finish(workspace_);
  EXPECT_EQ(live_->preview(), nullptr);
  workspace_.set_source("small", grey(500, 500));  // Fewer pixels than a preview is worth.
  bool seen = false;
  update_until([&] {
    seen = seen || live_->preview() != nullptr;
    return live_->settled(workspace_);
  });
  live_->want_preview(false);
  workspace_.set_source("grey", grey(640, 512));
  update_until([&] {
    seen = seen || live_->preview() != nullptr;
    return live_->settled(workspace_);
  });
  EXPECT_FALSE(seen);
}

class PreviewWindowTest : public TestedWindowTest {};

TEST_P(PreviewWindowTest, APreviewCannotBeSaved) {
  whole_may_end = true;
  tested_->settle();
  whole_may_end = false;
  tested_->workspace.set_source("grey", grey(640, 512));
  tested_->workspace.choose_algorithm(fills_late());
  tested_->frames_until([this] { return tested_->live_.preview() != nullptr; });
  tested_->frame();
  EXPECT_FALSE(tested_->window_.can_save());
  whole_may_end = true;
  tested_->settle();
  EXPECT_TRUE(tested_->window_.can_save());
}

INSTANTIATE_TEST_SUITE_P(Platforms, PreviewWindowTest, ::testing::Values(Where::headless), name_of_place);

std::string scaled(const char* algorithm, const char* name, const char* value) {
  ParamBox params = find_algorithm(algorithm).defaults();
  params.assign(name, value);
  std::optional<ParamBox> result = preview_params(params);
  if (!result) return "none";
  for (const FieldRef& field : result->fields())
    if (field.name == name) return to_text(field);
  return "";
}

TEST(PreviewParams, NumbersOfPixelsAreAQuarterWithinTheirRangeAndStep) {
  EXPECT_EQ(scaled("median", "size", "25"), "7") << "6.25, to the nearest odd number";
  EXPECT_EQ(scaled("median", "size", "3"), "3");
  EXPECT_EQ(scaled("seam_carving", "width", "1900"), "475");
  EXPECT_EQ(scaled("seam_carving", "width", "0"), "0");
  EXPECT_EQ(scaled("seam_carving", "protect", "mask.png"), "none") << "a mask has the size of the whole picture";
  EXPECT_EQ(scaled("levels", "gamma", "2"), "2");
  EXPECT_EQ(scaled("chain", "steps", "noise | median size=25"), "noise | median size=7");
}

TEST(PreviewRuns, SketchesOnAGpuHaveNoneBecauseASmallPictureTakesAsLong) {
  constexpr const char* text = R"(// sketch: preview_copy
// reads: picture gray u8    makes: picture gray u8

#include "threadscape.h"
__global__ void preview_copy(Image<const unsigned char> in, Image<unsigned char> out) {}
)";
  AlgorithmInfo row = sketch::add_sketch(sketch::make_sketch(text, "preview_copy.cu"));
  const auto source = std::make_shared<const Source>(Source{.picture = grey(640, 512), .id = 1});
  const auto is_due = [&](Backend backend, int variant) {
    PreviewSlot slot;
    slot.want(true);
    const Work work{.algorithm = &row, .params = row.defaults(), .backend = backend, .variant = variant};
    return slot.due(work, source, {}).has_value();
  };
  row.variants[1] = row.variants[0];
  EXPECT_TRUE(is_due(Backend::openmp, 0)) << "a machine without a driver";
  static constexpr std::array ways{Variant{"gpu", ""}, Variant{"machine", ""}};
  row.variants[1] = ways;
  EXPECT_FALSE(is_due(Backend::openmp, 0));
  EXPECT_TRUE(is_due(Backend::openmp, 1));
  EXPECT_TRUE(is_due(Backend::serial, 0));
}

TEST(PreviewPicture, PixelsAreMeansOfSixteen) {
  HostArray whole(Shape::image(Element::u8, 1, 9, 5));
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 9; ++x)
      whole.image<std::uint8_t>()(x, y) = static_cast<std::uint8_t>(x < 4 ? 10 * y : 200);
  const HostArray small = quarter_of(std::as_const(whole).view());
  ASSERT_EQ(small.shape(), Shape::image(Element::u8, 1, 2, 1));
  EXPECT_EQ(small.image<std::uint8_t>()(0, 0), 15);
  EXPECT_EQ(small.image<std::uint8_t>()(1, 0), 200);
}

}  // namespace
}  // namespace threadscape::app
