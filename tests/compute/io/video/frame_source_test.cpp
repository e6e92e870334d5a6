// Moving pictures: numbered frames, whose bar code is their number, come out complete and in order from every source.
// The videos in tests/data/videos were made by the program ffmpeg (scripts/reference/videos.py), with bar codes that
// were not drawn by this project.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "compute/core/errors.h"
#include "compute/io/pictures/image_file.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/numbered_pictures.h"
#include "compute/io/video/test_scene.h"
#include "compute/io/video/video_reader.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::io {
namespace {

std::filesystem::path video(const std::string& name) {
  return std::filesystem::path(test_dir()) / "data" / "videos" / name;
}

/// Expects that the next frames have these numbers and bar codes, and that the source ends after them.
void expect_frames(FrameSource& source, std::int64_t first, std::int64_t count) {
  Frame frame;
  for (std::int64_t i = first; i < count; ++i) {
    ASSERT_TRUE(source.next(frame)) << "frame " << i << " is missing: " << source.note();
    EXPECT_EQ(frame.index, i);
    EXPECT_EQ(read_frame_code(frame.pixels.view()), i);
  }
  EXPECT_FALSE(source.next(frame));
  EXPECT_FALSE(source.next(frame)) << "the end stays the end";
}

/// Reads frames in an order that goes to and fro.
void expect_seeks(FrameSource& source, std::int64_t count) {
  std::mt19937 random(7);
  Frame frame;
  for (int i = 0; i < 40; ++i) {
    const auto target = static_cast<std::int64_t>(random()) % count;
    source.seek(target);
    ASSERT_TRUE(source.next(frame)) << target;
    EXPECT_EQ(frame.index, target);
    EXPECT_EQ(read_frame_code(frame.pixels.view()), target);
  }
  source.seek(count);
  EXPECT_FALSE(source.next(frame));
  source.seek(count + 100);
  EXPECT_FALSE(source.next(frame));
  source.seek(count - 1);
  EXPECT_TRUE(source.next(frame));
  EXPECT_EQ(read_frame_code(frame.pixels.view()), count - 1);
}

using FrameSources = TestFolder;

TEST_F(FrameSources, TheTestSceneCountsItsFrames) {
  const auto source = open_frames("test:112x64@50:40");
  EXPECT_EQ(source->info().frames, 40);
  EXPECT_EQ(source->info().frames_per_second, 50);
  expect_frames(*source, 0, 40);
  expect_seeks(*source, 40);
  EXPECT_EQ(open_frames("test:")->info().width, 640);
  EXPECT_EQ(open_frames("test:1x1")->info().width, 1);
}

TEST_F(FrameSources, TheTestSceneRefusesWhatItDoesNotKnow) {
  for (const char* name : {"test:x", "test:0x5", "test:5x", "test:5x5@", "test:5x5@0", "test:5x5@30:", "test:5x5@30:0",
                           "test:5x5 ", "test:70000x1", "test:5x5@nan"})
    EXPECT_THROW((void)open_frames(name), UsageError) << name;
}

TEST_F(FrameSources, TheBarCodeSurvivesAndIsNotFoundElsewhere) {
  for (const std::int64_t index : {0, 1, 2, 1000, 65535, 16777215}) {
    HostArray grey(Shape::image(Element::u8, 1, 31, 9));
    draw_frame_code(grey.view(), index);
    EXPECT_EQ(read_frame_code(grey.view()), index);
  }
  HostArray plain(Shape::image(Element::u8, 1, 40, 40));
  std::fill_n(plain.data(), plain.pitch() * 40, std::byte{200});
  EXPECT_EQ(read_frame_code(plain.view()), std::nullopt);
}

TEST_F(FrameSources, NumberedPicturesAndFoldersComeInOrder) {
  const auto scene = open_frames("test:60x40@30:13");
  Frame frame;
  // Numbers of one and of two digits: the order of the names would be another one.
  while (scene->next(frame))
    save_picture(path("f" + std::to_string(frame.index) + ".png"), frame.pixels.view(), FileColour::rgb);
  const auto numbered = open_frames(path("f%d.png"), {.frames_per_second = 12});
  EXPECT_EQ(numbered->info().frames, 13);
  EXPECT_EQ(numbered->info().frames_per_second, 12);
  expect_frames(*numbered, 0, 13);
  expect_seeks(*numbered, 13);
  expect_frames(*open_frames(path("")), 0, 13);
}

TEST_F(FrameSources, NumberedPicturesBeginAnywhereAndEndAtAGap) {
  HostArray grey(Shape::image(Element::u8, 1, 3, 2));
  std::fill_n(grey.data(), grey.pitch() * 2, std::byte{9});
  for (const int number : {7, 8, 9, 11})
    save_picture(path(number_name("a_%03d.png", number)), grey.view(), FileColour::grey);
  const auto source = open_frames(path("a_%03d.png"));
  EXPECT_EQ(source->count(), 3);
  EXPECT_THROW((void)open_frames(path("b_%03d.png")), EnvironmentError);
  EXPECT_THROW((void)open_frames(path("missing/b_%03d.png")), EnvironmentError);
  const ScopedLimit limit(Limit::frames, 2);
  EXPECT_THROW((void)open_frames(path("a_%03d.png")), EnvironmentError);
}

TEST_F(FrameSources, AFileWhoseNameLooksLikeAPatternIsAFile) {
  HostArray grey(Shape::image(Element::u8, 1, 3, 2));
  std::fill_n(grey.data(), grey.pitch() * 2, std::byte{9});
  EXPECT_TRUE(reads_numbered_files(path("50%d.png")));
  EXPECT_TRUE(is_moving(path("50%d.png")));
  save_picture(path("50%d.png"), grey.view(), FileColour::grey);
  EXPECT_FALSE(reads_numbered_files(path("50%d.png")));
  EXPECT_FALSE(is_moving(path("50%d.png")));
}

TEST_F(FrameSources, PatternsHaveOnePlaceForANumber) {
  EXPECT_EQ(number_name("frame_%04d.png", 7), "frame_0007.png");
  EXPECT_EQ(number_name("a%%/100%_%d.png", 12345), "a%%/100%_12345.png");
  EXPECT_EQ(number_name("a_%3d.png", 7), "a_  7.png");
  for (const char* name : {"%d%d.png", "100%.png", "%5.png", "%d/a.png", "a.png", "%99d.png"}) {
    EXPECT_FALSE(is_number_pattern(name)) << name;
    EXPECT_THROW((void)number_name(name, 1), UsageError) << name;
  }
  HostArray grey(Shape::image(Element::u8, 1, 3, 2));
  std::fill_n(grey.data(), grey.pitch() * 2, std::byte{9});
  for (const int number : {9, 10, 11})
    save_picture(path(number_name("s_%3d.png", number)), grey.view(), FileColour::grey);
  EXPECT_EQ(open_frames(path("s_%3d.png"))->count(), 3);
  const std::vector<std::filesystem::path> stack = stack_of_pictures(path("s_%3d.png"));
  ASSERT_EQ(stack.size(), 3u);
  EXPECT_EQ(stack.front().filename(), "s_  9.png");
  EXPECT_EQ(stack_of_pictures(path("")), stack);
  EXPECT_TRUE(stack_of_pictures(path("t_%d.png")).empty());
}

TEST_F(FrameSources, NamesSayWhatMoves) {
  for (const char* name : {"test:", "/dev/video0", "x/frame_%04d.png", "a.MP4", "a.webm", "a.gif"})
    EXPECT_TRUE(is_moving(name)) << name;
  for (const char* name : {"a.png", "100%.png", "/dev/null", "a", "%d%d.png", "dev/video0"})
    EXPECT_FALSE(is_moving(name)) << name;
}

/// Tests of video files, which only builds with FFmpeg's libraries read.
class Videos : public TestFolder {
 protected:
  void SetUp() override {
    if (!video_reader_absent().empty()) GTEST_SKIP() << video_reader_absent();
    TestFolder::SetUp();
  }
};

TEST_F(Videos, EveryContainerGivesAllFramesInOrder) {
  for (const auto& [name, count] : std::vector<std::pair<std::string, int>>{{"h264.mp4", 40},
                                                                            {"open_gop.mkv", 40},
                                                                            {"mpeg2.ts", 30},
                                                                            {"vp9.webm", 30},
                                                                            {"motion_jpeg.avi", 10},
                                                                            {"palette.gif", 12},
                                                                            {"animated.apng", 12},
                                                                            {"lossless.mkv", 6}}) {
    SCOPED_TRACE(name);
    const auto source = open_frames(video(name));
    EXPECT_EQ(source->info().width, 112);
    EXPECT_EQ(source->info().height, 64);
    EXPECT_EQ(source->info().audio, name == "h264.mp4");
    // Times in a GIF are multiples of 1/100 s.
    EXPECT_NEAR(source->info().frames_per_second, 30, name == "palette.gif" ? 4 : 0.01);
    expect_frames(*source, 0, count);
    EXPECT_EQ(source->note(), "");
  }
}

TEST_F(Videos, OfSeveralTracksSayWhichIsRead) {
  const auto source = open_frames(video("two_tracks.mkv"));
  EXPECT_EQ(source->count(), 3);
  EXPECT_NE(source->note().find("has 2 tracks of pictures, of which track 0 is read"), std::string::npos)
      << source->note();
}

TEST_F(Videos, ADeviceDecodesWhereThereIsOneAndTheCpuElsewhere) {
  /// Chooses the CPU again at the end of the test.
  struct Restore {
    ~Restore() { choose_video_decoder(VideoDecoder::software); }
  } restore;
  for (const char* name : {"h264.mp4", "motion_jpeg.avi", "palette.gif"}) {
    SCOPED_TRACE(name);
    const std::int64_t count = open_frames(video(name))->count();
    choose_video_decoder(VideoDecoder::automatic);
    const auto source = open_frames(video(name));
    // The machine that runs this test may have a device that decodes videos. The frames are equal in both cases, and
    // the note is there only if the CPU has decoded them.
    expect_frames(*source, 0, count);
    const bool by_cpu = !source->note().empty();
    if (by_cpu) {
      EXPECT_NE(source->note().find("was decoded by the CPU: no device of VA-API or NVDEC"), std::string::npos)
          << source->note();
    }
    source->seek(count / 2);
    expect_frames(*source, count / 2, count);
    choose_video_decoder(VideoDecoder::hardware);
    if (by_cpu)
      EXPECT_THROW((void)open_frames(video(name)), EnvironmentError);
    else
      expect_frames(*open_frames(video(name)), 0, count);
    choose_video_decoder(VideoDecoder::software);
    EXPECT_EQ(open_frames(video(name))->note(), "");
  }
}

TEST_F(FrameSources, AnimatedWebPGivesAllFramesInOrder) {
  std::unique_ptr<FrameSource> source;
  try {
    source = open_frames(video("animated.webp"));
  } catch (const UsageError& absent) {
    GTEST_SKIP() << absent.what();
  }
  EXPECT_EQ(source->info().width, 112);
  EXPECT_EQ(source->info().height, 64);
  EXPECT_EQ(source->info().frames, 12);
  // Times in WebP are whole milliseconds.
  EXPECT_NEAR(source->info().frames_per_second, 30, 0.5);
  expect_frames(*source, 0, 12);
  EXPECT_EQ(source->note(), "");
  expect_seeks(*source, 12);
  EXPECT_TRUE(may_move("a.WebP"));
  EXPECT_FALSE(is_moving("a.webp"));

  // A file that ends early has its first frames or is refused, and never gives others.
  const std::string whole = read_bytes(video("animated.webp"));
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{11}, std::size_t{40}, whole.size() / 2, whole.size() - 9}) {
    write_bytes(path("cut.webp"), whole.substr(0, bytes));
    try {
      const auto cut = open_frames(path("cut.webp"));
      Frame frame;
      for (std::int64_t i = 0; cut->next(frame); ++i)
        EXPECT_EQ(read_frame_code(frame.pixels.view()), i);
    } catch (const EnvironmentError& error) {
      EXPECT_NE(std::string(error.what()).find("cut.webp"), std::string::npos);
    }
  }
  const ScopedLimit limit(Limit::pixels, 1000);
  EXPECT_THROW((void)open_frames(video("animated.webp")), EnvironmentError);
}

