// Tests of painted masks: the pixels that a brush covers, what can be taken back, and the files that are written.

#include "app/scenes/seams/mask_painter.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <semaphore>
#include <thread>

#include "app/platform/platform.h"
#include "compute/core/errors.h"
#include "compute/io/pictures/image_file.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

class MaskPainterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
    masks_.follow({40, 30}, {});
  }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }
  void stroke(Brush brush, glm::vec2 from, glm::vec2 to, float radius) {
    masks_.begin_stroke();
    masks_.paint(brush, from, to, radius);
    masks_.end_stroke();
  }
  /// Calls poll() until a write is complete, and returns the names of the files.
  MaskPainter::Files next_files(const MaskPainter::Reader& reader = {}) {
    while (true) {
      if (const auto files = masks_.poll(reader)) return *files;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }
  [[nodiscard]] std::ptrdiff_t files_in_cache() const {
    const std::filesystem::directory_iterator all(folder_.path() / "threadscape" / "masks");
    return std::distance(begin(all), end(all));
  }
  static int white_in(const std::string& file) {
    const io::Loaded mask = io::load_picture(file);
    int count = 0;
    for (int y = 0; y < mask.pixels.shape().height; ++y)
      for (int x = 0; x < mask.pixels.shape().width; ++x)
        count += mask.pixels.image<std::uint8_t>()(x, y) == 255 ? 1 : 0;
    return count;
  }

  threadscape::testing::TemporaryFolder folder_;
  MaskPainter masks_;
};

TEST_F(MaskPainterTest, ABrushIsRoundAndStrokesHaveNoGaps) {
  stroke(Brush::protect, {10.5f, 10.5f}, {10.5f, 10.5f}, 2.0f);
  ASSERT_TRUE(masks_.pending());
  const MaskPainter::Files files = masks_.write();
  EXPECT_EQ(files.remove, "");
  // The brush covers the 13 pixels whose centres are within its radius of two pixels.
  EXPECT_EQ(white_in(files.protect), 13);
  stroke(Brush::remove, {5.5f, 20.5f}, {15.5f, 20.5f}, 0.5f);
  EXPECT_EQ(white_in(masks_.write().remove), 11);
  EXPECT_FALSE(masks_.pending());
}

TEST_F(MaskPainterTest, BrushesReplaceEachOther) {
  stroke(Brush::protect, {20, 15}, {20, 15}, 100.0f);
  stroke(Brush::remove, {0, 0}, {0, 0}, 100.0f);
  EXPECT_FALSE(masks_.marks(Brush::protect));
  EXPECT_EQ(white_in(masks_.write().remove), 40 * 30);
  stroke(Brush::erase, {-3.0f, -3.0f}, {60.0f, -3.0f}, 4.0f);
  EXPECT_EQ(white_in(masks_.write().remove), 40 * 29);
}

TEST_F(MaskPainterTest, TheFilesOfEarlierStrokesShowTheirMasksAgain) {
  stroke(Brush::remove, {10, 10}, {20, 10}, 3.0f);
  const MaskPainter::Files first = masks_.write();
  const int marked = white_in(first.remove);
  stroke(Brush::protect, {12, 8}, {18, 14}, 2.0f);
  const MaskPainter::Files second = masks_.write();
  EXPECT_LT(white_in(second.remove), marked);
  masks_.follow({40, 30}, first);
  EXPECT_FALSE(masks_.marks(Brush::protect));
  EXPECT_FALSE(masks_.pending());
  masks_.follow({40, 30}, second);
  EXPECT_TRUE(masks_.marks(Brush::protect));
  masks_.clear();
  EXPECT_EQ(masks_.write(), MaskPainter::Files{});
  masks_.follow({40, 30}, first);
  EXPECT_TRUE(masks_.marks(Brush::remove));
  // What is painted now goes on from the mask that is shown.
  stroke(Brush::remove, {30.5f, 20.5f}, {30.5f, 20.5f}, 0.5f);
  EXPECT_EQ(white_in(masks_.write().remove), marked + 1);
  EXPECT_EQ(white_in(first.remove), marked);
}

TEST_F(MaskPainterTest, WhatIsNotWrittenYetCanBeDiscarded) {
  EXPECT_FALSE(masks_.discard());
  stroke(Brush::remove, {10, 10}, {20, 10}, 3.0f);
  const MaskPainter::Files first = masks_.write();
  EXPECT_FALSE(masks_.discard());  // A file holds it.
  stroke(Brush::protect, {30, 20}, {30, 20}, 2.0f);
  EXPECT_FALSE(masks_.poll());  // Begins to write it.
  masks_.begin_stroke();
  masks_.paint(Brush::protect, {5, 5}, {5, 5}, 2.0f);
  EXPECT_TRUE(masks_.discard());
  EXPECT_FALSE(masks_.painting());
  EXPECT_FALSE(masks_.marks(Brush::protect));
  EXPECT_TRUE(masks_.marks(Brush::remove));
  while (masks_.pending())
    EXPECT_FALSE(masks_.poll());
  EXPECT_EQ(masks_.write(), first);
  EXPECT_EQ(files_in_cache(), 1);
}

