// Videos, animations and numbered pictures that were written frame by frame are read again complete and in order.

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <csignal>
#include <random>

#include "compute/core/errors.h"
#include "compute/io/file_extension.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/frame_writer.h"
#include "compute/io/video/test_scene.h"
#include "compute/io/video/video_reader.h"
#include "compute/io/video/video_writer.h"
#include "generated/file_libraries.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::io {
namespace {

HostArray random_picture(const Shape& shape, unsigned seed) {
  HostArray picture(shape);
  std::mt19937 random(seed);
  for (std::int64_t y = 0; y < shape.height; ++y)
    for (std::size_t i = 0; i < static_cast<std::size_t>(shape.width) * shape.pixel_bytes(); ++i)
      picture.data()[static_cast<std::size_t>(y) * picture.pitch() + i] = static_cast<std::byte>(random());
  return picture;
}

/// Frames of the test scene in a file.
void write_scene(const std::filesystem::path& path, const std::string& scene, const FrameWriterOptions& options = {}) {
  const auto source = open_frames(scene);
  const auto writer = make_frame_writer(path, options);
  Frame frame;
  while (source->next(frame))
    writer->add(frame.pixels.view());
  writer->finish();
}

void expect_codes(const std::filesystem::path& path, std::int64_t count) {
  SCOPED_TRACE(path);
  const auto source = open_frames(path);
  Frame frame;
  std::int64_t frames = 0;
  for (; source->next(frame); ++frames)
    EXPECT_EQ(read_frame_code(frame.pixels.view()), frames);
  EXPECT_EQ(frames, count);
  EXPECT_EQ(source->note(), "");
}

class FrameWriters : public TestFolder {};

TEST_F(FrameWriters, NumberedPicturesKeepEveryBitAndMayChangeTheirSize) {
  const auto writer = make_frame_writer(path("f_%04d.png"), {.colour = FileColour::rgba});
  std::vector<HostArray> frames;
  frames.push_back(random_picture(Shape::image(Element::u8, 4, 31, 17), 1));
  frames.push_back(random_picture(Shape::image(Element::u16, 1, 5, 9), 2));
  for (const HostArray& frame : frames)
    writer->add(frame.view());
  writer->finish();
  EXPECT_EQ(names(), (std::vector<std::string>{"f_0000.png", "f_0001.png"}));
  const auto source = open_frames(path("f_%04d.png"));
  Frame frame;
  for (const HostArray& expected : frames) {
    ASSERT_TRUE(source->next(frame));
    EXPECT_TRUE(testing::same_pixels(frame.pixels.view(), expected.view()));
  }
}

TEST_F(FrameWriters, PathsOfFramesAreKnown) {
  for (const char* name : {"a.mp4", "a.MKV", "a.webm", "a.gif", "a.apng", "a.webp", "f%03d.png"})
    EXPECT_TRUE(writes_frames(name)) << name;
  for (const char* name : {"a.png", "a", "a.raw"})
    EXPECT_FALSE(writes_frames(name)) << name;
  EXPECT_FALSE(may_be_still("a.apng"));
  EXPECT_FALSE(may_be_still("f%03d.webp"));
  EXPECT_EQ(may_be_still("a.webp"), TS_HAS_WEBP != 0);
  EXPECT_THROW(require_frame_path("f%03d.xyz"), UsageError);
  EXPECT_THROW(require_frame_path("a.xyz"), UsageError);
  EXPECT_THROW(require_frame_path(path("missing/a.mkv")), Error);
}

/// The 32-bit number, highest byte first, at a place in a file.
std::uint32_t big_endian_at(const std::string& file, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number = number << 8 | static_cast<unsigned char>(file.at(at + i));
  return number;
}

TEST_F(FrameWriters, AnApngStatesTheNumberOfItsFramesHoweverManyWereAnnounced) {
  for (const std::int64_t announced : {0, 3, 7}) {
    write_scene(path("scene.apng"), "test:64x32@25:7", {.frames_per_second = 25, .frames = announced});
    const std::string file = read_bytes(path("scene.apng"));
    // Behind the signature and the header, each a chunk of a length, a name, the data and a checksum.
    EXPECT_EQ(file.substr(37, 4), "acTL");
    EXPECT_EQ(big_endian_at(file, 41), 7u);
    std::uint32_t controls = 0;
    for (std::size_t at = 8; at + 12 <= file.size(); at += 12 + big_endian_at(file, at))
      controls += file.substr(at + 4, 4) == "fcTL" ? 1 : 0;
    EXPECT_EQ(controls, 7u);
    EXPECT_EQ(names(), std::vector<std::string>{"scene.apng"});
  }
}

TEST_F(FrameWriters, AnAnimatedWebpGivesAllFramesInOrder) {
  if (TS_HAS_WEBPMUX == 0 || TS_HAS_WEBPDEMUX == 0) GTEST_SKIP() << "this build has no animated WebP";
  write_scene(path("scene.webp"), "test:113x65@25:9", {.frames_per_second = 25});
  expect_codes(path("scene.webp"), 9);
  EXPECT_TRUE(has_several_frames(path("scene.webp")));
}

TEST_F(FrameWriters, AFrameOfAnotherSizeEndsAnAnimation) {
  const auto writer = make_frame_writer(path("sizes.apng"));
  writer->add(random_picture(Shape::image(Element::u8, 1, 16, 8), 1).view());
  EXPECT_THROW(writer->add(random_picture(Shape::image(Element::u8, 1, 8, 8), 1).view()), UsageError);
  EXPECT_THROW(writer->add(random_picture(Shape::image(Element::u8, 1, 16, 8), 1).view()), UsageError);
  EXPECT_EQ(big_endian_at(read_bytes(path("sizes.apng")), 41), 1u);
}

/// Tests of videos, which only builds with FFmpeg's libraries write.
class VideoWriters : public TestFolder {
 protected:
  void SetUp() override {
    if (const std::string why = video_writer_absent("a.mkv"); !why.empty()) GTEST_SKIP() << why;
    TestFolder::SetUp();
  }
  [[nodiscard]] static bool writes(const std::string& extension) {
    return video_writer_absent("a" + extension).empty();
  }
};

TEST_F(VideoWriters, Ffv1KeepsEveryBit) {
  for (const Shape& shape : {Shape::image(Element::u8, 1, 37, 23), Shape::image(Element::u8, 4, 37, 23),
                             Shape::image(Element::u16, 1, 16, 8), Shape::image(Element::u16, 4, 19, 5),
                             Shape::image(Element::u8, 4, 1, 1), Shape::image(Element::u8, 1, 1, 3)}) {
    SCOPED_TRACE(to_string(shape));
    const auto writer = make_frame_writer(path("exact.mkv"), {.frames_per_second = 30});
    for (unsigned i = 0; i < 5; ++i)
      writer->add(random_picture(shape, i).view());
    writer->finish();
    const auto source = open_frames(path("exact.mkv"));
    Frame frame;
    for (unsigned i = 0; i < 5; ++i) {
      ASSERT_TRUE(source->next(frame));
      EXPECT_TRUE(testing::same_pixels(frame.pixels.view(), random_picture(shape, i).view()))
          << i << to_string(frame.pixels.shape());
    }
    EXPECT_FALSE(source->next(frame));
    EXPECT_EQ(names(), std::vector<std::string>{"exact.mkv"}) << "no temporary file is left";
  }
}

TEST_F(VideoWriters, EveryFormatGivesAllFramesInOrder) {
  for (const char* extension : {".mp4", ".mov", ".webm", ".mkv", ".gif"}) {
    if (std::string(extension) != ".gif" && !writes(extension)) continue;
    // Odd sides: colours are halved in both directions.
    write_scene(path(std::string("scene") + extension), "test:113x65@25:24", {.frames_per_second = 25});
    expect_codes(path(std::string("scene") + extension), 24);
  }
}

TEST_F(VideoWriters, TheSmallestFramesAreWritten) {
  for (const char* extension : {".mp4", ".webm", ".mkv", ".gif"}) {
    if (std::string(extension) != ".gif" && !writes(extension)) continue;
    SCOPED_TRACE(extension);
    write_scene(path(std::string("tiny") + extension), "test:1x1@25:3");
    const auto source = open_frames(path(std::string("tiny") + extension));
    Frame frame;
    int frames = 0;
    while (source->next(frame))
      ++frames;
    EXPECT_EQ(frames, 3);
  }
}

TEST_F(VideoWriters, ColoursOfLossyVideosAreNearThoseThatWereWritten) {
  HostArray frame(Shape::image(Element::u8, 4, 64, 64));
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      frame.image<Rgba8>()(x, y) = {180, 90, 40, 255};
  for (const char* extension : {".mp4", ".webm"}) {
    if (!writes(extension)) continue;
    const auto writer = make_frame_writer(path(std::string("plain") + extension));
    for (int i = 0; i < 3; ++i)
      writer->add(frame.view());
    writer->finish();
    const auto source = open_frames(path(std::string("plain") + extension));
    Frame read;
    ASSERT_TRUE(source->next(read));
    const Rgba8 pixel = read.pixels.image<Rgba8>()(32, 32);
    // Rounding of Y, U and V, and the losses of a plain area, which are small.
    EXPECT_NEAR(pixel.r, 180, 4) << extension;
    EXPECT_NEAR(pixel.g, 90, 4) << extension;
    EXPECT_NEAR(pixel.b, 40, 4) << extension;
  }
}

TEST_F(VideoWriters, SoundIsCopiedWhereTheContainerHoldsIt) {
  const std::filesystem::path with_sound = std::filesystem::path(test_dir()) / "data" / "videos" / "h264.mp4";
  write_scene(path("copy.mkv"), "test:64x64@30:40", {.frames_per_second = 30, .sound_from = with_sound});
  EXPECT_TRUE(open_frames(path("copy.mkv"))->info().audio);
  expect_codes(path("copy.mkv"), 40);
  if (writes(".mp4")) {
    write_scene(path("copy.mp4"), "test:64x64@30:40", {.frames_per_second = 30, .sound_from = with_sound});
    EXPECT_TRUE(open_frames(path("copy.mp4"))->info().audio);
    expect_codes(path("copy.mp4"), 40);
  }
  if (!writes(".webm")) return;
  const auto writer = make_frame_writer(path("copy.webm"), {.sound_from = with_sound});
  writer->add(random_picture(Shape::image(Element::u8, 4, 16, 16), 1).view());
  writer->finish();
  EXPECT_NE(writer->note().find("(aac) does not fit into .webm"), std::string::npos) << writer->note();
  EXPECT_FALSE(open_frames(path("copy.webm"))->info().audio);
}

/// A recording of a phone: frames come at any time, the sound goes on behind the last one.
TEST_F(VideoWriters, EveryFrameKeepsItsTimeAndTheSoundItsLength) {
  const std::filesystem::path with_sound = std::filesystem::path(test_dir()) / "data" / "videos" / "h264.mp4";
  const std::vector<double> times{0, 0.1, 0.2, 2.5, 2.55, 7.1};
  for (const std::string extension : {".mkv", ".mp4", ".webm"}) {
    if (!writes(extension)) continue;
    const auto write = [&](const std::string& name, bool all_sound) {
      const auto writer =
          make_frame_writer(path(name), {.frames_per_second = 10, .tick = 1e-3, .sound_from = with_sound});
      for (std::size_t i = 0; i < (all_sound ? 2 : times.size()); ++i) {
        HostArray frame = random_picture(Shape::image(Element::u8, 4, 64, 64), 1);
        draw_frame_code(frame.view(), static_cast<std::int64_t>(i));
        writer->add_with(frame.view(), {.seconds = times[i]});
      }
      all_sound ? writer->finish_with_sound() : writer->finish();
      const auto source = open_frames(path(name));
      Frame frame;
      std::vector<double> read;
      while (source->next(frame))
        read.push_back(frame.seconds);
      EXPECT_EQ(source->note(), "") << name;
      return read;
    };
    const std::vector<double> read = write("times" + extension, false);
    ASSERT_EQ(read.size(), times.size()) << extension;
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR(read[i], times[i], 1e-3) << extension << ": clocks of containers count milliseconds or less";
    if (extension == ".webm") continue;  // It does not hold this sound.
    (void)write("all" + extension, true);
    write_scene(path("cut" + extension), "test:64x64@10:2", {.frames_per_second = 10, .sound_from = with_sound});
    EXPECT_GT(std::filesystem::file_size(path("all" + extension)),
              std::filesystem::file_size(path("cut" + extension)) + 2000)
        << extension << ": packets of the sound behind the last picture are missing";
  }
}

TEST_F(VideoWriters, AFrameOfAnotherSizeEndsAVideoThatCanBePlayed) {
  for (const char* extension : {".mkv", ".gif"}) {
    const auto writer = make_frame_writer(path(std::string("sizes") + extension));
    HostArray first = random_picture(Shape::image(Element::u8, 4, 64, 64), 1);
    draw_frame_code(first.view(), 0);
    writer->add(first.view());
    EXPECT_THROW(writer->add(random_picture(Shape::image(Element::u8, 4, 32, 64), 1).view()), UsageError);
    expect_codes(path(std::string("sizes") + extension), 1);
  }
}

TEST_F(VideoWriters, AnimationsKeepTheTimesOfTheirFrames) {
  const std::vector<double> times{0, 0.1, 0.8, 0.85};
  for (const char* name : {"times.gif", "times.apng", "times.webp"}) {
    if (const auto formats = frame_extensions(); std::ranges::count(formats, extension_of(name)) == 0) continue;
    {
      const auto writer = make_frame_writer(path(name), {.frames_per_second = 10, .tick = 0.001});
      for (std::size_t i = 0; i < times.size(); ++i)
        writer->add_with(random_picture(Shape::image(Element::u8, 4, 32, 32), static_cast<unsigned>(i)).view(),
                         {.seconds = times[i], .lasts = 0.4});
      writer->finish();
    }
    const auto source = open_frames(path(name));
    std::vector<double> found;
    double lasts = 0;
    for (Frame frame; source->next(frame); lasts = frame.lasts)
      found.push_back(frame.seconds);
    ASSERT_EQ(found.size(), times.size()) << name;
    EXPECT_NEAR(lasts, 0.4, 0.006) << name;
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR(found[i], times[i], 0.006) << name << ", frame " << i;
  }
}

TEST_F(VideoWriters, AnAbandonedVideoLeavesNothingAndKeepsTheOldFile) {
  write_bytes(path("old.mkv"), "old");
  {
    const auto writer = make_frame_writer(path("old.mkv"));
    writer->add(random_picture(Shape::image(Element::u8, 4, 64, 64), 1).view());
  }
  EXPECT_EQ(read_bytes(path("old.mkv")), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"old.mkv"});
}