TEST_F(Videos, PicturesAreThoseOfTheirPlanes) {
  for (const char* name : {"h264.mp4", "mpeg2.ts", "vp9.webm"}) {
    SCOPED_TRACE(name);
    const auto source = open_frames(video(name));
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(source->advance());
      const std::optional<YuvPlanes> planes = source->planes();
      ASSERT_TRUE(planes);
      Frame frame;
      source->picture(frame);
      HostArray wanted(Shape::image(Element::u8, 4, planes->width, planes->height));
      yuv_to_rgba_serial(*planes, wanted.view());
      ASSERT_EQ(frame.pixels.shape(), wanted.shape());
      for (int y = 0; y < planes->height; ++y)
        ASSERT_TRUE(std::equal(wanted.image<Rgba8>().row(y), wanted.image<Rgba8>().row(y) + planes->width,
                               frame.pixels.image<Rgba8>().row(y)))
            << "row " << y;
    }
  }
  const auto lossless = open_frames(video("lossless.mkv"));
  ASSERT_TRUE(lossless->advance());
  EXPECT_FALSE(lossless->planes()) << "RGB has no such planes";
}

TEST_F(Videos, FramesAreFoundExactly) {
  for (const auto& [name, count] : std::vector<std::pair<std::string, int>>{{"h264.mp4", 40},
                                                                            {"open_gop.mkv", 40},
                                                                            {"mpeg2.ts", 30},
                                                                            {"vp9.webm", 30},
                                                                            {"motion_jpeg.avi", 10},
                                                                            {"lossless.mkv", 6}}) {
    SCOPED_TRACE(name);
    const auto source = open_frames(video(name));
    Frame frame;
    ASSERT_TRUE(source->next(frame));
    EXPECT_EQ(source->count(), count);
    ASSERT_TRUE(source->next(frame));
    EXPECT_EQ(frame.index, 1) << "counting keeps the position";
    expect_seeks(*source, count);
    source->seek(0);
    expect_frames(*source, 0, count);
  }
}

