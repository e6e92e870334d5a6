#include "compute/warp/requests.h"

#include <algorithm>
#include <bit>

namespace threadscape::warp {

Sectors::Sectors(const Addresses& at, std::uint32_t mask, int bytes, bool neighbours) {
  if (neighbours) {
    const std::uint64_t last = (at[31] + static_cast<std::uint64_t>(bytes) - 1) >> 5;
    for (std::uint64_t sector = at[0] >> 5; sector <= last && count_ < list_.size(); ++sector)
      list_[count_++] = sector;
    return;
  }
  // Lanes mostly ascend, so that each one is compared with the last sector alone.
  bool ascending = true;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const std::uint64_t address = at[static_cast<std::size_t>(std::countr_zero(left))];
    const std::uint64_t first = address >> 5, last = (address + static_cast<std::uint64_t>(bytes) - 1) >> 5;
    for (std::uint64_t sector = first; sector <= last; ++sector) {
      if (count_ > 0 && list_[count_ - 1] == sector) continue;
      ascending &= count_ == 0 || list_[count_ - 1] < sector;
      if (count_ < list_.size()) list_[count_++] = sector;
    }
  }
  if (ascending) return;
  std::sort(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(count_));
  count_ = static_cast<std::size_t>(std::unique(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(count_)) -
                                    list_.begin());
}

namespace {

/// True if each active lane from `first` on has the address of its neighbour, or each has that of the lane two away.
bool shares_addresses(const Addresses& at, std::uint32_t mask, std::size_t first, std::size_t count) {
  bool one = true, two = true;
  for (std::size_t lane = first; lane < first + count; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    one &= (mask >> (lane ^ 1) & 1) == 0 || at[lane ^ 1] == at[lane];
    two &= (mask >> (lane ^ 2) & 1) == 0 || at[lane ^ 2] == at[lane];
  }
  return one || two;
}

struct Piece {
  std::size_t first = 0, count = 0;
};
/// The parts of a request that are served one after the other.
std::size_t pieces_of(const Addresses& at, std::uint32_t mask, int bytes, bool writes, std::array<Piece, 4>& pieces) {
  if (bytes <= 4 || (bytes == 8 && !writes && shares_addresses(at, mask, 0, 32))) {
    pieces[0] = {0, 32};
    return 1;
  }
  std::size_t used = 0;
  for (std::size_t half = 0; half < 32; half += 16) {
    if (bytes == 8 || (!writes && shares_addresses(at, mask, half, 16))) {
      pieces[used++] = {half, 16};
    } else {
      pieces[used++] = {half, 8};
      pieces[used++] = {half + 8, 8};
    }
  }
  return used;
}

}  // namespace

Wavefronts wavefronts(const Addresses& at, std::uint32_t mask, int bytes, bool writes) {
  std::array<Piece, 4> pieces;
  const std::size_t parts = pieces_of(at, mask, bytes, writes, pieces);
  Wavefronts result;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto [begin, lanes] = pieces[part];
    std::uint32_t left = lanes == 32 ? mask : mask >> begin & ((1U << lanes) - 1);
    if (left == 0) continue;
    ++result.best;
    // Words of one row of the banks never conflict.
    const auto first = begin + static_cast<std::size_t>(std::countr_zero(left));
    std::uint64_t differing = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const bool in = (left >> lane & 1) != 0;
      differing |= in ? at[begin + lane] ^ at[first] : 0;
    }
    if (differing < 128) {
      ++result.all;
      continue;
    }
    // The words of a bank are linked from the last one back.
    std::array<std::uint8_t, 32> head{}, depth{};
    std::array<std::uint64_t, 33> word{};
    std::array<std::uint8_t, 33> link{};
    std::uint8_t used = 0;
    int most = 1;
    for (; left != 0; left &= left - 1) {
      const std::uint64_t address = at[begin + static_cast<std::size_t>(std::countr_zero(left))];
      const std::uint64_t words = bytes <= 4 ? 1 : static_cast<std::uint64_t>(bytes) / 4;
      for (std::uint64_t i = 0; i < words; ++i) {
        const std::uint64_t w = address / 4 + i;
        const std::size_t bank = w & 31;
        std::uint8_t entry = head[bank];
        while (entry != 0 && word[entry] != w)
          entry = link[entry];
        if (entry != 0) continue;
        ++used;
        word[used] = w;
        link[used] = head[bank];
        head[bank] = used;
        most = std::max<int>(most, ++depth[bank]);
      }
    }
    result.all += most;
  }
  return result;
}

int collisions(const Addresses& at, std::uint32_t mask) {
  int count = 0;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const std::uint64_t address = at[static_cast<std::size_t>(std::countr_zero(left))];
    for (std::uint32_t later = left & (left - 1); later != 0; later &= later - 1) {
      if (at[static_cast<std::size_t>(std::countr_zero(later))] != address) continue;
      ++count;
      break;
    }
  }
  return count;
}

}  // namespace threadscape::warp
