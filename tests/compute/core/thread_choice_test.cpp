// The number of threads that ThreadChoice takes for work whose times are invented.

#include "compute/core/thread_choice.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace threadscape {
namespace {

/// The times that work takes: part of it is serial, part is divided, and each thread adds what handing on takes.
struct InventedWork {
  double serial = 0.0, divided = 0.0, handing_on = 0.0;
  [[nodiscard]] double time(int threads) const { return serial + divided / threads + handing_on * threads; }
};

/// Measures pieces until the choice is settled. Returns the numbers of threads that were tried, in order.
std::vector<int> tried(ThreadChoice& choice, const std::function<double(int)>& time) {
  std::vector<int> numbers;
  while (!choice.settled()) {
    numbers.push_back(choice.threads());
    choice.measured(time(choice.threads()));
  }
  return numbers;
}

TEST(ThreadChoice, TakesAllThreadsOfWorkThatScales) {
  ThreadChoice choice(16);
  EXPECT_EQ(tried(choice, [](int n) { return InventedWork{.serial = 1, .divided = 100}.time(n); }),
            (std::vector<int>{16, 8}));
  EXPECT_EQ(choice.threads(), 16);
}

TEST(ThreadChoice, TakesAsManyThreadsAsPay) {
  const InventedWork work{.serial = 50, .divided = 600, .handing_on = 8};
  ThreadChoice choice(32);
  EXPECT_EQ(tried(choice, [&](int n) { return work.time(n); }), (std::vector<int>{32, 16, 8, 4}));
  EXPECT_EQ(choice.threads(), 8);
  for (const int n : {1, 2, 4, 16, 32})
    EXPECT_LT(work.time(choice.threads()), work.time(n)) << n << " threads";
}

TEST(ThreadChoice, GoesDownToOneThread) {
  ThreadChoice choice(12);
  EXPECT_EQ(tried(choice, [](int n) { return 1.0 * n; }), (std::vector<int>{12, 6, 3, 1}));
  EXPECT_EQ(choice.threads(), 1);
}

TEST(ThreadChoice, KeepsMoreThreadsWhereFewerHardlySaveTime) {
  ThreadChoice choice(8);
  EXPECT_EQ(tried(choice, [](int n) { return n == 8 ? 100.0 : 96.0; }), (std::vector<int>{8, 4}));
  EXPECT_EQ(choice.threads(), 8);
}

TEST(ThreadChoice, IsSettledOnOneThreadAndStaysSettled) {
  ThreadChoice one(1);
  EXPECT_TRUE(one.settled());
  EXPECT_EQ(one.threads(), 1);
  ThreadChoice choice(2);
  EXPECT_EQ(tried(choice, [](int n) { return 1.0 / n; }), (std::vector<int>{2, 1}));
  choice.measured(0.0);
  EXPECT_EQ(choice.threads(), 2);
}

}  // namespace
}  // namespace threadscape
