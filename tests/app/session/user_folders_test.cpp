// Where the program keeps files of its own.

#include "app/session/user_folders.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace threadscape::app {
namespace {

/// An environment variable without a value, until the test ends.
class Unset {
 public:
  explicit Unset(const char* name) : name_(name) {
    if (const char* value = std::getenv(name)) value_ = value;
    unsetenv(name);
  }
  ~Unset() {
    if (value_) setenv(name_, value_->c_str(), 1);
  }
  Unset(const Unset&) = delete;
  Unset& operator=(const Unset&) = delete;

 private:
  const char* name_;
  std::optional<std::string> value_;
};

TEST(UserFolders, WithoutAHomeTheCacheIsAFolderThatNobodyCanGuess) {
  const Unset home("HOME"), cache("XDG_CACHE_HOME");
  const std::filesystem::path folder = cache_folder();
  ASSERT_TRUE(std::filesystem::is_directory(folder)) << folder;
  EXPECT_EQ(folder.parent_path(), std::filesystem::temp_directory_path());
  EXPECT_NE(folder.filename(), "threadscape");
  EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
  EXPECT_EQ(cache_folder(), folder) << "one folder for the whole process";
}

}  // namespace
}  // namespace threadscape::app
