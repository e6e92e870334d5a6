#pragma once
// Helpers for tests of heightfields.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape::testing {

inline HostArray run_terrain(std::string_view algorithm, const ParamBox& params, const HostArray& input,
                             std::uint64_t seed = 0, Backend backend = Backend::serial, int variant = 0,
                             int threads = 1) {
  const RunRequest request{.algorithm = &find_algorithm(algorithm),
                           .params = params,
                           .backend = backend,
                           .variant = variant,
                           .threads = threads,
                           .seed = seed};
  return Runner().run(request, input.view()).output;
}

/// Calls f(backend, variant, threads) for all backends and variants of this machine: serial, OpenMP with one and with
/// three threads, and CUDA if there is a device.
template <class F>
void for_all_backends(std::string_view algorithm, const F& f) {
  f(Backend::serial, 0, 1);
  for (int variant = 0; variant < static_cast<int>(find_algorithm(algorithm).variants_of(Backend::openmp).size());
       ++variant) {
    SCOPED_TRACE("openmp variant " + std::to_string(variant));
    f(Backend::openmp, variant, 1);
    f(Backend::openmp, variant, 3);
  }
  if (!gpu::devices().first().available()) return;
  const auto variants = static_cast<int>(find_algorithm(algorithm).variants_of(Backend::cuda).size());
  for (int variant = 0; variant < variants; ++variant) {
    SCOPED_TRACE("cuda variant " + std::to_string(variant));
    f(Backend::cuda, variant, 1);
  }
}

/// Describes the first difference in text; "" if both are equal to the bit.
inline std::string difference(const HostArray& actual, const HostArray& expected) {
  const auto mismatch = compare(expected.view(), actual.view(), Tolerance::exact());
  return mismatch ? to_string(*mismatch) : "";
}

/// The heightfield of every step-th point of every step-th row.
inline HostArray every(const HostArray& from, int step) {
  Shape shape = from.shape();
  shape.width = (shape.width - 1) / step + 1;
  shape.height = (shape.height - 1) / step + 1;
  HostArray to(shape);
  const std::size_t bytes = shape.pixel_bytes();
  for (std::size_t y = 0; y < static_cast<std::size_t>(shape.height); ++y)
    for (std::size_t x = 0; x < static_cast<std::size_t>(shape.width); ++x)
      std::copy_n(
          from.data() + y * static_cast<std::size_t>(step) * from.pitch() + x * static_cast<std::size_t>(step) * bytes,
          bytes, to.data() + y * to.pitch() + x * bytes);
  return to;
}

/// CRC-32 (as in zlib and PNG) of the rows without padding, in the byte order of this machine.
inline std::uint32_t checksum(const HostArray& array) {
  std::uint32_t crc = ~0u;
  const Shape& shape = array.shape();
  for (std::size_t y = 0; y < static_cast<std::size_t>(shape.height); ++y)
    for (std::size_t i = 0; i < static_cast<std::size_t>(shape.width) * shape.pixel_bytes(); ++i) {
      crc ^= std::to_integer<std::uint32_t>(array.data()[y * array.pitch() + i]);
      for (int bit = 0; bit < 8; ++bit)
        crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0u);
    }
  return ~crc;
}

/// A heightfield of the heights f(x, y).
template <class Height, class F>
HostArray heightfield(int width, int height, const F& f) {
  HostArray array({Kind::heightfield, PixelTraits<Height>::element, 1, width, height, 1});
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      array.image<Height>()(x, y) = static_cast<Height>(f(x, y));
  return array;
}

}  // namespace threadscape::testing