TEST_F(Videos, TimesFollowTheRate) {
  const auto source = open_frames(video("h264.mp4"));
  Frame frame;
  while (source->next(frame))
    // Times are multiples of 1/15360 s in this file.
    EXPECT_NEAR(frame.seconds, static_cast<double>(frame.index) / 30, 1e-4);
}

TEST_F(Videos, LosslessFramesAreThePixelsThatWereWritten) {
  const auto source = open_frames(video("lossless.mkv"));
  Frame frame;
  while (source->next(frame)) {
    ASSERT_EQ(frame.pixels.shape(), Shape::image(Element::u8, 4, 112, 64));
    const auto pixels = frame.pixels.image<Rgba8>();
    for (int y = 0; y < 56; ++y)
      for (int x = 0; x < 112; ++x) {
        const auto left = static_cast<int>(2 * frame.index);
        const bool square = y >= 8 && y < 24 && x >= left && x < left + 16;
        const Rgba8 expected = square ? Rgba8{220, 40, 60, 255}
                                      : Rgba8{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(2 * y), 128, 255};
        ASSERT_EQ(pixels(x, y), expected) << x << " " << y;
      }
  }
}

TEST_F(Videos, ColoursOfYuvAreNearThoseThatWereWritten) {
  for (const char* name : {"h264.mp4", "mpeg2.ts", "vp9.webm", "motion_jpeg.avi"}) {
    SCOPED_TRACE(name);
    const auto source = open_frames(video(name));
    Frame frame;
    ASSERT_TRUE(source->next(frame));
    const Rgba8 middle = frame.pixels.image<Rgba8>()(60, 40);
    // Codecs with losses at this quality, and colours at half the resolution of a gradient.
    EXPECT_NEAR(middle.r, 60, 10);
    EXPECT_NEAR(middle.g, 80, 10);
    EXPECT_NEAR(middle.b, 128, 10);
    if (const auto planes = source->planes()) {
      EXPECT_EQ(planes->width, 112);
      EXPECT_EQ(planes->full_range, std::string(name) == "motion_jpeg.avi");
      EXPECT_FALSE(planes->bt709);
      const double y = planes->y[40 * planes->y_pitch + 60];
      // BT.601 of (60, 80, 128) is Y = 79.5 at full range, and 84.3 of 16..235.
      EXPECT_NEAR(y, planes->full_range ? 79.5 : 84.3, 8);
    }
  }
}

