// Results that are seen as they grow: what LiveView shows on the way, and that the end is the same. CUDA runs in parts
// need a device that drives the GL context; elsewhere they skip.

#include "app/live/live_view.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "app/platform/platform.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

using Sets = std::vector<std::pair<std::string, std::string>>;

/// A grey picture large enough that its seams take a while.
io::Loaded noise(int width, int height) {
  io::Loaded picture{HostArray(Shape::image(Element::u8, 1, width, height)), io::FileColour::grey};
  std::uint32_t state = 1;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      state = state * 1664525u + 1013904223u;
      picture.pixels.image<std::uint8_t>()(x, y) = static_cast<std::uint8_t>(state >> 24);
    }
  return picture;
}

/// Fills a picture with a number, after a time in which it can be stopped.
struct Slow {
  static constexpr std::string_view title = "Slow", summary = "waits", source = "the tests";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  struct Params {
    int value = 0, milliseconds = 0;
    static auto fields() {
      return std::tuple{Field{"value", &Params::value, 0, 1 << 30, "", "of all pixels"},
                        Field{"milliseconds", &Params::milliseconds, 0, 10000, "", "before they are written"}};
    }
    bool operator==(const Params&) const = default;
  };
  static Shape output_shape(const Params&, const Shape& in) { return in; }
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int) { return 0; }
  static void openmp(const Params& p, const HostRun& run) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(p.milliseconds);
    while (std::chrono::steady_clock::now() < end && !run.stop.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::fill_n(run.out.data, run.out.pitch * static_cast<std::size_t>(run.out.shape.height),
                static_cast<std::byte>(p.value));
  }
  static void serial(const Params& p, const HostRun& run) { openmp(p, run); }
  static void cuda(const Params&, const DeviceRun&) {}
};

class LiveViewTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const int cuda_device = gpu::devices().first().available() ? gpu::devices().first().info().ordinal : -1;
    platform_ = threadscape::testing::headless_or_skip(64, 64, cuda_device);
    if (!platform_) return;
    route_ = interop::probe_route(platform_->context(), gpu::devices().first());
    live_ = std::make_unique<LiveView>(route_, [] {});
  }
  void choose(std::string_view algorithm, Backend backend, const Sets& sets) {
    workspace_.choose_algorithm(find_algorithm(algorithm));
    workspace_.choose_backend(backend);
    for (const auto& [name, value] : sets)
      workspace_.set_parameter(name, value);
    ASSERT_EQ(workspace_.problem(), "");
  }
  /// Frames until all is there; looks at what is shown in each.
  template <class Look>
  void run(const Look& look) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    do {
      live_->update(workspace_);
      look();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ASSERT_LT(std::chrono::steady_clock::now(), limit);
    } while (!live_->settled(workspace_));
  }
  [[nodiscard]] HostArray expected() {
    const auto source = workspace_.source();
    return Runner().run(workspace_.wanted().request(), source->picture.pixels.view()).output;
  }
  static void expect_equal(const HostArray& a, const HostArray& b) { ASSERT_TRUE(testing::same_pixels(a, b)); }
  /// Checks that every row of a map of seams contains each number from 1 to `found` once.
  static void expect_whole_seams(const HostArray& map, int found) {
    const auto orders = map.image<std::uint16_t>();
    for (int y = 0; y < orders.height; ++y) {
      std::vector<int> seen(65536);
      for (int x = 0; x < orders.width; ++x)
        ++seen[orders(x, y)];
      for (int i = 1; i <= found; ++i)
        ASSERT_EQ(seen[static_cast<std::size_t>(i)], 1) << "seam " << i << ", row " << y;
    }
  }
  /// Runs in as many batches as there are parts. `look` is called in every frame in which something is displayed.
  template <class Look>
  int run_in_parts(const Look& look) {
    live_->set_part_budget(1e-3);
    int seen = 0;
    double before = 0.0;
    run([&] {
      if (!live_->partial()) return;
      EXPECT_GE(live_->partial_share(), before);
      before = live_->partial_share();
      EXPECT_FALSE(live_->shown());
      ++seen;
      look();
    });
    EXPECT_FALSE(live_->partial());
    EXPECT_TRUE(live_->shown());
    return seen;
  }
  [[nodiscard]] bool has_interop() const { return route_.cuda_route == interop::Route::interop; }

  std::unique_ptr<Platform> platform_;
  interop::RouteReport route_;
  Workspace workspace_;
  std::unique_ptr<LiveView> live_;
};

TEST_F(LiveViewTest, SeamsOfACpuRunAreWholeOnTheWay) {
  live_->show_partial_from(0);
  workspace_.set_source("noise", noise(900, 700));
  int seen = 0;
  // A run may end before it is looked at for the first time. Then another is looked at.
  for (int seams = 80; seen == 0 && seams < 110; ++seams) {
    choose("seam_carving", Backend::serial,
           {{"width", std::to_string(900 - seams)}, {"height", "695"}, {"output", "order"}});
    int last = 0;
    run([&] {
      if (!live_->partial()) return;
      const int found = static_cast<int>(std::lround(live_->partial_share() * (seams + 5)));
      EXPECT_GE(found, last);
      last = found;
      if (++seen % 4 == 1) expect_whole_seams(live_->output()->read(), std::min(found, seams));
    });
    EXPECT_FALSE(live_->partial());
    expect_equal(live_->output()->read(), expected());
  }
  EXPECT_GT(seen, 0) << "none of thirty runs was looked at";
}

