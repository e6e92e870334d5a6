// Moves of special registers, addresses and parts of registers.

#include <algorithm>
#include <array>

#include "compute/warp/decoder.h"
#include "compute/warp/state.h"

namespace threadscape::warp {
namespace {

template <class L>
void write_where(L* to, std::uint32_t mask, const L* from) {
  if (mask == all_lanes) {
    std::copy_n(from, warp_lanes, to);
    return;
  }
  for (int lane = 0; lane < warp_lanes; ++lane)
    to[lane] = (mask >> lane & 1) != 0 ? from[lane] : to[lane];
}

template <class L>
void special_lanes(Warp& warp, const Operation& op, std::uint32_t mask) {
  alignas(64) L values[warp_lanes];
  const auto is_between = [&](Special first, Special last) {
    return op.mode >= static_cast<std::uint8_t>(first) && op.mode <= static_cast<std::uint8_t>(last);
  };
  if (is_between(Special::TidX, Special::TidZ)) {
    const Block& block = *warp.block;
    const Extent& extent = block.launch.request->block;
    std::array<std::uint32_t, 3> id{block.thread_id(warp, 0, 0), block.thread_id(warp, 0, 1),
                                    block.thread_id(warp, 0, 2)};
    for (L& value : values) {
      value = id[op.mode];
      if (++id[0] < extent.x) continue;
      id[0] = 0;
      if (++id[1] < extent.y) continue;
      id[1] = 0;
      ++id[2];
    }
  } else if (!is_between(Special::LaneId, Special::LaneId) && !is_between(Special::LaneMaskEq, Special::LaneMaskGt)) {
    std::fill_n(values, warp_lanes, static_cast<L>(warp.block->special(warp, op.mode, 0)));
  } else {
    for (int lane = 0; lane < warp_lanes; ++lane)
      values[lane] = static_cast<L>(warp.block->special(warp, op.mode, lane));
  }
  write_where(warp.lanes<L>(op.d), mask, values);
}

}  // namespace

void move_special(Warp& warp, const Operation& op, std::uint32_t mask) {
  if (op.wide_lanes) {
    special_lanes<std::uint64_t>(warp, op, mask);
  } else {
    special_lanes<std::uint32_t>(warp, op, mask);
  }
}

void move_list(Warp& warp, const Operation& op, std::uint32_t mask) {
  const std::uint32_t* const slots = warp.code->slots.data() + op.list;
  for (std::uint32_t k = 0; k < op.list_count; ++k) {
    if (op.wide_lanes) {
      write_where(warp.lanes<std::uint64_t>(slots[k]), mask, warp.lanes<std::uint64_t>(slots[op.list_count + k]));
    } else {
      write_where(warp.lanes<std::uint32_t>(slots[k]), mask, warp.lanes<std::uint32_t>(slots[op.list_count + k]));
    }
  }
}

/// Converts the low 32 bits of registers of 64 bits to 64 bits.
void extend_low_word(Warp& warp, const Operation& op, std::uint32_t mask) {
  const std::uint64_t* const from = warp.lanes<std::uint64_t>(op.s[0]);
  alignas(64) std::uint64_t words[warp_lanes];
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const auto low = static_cast<std::uint32_t>(from[lane]);
    words[lane] = op.sign_extended ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(low)}) : low;
  }
  write_where(warp.lanes<std::uint64_t>(op.d), mask, words);
}

void pack_list(Warp& warp, const Operation& op, std::uint32_t mask) {
  alignas(64) std::uint64_t packed[warp_lanes] = {};
  const std::uint64_t low = (std::uint64_t{1} << (8 * op.bytes)) - 1;
  for (std::uint32_t k = 0; k < op.list_count; ++k) {
    const std::uint32_t* const from = warp.lanes<std::uint32_t>(warp.code->slots[op.list + k]);
    for (int lane = 0; lane < warp_lanes; ++lane)
      packed[lane] |= (from[lane] & low) << (8 * op.bytes * k);
  }
  if (op.wide_lanes) {
    write_where(warp.lanes<std::uint64_t>(op.d), mask, packed);
    return;
  }
  alignas(64) std::uint32_t words[warp_lanes];
  for (int lane = 0; lane < warp_lanes; ++lane)
    words[lane] = static_cast<std::uint32_t>(packed[lane]);
  write_where(warp.lanes<std::uint32_t>(op.d), mask, words);
}

void unpack_list(Warp& warp, const Operation& op, std::uint32_t mask) {
  alignas(64) std::uint64_t whole[warp_lanes];
  for (int lane = 0; lane < warp_lanes; ++lane)
    whole[lane] = op.wide_lanes ? warp.lanes<std::uint64_t>(op.s[0])[lane] : warp.lanes<std::uint32_t>(op.s[0])[lane];
  const std::uint64_t low = (std::uint64_t{1} << (8 * op.bytes)) - 1;
  for (std::uint32_t k = 0; k < op.list_count; ++k) {
    const std::uint32_t slot = warp.code->slots[op.list + k];
    if (slot == none) continue;
    alignas(64) std::uint32_t part[warp_lanes];
    for (int lane = 0; lane < warp_lanes; ++lane)
      part[lane] = static_cast<std::uint32_t>(whole[lane] >> (8 * op.bytes * k) & low);
    write_where(warp.lanes<std::uint32_t>(slot), mask, part);
  }
}

void add_immediate(Warp& warp, const Operation& op, std::uint32_t mask) {
  const std::uint64_t added = op.immediate + (op.framed ? warp.local : 0);
  const std::uint64_t* const from = op.s[0] == none ? nullptr : warp.lanes<std::uint64_t>(op.s[0]);
  if (op.wide_lanes) {
    alignas(64) std::uint64_t values[warp_lanes];
    for (int lane = 0; lane < warp_lanes; ++lane)
      values[lane] = (from == nullptr ? 0 : from[lane]) + added;
    write_where(warp.lanes<std::uint64_t>(op.d), mask, values);
    return;
  }
  alignas(64) std::uint32_t values[warp_lanes];
  std::fill_n(values, warp_lanes, static_cast<std::uint32_t>(added));
  write_where(warp.lanes<std::uint32_t>(op.d), mask, values);
}

void is_space(Warp& warp, const Operation& op, std::uint32_t mask) {
  const std::uint64_t* const from = warp.lanes<std::uint64_t>(op.s[0]);
  std::uint32_t result = 0;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const std::uint64_t in = from[lane] & window::mask;
    const bool yes = in == op.immediate || (op.immediate == 0 && in == window::variables);
    result |= static_cast<std::uint32_t>(yes) << lane;
  }
  warp.mask(op.d) = (warp.mask(op.d) & ~mask) | (result & mask);
}

void fence(Warp& warp, const Operation& /*op*/, std::uint32_t /*mask*/) {
  warp.block->clock.fence();
}

void nothing(Warp& /*warp*/, const Operation& /*op*/, std::uint32_t /*mask*/) {}

}  // namespace threadscape::warp