TEST_F(Videos, OnePixelAndRotatedVideosAreRead) {
  const auto pixel = open_frames(video("one_pixel.mkv"));
  Frame frame;
  int frames = 0;
  for (; pixel->next(frame); ++frames)
    EXPECT_EQ(frame.pixels.shape(), Shape::image(Element::u8, 4, 1, 1));
  EXPECT_EQ(frames, 3);
  const auto rotated = open_frames(video("rotated.mp4"));
  EXPECT_EQ(rotated->info().width, 64);
  EXPECT_EQ(rotated->info().height, 112);
  ASSERT_TRUE(rotated->next(frame));
  ASSERT_EQ(frame.pixels.shape(), Shape::image(Element::u8, 4, 64, 112));
  // The file states an angle of 90 degrees, anticlockwise. The bar code is then at the right, as the program ffmpeg
  // shows it, with its first cell, which is white, at the bottom.
  const auto pixels = frame.pixels.image<Rgba8>();
  EXPECT_GT(pixels(60, 110).g, 200);
  EXPECT_LT(pixels(60, 105).g, 50);
}

TEST_F(Videos, ASizeThatChangesHalfWayIsTheSizeOfItsFrames) {
  const auto source = open_frames(video("two_sizes.h264"));
  Frame frame;
  int frames = 0;
  for (; source->next(frame); ++frames) {
    EXPECT_EQ(frame.pixels.shape().width, frames < 10 ? 112 : 64) << frames;
    EXPECT_EQ(read_frame_code(frame.pixels.view()), frames);
  }
  EXPECT_EQ(frames, 20);
}

