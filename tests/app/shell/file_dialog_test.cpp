// The dialog for files inside the window: its places, formats, order and small pictures.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <fstream>

#include "app/shell/file_pictures.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

class FileDialogTest : public TestedWindowTest {
 protected:
  [[nodiscard]] FileBrowser& files() { return tested_->window_.files(); }
  void ask_save() {
    files().set_folder(folder_.path());
    tested_->press(ImGuiKey_S, ImGuiMod_Ctrl);
    for (int i = 0; i < 4; ++i)
      tested_->frame();
  }
};

TEST_P(FileDialogTest, AFormatIsChosenInAList) {
  tested_->settle();
  ask_save();
  ASSERT_EQ(files().name(), "photo-convolution.png");
  tested_->press_in_files("Save the result", "##format");  // The name has the keyboard no more.
  tested_->press(ImGuiKey_Escape);
  files().choose_format(".bmp");
  EXPECT_EQ(files().name(), "photo-convolution.bmp");
  files().choose_format(".raw");
  EXPECT_EQ(files().name(), "photo-convolution.bmp") << "a picture is not saved as numbers";
  files().choose("two.dots");
  files().choose_format(".png");
  EXPECT_EQ(files().name(), "two.png");
  tested_->press_in_files("Save the result", "Save");
  tested_->frames_until([this] { return !tested_->live_.files().busy(); });
  EXPECT_TRUE(fs::exists(folder_.path() / "two.png"));
}

TEST_P(FileDialogTest, KeysThatArriveWithTheOneThatOpensItReachTheName) {
  tested_->settle();
  files().set_folder(folder_.path());
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, true);
  io.AddKeyEvent(ImGuiKey_O, true);
  io.AddKeyEvent(ImGuiKey_O, false);
  io.AddKeyEvent(ImGuiMod_Ctrl, false);
  for (const char c : std::string_view("photo")) {
    const auto key = static_cast<ImGuiKey>(ImGuiKey_A + (c - 'a'));
    io.AddKeyEvent(key, true);
    io.AddInputCharacter(static_cast<unsigned char>(c));
    io.AddKeyEvent(key, false);
  }
  const auto frames = [this] {  // Two for each key, and those in which the name waits for the keyboard.
    for (int i = 0; i < 24; ++i)
      tested_->frame();
  };
  frames();
  EXPECT_EQ(files().name(), "photo");
  EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_O)) << "what is kept ends with its key let go";
  tested_->press(ImGuiKey_Escape);
  tested_->press(ImGuiKey_Escape);
  // Nothing waits any more, so keys are shortcuts again.
  const bool panels = ImGui::FindWindowByName("Parameters###parameters")->WasActive;
  tested_->press(ImGuiKey_Tab);
  frames();
  EXPECT_NE(ImGui::FindWindowByName("Parameters###parameters")->WasActive, panels);
}

TEST_P(FileDialogTest, TheListIsSortedByWhatItsHeadSays) {
  tested_->settle();
  const auto write = [this](const char* name, std::size_t bytes) {
    std::ofstream(folder_.path() / name) << std::string(bytes, 'x');
  };
  write("a.bmp", 30);
  write("b.bmp", 10);
  fs::create_directory(folder_.path() / "z");
  ask_save();
  EXPECT_EQ(files().names(), (std::vector<std::string>{"z", "a.bmp", "b.bmp", "photo.png"}));
  ImGuiTable* list = nullptr;
  for (int i = 0; i < ImGui::GetCurrentContext()->Tables.GetMapSize(); ++i)
    if (ImGuiTable* const table = ImGui::GetCurrentContext()->Tables.TryGetMapData(i);
        table != nullptr && table->ColumnsCount == 3 && (table->Flags & ImGuiTableFlags_Sortable) != 0)
      list = table;
  ASSERT_NE(list, nullptr);
  const auto sort_by = [&](int column, ImGuiSortDirection direction) {
    for (ImGuiTableColumn& one : list->Columns)
      one.SortOrder = -1;
    list->Columns[column].SortOrder = 0;
    list->Columns[column].SortDirection = static_cast<ImU8>(direction);
    list->IsSortSpecsDirty = true;
    tested_->frame();
    tested_->frame();
  };
  sort_by(2, ImGuiSortDirection_Ascending);
  EXPECT_EQ(files().names(), (std::vector<std::string>{"z", "b.bmp", "a.bmp", "photo.png"}));
  sort_by(0, ImGuiSortDirection_Descending);
  EXPECT_EQ(files().names(), (std::vector<std::string>{"z", "photo.png", "b.bmp", "a.bmp"}));
}

