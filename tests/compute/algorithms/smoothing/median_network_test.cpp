// The sorting networks of the median, with the tiles of the CUDA kernels, on plain numbers.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace threadscape::testing {
namespace {

int lesser(int a, int b) {
  return std::min(a, b);
}
int greater(int a, int b) {
  return std::max(a, b);
}
#define TS_NETWORK inline
#include "compute/algorithms/smoothing/median/median_network-inl.h"
#undef TS_NETWORK

struct Source {
  const int* values;
  int pitch;
  int operator()(int x, int y) const { return values[y * pitch + x]; }
};
struct Sink {
  int* medians;
  int pitch;
  void operator()(int x, int y, int median) const { medians[y * pitch + x] = median; }
};

/// Random zeros and ones of all densities, and random numbers: a network that sorts all zeros and ones sorts
/// everything.
template <int k, int w, int h>
void expect_medians() {
  constexpr int width = k + w - 1, height = k + h - 1;
  std::mt19937 random(k);
  for (int round = 0; round < 600; ++round) {
    std::vector<int> values;
    const unsigned ones = random() % 101;
    for (int i = 0; i < width * height; ++i)
      values.push_back(round % 3 == 0 ? static_cast<int>(random() % 1000) : random() % 100 < ones);
    int medians[h][w];
    tile_medians<int, k, w, h>(Source{values.data(), width}, Sink{medians[0], w});
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        std::vector<int> window;
        for (int j = y; j < y + k; ++j)
          for (int i = x; i < x + k; ++i)
            window.push_back(values[static_cast<std::size_t>(j * width + i)]);
        std::ranges::nth_element(window, window.begin() + k * k / 2);
        ASSERT_EQ(medians[y][x], window[k * k / 2]) << k << " " << w << " " << h;
      }
  }
}

TEST(MedianNetwork, TilesOfAllShapes) {
  expect_medians<3, 1, 1>();
  expect_medians<3, 2, 2>();
  expect_medians<5, 4, 2>();
  expect_medians<7, 4, 2>();
  expect_medians<9, 4, 2>();
  expect_medians<9, 1, 4>();
  expect_medians<7, 3, 3>();
}

}  // namespace
}  // namespace threadscape::testing
