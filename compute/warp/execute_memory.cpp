// Loads, stores and copies.

#include <algorithm>
#include <bit>
#include <cstring>

#include "compute/warp/access.h"
#include "compute/warp/decoder.h"

namespace threadscape::warp {
namespace {

/// Calls f for the lanes of a mask, without looking for them if it has all.
template <class F>
void for_each_lane(std::uint32_t mask, const F& f) {
  if (mask == all_lanes) {
    for (std::size_t lane = 0; lane < warp_lanes; ++lane)
      f(lane);
    return;
  }
  for (std::uint32_t left = mask; left != 0; left &= left - 1)
    f(static_cast<std::size_t>(std::countr_zero(left)));
}

/// Reads elements of M into lanes of L.
template <class M, class L>
void gather(Warp& warp, const Operation& op, const Places& places) {
  const std::uint32_t* const slots = warp.code->slots.data() + op.list;
  if (sizeof(M) == sizeof(L) && op.elements == 1 && slots[0] != none && places.neighbours) {
    std::memcpy(warp.lanes<L>(slots[0]), places.at[0], sizeof(L) * warp_lanes);
    return;
  }
  for (std::size_t element = 0; element < op.elements; ++element) {
    if (slots[element] == none) continue;
    L* const to = warp.lanes<L>(slots[element]);
    for_each_lane(places.mask, [&](std::size_t lane) {
      M value;
      std::memcpy(&value, places.at[lane] + element * sizeof(M), sizeof(M));
      using Signed = std::make_signed_t<M>;
      to[lane] = op.sign_extended ? static_cast<L>(static_cast<std::make_signed_t<L>>(static_cast<Signed>(value)))
                                  : static_cast<L>(value);
    });
  }
}

template <class M, class L>
void scatter(const Warp& warp, const Operation& op, const Places& places) {
  const std::uint32_t* const slots = warp.code->slots.data() + op.list;
  if (sizeof(M) == sizeof(L) && op.elements == 1 && slots[0] != none && places.neighbours) {
    std::memcpy(places.at[0], warp.lanes<L>(slots[0]), sizeof(L) * warp_lanes);
    return;
  }
  for (std::size_t element = 0; element < op.elements; ++element) {
    if (slots[element] == none) continue;
    const L* const from = warp.lanes<L>(slots[element]);
    for_each_lane(places.mask, [&](std::size_t lane) {
      const M value = static_cast<M>(from[lane]);
      std::memcpy(places.at[lane] + element * sizeof(M), &value, sizeof(M));
    });
  }
}

/// Calls f with an element of the operation's size in memory and a lane.
template <class F>
void by_size(const Operation& op, const F& f) {
  const auto with = [&](auto lane) {
    switch (op.bytes) {
      case 1:
        f(std::uint8_t{}, lane);
        break;
      case 2:
        f(std::uint16_t{}, lane);
        break;
      case 4:
        f(std::uint32_t{}, lane);
        break;
      default:
        f(std::uint64_t{}, lane);
        break;
    }
  };
  if (op.wide_lanes) {
    with(std::uint64_t{});
  } else {
    with(std::uint32_t{});
  }
}

/// Counts a request of lanes that each move `bytes` as one of `counted` bytes a lane; 0 is a part of another request.
void count_shared(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes, int counted,
                  bool writes) {
  const std::uint32_t mask = places.mask;
  Counts& counts = warp.block->counts(warp, op);
  (writes ? counts.shared_store_bytes : counts.shared_load_bytes) += count_of(mask) * static_cast<std::uint64_t>(bytes);
  if (counted == 0) return;
  // Neighbouring elements of all lanes never conflict, and neither do one element or words of one row.
  const int least = places.same ? (counted == 16 ? 2 : 1) : counted <= 4 ? 1 : counted / 4;
  const bool free_of_conflicts =
      (places.same && !writes) || (places.neighbours && counted == bytes) || (places.one_row && counted <= 4);
  const Wavefronts cost =
      free_of_conflicts ? Wavefronts{.all = least, .best = least} : wavefronts(at, mask, counted, writes);
  const auto all = static_cast<std::uint64_t>(cost.all), conflicts = static_cast<std::uint64_t>(cost.all - cost.best);
  (writes ? counts.shared_store_wavefronts : counts.shared_load_wavefronts) += all;
  (writes ? counts.shared_store_conflicts : counts.shared_load_conflicts) += conflicts;
}

/// Lanes of one store that write different values to one place have no defined result.
template <class M, class L>
void check_equal_stores(Warp& warp, const Operation& op, const Addresses& at, const Places& places, bool shared) {
  Block& block = *warp.block;
  const std::uint32_t* const slots = warp.code->slots.data() + op.list;
  for (std::size_t element = 0; element < op.elements; ++element) {
    const L* const from = warp.lanes<L>(slots[element]);
    for (std::uint32_t left = places.mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      M value;
      std::memcpy(&value, places.at[lane] + element * sizeof(M), sizeof(M));
      if (value == static_cast<M>(from[lane])) continue;
      const std::uint32_t number = block.operation_number(warp, op);
      // The lane that has written last.
      std::size_t other = lane;
      for (std::uint32_t rest = places.mask; rest != 0; rest &= rest - 1)
        if (const auto one = static_cast<std::size_t>(std::countr_zero(rest)); at[one] == at[lane]) other = one;
      const Access access = block.clock.access(warp.number, number, 0, false);
      report_race(warp, op, lane, at[lane], (access.note | block.clock.block()) + note::lane(other),
                  shared ? nullptr : block.worker.find(number, at[lane], sizeof(M)));
      return;
    }
  }
}

/// Notes the lanes that store to watched memory.
void note_writers(Warp& warp, const Operation& op, const Addresses& at, std::uint32_t mask, int bytes) {
  LaunchState& launch = warp.block->launch;
  const LaunchOptions& options = launch.request->options;
  const std::uint64_t size = options.writer_bytes, end = options.watched + options.writers->size() * size;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const std::uint64_t from = std::max(at[lane], options.watched);
    const std::uint64_t to = std::min(at[lane] + static_cast<std::uint64_t>(bytes), end);
    if (from >= to) continue;
    const std::lock_guard<std::mutex> guard(launch.lock);
    for (std::uint64_t i = (from - options.watched) / size; i <= (to - 1 - options.watched) / size; ++i)
      (*options.writers)[i] = {.block = warp.block->number,
                               .thread = warp.block->thread(warp, static_cast<int>(lane)),
                               .operation = static_cast<std::uint32_t>(&op - warp.code->operations.data()),
                               .function = warp.code->function};
  }
}

void transfer(Warp& warp, const Operation& op, Addresses& at, const Part& part, bool writes) {
  const int bytes = bytes_of(op);
  const Use use = writes ? Use::Write : Use::Read;
  const Places places = find_places(warp, op, at, part, bytes, writes);
  if (places.mask == 0) return;
  if (part.space == Space::Shared) {
    count_shared(warp, op, at, places, bytes, op.counted_bytes, writes);
    note_shared(warp, op, at, places, bytes, use, false);
  } else if (part.space == Space::Global) {
    count_global(warp, op, at, places, bytes, writes ? MemoryRequest::Kind::Store : MemoryRequest::Kind::Load);
    check_written(warp, op, at, places, bytes, use);
    if (writes && warp.block->launch.request->options.writers != nullptr)
      note_writers(warp, op, at, places.mask, bytes);
    if (writes || op.mode == 0) note_global(warp, op, at, places, bytes, writes, op.mode != 0);
  } else if (part.space == Space::Local) {
    if (writes || op.space != Space::Param) check_local(warp, op, at, places, bytes, use);
    if (op.space != Space::Param) {
      Counts& counts = warp.block->counts(warp, op);
      (writes ? counts.local_store_bytes : counts.local_load_bytes) +=
          count_of(places.mask) * static_cast<std::uint64_t>(bytes);
      ask_for_local(warp, op, at, places, bytes, writes);
    }
  }
  by_size(op, [&](auto element, auto lane) {
    using M = decltype(element);
    using L = decltype(lane);
    if (!writes) {
      gather<M, L>(warp, op, places);
      return;
    }
    scatter<M, L>(warp, op, places);
    const bool shared = part.space == Space::Shared;
    const bool checked =
        shared || (part.space == Space::Global && op.mode == 0 && warp.block->launch.shadow != nullptr);
    if (checked && !places.neighbours) check_equal_stores<M, L>(warp, op, at, places, shared);
  });
  if (writes || op.mode == 0 || part.space != Space::Global) return;
  // A read that orders is noted behind the reading, so that the other block has noted the write that it saw.
  acquire(warp, op, at, places, bytes);
  note_global(warp, op, at, places, bytes, false, true);
}

void load_or_store(Warp& warp, const Operation& op, std::uint32_t mask, bool writes) {
  Addresses at;
  find_addresses(warp, op, at);
  // A register of the address may be among those that the load writes, so that the addresses are found before.
  for (std::uint32_t left = mask; left != 0;) {
    const Part part = take_part(op, at, left);
    transfer(warp, op, at, part, writes);
  }
}

}  // namespace

