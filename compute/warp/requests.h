#pragma once
// What a request of a warp costs: sectors of global memory, wavefronts of shared memory.

#include <array>
#include <cstdint>
#include <span>

namespace threadscape::warp {

/// The addresses of the lanes of a warp; those outside of a mask are undefined.
using Addresses = std::array<std::uint64_t, 32>;

/// What the addresses of the lanes of a mask have in common. The mask has a lane.
struct AddressRange {
  std::uint64_t low = 0, high = 0;  ///< The lowest and the highest one.
  std::uint64_t bits = 0;           ///< The bits that any of them has.
  bool neighbours = false;          ///< All 32 lanes have neighbouring elements, in order.
  bool same = false;                ///< All 32 lanes have one address.
};
[[nodiscard]] AddressRange range_of(const Addresses& at, std::uint32_t mask, int bytes);

/// The sectors of 32 bytes that the accesses of the lanes of a mask touch, as addresses divided by 32, ascending.
class Sectors {
 public:
  Sectors(const Addresses& at, std::uint32_t mask, int bytes, bool neighbours = false);
  [[nodiscard]] std::span<const std::uint64_t> list() const { return {list_.data(), count_}; }

 private:
  std::array<std::uint64_t, 64> list_;
  std::size_t count_ = 0;
};

struct Wavefronts {
  int all = 0;   ///< Passes over the 32 banks of 4 bytes.
  int best = 0;  ///< What a request of these lanes takes without conflicts.
};
/// Accesses of up to 4 bytes go at once, those of 8 bytes by half warps, those of 16 by quarters. Two halves, or two
/// quarters of one half, of a load go together if all lanes share their address with a neighbour. Of each part, a bank
/// delivers one word at a time; lanes with equal words share it.
[[nodiscard]] Wavefronts wavefronts(const Addresses& at, std::uint32_t mask, int bytes, bool writes);

/// The lanes of a mask whose address an earlier lane of it has.
[[nodiscard]] int collisions(const Addresses& at, std::uint32_t mask);

}  // namespace threadscape::warp
