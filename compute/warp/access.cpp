#include "compute/warp/access.h"

#include <bit>
#include <cstdio>

namespace threadscape::warp {
namespace {

std::size_t first_lane(std::uint32_t mask) {
  return static_cast<std::size_t>(std::countr_zero(mask));
}

std::string accessed(int bytes, bool writes) {
  return (writes ? "a write of " : "a read of ") + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/// The lanes of a mask whose addresses are multiples of `align`, a power of two; the others are faults.
std::uint32_t aligned_lanes(Warp& warp, const Operation& op, const Addresses& at, std::uint32_t mask, int align,
                            int bytes, bool writes) {
  std::uint32_t good = mask;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const std::size_t lane = first_lane(left);
    if ((at[lane] & static_cast<std::uint64_t>(align - 1)) == 0) continue;
    good &= ~(1U << lane);
    warp.block->fault(Fault::Kind::Misaligned, warp, op, static_cast<int>(lane), at[lane],
                      accessed(bytes, writes) + " at the address " + hexadecimal(at[lane]) +
                          ", which is no multiple of " + std::to_string(align));
  }
  return good;
}

/// The places of all lanes in memory that begins at an address. Those of lanes that do not take part are no places, so
/// that they are computed as numbers.
void find_all(const Addresses& at, std::byte* memory, std::uint64_t address, Places& places) {
  const std::uint64_t begin = reinterpret_cast<std::uintptr_t>(memory) - address;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane)
    places.at[lane] = reinterpret_cast<std::byte*>(begin + at[lane]);  // NOLINT: see above.
}

void in_block_memory(Warp& warp, const Operation& op, const Addresses& at, const Part& part, const AddressRange& range,
                     int bytes, bool writes, Places& places) {
  Block& block = *warp.block;
  const bool shared = part.space == Space::Shared;
  // Behind the frame of the function that executes there is nothing yet.
  const std::uint64_t size = shared ? block.shared.size() : warp.local + warp.code->local_bytes;
  if (shared && range.high <= size && static_cast<std::uint64_t>(bytes) <= size - range.high) {
    find_all(at, block.shared.data(), 0, places);
    places.neighbours = range.neighbours;
    places.same = range.same;
    places.one_row = range.low / 128 == range.high / 128;
    return;
  }
  for (std::uint32_t left = places.mask; left != 0; left &= left - 1) {
    const std::size_t lane = first_lane(left);
    if (at[lane] <= size && static_cast<std::uint64_t>(bytes) <= size - at[lane]) {
      places.at[lane] = (shared ? block.shared.data() : block.local_memory(warp, static_cast<int>(lane))) + at[lane];
      continue;
    }
    places.mask &= ~(1U << lane);
    block.fault(Fault::Kind::OutOfBounds, warp, op, static_cast<int>(lane), at[lane],
                accessed(bytes, writes) + " at byte " + std::to_string(at[lane]) + " of " +
                    (shared ? "shared" : "local") + " memory, which has " + std::to_string(size) + " bytes");
  }
}

}  // namespace

void find_addresses(const Warp& warp, const Operation& op, Addresses& at) {
  const std::uint64_t added = op.immediate + (op.framed ? warp.local : 0);
  if (op.s[0] == none) {
    at.fill(added);
  } else if (op.wide_address) {
    const std::uint64_t* const base = warp.lanes<std::uint64_t>(op.s[0]);
    for (int lane = 0; lane < warp_lanes; ++lane)
      at[static_cast<std::size_t>(lane)] = base[lane] + added;
  } else {
    const std::uint32_t* const base = warp.lanes<std::uint32_t>(op.s[0]);
    for (int lane = 0; lane < warp_lanes; ++lane)
      at[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(base[lane] + static_cast<std::uint32_t>(added));
  }
}

Part take_part(const Operation& op, Addresses& at, std::uint32_t& left) {
  Part part{.space = op.space == Space::Param ? Space::Local : op.space, .mask = left};
  if (op.space != Space::Generic) {
    left = 0;
    return part;
  }
  const std::uint64_t which = at[first_lane(left)] & window::mask;
  part.mask = 0;
  for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
    const std::size_t lane = first_lane(rest);
    if ((at[lane] & window::mask) == which) part.mask |= 1U << lane;
  }
  left &= ~part.mask;
  part.space = which == window::shared       ? Space::Shared
               : which == window::local      ? Space::Local
               : which == window::parameters ? Space::Const
                                             : Space::Global;
  if (part.space == Space::Shared || part.space == Space::Local)
    for (std::uint64_t& address : at)
      if ((address & window::mask) == which) address &= ~window::mask;
  return part;
}

