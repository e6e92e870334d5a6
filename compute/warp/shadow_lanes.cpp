// Notes of the accesses of all lanes to neighbouring elements.

// The widest vectors and the lowest ones are enough, and each target takes as long to compile as another.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (THREADSCAPE_UNUSED_SIMD | HWY_SSE4 | HWY_AVX3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/warp/shadow_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <bit>

#include "compute/warp/shadow.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::warp {
namespace HWY_NAMESPACE {

/// All bits where a condition holds. Notes are compared with signs, which vectors of all targets have.
HWY_INLINE std::uint64_t all_if(bool condition) {
  return condition ? ~std::uint64_t{0} : 0;
}
HWY_INLINE bool at_least(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::int64_t>(a) >= static_cast<std::int64_t>(b);
}

/// The bits of a note that tell it from one that cannot be in conflict; barriers of warps and publications count for
/// nothing here.
HWY_INLINE std::uint64_t suspicion(std::uint64_t before, std::uint64_t now, std::uint64_t barrier,
                                   std::uint64_t flags) {
  const std::uint64_t apart = before ^ now;
  const std::uint64_t abroad = (apart & note::block_mask) | (before & flags & note::abroad);
  const std::uint64_t near = (apart & (note::warp_mask | note::lane_mask)) | (before & flags & note::several);
  return (abroad & all_if(before != 0)) | (near & all_if(at_least(before, barrier)));
}

/// The flags of ShadowCells::flags_of_read().
HWY_INLINE std::uint64_t read_flags(std::uint64_t before, std::uint64_t now, std::uint64_t barrier) {
  const std::uint64_t apart = before ^ now;
  const std::uint64_t other_block = all_if((apart & note::block_mask) != 0) & all_if(before != 0);
  const std::uint64_t unordered = all_if(at_least(before, barrier)) & ~other_block;
  const std::uint64_t other_warp = all_if((apart & note::warp_mask) != 0);
  return (before & note::abroad) | (other_block & note::abroad) | (unordered & (other_warp | before) & note::several);
}

template <int per>
bool read_notes(const std::uint64_t* HWY_RESTRICT write, std::uint64_t* HWY_RESTRICT read, const Access& access) {
  constexpr int count = 32 * per;
  const std::uint64_t note = access.note, barrier = access.barrier, first = access.first;
  std::uint64_t found = 0;
  for (int i = 0; i < count; ++i)
    found |= suspicion(write[i], note + note::lane(static_cast<std::uint64_t>(i / per)), barrier, 0) |
             all_if(!at_least(write[i], first));
  if (found != 0) return false;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t now = note + note::lane(static_cast<std::uint64_t>(i / per)), before = read[i];
    read[i] = now | read_flags(before, now, barrier);
  }
  return true;
}

template <int per>
bool write_notes(std::uint64_t* HWY_RESTRICT write, const std::uint64_t* HWY_RESTRICT read, const Access& access) {
  constexpr int count = 32 * per;
  const std::uint64_t note = access.note, barrier = access.barrier;
  std::uint64_t found = 0;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t now = note + note::lane(static_cast<std::uint64_t>(i / per));
    found |= suspicion(write[i], now, barrier, 0) | suspicion(read[i], now, barrier, ~std::uint64_t{0});
  }
  if (found != 0) return false;
  for (int i = 0; i < count; ++i)
    write[i] = note + note::lane(static_cast<std::uint64_t>(i / per));
  return true;
}

/// The notes of the words of all lanes, and what each lane notes.
struct Gathered {
  std::array<std::uint64_t, 32> write, read, now;
};

bool read_gathered(Gathered& lanes, const Access& access) {
  const std::uint64_t barrier = access.barrier, first = access.first;
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < 32; ++i)
    found |= suspicion(lanes.write[i], lanes.now[i], barrier, 0) | all_if(!at_least(lanes.write[i], first));
  if (found != 0) return false;
  for (std::size_t i = 0; i < 32; ++i)
    lanes.now[i] |= read_flags(lanes.read[i], lanes.now[i], barrier);
  return true;
}

