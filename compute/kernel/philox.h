#pragma once
// Philox4x32-10, the counter-based random numbers of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"
// (SC'11). The generator has no state: the same key and counter give the same words on every backend, thread and run,
// so the random numbers of a pixel depend only on the seed and its position. The tests compare it with the known
// answers of Random123.

#include "compute/kernel/views.h"

namespace threadscape {

struct PhiloxBlock {
  std::uint32_t word[4];
  friend bool operator==(const PhiloxBlock&, const PhiloxBlock&) = default;
};

// The multipliers are those of the paper.
inline constexpr std::uint32_t philox_multiplier0 = 0xD2511F53u, philox_multiplier1 = 0xCD9E8D57u;
inline constexpr std::uint32_t philox_weyl0 = 0x9E3779B9u, philox_weyl1 = 0xBB67AE85u;  // golden ratio, sqrt(3) - 1
inline constexpr int philox_rounds = 10;

/// Four independent random words for one counter. The key is the seed, its low 32 bits are the first word of the key.
TS_HD constexpr PhiloxBlock philox(PhiloxBlock counter, std::uint64_t key) {
  auto key0 = static_cast<std::uint32_t>(key);
  auto key1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < philox_rounds; ++round) {
    const std::uint64_t product0 = std::uint64_t{philox_multiplier0} * counter.word[0];
    const std::uint64_t product1 = std::uint64_t{philox_multiplier1} * counter.word[2];
    counter = {
        {static_cast<std::uint32_t>(product1 >> 32) ^ counter.word[1] ^ key0, static_cast<std::uint32_t>(product1),
         static_cast<std::uint32_t>(product0 >> 32) ^ counter.word[3] ^ key1, static_cast<std::uint32_t>(product0)}};
    key0 += philox_weyl0;
    key1 += philox_weyl1;
  }
  return counter;
}

/// A float in [0, 1) from the top 24 bits. The conversion is exact, and so equal on every backend.
TS_HD constexpr float unit_float(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

}  // namespace threadscape
