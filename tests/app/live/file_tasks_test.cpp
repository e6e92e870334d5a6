// Files are read, converted and written in the background; what the workspace holds and logs afterwards.

#include "app/live/file_tasks.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <semaphore>
#include <thread>

#include "compute/io/limits.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

using threadscape::testing::TemporaryFolder;

class FileTasksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_.choose_algorithm(find_algorithm("sobel"));
    photo_ = folder_.path() / "photo.png";
    io::save_picture(photo_, threadscape::testing::test_photo().pixels.view(), io::FileColour::rgb);
  }
  [[nodiscard]] bool has_error(std::string_view text) const {
    const auto entries = workspace_.log.entries();
    return std::ranges::any_of(entries, [text](const LogBook::Entry& entry) {
      return entry.level == LogBook::Level::error && entry.text.find(text) != std::string::npos;
    });
  }
  void open(const std::filesystem::path& path) { tasks_->open(workspace_.file_to_open(path)); }

  TemporaryFolder folder_;
  std::filesystem::path photo_;
  Workspace workspace_;
  std::unique_ptr<FileTasks> tasks_ = std::make_unique<FileTasks>([] {});
};

TEST_F(FileTasksTest, AFileReachesTheWorkspaceInUpdate) {
  open(photo_);
  EXPECT_TRUE(tasks_->busy());
  // The thread may have told of a share that is decoded already: "opening photo.png, 45 %".
  EXPECT_TRUE(tasks_->activity().starts_with("opening photo.png")) << tasks_->activity();
  EXPECT_EQ(workspace_.picture(), nullptr);
  tasks_->finish(workspace_);
  EXPECT_FALSE(tasks_->busy());
  EXPECT_EQ(tasks_->activity(), "");
  ASSERT_NE(workspace_.picture(), nullptr);
  EXPECT_EQ(workspace_.picture()->path, photo_);
}

TEST_F(FileTasksTest, AnErrorIsLoggedAndTheOldPictureStays) {
  open(photo_);
  open(folder_.path() / "missing.png");
  tasks_->save(folder_.path() / "never.png", [] { throw EnvironmentError("the disk is full"); });
  tasks_->finish(workspace_);
  ASSERT_NE(workspace_.picture(), nullptr);
  EXPECT_EQ(workspace_.picture()->path, photo_);
  EXPECT_TRUE(has_error("missing.png"));
  EXPECT_TRUE(has_error("the disk is full"));
}

TEST_F(FileTasksTest, APictureGetsOtherNumbers) {
  open(photo_);
  tasks_->finish(workspace_);
  tasks_->convert(workspace_.picture(), Element::u8);
  EXPECT_FALSE(tasks_->busy()) << "it has these numbers";
  tasks_->convert(workspace_.picture(), Element::f32);
  tasks_->finish(workspace_);
  EXPECT_EQ(workspace_.picture()->picture.pixels.shape().element, Element::f32);
  EXPECT_EQ(workspace_.picture()->path, photo_);
}

TEST_F(FileTasksTest, AConversionOfAPictureThatWasReplacedIsDropped) {
  open(photo_);
  tasks_->finish(workspace_);
  tasks_->convert(workspace_.picture(), Element::f32);
  workspace_.set_source("other.png", threadscape::testing::test_photo());
  tasks_->finish(workspace_);
  EXPECT_EQ(workspace_.picture()->path, "other.png");
  EXPECT_EQ(workspace_.picture()->picture.pixels.shape().element, Element::u8);
}

TEST_F(FileTasksTest, FilesAreWrittenBeforeItEnds) {
  const auto result = folder_.path() / "result.txt", second = folder_.path() / "second.txt";
  tasks_->save(result, [result] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::ofstream(result) << "whole";
  });
  open(photo_);  // is dropped
  tasks_->save(second, [second] { std::ofstream(second) << "whole"; });
  tasks_.reset();
  EXPECT_TRUE(std::filesystem::exists(result));
  EXPECT_TRUE(std::filesystem::exists(second));
  EXPECT_EQ(workspace_.picture(), nullptr);
}

TEST_F(FileTasksTest, ItEndsWhileAPipeIsSilent) {
  const auto limit = io::limit_of(io::Limit::silence);
  io::set_limit(io::Limit::silence, 1000);  // Without the request to stop, it would wait that many seconds.
  const auto pipe = folder_.path() / "pipe.png", saved = folder_.path() / "saved.txt";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  open(pipe);
  tasks_->save(saved, [saved] { std::ofstream(saved) << "whole"; });
  tasks_.reset();
  EXPECT_TRUE(std::filesystem::exists(saved));
  io::set_limit(io::Limit::silence, limit);
}

TEST_F(FileTasksTest, AFileThatIsNotWrittenBeforeItEndsIsNamedOnStderr) {
  tasks_->save("never.png", [] { throw EnvironmentError("the disk is full"); });
  ::testing::internal::CaptureStderr();
  tasks_.reset();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "threadscape: never.png was not written: the disk is full\n");
}

TEST_F(FileTasksTest, UpdatingDoesNotWait) {
  std::binary_semaphore gate{0};
  tasks_->save("slow.png", [&gate] { gate.acquire(); });
  for (int i = 0; i < 100; ++i)
    tasks_->update(workspace_);
  EXPECT_EQ(tasks_->activity(), "saving slow.png");
  gate.release();
  tasks_->finish(workspace_);
}

}  // namespace
}  // namespace threadscape::app
