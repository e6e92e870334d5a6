#include "compute/core/file_cache.h"

#include <gtest/gtest.h>

#include <string>

#include "compute/core/errors.h"
#include "compute/io/file_writer.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

namespace fs = std::filesystem;

int reads = 0;

std::shared_ptr<const std::string> read(const fs::path& path) {
  ++reads;
  return std::make_shared<const std::string>(read_bytes(path));
}

class FileCacheTest : public TestFolder {
 protected:
  FileCache<std::string, 2> cache_{read};
};

TEST_F(FileCacheTest, UnchangedFilesAreReadOnce) {
  io::save_bytes(path("a"), "one");
  reads = 0;
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(*cache_.get(path("a")), "one");
  EXPECT_EQ(reads, 1);
}

/// Many files of one size within a tick of the clock that stamps them.
TEST_F(FileCacheTest, AFileThatIsReplacedIsReadAgainHoweverSoon) {
  for (int i = 100; i < 400; ++i) {
    io::save_bytes(path("a"), std::to_string(i));
    ASSERT_EQ(*cache_.get(path("a")), std::to_string(i));
  }
}

}  // namespace
}  // namespace threadscape
