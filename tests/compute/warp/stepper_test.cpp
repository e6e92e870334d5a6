#include "compute/warp/stepper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/warp/code.h"
#include "compute/warp/ptx_text.h"
#include "tests/compute/warp/warp_testing.h"

namespace threadscape::warp {
namespace {

/// A kept launch of a kernel `k` of kernel_text().
struct KeptTrial : Trial {
  std::shared_ptr<const KeptLaunch> keep(const std::string& text) {
    module = parse_ptx(text);
    const Allocation memory[] = {{.name = "out",
                                  .address = out_address,
                                  .memory = reinterpret_cast<std::byte*>(out.data()),
                                  .bytes = out.size() * 4},
                                 {.name = "in",
                                  .address = in_address,
                                  .memory = reinterpret_cast<std::byte*>(in.data()),
                                  .bytes = in.size() * 4}};
    LaunchRequest request{.module = &module,
                          .kernel = "k",
                          .grid = grid,
                          .block = block,
                          .dynamic_shared_bytes = dynamic_shared_bytes,
                          .arguments = std::vector<std::byte>(16),
                          .memory = memory};
    const std::uint64_t addresses[] = {out_address, in_address};
    std::memcpy(request.arguments.data(), addresses, sizeof addresses);
    return std::make_shared<const KeptLaunch>(request);
  }
};

/// What can be seen of a step, for comparisons.
auto seen(const WarpStep& step) {
  std::vector<std::uint64_t> lanes;
  for (const LaneValues& values : step.values)
    lanes.insert(lanes.end(), values.lanes.begin(), values.lanes.end());
  return std::tuple(step.text, step.executes, step.active, step.live, lanes);
}

/// The number of the first instruction of a warp whose text begins so.
std::uint64_t find(Stepper& stepper, std::uint32_t warp, const std::string& text) {
  for (std::uint64_t i = 0; i < stepper.trace(warp).size(); ++i)
    if (stepper.look(warp, i).text.starts_with(text)) return i;
  ADD_FAILURE() << "no instruction " << text;
  return 0;
}

/// Threads of two warps write their number times 3 to shared memory and read that of the thread 33 places on.
const std::string exchange = kernel_text(R"(
mul.lo.u32 %r3, %r1, 3;
mul.lo.u32 %r4, %r1, 4;
mov.u32 %r5, buffer;
add.u32 %r6, %r5, %r4;
st.shared.u32 [%r6], %r3;
bar.sync 0;
add.u32 %r7, %r1, 33;
and.b32 %r7, %r7, 63;
mul.lo.u32 %r7, %r7, 4;
add.u32 %r8, %r5, %r7;
ld.shared.u32 %r2, [%r8];
)" + store_r2,
                                         "", ".shared .align 4 .b8 buffer[256];\n");

TEST(WarpStepper, ShowsWhatAnInstructionReadsAndWrites) {
  KeptTrial trial;
  trial.block = {64, 1, 1};
  Stepper stepper(trial.keep(exchange), 0);
  ASSERT_EQ(stepper.warps(), 2U);
  const WarpStep times = stepper.look(1, find(stepper, 1, "mul.lo.u32 %r3"));
  EXPECT_EQ(times.text, "mul.lo.u32 %r3, %r1, 3;");
  EXPECT_EQ(times.executes, all_lanes);
  ASSERT_EQ(times.values.size(), 2U);
  EXPECT_EQ(times.values[0].name, "%r1");
  EXPECT_FALSE(times.values[0].result);
  EXPECT_TRUE(times.values[1].result);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(times.values[0].lanes[lane], 32 + lane);
    EXPECT_EQ(times.values[1].lanes[lane], 3 * (32 + lane));
  }
}

TEST(WarpStepper, WarpsMeetAtBarriers) {
  KeptTrial trial;
  trial.block = {64, 1, 1};
  Stepper stepper(trial.keep(exchange), 0);
  // The first warp reads what the second one has written before the barrier.
  const WarpStep load = stepper.look(0, find(stepper, 0, "ld.shared"));
  ASSERT_TRUE(load.memory.has_value());
  EXPECT_EQ(load.memory->space, Space::Shared);
  EXPECT_EQ(load.memory->wavefronts.all, 1);
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(load.values.back().lanes[lane], 3 * ((lane + 33) % 64));
}

TEST(WarpStepper, AnyOrderShowsTheSame) {
  KeptTrial trial;
  trial.block = {64, 1, 1};
  const auto kept = trial.keep(exchange);
  Stepper forwards(kept, 0), back(kept, 0);
  std::map<std::pair<std::uint32_t, std::uint64_t>, decltype(seen(forwards.look(0, 0)))> steps;
  for (std::uint32_t warp = 0; warp < 2; ++warp)
    for (std::uint64_t i = 0; i < forwards.trace(warp).size(); ++i)
      steps.emplace(std::pair(warp, i), seen(forwards.look(warp, i)));
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    EXPECT_EQ(seen(back.look(step->first.first, step->first.second)), step->second);
}