TEST_P(FileDialogTest, PicturesAreReadBehindTheList) {
  FilePictures pictures;
  const fs::path photo = folder_.path() / "photo.png", none = folder_.path() / "none.png";
  std::ofstream(none) << "no picture";
  const auto read = [&](const fs::path& path) {
    (void)pictures.of(path);
    while (pictures.update()) {
    }
    return pictures.of(path);
  };
  EXPECT_EQ(pictures.of(photo), nullptr) << "nobody waits for it";
  const gl::Texture* const small = read(photo);
  ASSERT_NE(small, nullptr);
  EXPECT_EQ(small->width(), 96);
  EXPECT_EQ(read(none), nullptr);
  EXPECT_EQ(pictures.of(folder_.path() / "missing.png"), nullptr);
  EXPECT_FALSE(pictures.update());
}

TEST_P(FileDialogTest, SaysWhatTheFileWillHold) {
  tested_->settle();
  ask_save();
  EXPECT_EQ(files().contents(),
            to_string(tested_->live_.output()->shape()) + ", 24.0 KiB before the format compresses it");
}

TEST_P(FileDialogTest, FoldersAreEnteredAndLeftByKeys) {
  tested_->settle();
  fs::create_directory(folder_.path() / "inner");
  io::save_picture(folder_.path() / "inner" / "below.png", threadscape::testing::test_photo().pixels.view(),
                   io::FileColour::rgb);
  files().set_folder(folder_.path());
  tested_->press(ImGuiKey_O, ImGuiMod_Ctrl);
  for (int i = 0; i < 4; ++i)
    tested_->frame();
  ASSERT_EQ(files().names(), (std::vector<std::string>{"inner", "photo.png"}));
  // The head of the list comes first, and then the folder.
  ImGuiWindow* list = nullptr;
  for (ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows)
    if (window->Active && std::string_view(window->Name).find("/entries") != std::string_view::npos) list = window;
  ASSERT_NE(list, nullptr);
  ImGui::FocusWindow(list);
  tested_->press(ImGuiKey_DownArrow);
  tested_->press(ImGuiKey_DownArrow);
  tested_->press(ImGuiKey_Enter);
  EXPECT_EQ(files().names(), (std::vector<std::string>{"below.png"}));
  tested_->press(ImGuiKey_UpArrow, ImGuiMod_Alt);
  EXPECT_EQ(files().names(), (std::vector<std::string>{"inner", "photo.png"}));
  EXPECT_TRUE(files().is_open());
}

TEST_P(FileDialogTest, EscapeClosesTheListOfFormatsFirst) {
  tested_->settle();
  ask_save();
  tested_->press_in_files("Save the result", "##format");
  tested_->frame();
  const auto listed = [] { return ImGui::GetCurrentContext()->OpenPopupStack.Size; };
  ASSERT_EQ(listed(), 2);
  tested_->press(ImGuiKey_Escape);
  EXPECT_EQ(listed(), 1);
  EXPECT_TRUE(files().is_open());
  tested_->press(ImGuiKey_Escape);
  EXPECT_FALSE(files().is_open());
}

INSTANTIATE_TEST_SUITE_P(Platforms, FileDialogTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
