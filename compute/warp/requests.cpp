#include "compute/warp/requests.h"

#include <algorithm>
#include <bit>

namespace threadscape::warp {

Sectors::Sectors(const Addresses& at, std::uint32_t mask, int bytes) {
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

Wavefronts wavefronts(const Addresses& at, std::uint32_t mask, int bytes) {
  const int parts = bytes <= 4 ? 1 : bytes / 4;
  const int lanes = 32 / parts;
  Wavefronts result;
  for (int part = 0; part < parts; ++part) {
    std::uint32_t left = parts == 1 ? mask : mask >> (part * lanes) & ((1U << lanes) - 1);
    if (left == 0) continue;
    ++result.best;
    // The words of a bank are linked from the last one back.
    std::array<std::uint8_t, 32> head{}, depth{};
    std::array<std::uint64_t, 33> word{};
    std::array<std::uint8_t, 33> link{};
    std::uint8_t used = 0;
    int most = 1;
    for (; left != 0; left &= left - 1) {
      const std::uint64_t address = at[static_cast<std::size_t>(part * lanes + std::countr_zero(left))];
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
