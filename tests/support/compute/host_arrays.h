#pragma once
// Comparisons of arrays by their values. The padding of rows is never set, so that it differs from run to run, and no
// test may read it.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "compute/core/data.h"

namespace threadscape::testing {

/// Compares the pixels of both arrays byte by byte, without the padding of rows. The failure names the first pixel that
/// differs, with its bytes in both.
[[nodiscard]] inline ::testing::AssertionResult same_pixels(HostIn a, HostIn b) {
  if (!(a.shape == b.shape))
    return ::testing::AssertionFailure() << to_string(a.shape) << " and " << to_string(b.shape);
  const std::size_t pixel = a.shape.pixel_bytes(), row = pixel * static_cast<std::size_t>(a.shape.width);
  for (std::int64_t y = 0; y < a.shape.height * a.shape.depth; ++y) {
    const std::byte* const in_a = a.data + a.pitch * static_cast<std::size_t>(y);
    const std::byte* const in_b = b.data + b.pitch * static_cast<std::size_t>(y);
    if (row == 0 || std::memcmp(in_a, in_b, row) == 0) continue;
    std::size_t at = 0;
    while (in_a[at] == in_b[at])
      ++at;
    auto failure = ::testing::AssertionFailure() << "pixel " << at / pixel << "," << y << " differs:";
    for (std::size_t i = at / pixel * pixel; i < (at / pixel + 1) * pixel; ++i)
      failure << " " << int(in_a[i]) << "/" << int(in_b[i]);
    return failure;
  }
  return ::testing::AssertionSuccess();
}

[[nodiscard]] inline ::testing::AssertionResult same_pixels(const HostArray& a, const HostArray& b) {
  return same_pixels(a.view(), b.view());
}

/// The bytes of all rows, one after another, without their padding.
[[nodiscard]] inline std::vector<std::byte> packed_bytes(HostIn array) {
  const std::size_t row = array.shape.pixel_bytes() * static_cast<std::size_t>(array.shape.width);
  std::vector<std::byte> bytes;
  for (std::int64_t y = 0; y < array.shape.height * array.shape.depth; ++y) {
    const std::byte* const from = array.data + array.pitch * static_cast<std::size_t>(y);
    bytes.insert(bytes.end(), from, from + row);
  }
  return bytes;
}

}  // namespace threadscape::testing
