#include "compute/io/folder_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/support/compute/test_files.h"

namespace threadscape::io {
namespace {

namespace fs = std::filesystem;

class FolderReaderTest : public TestFolder {};

TEST_F(FolderReaderTest, HasEveryEntryOnce) {
  const fs::path folder = path("folder");
  fs::create_directories(folder / "inner");
  std::set<fs::path> wanted{folder / "inner"};
  for (int i = 0; i < 300; ++i) {  // More than the system returns at once.
    wanted.insert(folder / ("file " + std::to_string(i)));
    std::ofstream(folder / ("file " + std::to_string(i))) << i;
  }
  std::multiset<fs::path> found;
  FolderReader reader(folder);
  while (const auto entry = reader.next())
    found.insert(*entry);
  EXPECT_EQ(found, std::multiset<fs::path>(wanted.begin(), wanted.end()));
  EXPECT_FALSE(reader.error());
  EXPECT_FALSE(reader.next());
}

TEST_F(FolderReaderTest, SaysWhyItCannotRead) {
  FolderReader none(path("none"));
  EXPECT_EQ(none.error(), std::errc::no_such_file_or_directory);
  EXPECT_FALSE(none.next());
  std::ofstream(path("file")) << "no folder";
  EXPECT_EQ(FolderReader(path("file")).error(), std::errc::not_a_directory);
}

TEST_F(FolderReaderTest, AnEmptyPathIsTheCurrentFolder) {
  FolderReader reader("");
  EXPECT_FALSE(reader.error());
}

}  // namespace
}  // namespace threadscape::io
