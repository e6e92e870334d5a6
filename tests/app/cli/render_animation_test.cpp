// Files of drawn frames: the times of a moving input.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "app/cli/render_animation.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/video_reader.h"
#include "compute/registry/registry.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::app {
namespace {

class RenderAnimation : public TestFolder {
 protected:
  void SetUp() override {
    if (!io::video_reader_absent().empty()) GTEST_SKIP() << io::video_reader_absent();
    TestFolder::SetUp();
    const auto writer = io::make_frame_writer(path("in.mkv"), {.frames_per_second = 10, .tick = 0.001});
    for (const double seconds : times_)
      writer->add_with(std::as_const(picture_).view(), {.seconds = seconds});
    writer->finish();
  }

  /// The times of the frames of a file, into which `count` drawn frames have gone.
  std::vector<double> times_after(double frames_per_second, std::size_t count, const std::string& name) const {
    RenderOptions options;
    options.display.input = path("in.mkv");
    options.output = path(name);
    options.frames_per_second = frames_per_second;
    Animation animation(options, find_algorithm("sobel"));
    for (std::size_t i = 0; i < count; ++i)
      animation.add(std::as_const(picture_).view(), times_[i]);
    animation.finish();
    const auto source = io::open_frames(path(name));
    std::vector<double> times;
    for (io::Frame frame; source->next(frame);)
      times.push_back(frame.seconds);
    return times;
  }

  const std::vector<double> times_{0, 0.1, 0.2, 2.5, 2.6};
  HostArray picture_{Shape::image(Element::u8, 4, 32, 32)};
};

TEST_F(RenderAnimation, KeepsTheTimesOfTheInput) {
  const double rate = io::open_frames(path("in.mkv"))->info().frames_per_second;
  EXPECT_EQ(times_after(rate, times_.size(), "all.mkv"), times_);
  EXPECT_EQ(times_after(rate, 4, "some.mkv"), (std::vector<double>{0, 0.1, 0.2, 2.5}));
}

TEST_F(RenderAnimation, ShowsFramesEquallyLongAtAnotherSpeed) {
  const double rate = io::open_frames(path("in.mkv"))->info().frames_per_second;
  const std::vector<double> times = times_after(2 * rate, 3, "fast.mkv");
  ASSERT_EQ(times.size(), 3u);
  EXPECT_NEAR(times[2], 1 / rate, 2e-3);
}

}  // namespace
}  // namespace threadscape::app