void load(Warp& warp, const Operation& op, std::uint32_t mask) {
  load_or_store(warp, op, mask, false);
}
void store(Warp& warp, const Operation& op, std::uint32_t mask) {
  load_or_store(warp, op, mask, true);
}

void copy_async(Warp& warp, const Operation& op, std::uint32_t mask) {
  Addresses from, to;
  find_addresses(warp, op, from);
  Operation target;
  target.s[0] = op.s[1];
  target.immediate = op.target;
  target.wide_address = op.negated != 0;
  find_addresses(warp, target, to);
  const int bytes = op.bytes;
  const Part shared{.space = Space::Shared, .mask = mask};
  const Places written = find_places(warp, op, to, shared, bytes, true);
  Part part{.space = Space::Global, .mask = written.mask};
  if (op.s[2] != none)
    for (int lane = 0; lane < warp_lanes; ++lane)
      if (warp.lanes<std::uint32_t>(op.s[2])[lane] == 0) part.mask &= ~(1U << lane);
  note_copies(warp, op, to, written, bytes);
  const Places read = find_places(warp, op, from, part, bytes, false);
  count_global(warp, op, from, read, bytes, MemoryRequest::Kind::Load);
  check_written(warp, op, from, read, bytes, Use::Read);
  note_global(warp, op, from, read, bytes, false, false);
  for (std::uint32_t left = written.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const std::size_t size = (read.mask >> lane & 1) == 0 ? 0
                             : op.s[2] == none
                                 ? op.bytes
                                 : std::min<std::size_t>(warp.lanes<std::uint32_t>(op.s[2])[lane], op.bytes);
    std::memset(written.at[lane], 0, op.bytes);
    if (size > 0) std::memcpy(written.at[lane], read.at[lane], size);
  }
}