TEST_F(MaskPainterTest, EveryChangeGetsANewFileAndTheEndRemovesThoseThatAreNotNamed) {
  std::vector<std::string> names;
  for (int i = 0; i < 4; ++i) {
    stroke(Brush::remove, {5.0f + 5.0f * static_cast<float>(i), 10}, {6, 10}, 2.0f);
    names.push_back(masks_.write().remove);
  }
  for (const std::string& name : names) {
    EXPECT_TRUE(std::filesystem::exists(name));
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1);
  }
  masks_.remove_files_except({"", names[2]});
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(std::filesystem::exists(names[i]), i == 2) << i;
}

TEST_F(MaskPainterTest, FilesOfManyLargeMasksAreRemoved) {
  constexpr std::uintmax_t bytes_of_six = std::uintmax_t{6} * (40 * 30 + 100);  // A PGM has a header of a few bytes.
  for (const std::uintmax_t limit : {bytes_of_six, std::uintmax_t{1}}) {
    MaskPainter masks(limit);
    masks.follow({40, 30}, {});
    std::vector<std::string> names;
    for (int i = 0; i < 8; ++i) {
      masks.begin_stroke();
      masks.paint(Brush::remove, {5.0f + 4.0f * static_cast<float>(i), 10}, {6, 10}, 2.0f);
      masks.end_stroke();
      names.push_back(masks.write().remove);
    }
    const std::size_t kept = limit == bytes_of_six ? 6 : MaskPainter::min_kept;
    for (std::size_t i = 0; i < names.size(); ++i)
      EXPECT_EQ(std::filesystem::exists(names[i]), i >= names.size() - kept) << i << " of " << limit;
  }
}

TEST_F(MaskPainterTest, FilesAreWrittenOnAThreadAndNamedWhenComplete) {
  std::binary_semaphore reached{0}, open{0};
  std::atomic<int> read{0};
  std::thread::id thread;
  const auto wait = [&](const MaskPainter::Files& files) {
    thread = std::this_thread::get_id();
    read = white_in(files.remove);
    reached.release();
    open.acquire();
  };
  stroke(Brush::remove, {5.5f, 20.5f}, {15.5f, 20.5f}, 0.5f);
  EXPECT_FALSE(masks_.poll(wait));
  reached.acquire();
  EXPECT_EQ(read, 11);  // The mask is read on the writing thread, before poll() reports the write.
  EXPECT_NE(thread, std::this_thread::get_id());
  // Painting continues during the write: no call waits, no file is named yet, and the mask that is being written does
  // not change.
  stroke(Brush::remove, {5.5f, 10.5f}, {9.5f, 10.5f}, 0.5f);
  EXPECT_FALSE(masks_.poll(wait));
  masks_.clear();
  EXPECT_TRUE(masks_.empty());
  stroke(Brush::protect, {10.5f, 10.5f}, {10.5f, 10.5f}, 2.0f);
  EXPECT_FALSE(masks_.poll(wait));
  stroke(Brush::remove, {30.5f, 20.5f}, {32.5f, 20.5f}, 0.5f);
  EXPECT_FALSE(masks_.poll(wait));
  EXPECT_TRUE(masks_.pending());
  EXPECT_EQ(files_in_cache(), 1);
  open.release();
  const MaskPainter::Files first = next_files();
  EXPECT_EQ(white_in(first.remove), 11);
  EXPECT_EQ(first.protect, "");
  // The second write holds the newest state only: states in between are not written.
  const MaskPainter::Files newest = next_files();
  EXPECT_EQ(white_in(newest.remove), 3);
  EXPECT_EQ(white_in(newest.protect), 13);
  EXPECT_FALSE(masks_.pending());
  EXPECT_EQ(files_in_cache(), 3);
}

TEST_F(MaskPainterTest, AStrokeThatIsUnderWayIsNotWritten) {
  masks_.begin_stroke();
  masks_.paint(Brush::remove, {5.5f, 20.5f}, {15.5f, 20.5f}, 0.5f);
  EXPECT_FALSE(masks_.poll());
  EXPECT_FALSE(masks_.pending());
  masks_.end_stroke();
  EXPECT_TRUE(masks_.pending());
  EXPECT_EQ(white_in(next_files().remove), 11);
}