bool write_gathered(const Gathered& lanes, const Access& access) {
  const std::uint64_t barrier = access.barrier;
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < 32; ++i)
    found |= suspicion(lanes.write[i], lanes.now[i], barrier, 0) |
             suspicion(lanes.read[i], lanes.now[i], barrier, ~std::uint64_t{0});
  return found == 0;
}

bool words_gathered(std::uint64_t* write, std::uint64_t* read, const Addresses& at, std::uint64_t begin,
                    std::uint32_t mask, bool writes, const Access& access) {
  Gathered lanes;
  alignas(64) std::array<std::uint64_t, 32> index;
  // Lanes outside of the mask do what its first lane does.
  const auto lane = static_cast<std::uint64_t>(std::countr_zero(mask));
  const std::uint64_t first_index = (at[lane] - begin) / 4, first_now = access.note + note::lane(lane);
  for (std::uint64_t i = 0; i < 32; ++i) {
    const std::uint64_t in = 0 - (std::uint64_t{mask} >> i & 1);
    index[i] = first_index ^ ((first_index ^ (at[i] - begin) / 4) & in);
    lanes.now[i] = first_now ^ ((first_now ^ (access.note + note::lane(i))) & in);
  }
  for (std::size_t i = 0; i < 32; ++i) {
    lanes.write[i] = write[index[i]];
    lanes.read[i] = read[index[i]];
  }
  if (!(writes ? write_gathered(lanes, access) : read_gathered(lanes, access))) return false;
  std::uint64_t* const notes = writes ? write : read;
  for (std::size_t i = 0; i < 32; ++i)
    notes[index[i]] = lanes.now[i];
  return true;
}

bool read_lanes(const std::uint64_t* write, std::uint64_t* read, int per, const Access& access) {
  return per == 1   ? read_notes<1>(write, read, access)
         : per == 2 ? read_notes<2>(write, read, access)
         : per == 4 ? read_notes<4>(write, read, access)
                    : false;
}

bool write_lanes_of(std::uint64_t* write, const std::uint64_t* read, int per, const Access& access) {
  return per == 1   ? write_notes<1>(write, read, access)
         : per == 2 ? write_notes<2>(write, read, access)
         : per == 4 ? write_notes<4>(write, read, access)
                    : false;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace threadscape::warp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::warp {
HWY_EXPORT(read_lanes);
HWY_EXPORT(write_lanes_of);
HWY_EXPORT(words_gathered);

bool ShadowCells::read_words(const Addresses& at, std::uint64_t begin, std::uint32_t mask, const Access& access) {
  if (shift_ != 2 || access.strong || mask == 0) return false;
  return HWY_DYNAMIC_DISPATCH(words_gathered)(write_.data(), read_.data(), at, begin, mask, false, access);
}

bool ShadowCells::write_words(const Addresses& at, std::uint64_t begin, std::uint32_t mask, const Access& access) {
  if (shift_ != 2 || access.strong || mask == 0) return false;
  return HWY_DYNAMIC_DISPATCH(words_gathered)(write_.data(), read_.data(), at, begin, mask, true, access);
}

bool ShadowCells::read_all(std::uint64_t at, int bytes, const Access& access) {
  if ((bytes >> shift_) == 0 || access.strong) return false;
  return HWY_DYNAMIC_DISPATCH(read_lanes)(&write_[at >> shift_], &read_[at >> shift_], bytes >> shift_, access);
}

bool ShadowCells::write_all(std::uint64_t at, int bytes, const Access& access) {
  if ((bytes >> shift_) == 0 || access.strong) return false;
  return HWY_DYNAMIC_DISPATCH(write_lanes_of)(&write_[at >> shift_], &read_[at >> shift_], bytes >> shift_, access);
}
}  // namespace threadscape::warp
#endif
