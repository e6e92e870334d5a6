// Memory that threads have freed is given back to the system.

#include "app/platform/free_memory.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace threadscape::app {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Memory of this process without a file, in MiB.
double resident_mib() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("RssAnon:")) return std::atof(line.c_str() + 8) / 1024;
  return 0.0;
}

/// Allocates, fills and frees `count` blocks. Returns the memory of this process before it frees them, in MiB.
double use_memory(int count, std::size_t bytes) {
  std::vector<std::vector<char>> blocks;
  for (int i = 0; i < count; ++i)
    blocks.emplace_back(bytes, static_cast<char>(i + 1));
  return resident_mib();
}

TEST(FreeMemory, WhatAThreadHasFreedIsGivenBack) {
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the allocator is not that of GNU's C library";
#endif
  share_one_heap();
  // Once a block of this size was freed, the library takes smaller ones from heaps, which it keeps.
  (void)use_memory(1, 31 * mebibyte);
  const double before = resident_mib();
  double used = 0.0;
  std::thread([&used] { used = use_memory(40, mebibyte); }).join();
  return_free_memory();
  // 4 MiB are more than the heap needs for itself, and far less than the 40 MiB.
  EXPECT_GT(used - before, 30.0) << "this test shows nothing";
  EXPECT_LT(resident_mib() - before, 4.0);
}

}  // namespace
}  // namespace threadscape::app