Places find_places(Warp& warp, const Operation& op, const Addresses& at, const Part& part, int bytes, bool writes) {
  Places places;
  const int align = std::has_single_bit(static_cast<unsigned>(bytes)) ? bytes : 1;
  AddressRange range = range_of(at, part.mask, bytes);
  places.mask = part.mask;
  if ((range.bits & static_cast<std::uint64_t>(align - 1)) != 0) {
    places.mask = aligned_lanes(warp, op, at, part.mask, align, bytes, writes);
    if (places.mask != 0) range = range_of(at, places.mask, bytes);
  }
  if (places.mask == 0) return places;
  if (part.space == Space::Shared || part.space == Space::Local) {
    in_block_memory(warp, op, at, part, range, bytes, writes, places);
    return places;
  }
  Block& block = *warp.block;
  const std::uint32_t number = block.operation_number(warp, op);
  const std::uint64_t span = range.high - range.low + static_cast<std::uint64_t>(bytes);
  const Allocation* one =
      span < static_cast<std::uint64_t>(bytes) ? nullptr : block.worker.find(number, range.low, span);
  if (one != nullptr && (!writes || !one->read_only)) {
    find_all(at, one->memory, one->address, places);
    places.one = one;
    places.neighbours = range.neighbours;
    return places;
  }
  for (std::uint32_t left = places.mask; left != 0; left &= left - 1) {
    const std::size_t lane = first_lane(left);
    const Allocation* const found = block.worker.find(number, at[lane], static_cast<std::uint64_t>(bytes));
    if (found != nullptr && (!writes || !found->read_only)) {
      places.at[lane] = found->memory + (at[lane] - found->address);
      continue;
    }
    places.mask &= ~(1U << lane);
    if (found == nullptr) {
      block.fault(Fault::Kind::OutOfBounds, warp, op, static_cast<int>(lane), at[lane],
                  accessed(bytes, writes) + " at " + block.worker.nearest(at[lane], static_cast<std::uint64_t>(bytes)));
    } else {
      block.fault(Fault::Kind::ReadOnly, warp, op, static_cast<int>(lane), at[lane],
                  accessed(bytes, writes) + " of \"" + found->name + "\", which is constant");
    }
  }
  return places;
}

void count_global(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes,
                  MemoryRequest::Kind kind) {
  const std::uint32_t mask = places.mask;
  if (mask == 0) return;
  Block& block = *warp.block;
  const Sectors sectors(at, mask, bytes, places.neighbours);
  Counts& counts = block.counts(warp, op);
  const auto all = count_of(mask) * static_cast<std::uint64_t>(bytes);
  if (kind == MemoryRequest::Kind::Load) {
    ++counts.global_load_requests;
    counts.global_load_sectors += sectors.list().size();
    counts.global_load_bytes += all;
  } else if (kind == MemoryRequest::Kind::Store) {
    ++counts.global_store_requests;
    counts.global_store_sectors += sectors.list().size();
    counts.global_store_bytes += all;
  }
  if (block.queues.empty()) return;
  block.queues[warp.number].add({.kind = kind,
                                 .read_only_path = op.read_only_path,
                                 .cache = static_cast<std::uint8_t>(op.cache),
                                 .instruction = block.operation_number(warp, op),
                                 .block = block.number,
                                 .sectors = sectors.list()});
}

void ask_for_local(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes, bool writes) {
  Block& block = *warp.block;
  if (block.queues.empty()) return;
  // Words with one number in the memory of the lanes are neighbours, and a later block has the memory of one before.
  constexpr std::uint64_t begin = std::uint64_t{1} << 56;
  constexpr int word_bytes = 4;
  const LaunchState& launch = block.launch;
  const LaunchOptions& options = launch.request->options;
  const auto resident =
      static_cast<std::uint64_t>(options.multiprocessors) * static_cast<std::uint64_t>(options.resident_blocks);
  const std::uint64_t warp_begin =
      begin + (block.number % std::max<std::uint64_t>(resident, 1) * block.warps.size() + warp.number) *
                  launch.local_bytes * warp_lanes;
  for (int word = 0; word < bytes; word += word_bytes) {
    Addresses interleaved{};
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      const std::uint64_t offset = at[lane] + static_cast<std::uint64_t>(word);
      interleaved[lane] = warp_begin + (offset / word_bytes * warp_lanes + lane) * word_bytes + offset % word_bytes;
    }
    const Sectors sectors(interleaved, places.mask, std::min(bytes, word_bytes));
    block.queues[warp.number].add({.kind = writes ? MemoryRequest::Kind::Store : MemoryRequest::Kind::Load,
                                   .instruction = block.operation_number(warp, op),
                                   .block = block.number,
                                   .sectors = sectors.list()});
  }
}

}  // namespace threadscape::warp
