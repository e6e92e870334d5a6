#pragma once
// The CUDA methods of sorting, and the scratch memory that each takes, so that it is known before a run.

#include "compute/algorithms/sequences/sorting/bitonic_network.h"
#include "compute/algorithms/sequences/sorting/sorting.h"

namespace threadscape::sorting {

/// The methods in the order of Sorting::cuda_variants.
enum class Method : std::uint8_t { radix, bitonic_shared, bitonic_global, cub, radix_ballots, bitonic_elements };

namespace radix {
inline constexpr int digit_bits = 8, digits = 1 << digit_bits, passes = 32 / digit_bits;
inline constexpr int threads = 384, warps = threads / 32, keys_per_thread = 21;
inline constexpr int tile_keys = threads * keys_per_thread;

/// Counters in device memory, cleared before a run. A separate array status[pass][tile][digit] holds what each tile
/// publishes: the number of its keys with the digit, or the number in this tile and all tiles before it.
struct Counters {
  std::uint32_t histogram[passes][digits];
  std::uint32_t next_tile[passes];
};
constexpr std::int64_t tiles_of(std::int64_t count) {
  return (count + tile_keys - 1) / tile_keys;
}
constexpr std::size_t status_words(std::int64_t count) {
  return static_cast<std::size_t>(passes) * static_cast<std::size_t>(tiles_of(count)) * digits;
}
}  // namespace radix

/// Upper bound in bytes of the temporary storage of CUB besides its second copy of keys and places.
constexpr std::size_t cub_counters(std::int64_t count) {
  return (std::size_t{8} << 20) + static_cast<std::size_t>(count);
}

/// Scratch memory in bytes of a run.
inline std::size_t device_scratch(const Sorting::Params& params, std::int64_t count, int variant) {
  const auto padded = [](std::size_t bytes) { return DeviceScratch::padded(bytes); };
  const auto words = static_cast<std::size_t>(count) * sizeof(std::uint32_t);
  const auto method = params.stages > 0 ? Method::bitonic_global : static_cast<Method>(variant);
  switch (method) {
    case Method::radix:
    case Method::radix_ballots:
      return (params.pairs ? 2 : 1) * padded(words) + padded(sizeof(radix::Counters)) +
             padded(radix::status_words(count) * sizeof(std::uint32_t));
    case Method::cub:
      // An encoded copy of the keys and CUB's copy; for pairs also the places and CUB's copy of them.
      return padded(words) + (params.pairs ? padded(words) : 0) +
             padded((params.pairs ? 2 : 1) * (words + 512) + cub_counters(count));
    default:
      return params.pairs ? padded(2 * words) : 0;
  }
}

/// Lanes of a warp find those with the same digit by atomics in shared memory, or by ballots.
void sort_radix(const Sorting::Params& params, const DeviceRun& run, bool ballots);
/// Performs the first `stages` stages of the bitonic network by one of its three methods. `bitonic_shared` performs
/// all.
void sort_bitonic(const Sorting::Params& params, const DeviceRun& run, int stages, Method method);
void sort_cub(const Sorting::Params& params, const DeviceRun& run);

}  // namespace threadscape::sorting
