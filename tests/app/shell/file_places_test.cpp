// Folders that the dialog for files offers by their names.

#include "app/shell/file_places.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

TEST(FilePlaces, TheUsersFoldersAreThoseThatTheDesktopNames) {
  const std::string text =
      "# a comment\nXDG_PICTURES_DIR=\"$HOME/My pictures\"\nXDG_DOCUMENTS_DIR=\"/srv/texts\"\n"
      "XDG_DOWNLOAD_DIR=\"$HOME/\"\nXDG_MUSIC_DIR=relative\nXDG_VIDEOS_DIR=\"films\"\n";
  EXPECT_EQ(user_folder(text, "XDG_PICTURES_DIR", "/users/a"), "/users/a/My pictures");
  EXPECT_EQ(user_folder(text, "XDG_DOCUMENTS_DIR", "/users/a"), "/srv/texts");
  EXPECT_EQ(user_folder(text, "XDG_DOWNLOAD_DIR", "/users/a"), "") << "the home folder stands for none";
  EXPECT_EQ(user_folder(text, "XDG_MUSIC_DIR", "/users/a"), "");
  EXPECT_EQ(user_folder(text, "XDG_VIDEOS_DIR", "/users/a"), "");
  EXPECT_EQ(user_folder(text, "XDG_DESKTOP_DIR", "/users/a"), "");
}

TEST(FilePlaces, ExistAndDiffer) {
  const std::vector<FilePlace> places = file_places();
  ASSERT_FALSE(places.empty());
  for (const FilePlace& place : places) {
    EXPECT_TRUE(std::filesystem::is_directory(place.folder)) << place.folder;
    EXPECT_EQ(std::ranges::count(places, place.folder, &FilePlace::folder), 1) << place.folder;
  }
}

TEST(FilePlaces, FoldersOfRecentFilesFollowByTheirNames) {
  const threadscape::testing::TemporaryFolder folder;
  std::vector<std::filesystem::path> recent;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    std::filesystem::create_directory(folder.path() / name);
    recent.push_back(folder.path() / name / "one.png");
    recent.push_back(folder.path() / name / "two.png");
  }
  recent.insert(recent.begin(), folder.path() / "missing" / "x.png");
  const std::size_t fixed = file_places().size();
  const std::vector<FilePlace> places = file_places(recent);
  ASSERT_EQ(places.size(), fixed + 4);
  EXPECT_EQ(places[fixed].title, "a");
  EXPECT_EQ(places.back().title, "d");
  EXPECT_EQ(places.back().folder, std::filesystem::weakly_canonical(folder.path() / "d"));
}

}  // namespace
}  // namespace threadscape::app
