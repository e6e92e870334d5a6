// Rows that are added to the registry while the program runs.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>

#include "compute/registry/registry.h"

namespace threadscape {
namespace {

TEST(AddedAlgorithms, AreFoundAndDoNotMoveOthers) {
  const AlgorithmInfo& sobel = find_algorithm("sobel");
  const std::size_t before = algorithms().size();
  AlgorithmInfo row = sobel;
  row.name = "added_sobel";
  const AlgorithmInfo& added = add_algorithm(row);
  EXPECT_EQ(algorithms().size(), before + 1);
  EXPECT_EQ(&find_algorithm("added_sobel"), &added);
  EXPECT_EQ(&find_algorithm("sobel"), &sobel);
  EXPECT_THROW(add_algorithm(row), UsageError) << "a second row of this name";
  EXPECT_EQ(algorithms().size(), before + 1);
}

TEST(AddedAlgorithms, ReadersOnOtherThreadsMeetWholeRows) {
  static constexpr int count = 20;
  static const std::array<std::string, count> names = [] {
    std::array<std::string, count> all;
    for (int i = 0; i < count; ++i)
      all[static_cast<std::size_t>(i)] = "added_while_reading_" + std::to_string(i);
    return all;
  }();
  std::atomic<bool> done = false;
  std::atomic<int> incomplete = 0;
  std::jthread reader([&] {
    while (!done)
      for (const AlgorithmInfo& info : algorithms())
        if (info.name.empty() || info.defaults == nullptr) ++incomplete;
  });
  for (const std::string& name : names) {
    AlgorithmInfo row = find_algorithm("median");
    row.name = name;
    add_algorithm(row);
  }
  done = true;
  reader.join();
  EXPECT_EQ(incomplete, 0);
  EXPECT_EQ(algorithms().back().name, names.back());
}

}  // namespace
}  // namespace threadscape
