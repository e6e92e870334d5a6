// Tests of the socket at which the window is asked to show files.

#include "app/platform/window_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

class WindowSocketTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = "/tmp/socket-test-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    if (const char* before = std::getenv("XDG_RUNTIME_DIR")) before_ = before;
    setenv("XDG_RUNTIME_DIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    if (before_)
      setenv("XDG_RUNTIME_DIR", before_->c_str(), 1);
    else
      unsetenv("XDG_RUNTIME_DIR");
    fs::remove_all(folder_);
  }

  /// Sends bytes, ends the direction to the window if `ends`, and returns the answer; "" without one.
  static std::string ask(const fs::path& socket_path, const std::string& bytes, bool ends = false) {
    const io::Descriptor connection(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, socket_path.c_str(), socket_path.native().size());
    if (connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) return "refused";
    EXPECT_EQ(send(connection.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    if (ends) shutdown(connection.get(), SHUT_WR);
    std::string answer;
    char byte = 0;
    while (recv(connection.get(), &byte, 1, 0) == 1)
      answer += byte;
    return answer;
  }

  fs::path folder_;
  std::optional<std::string> before_;
};

TEST_F(WindowSocketTest, APathIsTakenOnceAndTheWindowIsWoken) {
  std::atomic<int> woken = 0;
  WindowSocket socket([&] { ++woken; });
  ASSERT_EQ(socket.trouble(), "");
  EXPECT_EQ(ask(socket.path(), std::string("/tmp/a picture.npy\0", 19)), "opened");
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(socket.take(), std::vector<fs::path>{"/tmp/a picture.npy"});
  EXPECT_TRUE(socket.take().empty());
}

TEST_F(WindowSocketTest, WhatIsNoPathIsRefused) {
  WindowSocket socket([] { FAIL() << "nothing is there to take"; });
  EXPECT_EQ(ask(socket.path(), std::string("photo.png\0", 10)), "the path of a file has to be absolute");
  EXPECT_EQ(ask(socket.path(), std::string("\0", 1)), "the path of a file has to be absolute");
  const std::string sentence = "a message is the path of a file and a zero byte, at most 4096 bytes";
  EXPECT_EQ(ask(socket.path(), std::string("/a\0/b\0", 6)), sentence);
  EXPECT_EQ(ask(socket.path(), "/" + std::string(4095, 'a')), sentence);
  EXPECT_EQ(ask(socket.path(), "/unfinished", true), "");
  EXPECT_EQ(ask(socket.path(), "", true), "");
  EXPECT_TRUE(socket.take().empty());
}

TEST_F(WindowSocketTest, NoMoreFilesWaitThanAWindowOpens) {
  WindowSocket socket([] {});
  const std::string message("/a\0", 3);
  for (std::size_t i = 0; i < WindowSocket::most_waiting; ++i)
    EXPECT_EQ(ask(socket.path(), message), "opened");
  EXPECT_EQ(ask(socket.path(), message), "the window has too many files to open");
  EXPECT_EQ(socket.take().size(), WindowSocket::most_waiting);
  EXPECT_EQ(ask(socket.path(), message), "opened");
}

TEST_F(WindowSocketTest, OnlyTheUserMayConnectAndTheSocketGoesWithTheWindow) {
  fs::path path;
  {
    const WindowSocket socket([] {});
    path = socket.path();
    struct stat facts {};
    ASSERT_EQ(stat(path.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0600U);
    ASSERT_EQ(stat(path.parent_path().c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0700U);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(WindowSocketTest, AFolderThatOthersMayEnterIsNotUsed) {
  ASSERT_TRUE(fs::create_directory(folder_ / "threadscape"));
  ASSERT_EQ(chmod((folder_ / "threadscape").c_str(), 0755), 0);
  const WindowSocket open([] {});
  EXPECT_EQ(open.path(), "");
  EXPECT_NE(open.trouble().find("others may enter"), std::string::npos);
  fs::remove(folder_ / "threadscape");
  fs::create_directory_symlink("/tmp", folder_ / "threadscape");
  EXPECT_EQ(WindowSocket([] {}).path(), "");
}

TEST_F(WindowSocketTest, AConnectionThatSaysNothingDelaysNeitherTheEndNorOthersWithoutEnd) {
  std::optional<WindowSocket> socket(std::in_place, [] {});
  const io::Descriptor silent(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket->path().c_str(), socket->path().native().size());
  ASSERT_EQ(connect(silent.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(ask(socket->path(), std::string("/a\0", 3)), "opened");  // After the second of the silent one.
  socket.reset();
}

TEST_F(WindowSocketTest, WithoutARuntimeFolderNothingIsHeard) {
  unsetenv("XDG_RUNTIME_DIR");
  EXPECT_EQ(WindowSocket([] {}).trouble(), "XDG_RUNTIME_DIR names no folder");
}

}  // namespace
}  // namespace threadscape::app