TEST_F(Videos, ATruncatedFileGivesWhatIsThereAndALine) {
  // Matroska has its headers at the beginning, so that its first half is half of the video.
  const std::string whole = read_bytes(video("open_gop.mkv"));
  write_bytes(path("half.mkv"), whole.substr(0, whole.size() / 2));
  const auto source = open_frames(path("half.mkv"));
  Frame frame;
  std::int64_t frames = 0;
  for (; source->next(frame); ++frames)
    EXPECT_EQ(read_frame_code(frame.pixels.view()), frames);
  EXPECT_GT(frames, 5);
  EXPECT_LT(frames, 35);
  // AVI states the number of its frames.
  const std::string avi = read_bytes(video("motion_jpeg.avi"));
  write_bytes(path("half.avi"), avi.substr(0, avi.size() / 2));
  const auto cut = open_frames(path("half.avi"));
  while (cut->next(frame)) {
  }
  EXPECT_NE(cut->note().find("of 10 frames are there"), std::string::npos) << cut->note();
}

TEST_F(Videos, NoBytesMakeItHangOrCrash) {
  std::mt19937 random(3);
  for (const char* name : {"h264.mp4", "open_gop.mkv", "mpeg2.ts", "vp9.webm", "motion_jpeg.avi", "palette.gif"}) {
    SCOPED_TRACE(name);
    const std::string whole = read_bytes(video(name));
    for (int i = 0; i < 8; ++i) {
      std::string bytes = whole;
      for (int flips = 0; flips < 20; ++flips)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      if (i % 2 == 1) bytes.resize(random() % bytes.size());
      write_bytes(path("damaged"), bytes);
      try {
        const auto source = open_video(path("damaged"));
        Frame frame;
        while (source->next(frame)) {
        }
        source->seek(3);
        (void)source->next(frame);
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("damaged'"), std::string::npos) << error.what();
      }
    }
  }
}

TEST_F(Videos, RefusalsNameTheFileAndTheCause) {
  write_bytes(path("text.mp4"), "no video at all");
  write_bytes(path("empty.mp4"), "");
  // A playlist that names another file is not followed.
  write_bytes(path("list.mp4"), "ffconcat version 1.0\nfile '" + video("h264.mp4").string() + "'\n");
  for (const char* name : {"text.mp4", "empty.mp4", "list.mp4", "missing.mp4"}) {
    try {
      (void)open_frames(path(name));
      ADD_FAILURE() << name << " was opened";
    } catch (const EnvironmentError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
  const ScopedLimit limit(Limit::pixels, 1000);
  try {
    (void)open_frames(video("h264.mp4"));
    ADD_FAILURE() << "the limit did not hold";
  } catch (const EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find("--limit pixels"), std::string::npos) << error.what();
  }
}

TEST_F(Videos, AStopEndsReading) {
  std::stop_source stop;
  const auto source = open_frames(video("h264.mp4"), {.stop = stop.get_token()});
  Frame frame;
  ASSERT_TRUE(source->next(frame));
  stop.request_stop();
  EXPECT_THROW((void)source->next(frame), Cancelled);
}

}  // namespace
}  // namespace threadscape::io