TEST_F(MaskPainterTest, AWriteForAnotherPictureIsDropped) {
  stroke(Brush::remove, {10, 10}, {20, 10}, 3.0f);
  EXPECT_FALSE(masks_.poll());
  masks_.follow({20, 20}, {});
  while (masks_.pending())
    EXPECT_FALSE(masks_.poll());
  EXPECT_EQ(files_in_cache(), 0);
  EXPECT_EQ(masks_.write(), MaskPainter::Files{});
}

TEST_F(MaskPainterTest, FailuresAreReportedOnceAndLoseNothing) {
  const auto no_folder = folder_.path() / "file";
  std::ofstream(no_folder) << "in the way";
  setenv("XDG_CACHE_HOME", no_folder.c_str(), 1);
  stroke(Brush::remove, {10.5f, 10.5f}, {10.5f, 10.5f}, 2.0f);
  EXPECT_THROW((void)next_files(), EnvironmentError);
  EXPECT_FALSE(masks_.poll());  // A failed write is not tried again in every frame.
  EXPECT_FALSE(masks_.pending());
  EXPECT_TRUE(masks_.marks(Brush::remove));
  setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  stroke(Brush::protect, {5.5f, 20.5f}, {15.5f, 20.5f}, 0.5f);
  const MaskPainter::Files files = next_files();
  EXPECT_EQ(white_in(files.remove), 13);
  EXPECT_EQ(white_in(files.protect), 11);
}

TEST_F(MaskPainterTest, AFileIsShownAndPaintedOn) {
  HostArray mask(Shape::image(Element::u8, 1, 40, 30));
  std::fill_n(mask.data(), mask.pitch() * 30, std::byte{0});
  mask.image<std::uint8_t>()(3, 4) = 200;
  mask.image<std::uint8_t>()(5, 4) = 100;  // A pixel below half of white is not part of the mask.
  const std::string file = (folder_.path() / "own.png").string();
  io::save_picture(file, std::as_const(mask).view(), io::FileColour::grey);
  masks_.follow({40, 30}, {file, ""});
  EXPECT_TRUE(masks_.marks(Brush::protect));
  EXPECT_FALSE(masks_.pending());
  stroke(Brush::remove, {30, 20}, {30, 20}, 2.0f);
  MaskPainter::Files files = masks_.write();
  EXPECT_EQ(files.protect, file);  // The file is unchanged, because its mask has not changed.
  stroke(Brush::protect, {3.5f, 5.5f}, {3.5f, 5.5f}, 0.6f);
  files = masks_.write();
  EXPECT_NE(files.protect, file);
  EXPECT_EQ(white_in(files.protect), 2);
  EXPECT_EQ(white_in(file), 0);  // The file was not written to.
  // Masks of another size than the picture, and files that cannot be read, are ignored: nothing is marked and no file
  // is changed.
  masks_.follow({20, 20}, files);
  EXPECT_TRUE(masks_.empty());
  masks_.follow({40, 30}, {"missing.png", ""});
  EXPECT_TRUE(masks_.empty());
  masks_.follow({40, 30}, files);
  EXPECT_TRUE(masks_.marks(Brush::protect) && masks_.marks(Brush::remove));
}

TEST_F(MaskPainterTest, MasksAreSavedWhereTheUserWants) {
  stroke(Brush::protect, {10.5f, 10.5f}, {10.5f, 10.5f}, 2.0f);
  const auto path = folder_.path() / "mask.png";
  masks_.writer(Brush::protect, path)();
  EXPECT_EQ(white_in(path.string()), 13);
  masks_.writer(Brush::remove, path)();
  EXPECT_EQ(white_in(path.string()), 0);
  // A writer holds a copy of the mask from the time when the writer was made.
  const auto before = masks_.writer(Brush::protect, path);
  masks_.clear();
  before();
  EXPECT_EQ(white_in(path.string()), 13);
}

TEST_F(MaskPainterTest, TheOverlayFollowsTheStrokes) {
  const std::unique_ptr<Platform> platform = threadscape::testing::headless_or_skip(16, 16);
  if (!platform) return;
  MaskPainter masks;
  masks.follow({40, 30}, {});
  const auto at = [&](int x, int y) { return masks.overlay()->read().image<Rgba8>()(x, y); };
  EXPECT_EQ(at(10, 10).a, 0);
  masks.begin_stroke();
  masks.paint(Brush::protect, {10, 10}, {10, 10}, 3.0f);
  EXPECT_GT(at(10, 10).g, at(10, 10).r);
  masks.paint(Brush::remove, {10, 10}, {30, 20}, 3.0f);
  masks.end_stroke();
  EXPECT_GT(at(30, 20).r, at(30, 20).g);
  EXPECT_TRUE(masks.discard());
  EXPECT_EQ(at(10, 10).a, 0);
  EXPECT_EQ(at(30, 20).a, 0);
}

}  // namespace
}  // namespace threadscape::app