void load_matrix(Warp& warp, const Operation& op, std::uint32_t mask) {
  // Lanes 8 k .. 8 k + 7 have the addresses of the rows of matrix k; a row is 16 bytes.
  Addresses at;
  find_addresses(warp, op, at);
  const std::uint32_t rows = op.elements == 4 ? all_lanes : (1U << (8 * op.elements)) - 1;
  std::uint32_t left = rows & mask;
  if (left != rows) return;
  const Part part = take_part(op, at, left);
  const Places places = find_places(warp, op, at, part, 16, false);
  if (places.mask != rows || part.space != Space::Shared) return;
  count_shared(warp, op, at, places, 16, 16, false);
  for (std::size_t matrix = 0; matrix < op.elements; ++matrix) {
    std::uint32_t* const to = warp.lanes<std::uint32_t>(warp.code->slots[op.list + matrix]);
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      const auto element = [&](std::size_t row, std::size_t column) {
        std::uint16_t value = 0;
        std::memcpy(&value, places.at[8 * matrix + row] + 2 * column, 2);
        return std::uint32_t{value};
      };
      const std::size_t row = lane / 4, column = lane % 4 * 2;
      to[lane] = op.mode == 0 ? element(row, column) | element(row, column + 1) << 16
                              : element(column, row) | element(column + 1, row) << 16;
    }
  }
  note_shared(warp, op, at, places, 16, Use::Read, false);
}

}  // namespace threadscape::warp
