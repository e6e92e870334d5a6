// Tests of the clipboard: values as text, pictures by the programs of the desktop, and what is pasted.

#include "app/shell/clipboard.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "app/scenes/image/value_copy.h"
#include "compute/io/base64.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::string in_base64(const std::string& bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[bits >> (18 - 6 * k) & 63u] : '=';
  }
  return text;
}

TEST(ClipboardTextTest, PathsAndAddressesOfFilesAreRecognised) {
  const threadscape::testing::TemporaryFolder folder;
  const fs::path plain = folder.path() / "a.png", spaced = folder.path() / "b c.png";
  for (const fs::path& path : {plain, spaced})
    std::ofstream(path) << "x";
  std::string address = "file://" + spaced.string();
  address.replace(address.find(' '), 1, "%20");
  EXPECT_EQ(files_in_text(plain.string() + "\r\n" + address + "\n"), (std::vector<fs::path>{plain, spaced}));
  EXPECT_EQ(files_in_text("'" + spaced.string() + "'"), std::vector<fs::path>{spaced});
  EXPECT_TRUE(files_in_text(plain.string() + "\nand more words").empty());
  EXPECT_TRUE(files_in_text(folder.path().string()).empty()) << "a folder is no file";
  for (const char* text : {"", "\n", "file://", "%", "\"", "file://%2", "~/"})
    EXPECT_TRUE(files_in_text(text).empty()) << text;
}

TEST(ClipboardTextTest, PicturesAsTextAreRecognised) {
  for (const std::string& bytes : {std::string("a"), std::string("ab"), std::string("abc\0d\xff", 6)}) {
    const auto found = picture_in_text("data:image/png;base64," + in_base64(bytes) + "\n");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->bytes, bytes);
    EXPECT_EQ(found->extension, ".png");
  }
  for (const char* text : {"", "data:image/png;base64,", "data:text/plain;base64,YQ==", "data:image/../x;base64,YQ==",
                           "data:image/png;base64,Y*Q=", "data:image/svg+xml;base64,YQ=="})
    EXPECT_FALSE(picture_in_text(text)) << text;
}

TEST(ValueTableTest, ChannelsAreTablesWithTheColumnsAndRowsOfThePicture) {
  const interop::ProbeResult grey{10, 20, 2, 2, gl::Format::r8, {1, 2, 3, 4}};
  EXPECT_EQ(table_of(grey, "result"), "result\t10\t11\n20\t1\t2\n21\t3\t4\n");
  const interop::ProbeResult real{0, 0, 1, 1, gl::Format::r32f, {0.1f}};
  EXPECT_EQ(table_of(real, "a"), "a\t0\n0\t0.100000001\n");
  const interop::ProbeResult opaque{0, 0, 1, 1, gl::Format::rgba8, {1, 2, 3, 255}};
  EXPECT_EQ(table_of(opaque, "a"), "a red\t0\n0\t1\na green\t0\n0\t2\na blue\t0\n0\t3\n");
  const interop::ProbeResult clear{0, 0, 1, 1, gl::Format::rgba8, {1, 2, 3, 7}};
  EXPECT_NE(table_of(clear, "a").find("a alpha\t0\n0\t7\n"), std::string::npos);
}

TEST(ValueTableTest, FewVisiblePixelsAreCopiedAllElseThoseAroundTheMouse) {
  render::ImageViewSettings settings;
  settings.zoom = 50.0f;
  settings.centre = {10.0f, 10.0f};
  EXPECT_EQ(pixels_to_copy(settings, {200, 100}, {100, 100}, {}), (PixelRect{8, 9, 4, 2}));
  settings.zoom = 1.0f;
  settings.centre = {50.0f, 50.0f};
  EXPECT_EQ(pixels_to_copy(settings, {200, 100}, {100, 100}, {}), (PixelRect{45, 45, 11, 11}));
  EXPECT_EQ(pixels_to_copy(settings, {200, 100}, {100, 100}, glm::ivec2(2, 99)), (PixelRect{0, 94, 8, 6}));
  EXPECT_EQ(pixels_to_copy(settings, {200, 100}, {40, 30}, {}), (PixelRect{0, 0, 40, 30}));
}

class ClipboardTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (!tested_) return;
    for (const char* name : {"XDG_CACHE_HOME", "PATH", "WAYLAND_DISPLAY"})
      before_.emplace_back(name, std::getenv(name) != nullptr ? std::getenv(name) : "");
    setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
    unsetenv("WAYLAND_DISPLAY");
    tested_->settle();
  }
  void TearDown() override {
    for (const auto& [name, value] : before_)
      value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1);
  }
  /// Puts a program xclip in front of all others.
  void install_xclip(const std::string& script) {
    const fs::path bin = folder_.path() / "bin", program = bin / "xclip";
    fs::create_directories(bin);
    std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(program, fs::perms::owner_all);
    setenv("PATH", (bin.string() + ":" + before_[1].second).c_str(), 1);
  }
  void settle_files() {
    tested_->frames_until([this] { return !tested_->live_.files().busy(); });
    tested_->frames_until([this] { return !tested_->live_.files().busy(); });
    tested_->frame();
  }
  [[nodiscard]] bool is_logged(const std::string& text) const {
    for (const LogBook::Entry& entry : tested_->workspace.log.entries())
      if (entry.text.find(text) != std::string::npos) return true;
    return false;
  }
  void press_with_shift(ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, true);
    tested_->press(key, ImGuiMod_Ctrl);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, false);
    tested_->frame();
  }
  std::vector<std::pair<const char*, std::string>> before_;
};

