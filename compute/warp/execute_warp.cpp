// Instructions in which the lanes of a warp exchange values.

#include <algorithm>
#include <bit>

#include "compute/warp/decoder.h"
#include "compute/warp/state.h"

namespace threadscape::warp {
namespace {

void write_predicate(Warp& warp, std::uint32_t slot, std::uint32_t mask, std::uint32_t value) {
  if (slot != none) warp.mask(slot) = (warp.mask(slot) & ~mask) | (value & mask);
}
void write_values(Warp& warp, std::uint32_t slot, std::uint32_t mask, const std::uint32_t* values) {
  std::uint32_t* const to = warp.lanes<std::uint32_t>(slot);
  for (int lane = 0; lane < warp_lanes; ++lane)
    to[lane] = (mask >> lane & 1) != 0 ? values[lane] : to[lane];
}
void write_value(Warp& warp, std::uint32_t slot, std::uint32_t mask, std::uint32_t value) {
  std::uint32_t values[warp_lanes];
  std::fill_n(values, warp_lanes, value);
  write_values(warp, slot, mask, values);
}

/// The lanes that an instruction names, of which those that do not take part are a fault.
std::uint32_t members(Warp& warp, const Operation& op, std::uint32_t mask, std::uint32_t slot) {
  const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
  const std::uint32_t named = warp.lanes<std::uint32_t>(slot)[lane] & warp.live;
  if ((named & ~mask) != 0)
    warp.block->fault(Fault::Kind::BarrierDivergence, warp, op, std::countr_zero(named & ~mask), 0,
                      "lane " + std::to_string(std::countr_zero(named & ~mask)) +
                          " is among the lanes that the instruction names, but does not execute it with the others");
  // Reconvergence of the lanes orders what they did before in practice, though only barriers of the warp promise it.
  warp.synced = warp.block->clock.tick();
  return named & mask;
}

}  // namespace

void active_mask(Warp& warp, const Operation& op, std::uint32_t mask) {
  write_value(warp, op.d, mask, warp.active);
}

void shuffle(Warp& warp, const Operation& op, std::uint32_t mask) {
  members(warp, op, mask, op.s[3]);
  const std::uint32_t *a = warp.lanes<std::uint32_t>(op.s[0]), *b = warp.lanes<std::uint32_t>(op.s[1]),
                      *c = warp.lanes<std::uint32_t>(op.s[2]);
  alignas(64) std::uint32_t values[warp_lanes];
  std::uint32_t inside = 0;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const int by = static_cast<int>(b[lane] & 31), clamp = static_cast<int>(c[lane] & 31),
              segment = static_cast<int>(c[lane] >> 8 & 31);
    const int most = (lane & segment) | (clamp & ~segment), least = lane & segment;
    int from = lane;
    bool in = false;
    switch (op.mode) {
      case 0:
        from = lane - by;
        in = from >= most;
        break;
      case 1:
        from = lane + by;
        in = from <= most;
        break;
      case 2:
        from = lane ^ by;
        in = from <= most;
        break;
      default:
        from = least | (by & ~segment);
        in = from <= most;
        break;
    }
    if (!in) from = lane;
    values[lane] = a[from & 31];
    inside |= static_cast<std::uint32_t>(in) << lane;
  }
  write_values(warp, op.d, mask, values);
  write_predicate(warp, op.d2, mask, inside);
}

void vote(Warp& warp, const Operation& op, std::uint32_t mask) {
  const std::uint32_t lanes = members(warp, op, mask, op.s[1]);
  const std::uint32_t yes = warp.predicate(op, 0) & lanes;
  if (op.mode == 3) {
    write_value(warp, op.d, mask, yes);
    return;
  }
  const bool result = op.mode == 0 ? yes == lanes : op.mode == 1 ? yes != 0 : yes == lanes || yes == 0;
  write_predicate(warp, op.d, mask, result ? all_lanes : 0);
}

void match(Warp& warp, const Operation& op, std::uint32_t mask) {
  const std::uint32_t lanes = members(warp, op, mask, op.s[1]);
  const auto value = [&](int lane) {
    return op.wide_lanes ? warp.lanes<std::uint64_t>(op.s[0])[lane] : warp.lanes<std::uint32_t>(op.s[0])[lane];
  };
  std::uint32_t equal[warp_lanes] = {};
  bool all = true;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    for (int other = 0; other < warp_lanes; ++other)
      if ((lanes >> other & 1) != 0 && value(other) == value(lane)) equal[lane] |= 1U << other;
    if ((lanes >> lane & 1) != 0) all &= equal[lane] == lanes;
  }
  if (op.mode == 0) {
    write_values(warp, op.d, mask, equal);
    return;
  }
  write_value(warp, op.d, mask, all ? lanes : 0);
  write_predicate(warp, op.d2, mask, all ? all_lanes : 0);
}

void reduce(Warp& warp, const Operation& op, std::uint32_t mask) {
  const std::uint32_t lanes = members(warp, op, mask, op.s[1]);
  const std::uint32_t* const a = warp.lanes<std::uint32_t>(op.s[0]);
  std::uint32_t result = 0;
  bool first = true;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const std::uint32_t value = a[std::countr_zero(left)];
    const bool smaller =
        op.sign_extended ? static_cast<std::int32_t>(value) < static_cast<std::int32_t>(result) : value < result;
    if (first) {
      result = value;
    } else {
      switch (static_cast<Atomic>(op.mode)) {
        case Atomic::Add:
          result += value;
          break;
        case Atomic::Min:
          result = smaller ? value : result;
          break;
        case Atomic::Max:
          result = smaller ? result : value;
          break;
        case Atomic::And:
          result &= value;
          break;
        case Atomic::Or:
          result |= value;
          break;
        default:
          result ^= value;
          break;
      }
    }
    first = false;
  }
  write_value(warp, op.d, mask, result);
}

void elect(Warp& warp, const Operation& op, std::uint32_t mask) {
  const std::uint32_t lanes = members(warp, op, mask, op.s[0]);
  const auto leader = static_cast<std::uint32_t>(std::countr_zero(lanes));
  if (op.d != none) write_value(warp, op.d, mask, leader);
  write_predicate(warp, op.d2, mask, 1U << leader);
}

}  // namespace threadscape::warp