TEST(WarpStepper, ExecutesWhatALaunchExecutes) {
  KeptTrial trial;
  trial.block = {64, 1, 1};
  const LaunchResult result = trial.run(exchange);
  Stepper stepper(trial.keep(exchange), 0);
  EXPECT_EQ(stepper.trace(0).size() + stepper.trace(1).size(), result.total.ptx_instructions);
  EXPECT_EQ(stepper.stopped(), "");
}

TEST(WarpStepper, MemoryIsAsBeforeTheLaunch) {
  // The kernel adds 1 to what it finds, so that another execution on changed memory would give another value.
  KeptTrial trial;
  std::fill(trial.in.begin(), trial.in.end(), 7);
  const std::string text = kernel_text(
      "mul.wide.u32 %rd28, %r1, 4;\nadd.s64 %rd29, %rd2, %rd28;\nld.global.u32 %r2, [%rd29];\nadd.u32 %r2, %r2, 1;\n"
      "st.global.u32 [%rd29], %r2;\n");
  const auto kept = trial.keep(text);
  std::fill(trial.in.begin(), trial.in.end(), 0);
  Stepper stepper(kept, 0);
  const std::uint64_t load = find(stepper, 0, "ld.global");
  for (int times = 0; times < 3; ++times) {
    const WarpStep store = stepper.look(0, load + 2);
    EXPECT_EQ(store.values.back().lanes[5], 8U);
    const WarpStep read = stepper.look(0, load);
    EXPECT_EQ(read.values.back().lanes[5], 7U);
    ASSERT_TRUE(read.memory.has_value());
    EXPECT_EQ(read.memory->allocation, "in");
    EXPECT_EQ(read.memory->sectors.size(), 4U);
    EXPECT_EQ(read.memory->at[5], Trial::in_address + 20);
  }
}

/// Two warps go 20,000 times round a loop with a barrier. Each thread adds the counter to a word of its own in global
/// memory, and the sum of the block in shared memory grows by an atomic operation.
const std::string long_loop = kernel_text(R"(
mul.wide.u32 %rd28, %r1, 4;
add.s64 %rd29, %rd2, %rd28;
mov.u32 %r5, buffer;
mov.u32 %r2, 0;
LOOP:
ld.global.u32 %r3, [%rd29];
add.u32 %r3, %r3, %r2;
st.global.u32 [%rd29], %r3;
atom.shared.add.u32 %r4, [%r5], %r2;
bar.sync 0;
add.u32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, 20000;
@%p1 bra LOOP;
)" + store_r2,
                                          "", ".shared .align 4 .b8 buffer[256];\n");

/// Places all over the block, in no order: each warp and number, and the number before it.
std::vector<std::pair<std::uint32_t, std::uint64_t>> places_of(const Stepper& stepper) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> places;
  std::uint64_t state = 1;
  for (int i = 0; i < 40; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const auto warp = static_cast<std::uint32_t>(state >> 63);
    const std::uint64_t number = 1 + (state >> 33) % (stepper.trace(warp).size() - 1);
    places.emplace_back(warp, number);
    places.emplace_back(warp, number - 1);
  }
  return places;
}

