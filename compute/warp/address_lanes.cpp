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
  // Lanes outside of the mask take the address of one within it.
  const std::uint64_t first = at[static_cast<std::size_t>(std::countr_zero(mask))];
  AddressRange range{.low = first, .high = first};
  std::uint64_t apart = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t address = (mask >> lane & 1) != 0 ? at[lane] : first;
    range.low = address < range.low ? address : range.low;
    range.high = address > range.high ? address : range.high;
    range.bits |= address;
    apart |= at[lane] ^ (at[0] + lane * bytes);
  }
  range.neighbours = apart == 0 && mask == 0xffffffff;
  return range;
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
