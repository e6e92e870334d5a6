// Tests of transfer: the data stay as they are, and the memory of a run is that of its parameters.

#include "compute/algorithms/sequences/transfer/transfer.h"

#include "compute/registry/registry.h"
#include "compute/run/host_places.h"
#include "compute/run/memory_plan.h"
#include "compute/run/runner.h"
#include "tests/support/compute/sequence_testing.h"

namespace threadscape::testing {
namespace {

using TransferParams = Transfer::Params;
using Direction = Transfer::Direction;
using Memory = Transfer::Memory;

TEST(Transfer, DataStayAsTheyAre) {
  for (const int count : {1, 3, 1000, 600001}) {
    const HostArray in = Transfer::make_input({.count = count}, 5);
    const auto wanted = values_of<std::int32_t>(in);
    EXPECT_EQ(values_of<std::int32_t>(run_sequence<Transfer>(Backend::serial, 0, {}, in)), wanted);
    EXPECT_EQ(values_of<std::int32_t>(run_sequence<Transfer>(Backend::openmp, 0, {}, in, 3)), wanted);
  }
}

TEST(Transfer, DataStayAsTheyAreOnTheDevice) {
  if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  const AlgorithmInfo& info = find_algorithm("transfer");
  Runner runner;
  // Longer and shorter sequences follow each other in the host memory that the executor keeps.
  for (const int count : {100000, 3, 600001})
    for (const auto direction : {Direction::up, Direction::down, Direction::both})
      for (const auto memory : {Memory::pageable, Memory::pinned, Memory::mapped}) {
        const TransferParams params{.count = count, .direction = direction, .memory = memory};
        const HostArray in = Transfer::make_input(params, static_cast<std::uint64_t>(count));
        const RunRequest request{.algorithm = &info, .params = ParamBox::of(params), .backend = Backend::cuda};
        EXPECT_EQ(values_of<std::int32_t>(runner.run(request, in.view()).output), values_of<std::int32_t>(in))
            << count << " words, " << Transfer::direction_names[static_cast<std::size_t>(direction)] << ", "
            << Transfer::memory_names[static_cast<std::size_t>(memory)];
      }
}

TEST(Transfer, TheMemoryOfARunIsThatOfItsParameters) {
  const Shape shape{Kind::sequence, Element::i32, 1, 1000, 1, 1};
  const std::size_t row = array_bytes(shape, gpu::row_alignment);
  const AlgorithmInfo& info = find_algorithm("transfer");
  const auto plan = [&](Direction direction, Memory memory) {
    const TransferParams params{.count = 1000, .direction = direction, .memory = memory};
    return plan_memory({.algorithm = &info, .params = ParamBox::of(params), .backend = Backend::cuda}, shape);
  };
  EXPECT_EQ(plan(Direction::up, Memory::pageable).host_scratch, row);
  EXPECT_EQ(plan(Direction::down, Memory::pinned).host_scratch, row);
  EXPECT_EQ(plan(Direction::both, Memory::mapped).host_scratch, 2 * row);
  EXPECT_EQ(plan(Direction::both, Memory::mapped).device_scratch, 0u) << "a kernel needs nothing in between";
  EXPECT_EQ(plan(Direction::both, Memory::pinned).device_scratch, DeviceScratch::padded(4000));
}

TEST(Transfer, StatesTheBytesThatCrossTheBusAndWhereTheyLie) {
  const Shape shape{Kind::sequence, Element::i32, 1, 1000, 1, 1};
  const auto box = [](Direction direction, Memory memory) {
    return ParamBox::of(TransferParams{.count = 1000, .direction = direction, .memory = memory});
  };
  EXPECT_EQ(bytes_moved(find_algorithm("transfer"), box(Direction::up, Memory::pinned), shape, shape), 4000.0);
  EXPECT_EQ(bytes_moved(find_algorithm("transfer"), box(Direction::both, Memory::pinned), shape, shape), 8000.0);
  EXPECT_EQ(bytes_moved(find_algorithm("sorting"), find_algorithm("sorting").defaults(), shape, shape), 8000.0)
      << "input and output";
  const RunPlaces up = places_of(find_algorithm("transfer"), box(Direction::up, Memory::pageable));
  EXPECT_TRUE(up.input == Place::pageable && up.output == Place::device);
  const RunPlaces down = places_of(find_algorithm("transfer"), box(Direction::down, Memory::mapped));
  EXPECT_TRUE(down.input == Place::device && down.output == Place::pinned);
  const RunPlaces other = places_of(find_algorithm("sorting"), find_algorithm("sorting").defaults());
  EXPECT_TRUE(other.input == Place::device && other.output == Place::device);
}

}  // namespace
}  // namespace threadscape::testing
