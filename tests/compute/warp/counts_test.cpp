#include <gtest/gtest.h>

#include <array>

#include "compute/warp/requests.h"
#include "tests/compute/warp/warp_testing.h"

namespace threadscape::warp {
namespace {

Addresses strided(std::uint64_t stride, std::uint64_t from = 0) {
  Addresses at{};
  for (std::size_t lane = 0; lane < 32; ++lane)
    at[lane] = from + lane * stride;
  return at;
}
std::size_t sectors(const Addresses& at, int bytes, std::uint32_t mask = ~0U) {
  return Sectors(at, mask, bytes).list().size();
}

TEST(WarpCounts, SectorsHave32Bytes) {
  EXPECT_EQ(sectors(strided(4), 4), 4U);
  EXPECT_EQ(sectors(strided(4, 16), 4), 5U);
  EXPECT_EQ(sectors(strided(1), 1), 1U);
  EXPECT_EQ(sectors(strided(8), 4), 8U);
  EXPECT_EQ(sectors(strided(16), 16), 16U);
  EXPECT_EQ(sectors(strided(4096), 4), 32U);
  EXPECT_EQ(sectors(strided(0), 4), 1U);
  EXPECT_EQ(sectors(strided(8), 4, 0xaaaaaaaa), 8U);
  EXPECT_EQ(sectors(strided(~std::uint64_t{0} - 3, 1 << 20), 4), 5U);
}

// The figures are those that Nsight Compute 2025.3 reads on an H100 for kernels with these accesses.
TEST(WarpCounts, WavefrontsAreThoseOfTheHardware) {
  const auto cost = [](const Addresses& at, int bytes) {
    const Wavefronts all = wavefronts(at, ~0U, bytes, false);
    return std::array<int, 2>{all.all, all.all - all.best};
  };
  EXPECT_EQ(cost(strided(4), 4), (std::array<int, 2>{1, 0}));
  EXPECT_EQ(cost(strided(8), 4), (std::array<int, 2>{2, 1}));
  EXPECT_EQ(cost(strided(128), 4), (std::array<int, 2>{32, 31}));
  EXPECT_EQ(cost(strided(132), 4), (std::array<int, 2>{1, 0}));
  EXPECT_EQ(cost(strided(8), 8), (std::array<int, 2>{2, 0}));
  EXPECT_EQ(cost(strided(32), 8), (std::array<int, 2>{8, 6}));
  EXPECT_EQ(cost(strided(2), 2), (std::array<int, 2>{1, 0}));
  EXPECT_EQ(cost(strided(16), 16), (std::array<int, 2>{4, 0}));
  EXPECT_EQ(cost(strided(0), 4), (std::array<int, 2>{1, 0}));
}

TEST(WarpCounts, WideAccessesOfOneAddressShareAPass) {
  Addresses halves{};
  for (std::size_t lane = 0; lane < 32; ++lane)
    halves[lane] = lane / 16 * 64;
  EXPECT_EQ(wavefronts(halves, ~0U, 16, false).all, 2);
  EXPECT_EQ(wavefronts(halves, ~0U, 16, false).best, 2);
  EXPECT_EQ(wavefronts(halves, ~0U, 8, false).all, 1);
}

/// Reads texture 1 at (%r3) or, of two dimensions, at (%f1, %f2) into %r2.
std::string texture_kernel(const std::string& place, const std::string& read) {
  return kernel_text("mov.u64 %rd3, 1;\n" + place + read + store_r2);
}

TEST(WarpCounts, ReadsOfTexturesAreRequestsOfTheirOwn) {
  alignas(128) std::array<std::uint32_t, 512> words{};
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = static_cast<std::uint32_t>(7 * i);
  Trial trial;
  trial.textures[1] = {.words = reinterpret_cast<const std::byte*>(words.data()), .width = 40};
  const std::string line = "tex.1d.v4.u32.s32 {%r2, %r5, %r6, %r7}, [%rd3, {%r3}];\n";
  // Ten lanes read behind the end of the line: they get zero, and ask for nothing.
  LaunchResult found = trial.run(texture_kernel("add.u32 %r3, %r1, 18;\n", line));
  EXPECT_EQ(found.total.texture_requests, 1U);
  EXPECT_EQ(found.total.texture_sectors, 3U) << "words 18 to 39";
  EXPECT_EQ(found.total.global_load_requests, 0U);
  EXPECT_EQ(trial.out[21], 7U * 39);
  EXPECT_EQ(trial.out[22], 0U);
  found = trial.run(texture_kernel("add.u32 %r3, %r1, 64;\n", line));
  EXPECT_EQ(found.total.texture_requests, 0U) << "all lanes read behind the end";
  // A column of 16 rows of 128 bytes, whose last row stands for those below.
  trial.textures[1] = {
      .words = reinterpret_cast<const std::byte*>(words.data()), .width = 32, .height = 16, .pitch_bytes = 128};
  found = trial.run(texture_kernel("cvt.rn.f32.u32 %f2, %r1;\nmov.f32 %f1, 0f40600000;\n",
                                   "tex.2d.v4.u32.f32 {%r2, %r5, %r6, %r7}, [%rd3, {%f1, %f2}];\n"));
  EXPECT_EQ(found.total.texture_requests, 1U);
  EXPECT_EQ(found.total.texture_sectors, 16U);
  EXPECT_EQ(trial.out[5], 7U * (5 * 32 + 3));
  EXPECT_EQ(trial.out[31], 7U * (15 * 32 + 3));
}

// The figures are those of the second step of reduce_interleaved_modulo on an H100: every other lane has a value of 8
// bytes.
TEST(WarpCounts, HalvesOfALoadGoTogetherAndThoseOfAStoreDoNot) {
  const Addresses values = strided(8);
  const Wavefronts load = wavefronts(values, 0x55555555, 8, false), store = wavefronts(values, 0x55555555, 8, true);
  EXPECT_EQ(load.all, 2);
  EXPECT_EQ(load.best, 1);
  EXPECT_EQ(store.all, 2);
  EXPECT_EQ(store.best, 2);
  EXPECT_EQ(wavefronts(values, 1, 8, true).best, 1);
}

TEST(WarpCounts, PairsOfWideLoadsOfOneAlignedAddressAreOneLoad) {
  const auto counts_of = [](int shift) {
    Trial trial;
    return trial
        .run(kernel_text("mov.u32 %r3, words;\nshl.b32 %r4, %r1, " + std::to_string(shift) +
                             ";\nadd.u32 %r5, %r3, %r4;\nld.shared.u64 %rd6, [%r5];\nld.shared.u64 %rd7, [%r5+8];\n"
                             "add.u64 %rd8, %rd6, %rd7;\ncvt.u32.u64 %r2, %rd8;\n" +
                             store_r2,
                         "", ".shared .align 8 .b8 words[1024];\n"))
        .total;
  };
  EXPECT_EQ(counts_of(4).shared_load_wavefronts, 4U);
  EXPECT_EQ(counts_of(4).shared_load_conflicts, 0U);
  EXPECT_EQ(counts_of(3).shared_load_wavefronts, 4U);
  EXPECT_EQ(counts_of(5).shared_load_conflicts, 4U);
}

TEST(WarpCounts, NeighbouringWordsAreLoadedAtOnceIfTheirAddressIsAligned) {
  const auto wavefronts_of = [](int shift) {
    Trial trial;
    const LaunchResult result = trial.run(
        kernel_text("mov.u32 %r3, words;\nshr.u32 %r4, %r1, 4;\nshl.b32 %r10, %r4, " + std::to_string(shift) +
                        ";\nadd.u32 %r5, %r3, %r10;\nld.shared.u32 %r6, [%r5];\nld.shared.u32 %r7, [%r5+4];\n"
                        "ld.shared.u32 %r8, [%r5+8];\nld.shared.u32 %r9, [%r5+12];\nadd.u32 %r2, %r6, %r9;\n" +
                        store_r2,
                    "", ".shared .align 16 .b8 words[1024];\n"));
    return result.total.shared_load_wavefronts;
  };
  EXPECT_EQ(wavefronts_of(6), 2U);
  EXPECT_EQ(wavefronts_of(3), 2U);
  EXPECT_EQ(wavefronts_of(2), 4U);
}

// The machine code of a sort by odd and even steps stores exchanged neighbours at once, and Nsight Compute counts so.
TEST(WarpCounts, NeighbouringWordsAreStoredAtOnceIfNothingReadsBetween) {
  const auto wavefronts_of = [](const std::string& between) {
    Trial trial;
    return trial
        .run(kernel_text("mov.u32 %r3, words;\nshl.b32 %r4, %r1, 3;\nadd.u32 %r5, %r3, %r4;\nadd.u32 %r7, %r5, 64;\n"
                         "mov.u32 %r2, 1;\nst.shared.u32 [%r5], %r1;\n" +
                             between + "st.shared.u32 [%r5+4], %r1;\n" + store_r2,
                         "", ".shared .align 8 .b8 words[1024];\n"))
        .total.shared_store_wavefronts;
  };
  EXPECT_EQ(wavefronts_of(""), 2U);
  EXPECT_EQ(wavefronts_of("ld.shared.u32 %r2, [%r5];\n"), 4U);
  EXPECT_EQ(wavefronts_of("st.shared.u32 [%r7], %r1;\n"), 6U);
}

// Nsight Compute counts 4 wavefronts for eight sums of 8 bytes that thread 0 reads.
TEST(WarpCounts, NeighbouringWordsOfAVariableAreLoadedAtOnce) {
  const auto wavefronts_of = [](int first) {
    Trial trial;
    trial.block = {1, 1, 1};
    std::string loads;
    for (int word = 0; word < 4; ++word)
      loads += "ld.shared.u32 %r" + std::to_string(4 + word) + ", [words+" + std::to_string(first + 4 * word) + "];\n";
    return trial
        .run(kernel_text(loads + "add.u32 %r2, %r4, %r7;\n" + store_r2, "", ".shared .align 4 .b8 words[1024];\n"))
        .total.shared_load_wavefronts;
  };
  EXPECT_EQ(wavefronts_of(16), 1U);
  EXPECT_EQ(wavefronts_of(8), 2U);
  EXPECT_EQ(wavefronts_of(4), 3U);
}

TEST(WarpCounts, LinesHaveTheirCounts) {
  Trial trial;
  trial.grid = {3, 1, 1};
  trial.block = {64, 1, 1};
  const LaunchResult result =
      trial.run(kernel_text(".loc 1 4 1\n" + load_r2 + ".loc 1 5 1\n" + store_r2, ".file 1 \"x.cu\"\n"));
  EXPECT_EQ(result.blocks, 3U);
  EXPECT_EQ(result.sampled(), 1.0);
  EXPECT_EQ(result.total.global_load_requests, 6U);
  EXPECT_EQ(result.total.global_load_sectors, 24U);
  EXPECT_EQ(result.total.global_store_sectors, 24U);
  EXPECT_EQ(result.total.active_lanes(), 32.0);
  const auto of_line = [&](int line) {
    for (const LineCounts& counts : result.lines)
      if (counts.file == 1 && counts.line == line) return counts.counts;
    return Counts{};
  };
  EXPECT_EQ(of_line(4).global_load_sectors, 24U);
  EXPECT_EQ(of_line(4).global_store_sectors, 0U);
  EXPECT_EQ(of_line(5).global_store_bytes, 6U * 128);
}

TEST(WarpCounts, SampledBlocksStandForTheGrid) {
  Trial trial;
  trial.grid = {10, 10, 1};
  trial.options.blocks = {0, 99};
  const LaunchResult result = trial.run(kernel_text(store_r2));
  EXPECT_EQ(result.executed, 2U);
  EXPECT_EQ(result.sampled(), 0.02);
  EXPECT_EQ(result.total.global_store_requests, 2U);
}

/// Keeps what the machine reports.
class Recorder final : public MemoryObserver {
 public:
  void request(int multiprocessor, const MemoryRequest& request) override {
    order.push_back(static_cast<std::uint64_t>(multiprocessor) * 1000 + request.block);
    sectors += request.sectors.size();
  }
  std::vector<std::uint64_t> order;
  std::size_t sectors = 0;
};

TEST(WarpCounts, WordsOfLocalMemoryWithOneNumberAreNeighbours) {
  const auto sectors_of = [](const std::string& offset) {
    Trial trial;
    Recorder recorder;
    trial.options.observer = &recorder;
    trial.run(kernel_text("mov.u32 %r3, words;\n" + offset + "add.u32 %r5, %r3, %r4;\nst.local.u32 [%r5], %r1;\n", "",
                          ".local .align 4 .b8 words[128];\n"));
    return recorder.sectors;
  };
  EXPECT_EQ(sectors_of("mov.u32 %r4, 8;\n"), 4U);
  EXPECT_EQ(sectors_of("shl.b32 %r4, %r1, 2;\n"), 32U);
}

TEST(WarpCounts, ObserversSeeTheRequestsOfAMultiprocessorInOrder) {
  Trial trial;
  Recorder recorder;
  trial.grid = {6, 1, 1};
  trial.options.observer = &recorder;
  trial.options.multiprocessors = 2;
  trial.options.resident_blocks = 2;
  trial.options.threads = 1;
  trial.run(kernel_text(load_r2 + store_r2));
  EXPECT_EQ(recorder.sectors, 6U * 8);
  // Blocks 0, 2 and 4 run on multiprocessor 0, the first two of them in turns.
  const std::vector<std::uint64_t> expected{0, 2, 0, 2, 4, 4, 1001, 1003, 1001, 1003, 1005, 1005};
  EXPECT_EQ(recorder.order, expected);
}

}  // namespace
}  // namespace threadscape::warp
