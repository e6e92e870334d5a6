// What the addresses of the lanes of a request have in common.

// The widest vectors and the lowest ones are enough, and each target takes as long to compile as another.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (THREADSCAPE_UNUSED_SIMD | HWY_SSE4 | HWY_AVX3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/warp/address_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "compute/warp/requests.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::warp {
namespace HWY_NAMESPACE {

AddressRange range_of_addresses(const Addresses& at, std::uint32_t mask, std::uint64_t bytes) {
  const std::uint64_t begin = at[0];
  std::uint64_t apart = 0, differing = 0, bits = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    apart |= at[lane] ^ (begin + lane * bytes);
    differing |= at[lane] ^ begin;
    bits |= at[lane];
  }
  if (differing == 0 && mask == 0xffffffff) return {.low = begin, .high = begin, .bits = begin, .same = true};
  if (apart == 0 && mask == 0xffffffff && at[0] <= at[31])
    return {.low = at[0], .high = at[31], .bits = bits, .neighbours = true};
  // Lanes outside of the mask take the address of one within it. Addresses are compared with signs, which vectors of
  // all targets have; one with the highest bit is in no memory, and is the highest of all.
  const auto first = static_cast<std::int64_t>(at[static_cast<std::size_t>(std::countr_zero(mask))]);
  std::int64_t low = first, high = first, all = 0;
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    const auto in = static_cast<std::int64_t>(0 - (std::uint64_t{mask} >> lane & 1));
    const std::int64_t address = first ^ ((first ^ static_cast<std::int64_t>(at[lane])) & in);
    low = address < low ? address : low;
    high = address > high ? address : high;
    all |= address;
  }
  return {.low = static_cast<std::uint64_t>(low),
          .high = all < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(high),
          .bits = static_cast<std::uint64_t>(all)};
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace threadscape::warp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::warp {
HWY_EXPORT(range_of_addresses);
AddressRange range_of(const Addresses& at, std::uint32_t mask, int bytes) {
  return HWY_DYNAMIC_DISPATCH(range_of_addresses)(at, mask, static_cast<std::uint64_t>(bytes));
}
}  // namespace threadscape::warp
#endif
