// Runs the targets of the fuzzers over their seeds, which contain every input that has ever failed.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "tests/fuzz/fuzzing.h"
#include "tests/support/test_paths.h"

namespace threadscape::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::uint8_t> read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(FuzzSeeds, EveryTargetTakesItsSeeds) {
  const fs::path seeds = fs::path(test_dir()) / "fuzz" / "seeds";
  std::set<std::string> folders;
  for (const auto& folder : fs::directory_iterator(seeds))
    folders.insert(folder.path().filename().string());
  std::set<std::string> names;
  for (const NamedTarget& target : targets()) {
    const std::string name(target.name);
    names.insert(name);
    ASSERT_TRUE(folders.contains(name)) << "tests/fuzz/seeds/" << name << " is missing";
    for (const auto& seed : fs::directory_iterator(seeds / name)) {
      SCOPED_TRACE(seed.path().string());
      EXPECT_NO_THROW(run(target.run, read_bytes(seed.path())));
    }
  }
  EXPECT_EQ(names, folders) << "a folder of seeds has no target";
}

/// Empty inputs, and the beginnings of all seeds: what a reader of a file meets that is still being written.
TEST(FuzzSeeds, EveryTargetTakesTruncatedSeeds) {
  for (const NamedTarget& target : targets())
    for (const auto& seed :
         fs::directory_iterator(fs::path(test_dir()) / "fuzz" / "seeds" / std::string(target.name))) {
      SCOPED_TRACE(seed.path().string());
      const std::vector<std::uint8_t> bytes = read_bytes(seed.path());
      for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 16)
        EXPECT_NO_THROW(run(target.run, std::span(bytes).first(length)));
    }
}

TEST(FuzzSeeds, ResultsOfMemoryThatWasNeverSetAreAViolation) {
  const std::vector<std::uint8_t> bytes(1);
  const auto never_set = [](Input) { note_result(HostArray(Shape::image(Element::u8, 1, 64, 64)).view()); };
  EXPECT_THROW(run(never_set, bytes), Violation);
  const auto set = [](Input) {
    HostArray pixels(Shape::image(Element::u8, 1, 64, 64));
    std::fill_n(pixels.data(), pixels.pitch() * 64, std::byte{7});
    note_result(pixels.view());
  };
  EXPECT_NO_THROW(run(set, bytes));
}

}  // namespace
}  // namespace threadscape::fuzz
