#include "compute/algorithms/filters/convolution/convolution_factors.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace threadscape::convolution {

namespace {

/// Index of the tap with the largest absolute value.
template <class T>
int pivot_of(const T* taps, int size) {
  const auto largest = std::max_element(taps, taps + size * size, [](T a, T b) { return std::abs(a) < std::abs(b); });
  return static_cast<int>(largest - taps);
}

}  // namespace

bool whole_factors(const int* units, int size, int* column, int* row) {
  const int pivot = pivot_of(units, size), py = pivot / size, px = pivot % size;
  if (units[pivot] == 0) return false;
  int common = 0;
  for (int x = 0; x < size; ++x)
    common = std::gcd(common, units[py * size + x]);
  for (int x = 0; x < size; ++x)
    row[x] = units[py * size + x] / common;
  for (int y = 0; y < size; ++y)
    column[y] = units[y * size + px] / row[px];
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      if (std::int64_t{column[y]} * row[x] != units[y * size + x]) return false;
  return true;
}

bool real_factors(const float* taps, int size, float* column, float* row) {
  const int pivot = pivot_of(taps, size), py = pivot / size, px = pivot % size;
  if (!(std::abs(taps[pivot]) > 0.0f)) return false;
  for (int x = 0; x < size; ++x)
    row[x] = taps[py * size + x] / taps[pivot];
  for (int y = 0; y < size; ++y)
    column[y] = taps[y * size + px];
  constexpr double off = 1.0 / (1 << 21);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const double tap = taps[y * size + x];
      if (!(std::abs(double{column[y]} * double{row[x]} - tap) <= off * std::abs(tap))) return false;
    }
  return true;
}

}  // namespace threadscape::convolution
