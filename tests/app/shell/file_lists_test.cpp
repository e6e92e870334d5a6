// Tests of the files that were opened last, and of lists of files that are opened together.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <fstream>

#include "app/shell/file_list.h"
#include "app/shell/recent_files.h"
#include "app/shell/settings.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

TEST(RecentFilesTest, TheLatestIsFirstAndNoFileIsThereTwice) {
  RecentFiles recent;
  for (const char* path : {"/a.png", "/b.png", "/a.png", "", "/folder/../c.png"})
    recent.add(path);
  EXPECT_EQ(recent.texts(), (std::vector<std::string>{"/c.png", "/a.png", "/b.png"}));
  recent.add("relative.png");
  EXPECT_TRUE(recent.paths().front().is_absolute());
}

TEST(RecentFilesTest, ThereAreAtMostTen) {
  RecentFiles recent;
  std::vector<std::string> many;
  for (int i = 0; i < 30; ++i)
    many.push_back("/" + std::to_string(i) + ".png");
  recent.restore(many);
  EXPECT_EQ(recent.paths().size(), RecentFiles::max_count);
  recent.add("/new.png");
  EXPECT_EQ(recent.paths().size(), RecentFiles::max_count);
  EXPECT_EQ(recent.paths().front(), "/new.png");
  recent.restore({"/a.png", "", "/a.png"});
  EXPECT_EQ(recent.texts(), std::vector<std::string>{"/a.png"});
}

TEST(RecentFilesTest, SettingsKeepThem) {
  const threadscape::testing::TemporaryFolder folder;
  Settings settings;
  settings.recent = {"/a.png", "/b c.png"};
  std::ofstream(folder.path() / "settings.json") << settings_text(settings);
  LogBook log;
  EXPECT_EQ(load_settings(folder.path() / "settings.json", log).recent, settings.recent);
  std::ofstream(folder.path() / "wrong.json") << R"({"recent": "a.png"})";
  EXPECT_TRUE(load_settings(folder.path() / "wrong.json", log).recent.empty());
}

TEST(FileListTest, StepsGoAroundTheEnds) {
  FileList list;
  EXPECT_FALSE(list.step(1));
  list.set({"a", "b", "a", "c"});
  EXPECT_EQ(list.size(), 3u);
  EXPECT_EQ(list.step(1), "b");
  EXPECT_EQ(list.step(-1), "c");
  list.opened("c");
  EXPECT_EQ(list.step(1), "a");
  list.opened("elsewhere");
  EXPECT_EQ(list.current(), 2u);
}

class FileListsTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (!tested_) return;
    for (const char* name : {"a.png", "b.png", "c.png"}) {
      paths_.push_back(folder_.path() / name);
      io::save_picture(paths_.back(), threadscape::testing::test_photo().pixels.view(), io::FileColour::rgb);
    }
    tested_->settle();
  }
  [[nodiscard]] std::string shown() const { return tested_->workspace.source()->path.filename().string(); }
  void settle_files() {
    tested_->frames_until([this] { return !tested_->live_.files().busy(); });
    tested_->frame();
  }
  std::vector<fs::path> paths_;
};

TEST_P(FileListsTest, DroppedFilesAreAListThatKeysSwitch) {
  tested_->frame(paths_);
  settle_files();
  EXPECT_EQ(shown(), "a.png");
  EXPECT_EQ(tested_->window_.list().size(), 3u);
  tested_->press(ImGuiKey_PageDown);
  settle_files();
  EXPECT_EQ(shown(), "b.png");
  EXPECT_FALSE(ImGui::GetCurrentContext()->NavCursorVisible) << "the keyboard stays where it is";
  tested_->press(ImGuiKey_PageUp);
  settle_files();
  tested_->press(ImGuiKey_PageUp);
  settle_files();
  EXPECT_EQ(shown(), "c.png");
  EXPECT_EQ(tested_->window_.list().current(), 2u);
  // A single file is shown and leaves the list as it is.
  tested_->frame({folder_.path() / "photo.png"});
  settle_files();
  EXPECT_EQ(shown(), "photo.png");
  EXPECT_EQ(tested_->window_.list().size(), 3u);
}

TEST_P(FileListsTest, AFileOfTheListThatIsGoneIsAnErrorAndTheNextOneIsReached) {
  tested_->frame(paths_);
  settle_files();
  fs::remove(paths_[1]);
  tested_->press(ImGuiKey_PageDown);
  settle_files();
  EXPECT_EQ(shown(), "a.png");
  tested_->press(ImGuiKey_PageDown);
  settle_files();
  EXPECT_EQ(shown(), "c.png");
}

TEST_P(FileListsTest, WhatWasOpenedIsInTheMenu) {
  for (const fs::path& path : {paths_[0], paths_[2], folder_.path() / "missing.png"}) {
    tested_->frame({path});
    settle_files();
  }
  const std::vector<fs::path>& recent = tested_->window_.recent().paths();
  ASSERT_EQ(recent.size(), 3u);  // The photo of the fixture was opened first; what cannot be opened is not kept.
  EXPECT_EQ(recent[0].filename(), "c.png");
  EXPECT_EQ(recent[1].filename(), "a.png");
  EXPECT_EQ(recent[2].filename(), "photo.png");
}

TEST_P(FileListsTest, TheMenuIsReachedByKeys) {
  tested_->frame({paths_[0]});
  settle_files();
  tested_->frame({paths_[1]});
  settle_files();
  ASSERT_EQ(shown(), "b.png");
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, true);
  tested_->press(ImGuiKey_O, ImGuiMod_Ctrl);
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, false);
  for (int i = 0; i < 3; ++i)
    tested_->frame();
  tested_->press(ImGuiKey_DownArrow);
  tested_->press(ImGuiKey_Enter);
  settle_files();
  EXPECT_EQ(shown(), "a.png");
}

TEST_P(FileListsTest, SeveralFilesOfTheDialogAreAList) {
  tested_->press(ImGuiKey_O, ImGuiMod_Ctrl);
  tested_->window_.files().set_folder(folder_.path());
  tested_->press(ImGuiKey_Escape);
  tested_->press(ImGuiKey_O, ImGuiMod_Ctrl);
  for (int i = 0; i < 3; ++i)
    tested_->frame();
  ImGui::ClearActiveID();  // As a click does, this takes the keyboard from the name.
  tested_->frame();
  for (const char* name : {"a.png", "c.png"})
    tested_->window_.files().toggle(name);
  tested_->frame();
  tested_->press_in_files("Open a file", "Open 2");
  settle_files();
  EXPECT_FALSE(tested_->window_.files().is_open());
  EXPECT_EQ(shown(), "a.png");
  EXPECT_EQ(tested_->window_.list().size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Platforms, FileListsTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