TEST_F(LiveViewTest, WithoutAWindowNothingIsCut) {
  workspace_.set_source("noise", noise(300, 200));
  choose("seam_carving", Backend::openmp, {{"width", "290"}, {"output", "order"}});
  live_->finish(workspace_);
  EXPECT_FALSE(live_->partial());
  EXPECT_EQ(live_->output_version(), 1u);
  expect_equal(live_->output()->read(), expected());
}

TEST_F(LiveViewTest, ACudaSeamMapInPartsIsTheWhole) {
  if (!has_interop()) GTEST_SKIP() << route_.reason;
  workspace_.set_source("noise", noise(400, 300));
  choose("seam_carving", Backend::cuda, {{"width", "360"}, {"height", "290"}, {"output", "order"}});
  const int seen = run_in_parts([&] {
    const int found = static_cast<int>(std::lround(live_->partial_share() * 50));
    if (found < 40 || found == 50) expect_whole_seams(live_->output()->read(), std::min(found, 40));
  });
  EXPECT_GE(seen, 45);
  expect_equal(live_->output()->read(), expected());
  // The next run knows what a part takes, and is one batch.
  live_->set_part_budget(1e6);
  const std::uint64_t version = live_->output_version();
  workspace_.set_parameter("width", "350");
  run([&] { EXPECT_FALSE(live_->partial()); });
  EXPECT_EQ(live_->output_version(), version + 1);
  expect_equal(live_->output()->read(), expected());
}

TEST_F(LiveViewTest, ACudaProjectionInPartsIsTheWhole) {
  if (!has_interop()) GTEST_SKIP() << route_.reason;
  choose("projection", Backend::cuda, {{"pixels", "96"}, {"slab", "10"}});
  EXPECT_GE(run_in_parts([] {}), 7);
  expect_equal(live_->output()->read(), expected());
  // The time on record is that of all batches.
  ASSERT_NE(workspace_.timings.latest(), nullptr);
  EXPECT_GT(workspace_.timings.latest()->times.compute_ms, 0.0);
}

TEST_F(LiveViewTest, ACancelledCudaRunStopsBetweenBatches) {
  if (!has_interop()) GTEST_SKIP() << route_.reason;
  workspace_.set_source("noise", noise(800, 600));
  choose("seam_carving", Backend::cuda, {{"width", "300"}, {"output", "order"}});
  live_->set_part_budget(1e-3);
  run([&] {
    if (live_->partial() && live_->partial_share() > 0.02) live_->cancel();
  });
  EXPECT_FALSE(live_->shown());
  ASSERT_TRUE(live_->partial());
  EXPECT_LT(live_->partial_share(), 1.0);
  live_->set_part_budget(PartSchedule::budget_ms);
  live_->rerun();
  run([] {});
  expect_equal(live_->output()->read(), expected());
}

TEST_F(LiveViewTest, ResultsAreSeenWhileParametersChangeAllTheTime) {
  static const AlgorithmInfo slow = describe<Slow>("slow");
  workspace_.set_source("noise", noise(64, 48));
  workspace_.choose_algorithm(slow);
  workspace_.choose_backend(Backend::openmp);
  workspace_.set_parameter("milliseconds", "300");
  run([] {});  // Now it is known how long a run takes.
  const std::uint64_t before = live_->output_version();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(4);
  for (int value = 1; std::chrono::steady_clock::now() < end; ++value) {
    workspace_.set_parameter("value", std::to_string(value));
    live_->update(workspace_);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_GE(live_->output_version(), before + 2);
  // What is wanted at last is shown at last.
  workspace_.set_parameter("value", "77");
  run([] {});
  EXPECT_EQ(live_->output()->read().image<std::uint8_t>()(3, 4), 77);
}

TEST_F(LiveViewTest, AResultThatDoesNotGrowReplacesTheOldOneAtItsEnd) {
  if (!has_interop()) GTEST_SKIP() << route_.reason;
  workspace_.set_source("noise", noise(300, 200));
  // The second picture has another size, the third one that of the second.
  choose("seam_carving", Backend::cuda, {{"width", "290"}});
  run([] {});
  HostArray before = live_->output()->read();
  for (const auto& [name, value] : {std::pair{"width", "200"}, {"energy", "sobel"}}) {
    SCOPED_TRACE(name);
    workspace_.set_parameter(name, value);
    live_->set_part_budget(1e-3);
    int frames = 0;
    run([&] {
      EXPECT_FALSE(live_->partial());
      if (live_->shown() && *live_->shown() == workspace_.wanted()) return;
      ++frames;
      expect_equal(live_->output()->read(), before);
    });
    EXPECT_GT(frames, 2) << "the run came in one batch";
    expect_equal(live_->output()->read(), expected());
    before = live_->output()->read();
  }
  // A run of a single batch writes into the displayed memory.
  live_->set_part_budget(1e6);
  workspace_.set_parameter("width", "210");
  run([] {});
  expect_equal(live_->output()->read(), expected());
}

TEST_F(LiveViewTest, NewerWorkOvertakesACudaRun) {
  if (!has_interop()) GTEST_SKIP() << route_.reason;
  workspace_.set_source("noise", noise(800, 600));
  choose("seam_carving", Backend::cuda, {{"width", "300"}, {"output", "order"}});
  live_->set_part_budget(1e-3);
  bool changed = false;
  run([&] {
    if (changed || !live_->partial() || live_->partial_share() < 0.02) return;
    changed = true;
    workspace_.set_parameter("width", "790");
  });
  EXPECT_TRUE(changed);
  expect_equal(live_->output()->read(), expected());
}

}  // namespace
}  // namespace threadscape::app
