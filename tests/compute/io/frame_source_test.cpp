// Moving pictures: numbered frames, whose bar code is their number, come out complete and in order from every source.
// The videos in tests/data/videos were made by the program ffmpeg (scripts/reference/videos.py), with bar codes that
// were not drawn by this project.

#include <gtest/gtest.h>

#include <random>

#include "compute/core/errors.h"
#include "compute/io/frame_source.h"
#include "compute/io/image_file.h"
#include "compute/io/numbered_pictures.h"
#include "compute/io/test_scene.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::io {
namespace {

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

}  // namespace
}  // namespace threadscape::io