TEST(WarpStepper, AStepAnywhereInALongKernelExecutesLittle) {
  KeptTrial trial;
  trial.block = {64, 1, 1};
  const auto kept = trial.keep(long_loop);
  Stepper stepper(kept, 0);
  EXPECT_EQ(stepper.stopped(), "");
  EXPECT_GT(stepper.trace(0).size() + stepper.trace(1).size(), 300'000U);
  EXPECT_LE(stepper.most_replayed(), 16384U);
  EXPECT_LE(stepper.history_bytes(), Stepper::usual_history);
  for (const auto& [warp, number] : places_of(stepper)) {
    (void)stepper.look(warp, number);
    EXPECT_LE(stepper.replayed(), stepper.most_replayed());
  }
  // The last instruction of all is reached from the first one by a snapshot, too.
  (void)stepper.look(0, 0);
  EXPECT_EQ(stepper.replayed(), 0U);
  (void)stepper.look(1, stepper.trace(1).size() - 1);
  EXPECT_LE(stepper.replayed(), stepper.most_replayed());
}

TEST(WarpStepper, SnapshotsHaveRegistersAndMemory) {
  KeptTrial trial;
  trial.block = {64, 1, 1};
  std::fill(trial.in.begin(), trial.in.end(), 7);
  Stepper stepper(trial.keep(long_loop), 0);
  constexpr std::uint64_t length = 8;  // Instructions of the loop.
  for (const std::uint64_t turn : {1, 19'999, 5000, 12'345, 2, 12'344, 19'998}) {
    const auto warp = static_cast<std::uint32_t>(turn % 2);
    const std::uint64_t add = find(stepper, warp, "ld.global") + turn * length + 1;
    const WarpStep sum = stepper.look(warp, add);
    ASSERT_EQ(sum.text, "add.u32 %r3, %r3, %r2;");
    EXPECT_EQ(sum.values.back().lanes[3], 7 + turn * (turn + 1) / 2);
    const WarpStep atomic = stepper.look(warp, add + 2);
    ASSERT_TRUE(atomic.text.starts_with("atom.shared.add"));
    // A lane finds what all threads have added in earlier turns, and what some have in this one.
    const std::uint64_t before = (64 * (turn * (turn - 1) / 2)) & 0xffffffff, found = atomic.values.back().lanes[3];
    EXPECT_EQ(static_cast<std::uint32_t>(found - before) % turn, 0U);
    EXPECT_LT(static_cast<std::uint32_t>(found - before) / turn, 64U);
  }
}

TEST(WarpStepper, LittleMemoryMakesFewerSnapshots) {
  KeptTrial trial;
  trial.block = {64, 1, 1};
  const auto kept = trial.keep(long_loop);
  const Stepper usual(kept, 0);
  const std::uint64_t room = usual.history_bytes() / 8;
  Stepper stepper(kept, 0, room);
  EXPECT_LE(stepper.history_bytes(), room);
  EXPECT_GT(stepper.most_replayed(), usual.most_replayed());
  for (const auto& [warp, number] : places_of(stepper)) {
    (void)stepper.look(warp, number);
    EXPECT_LE(stepper.replayed(), stepper.most_replayed());
  }
}

TEST(WarpStepper, LanesOfABranchAreThoseThatTakeIt) {
  KeptTrial trial;
  Stepper stepper(trial.keep(kernel_text("setp.lt.u32 %p1, %r1, 5;\n@%p1 bra LOW;\nmov.u32 %r2, 1;\nbra END;\nLOW:\n"
                                         "mov.u32 %r2, 2;\nEND:\n" +
                                         store_r2)),
                  0);
  EXPECT_EQ(stepper.look(0, find(stepper, 0, "@%p1 bra")).executes, 0x1fU);
  EXPECT_EQ(stepper.look(0, find(stepper, 0, "mov.u32 %r2, 1")).active, ~0x1fU);
  EXPECT_EQ(stepper.look(0, find(stepper, 0, "mov.u32 %r2, 2")).active, 0x1fU);
  EXPECT_EQ(stepper.look(0, find(stepper, 0, "st.global")).active, all_lanes);
}

TEST(WarpStepper, AnEndlessKernelIsShownToALimit) {
  KeptTrial trial;
  Stepper stepper(trial.keep(kernel_text("LOOP:\nadd.u32 %r2, %r2, 1;\nbra LOOP;\n")), 0);
  EXPECT_NE(stepper.stopped(), "");
  const std::uint64_t last = stepper.trace(0).size() - 1;
  EXPECT_EQ(last + 1, Stepper::most_instructions);
  EXPECT_FALSE(stepper.look(0, last).text.empty());
}

TEST(WarpStepper, AFaultEndsNothing) {
  KeptTrial trial;
  Stepper stepper(trial.keep(kernel_text("mov.u64 %rd5, 64;\nld.global.u32 %r2, [%rd5];\n" + store_r2)), 0);
  const WarpStep load = stepper.look(0, find(stepper, 0, "ld.global"));
  ASSERT_TRUE(load.memory.has_value());
  EXPECT_EQ(load.memory->allocation, "");
  EXPECT_EQ(stepper.look(0, stepper.trace(0).size() - 1).text, "ret;");
}

TEST(PtxText, IsWhatWasRead) {
  const std::vector<std::string> lines{
      "add.s32 %r2, %r1, -3;",
      "@!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+16];",
      "setp.lt.and.u32 %p1|%p2, %r1, %r2, !%p3;",
      "st.shared.u32 [%r6], %r3;",
      "fma.rn.f32 %f3, %f1, %f2, 1.5;",
      "bar.sync 0;",
      "atom.global.add.u32 %r4, [%rd1], 1;",
  };
  std::string body;
  for (const std::string& line : lines)
    body += line == lines[4] ? "fma.rn.f32 %f3, %f1, %f2, 0f3FC00000;\n" : line + "\n";
  const Module module = parse_ptx(kernel_text(body));
  const Function& function = module.functions.front();
  for (std::size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(text_of(module, function, function.instructions[3 + i]), lines[i]);
}

}  // namespace
}  // namespace threadscape::warp
