#include "compute/warp/caches.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace threadscape::warp {
namespace {

void ask(CacheModel& model, int multiprocessor, MemoryRequest::Kind kind, std::vector<std::uint64_t> sectors,
         std::uint8_t cache = 0) {
  model.request(multiprocessor, {.kind = kind, .cache = cache, .sectors = sectors});
}

double l1_rate(const CacheTotals& totals) {
  return static_cast<double>(totals.l1_hits) / static_cast<double>(totals.l1_sectors);
}

TEST(WarpCaches, ALoadHitsWhatTheSameMultiprocessorLoaded) {
  CacheModel model(gpu_model(90), 0);
  ask(model, 0, MemoryRequest::Kind::Load, {4, 5});
  ask(model, 0, MemoryRequest::Kind::Load, {4, 5, 6});
  EXPECT_EQ(model.totals().l1_hits, 2u);
  ask(model, 1, MemoryRequest::Kind::Load, {4});
  EXPECT_EQ(model.totals().l1_hits, 2u);
  EXPECT_EQ(model.totals().l1_sectors, 6u);
  ask(model, 0, MemoryRequest::Kind::Load, {4}, 'g');  // This passes by L1.
  EXPECT_EQ(model.totals().l1_sectors, 6u);
}

TEST(WarpCaches, MoreThanTheCapacityReplacesLines) {
  SectoredCache cache(64 * 1024);
  for (std::uint64_t pass = 0; pass < 2; ++pass)
    for (std::uint64_t sector = 0; sector < 32 * 1024 / 32; ++sector)
      EXPECT_EQ(cache.load(sector), pass == 1);
  std::uint64_t hits = 0;
  for (std::uint64_t pass = 0; pass < 2; ++pass)
    for (std::uint64_t sector = 0; sector < 1024 * 1024 / 32; ++sector)
      hits += cache.load(sector) ? 1 : 0;
  EXPECT_LT(hits, 2048u);
}

// Figures of an H100 for transpose_naive (L1 66.42 %, L2 90.20 %): blocks of eight warps, each of which loads a row of
// four sectors and stores into 32 lines; the eight stores into a line are one sector.
TEST(WarpCaches, ScatteredStores) {
  const GpuModel& gpu = gpu_model(90);
  CacheModel model(gpu, 0);
  for (std::uint64_t block = 0; block < 32 * 128; ++block) {
    const std::uint64_t x = block % 32, y = block / 32;
    for (std::uint64_t row = 8 * y; row < 8 * y + 8; ++row) {
      std::vector<std::uint64_t> load(4), store(32);
      std::iota(load.begin(), load.end(), row * 128 + x * 4);
      for (std::uint64_t lane = 0; lane < 32; ++lane)
        store[lane] = (1u << 20) + (x * 32 + lane) * 128 + y;
      ask(model, static_cast<int>(block % 132), MemoryRequest::Kind::Load, load);
      ask(model, static_cast<int>(block % 132), MemoryRequest::Kind::Store, store);
    }
  }
  const CacheTotals totals = model.totals();
  EXPECT_EQ(totals.l1_sectors, 131072u + 1048576u);
  EXPECT_NEAR(l1_rate(totals), 0.6642, 0.01);
  const auto other = static_cast<double>(other_lookups(gpu));
  EXPECT_NEAR((static_cast<double>(totals.l2_hits) + other) / (static_cast<double>(totals.l2_sectors) + other), 0.902,
              0.02);
}

// An H200 has these hits of four stores to the same two, or 32, lines.
TEST(WarpCaches, TheSecondStoreToALineHitsUnlessTheFirstHadManyLines) {
  for (const std::uint64_t lines : {2u, 32u}) {
    CacheModel model(gpu_model(90), 0);
    for (std::uint64_t sector = 0; sector < 4; ++sector) {
      std::vector<std::uint64_t> sectors;
      for (std::uint64_t line = 0; line < lines; ++line)
        sectors.push_back(4 * line + sector);
      ask(model, 0, MemoryRequest::Kind::Store, sectors);
    }
    EXPECT_EQ(model.totals().l1_hits, lines * (lines == 2 ? 3 : 2));
  }
}

TEST(WarpCaches, MemoryLoadsAndStoresEachSectorOnce) {
  CacheModel model(gpu_model(90), 0);
  for (int multiprocessor = 0; multiprocessor < 8; ++multiprocessor) {
    ask(model, multiprocessor, MemoryRequest::Kind::Load, {4, 5, 6, 7});
    ask(model, multiprocessor, MemoryRequest::Kind::Store, {40, 41});
  }
  ask(model, 0, MemoryRequest::Kind::Store, {4});           // It was loaded, and is changed now.
  ask(model, 0, MemoryRequest::Kind::Reduction, {41, 80});  // One sector is there, the other is loaded and changed.
  const CacheTotals totals = model.totals();
  EXPECT_EQ(totals.l2_asked, 8u * 6 + 1 + 2);
  EXPECT_EQ(totals.memory_loads, 4u + 1);
  EXPECT_EQ(totals.memory_stores, 2u + 1 + 1);
}

TEST(WarpCaches, AChangedSectorThatWasReplacedIsWrittenAgain) {
  SectoredCache cache(64 * 1024);
  EXPECT_TRUE(cache.change(4));
  EXPECT_FALSE(cache.change(4));
  EXPECT_TRUE(cache.change(5));
  for (std::uint64_t sector = 1 << 20; sector < (1 << 20) + 1024 * 1024 / 32; ++sector)
    (void)cache.load(sector);
  EXPECT_TRUE(cache.change(4));
}

TEST(WarpCaches, L1IsWhatSharedMemoryLeaves) {
  EXPECT_EQ(l1_bytes_beside(gpu_model(90), 0), 256 * 1024);
  EXPECT_EQ(l1_bytes_beside(gpu_model(90), 40 * 1024), 192 * 1024);
  EXPECT_EQ(l1_bytes_beside(gpu_model(90), 228 * 1024), 28 * 1024);
  EXPECT_EQ(l1_bytes_beside(gpu_model(75), 0), 64 * 1024);
  EXPECT_EQ(l1_bytes_beside(gpu_model(86), 100 * 1024), 28 * 1024);
}

}  // namespace
}  // namespace threadscape::warp