TEST_F(VideoWriters, AFullDiskEndsAVideoThatCanBePlayed) {
  // A limit of the size of files stands for a disk that is full.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  for (const char* extension : {".mkv", ".mp4"}) {
    if (!writes(extension)) continue;
    SCOPED_TRACE(extension);
    const auto writer = make_frame_writer(path(std::string("full") + extension));
    rlimit full = before;
    full.rlim_cur = 3 << 20;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
    std::string message;
    try {
      for (int i = 0; i < 400; ++i) {
        HostArray frame = random_picture(Shape::image(Element::u8, 4, 128, 128), static_cast<unsigned>(i));
        draw_frame_code(frame.view(), i);
        writer->add(frame.view());
      }
    } catch (const EnvironmentError& error) {
      message = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_NE(message.find("can be played"), std::string::npos) << message;
    const auto source = open_frames(path(std::string("full") + extension));
    Frame frame;
    std::int64_t frames = 0;
    for (; source->next(frame); ++frames)
      EXPECT_EQ(read_frame_code(frame.pixels.view()), frames);
    EXPECT_GT(frames, 5);
    EXPECT_NE(message.find("after " + std::to_string(frames) + " frames"), std::string::npos) << message;
  }
  std::signal(SIGXFSZ, SIG_DFL);
}

TEST_F(VideoWriters, WhatAFormatDoesNotHoldIsRefusedWithTheCure) {
  const auto refusal = [&](const std::string& name, const Shape& shape) -> std::string {
    try {
      make_frame_writer(path(name))->add(HostArray(shape).view());
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("a.mkv", Shape::image(Element::f32, 1, 8, 8)).find("frame_%04d.pfm"), std::string::npos);
  for (const char* name : {"a.gif", "a.apng"})
    EXPECT_NE(refusal(name, Shape::image(Element::u16, 1, 8, 8)).find("frame_%04d.png"), std::string::npos) << name;
  if (writes(".mp4")) {
    EXPECT_NE(refusal("a.mp4", Shape::image(Element::u16, 1, 8, 8)).find(".mkv"), std::string::npos);
  }
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace threadscape::io
