// Jobs on the worker's thread: whatever they throw becomes their outcome, and the next job runs.

#include "app/live/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <semaphore>
#include <stdexcept>

#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

class WorkerTest : public ::testing::Test {
 protected:
  template <class J>
  [[nodiscard]] Finished<J> run(J job) {
    worker_.start(std::move(job));
    return finish<J>();
  }
  template <class J>
  [[nodiscard]] Finished<J> finish() {
    worker_.wait();
    std::optional<FinishedJob> done = worker_.take();
    EXPECT_TRUE(done);
    EXPECT_TRUE(worker_.idle());
    return std::get<Finished<J>>(std::move(*done));
  }
  [[nodiscard]] static SaveFile writes(std::function<void()> write) {
    return {.path = "file", .write = std::move(write)};
  }
  [[nodiscard]] static std::string why(const Finished<SaveFile>& done) {
    return done.failure() != nullptr ? done.failure()->why : "";
  }

  std::atomic<int> woken_{0};
  Worker worker_{[this] { ++woken_; }};
};

TEST_F(WorkerTest, WhateverAJobThrowsIsItsOutcome) {
  EXPECT_EQ(why(run(writes([] { throw EnvironmentError("no such folder"); }))), "no such folder");
  EXPECT_EQ(why(run(writes([] { throw std::runtime_error("it broke"); }))), "it broke");
  EXPECT_EQ(why(run(writes([] { throw std::bad_alloc(); }))), "not enough memory");
  EXPECT_EQ(why(run(writes([] { throw 42; }))), "an unknown error");
  int written = 0;
  EXPECT_NE(run(writes([&] { ++written; })).result(), nullptr);
  EXPECT_EQ(written, 1);
}

TEST_F(WorkerTest, AnInputThatNeedsTooMuchMemoryIsAnError) {
  AlgorithmInfo greedy = find_algorithm("sorting");
  greedy.own_input->make = [](const ParamBox&, std::uint64_t) -> HostArray { throw std::bad_alloc(); };
  const Finished<MakeInput> done = run(MakeInput{.work = {.algorithm = &greedy, .params = greedy.defaults()}});
  ASSERT_NE(done.failure(), nullptr);
  EXPECT_EQ(done.failure()->why, "not enough memory");
}

TEST_F(WorkerTest, ARunFillsTheMemoryOfTheCaller) {
  auto source = std::make_shared<Source>();
  source->picture = threadscape::testing::test_photo();
  const AlgorithmInfo& sobel = find_algorithm("sobel");
  const Work work{.algorithm = &sobel, .params = sobel.defaults(), .backend = Backend::serial};
  const HostIn input = source->picture.pixels.view();
  HostArray output(sobel.output_shape(work.params, input.shape));
  Finished<WorkerRun> done = run(WorkerRun{.work = work, .source = source, .output = output.view()});
  ASSERT_NE(done.result(), nullptr);
  EXPECT_FALSE(worker_.blanked());
  const HostArray expected = Runner().run(work.request(), input).output;
  EXPECT_TRUE(testing::same_pixels(output, expected));
}

TEST_F(WorkerTest, ACancelledInputIsNotUsed) {
  static std::binary_semaphore entered{0}, open{0};
  AlgorithmInfo gated = find_algorithm("sorting");
  gated.own_input->make = [](const ParamBox&, std::uint64_t) {
    entered.release();
    open.acquire();
    return HostArray(Shape{.kind = Kind::sequence, .element = Element::i32, .width = 4});
  };
  gated.check_input = nullptr;
  worker_.start(MakeInput{.work = {.algorithm = &gated, .params = gated.defaults()}});
  entered.acquire();
  EXPECT_FALSE(worker_.idle());
  EXPECT_NE(worker_.current_as<MakeInput>(), nullptr);
  EXPECT_EQ(worker_.current_as<WorkerRun>(), nullptr);
  worker_.cancel();
  open.release();
  const Finished<MakeInput> done = finish<MakeInput>();
  EXPECT_TRUE(std::holds_alternative<WasCancelled>(done.outcome));
}

}  // namespace
}  // namespace threadscape::app