TEST_P(ClipboardTest, ValuesAreCopiedAsATable) {
  tested_->press(ImGuiKey_I);
  tested_->settle();
  tested_->press(ImGuiKey_C, ImGuiMod_Ctrl);
  // How many pixels are in view, and from which on, depends on the window.
  int columns = 0, rows = 0, column = 0, row = 0;
  tested_->frames_until([&] {
    return std::ranges::any_of(tested_->workspace.log.entries(), [&](const auto& entry) {
      return std::sscanf(entry.text.c_str(), "copied the values of %d x %d pixels from column %d, row %d on", &columns,
                         &rows, &column, &row) == 4;
    });
  });
  const std::string text = ImGui::GetClipboardText();
  const Rgba8 pixel = threadscape::testing::test_photo().pixels.image<Rgba8>()(column, row);
  const std::string head = "input red\t" + std::to_string(column) + "\t" + std::to_string(column + 1) + "\t";
  EXPECT_TRUE(text.starts_with(head)) << text.substr(0, 60);
  EXPECT_NE(text.find("\n" + std::to_string(row) + "\t" + std::to_string(pixel.r) + "\t"), std::string::npos);
  EXPECT_GT(columns, 4);
  EXPECT_EQ(std::ranges::count(text, '\n'), 3 * (rows + 1));
}

TEST_P(ClipboardTest, ThePathOfAFileIsPasted) {
  const fs::path path = folder_.path() / "other.png";
  fs::copy_file(folder_.path() / "photo.png", path);
  ImGui::SetClipboardText(path.c_str());
  tested_->press(ImGuiKey_V, ImGuiMod_Ctrl);
  settle_files();
  EXPECT_EQ(tested_->workspace.source()->path, path);
}

TEST_P(ClipboardTest, APictureAsTextIsPasted) {
  const std::string text = "data:image/png;base64," + in_base64(text_of(folder_.path() / "photo.png"));
  ImGui::SetClipboardText(text.c_str());
  tested_->press(ImGuiKey_V, ImGuiMod_Ctrl);
  settle_files();
  EXPECT_EQ(tested_->workspace.source()->path.filename(), "pasted.png");
}

TEST_P(ClipboardTest, APictureIsPastedByAProgram) {
  ImGui::SetClipboardText("some words");
  install_xclip("[ \"$*\" = '-selection clipboard -t image/png -o' ] && cat '" +
                (folder_.path() / "photo.png").string() + "'");
  tested_->press(ImGuiKey_V, ImGuiMod_Ctrl);
  settle_files();
  EXPECT_EQ(tested_->workspace.source()->path.filename(), "pasted.png");
}

TEST_P(ClipboardTest, WhatCannotBePastedIsAnErrorWithItsCure) {
  ImGui::SetClipboardText("some words");
  install_xclip("exit 1");
  tested_->press(ImGuiKey_V, ImGuiMod_Ctrl);
  settle_files();
  EXPECT_TRUE(is_logged("neither a picture nor the path of a file"));
  setenv("PATH", (folder_.path() / "nothing").c_str(), 1);
  tested_->press(ImGuiKey_V, ImGuiMod_Ctrl);
  settle_files();
  EXPECT_TRUE(is_logged("need the program xclip"));
  EXPECT_EQ(tested_->workspace.source()->path.filename(), "photo.png");
}

TEST_P(ClipboardTest, ThePictureOfTheViewIsCopiedByAProgram) {
  const fs::path taken = folder_.path() / "taken.png";
  install_xclip("[ \"$*\" = '-selection clipboard -t image/png -i' ] && cat > '" + taken.string() + "'");
  press_with_shift(ImGuiKey_C);
  settle_files();
  EXPECT_TRUE(is_logged("the picture is in the clipboard"));
  EXPECT_GT(io::load_picture(taken).pixels.shape().width, 100);
}

INSTANTIATE_TEST_SUITE_P(Platforms, ClipboardTest, ::testing::Values(Where::window, Where::headless), name_of_place);

TEST(Base64, IsReadAgain) {
  EXPECT_EQ(io::to_base64(""), "");
  EXPECT_EQ(io::to_base64("f"), "Zg==");  // The values are those of RFC 4648.
  EXPECT_EQ(io::to_base64("fo"), "Zm8=");
  EXPECT_EQ(io::to_base64("foobar"), "Zm9vYmFy");
  std::string bytes;
  for (int i = 0; i < 256; ++i)
    bytes += static_cast<char>(i);
  EXPECT_EQ(io::from_base64(io::to_base64(bytes)), bytes);
}

}  // namespace
}  // namespace threadscape::app
