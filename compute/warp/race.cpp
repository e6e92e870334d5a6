// Notes of accesses in the shadows of shared and global memory, and the races that they find.

#include <algorithm>
#include <bit>
#include <cstring>

#include "compute/warp/access.h"
#include "compute/warp/decoder.h"

namespace threadscape::warp {
namespace {

std::size_t lowest_lane(std::uint32_t mask) {
  return static_cast<std::size_t>(std::countr_zero(mask));
}

/// The location of an operation of the launch.
std::uint32_t location_of(const LaunchState& launch, std::uint32_t operation) {
  for (const auto& code : launch.program->codes)
    if (code != nullptr && operation >= code->first && operation - code->first < code->function->instructions.size())
      return code->function->instructions[operation - code->first].location;
  return 0;
}

/// Notes the accesses of lanes to a piece of memory, whose first byte is at `begin`.
template <class Found>
void note_lanes(ShadowCells& cells, const Addresses& at, std::uint64_t begin, std::uint32_t mask, int bytes,
                bool writes, const Access& access, const Found& found) {
  if (bytes == 4 && (mask & (mask - 1)) != 0 &&
      (writes ? cells.write_words(at, begin, mask, access) : cells.read_words(at, begin, mask, access)))
    return;
  if (bytes < 4) cells.narrow();
  // Lanes that read one place at once are one reader.
  std::uint64_t last = ~std::uint64_t{0};
  std::uint32_t noted = 0;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const std::size_t lane = lowest_lane(left);
    if (at[lane] == last && !writes) continue;
    last = at[lane];
    noted |= 1U << lane;
    std::uint64_t other = 0;
    const ShadowCells::Finding finding = cells.find(last - begin, bytes, writes, access, lane, other);
    if (finding != ShadowCells::Finding::None) found(lane, finding, other);
  }
  for (std::uint32_t left = noted; left != 0; left &= left - 1)
    cells.note(at[lowest_lane(left)] - begin, bytes, writes, access, lowest_lane(left));
}

/// Reports a read at a byte of some memory.
void report_unwritten(Warp& warp, const Operation& op, std::size_t lane, std::uint64_t address, std::uint64_t byte,
                      int bytes, const std::string& memory) {
  warp.block->fault(Fault::Kind::Uninitialised, warp, op, static_cast<int>(lane), address,
                    "a read of " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " at byte " +
                        std::to_string(byte) + " of " + memory + ", which nothing has written");
}

/// Reports accesses to what a copy has not filled for certain.
void find_copies(Warp& warp, const Operation& op, const Addresses& at, std::uint32_t mask, int bytes) {
  const std::vector<std::uint64_t>& copied = warp.block->copied;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const std::size_t lane = lowest_lane(left);
    const std::uint64_t last = (at[lane] + static_cast<std::uint64_t>(bytes) - 1) / 4;
    for (std::uint64_t word = at[lane] / 4; word <= last; ++word) {
      if (copied[word] == 0) continue;
      Block& block = *warp.block;
      const std::uint32_t place = location_of(block.launch, note::operation(copied[word]));
      block.fault(Fault::Kind::Race, warp, op, static_cast<int>(lane), at[lane],
                  "byte " + std::to_string(at[lane]) + " of shared memory is accessed before thread " +
                      std::to_string(note::thread(copied[word])) + " has waited for its copy at " +
                      block.launch.place(place),
                  place);
      break;
    }
  }
}

}  // namespace

void report_race(Warp& warp, const Operation& op, std::size_t lane, std::uint64_t at, std::uint64_t other,
                 const Allocation* in) {
  Block& block = *warp.block;
  const std::uint32_t place = location_of(block.launch, note::operation(other));
  const bool abroad = in != nullptr && (other & note::block_mask) != block.clock.block();
  block.fault(Fault::Kind::Race, warp, op, static_cast<int>(lane), at,
              "byte " + std::to_string(in == nullptr ? at : at - in->address) + " of " +
                  (in == nullptr ? "shared memory" : "\"" + in->name + "\"") + " is accessed here and at " +
                  block.launch.place(place) + " by different threads" + (abroad ? " of different blocks" : "") +
                  ", one of which writes, without " + (in == nullptr ? "a barrier" : "an order") +
                  " between them; the other one is thread " + std::to_string(note::thread(other)),
              place);
}

void check_written(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes, Use use) {
  Block& block = *warp.block;
  const std::uint32_t number = block.operation_number(warp, op);
  if (places.one != nullptr && places.one->written == nullptr) return;
  for (std::uint32_t left = places.mask; left != 0; left &= left - 1) {
    const std::size_t lane = lowest_lane(left);
    const Allocation* const in =
        places.one != nullptr ? places.one : block.worker.find(number, at[lane], static_cast<std::uint64_t>(bytes));
    if (in == nullptr || in->written == nullptr) continue;
    std::uint8_t* const written = in->written + (at[lane] - in->address);
    if (use != Use::Write && std::memchr(written, 0, static_cast<std::size_t>(bytes)) != nullptr)
      report_unwritten(warp, op, lane, at[lane], at[lane] - in->address, bytes, '"' + in->name + '"');
    if (use != Use::Read) std::memset(written, 1, static_cast<std::size_t>(bytes));
  }
}

void check_local(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes, Use use) {
  Block& block = *warp.block;
  if (!block.launch.request->options.uninitialised) return;
  for (std::uint32_t left = places.mask; left != 0; left &= left - 1) {
    const std::size_t lane = lowest_lane(left);
    const auto place = static_cast<std::uint64_t>(places.at[lane] - block.local.data());
    if (use == Use::Write)
      block.local_shadow.mark(place, static_cast<std::uint64_t>(bytes));
    else if (!block.local_shadow.written(place, static_cast<std::uint64_t>(bytes)))
      report_unwritten(warp, op, lane, at[lane], at[lane], bytes, "local memory");
  }
}

void note_shared(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes, Use use,
                 bool strong) {
  Block& block = *warp.block;
  if (!block.launch.request->options.races || block.clock.exhausted()) return;
  const bool writes = use != Use::Read;
  Access access = block.clock.access(warp.number, block.operation_number(warp, op), warp.synced, strong);
  access.updates = use == Use::Update;
  if (!block.copied.empty()) find_copies(warp, op, at, places.mask, bytes);
  if (places.neighbours &&
      (writes ? block.shadow.write_all(at[0], bytes, access) : block.shadow.read_all(at[0], bytes, access)))
    return;
  const std::uint32_t readers = places.same && !writes ? 1 : places.mask;  // Lanes that read one place are one reader.
  note_lanes(block.shadow, at, 0, readers, bytes, writes, access,
             [&](std::size_t lane, ShadowCells::Finding finding, std::uint64_t other) {
               if (finding == ShadowCells::Finding::Race) {
                 report_race(warp, op, lane, at[lane], other, nullptr);
               } else if (block.launch.request->options.uninitialised) {
                 report_unwritten(warp, op, lane, at[lane], at[lane], bytes, "shared memory");
               }
             });
}

void note_copies(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes) {
  Block& block = *warp.block;
  if (!block.launch.request->options.races || block.clock.exhausted()) return;
  note_shared(warp, op, at, places, bytes, Use::Write, false);
  block.copied.resize(block.shared.size() / 4 + 1);
  const std::uint32_t number = block.operation_number(warp, op);
  const Access access = block.clock.access(warp.number, number, warp.synced, false);
  for (std::uint32_t left = places.mask; left != 0; left &= left - 1) {
    const std::size_t lane = lowest_lane(left);
    warp.copies.push_back({.at = static_cast<std::uint32_t>(at[lane]),
                           .bytes = static_cast<std::uint32_t>(bytes),
                           .lane = static_cast<std::uint32_t>(lane),
                           .group = warp.copy_groups[lane],
                           .operation = number});
    for (std::uint64_t word = at[lane] / 4; word < (at[lane] + static_cast<std::uint64_t>(bytes)) / 4; ++word)
      block.copied[word] = access.note + note::lane(lane);
  }
}

void commit_copies(Warp& warp, const Operation& /*op*/, std::uint32_t mask) {
  for (std::uint32_t left = mask; left != 0; left &= left - 1)
    ++warp.copy_groups[lowest_lane(left)];
}

void wait_for_copies(Warp& warp, const Operation& op, std::uint32_t mask) {
  Block& block = *warp.block;
  std::erase_if(warp.copies, [&](const PendingCopy& copy) {
    // Mode 1 waits for all copies; else some of the last groups may go on.
    const bool waits = op.mode == 1 || copy.group + op.immediate < warp.copy_groups[copy.lane];
    if ((mask >> copy.lane & 1) == 0 || !waits) return false;
    // It counts as written now. What has come before is reported already.
    const Access access = block.clock.access(warp.number, copy.operation, warp.synced, false);
    block.shadow.note(copy.at, static_cast<int>(copy.bytes), true, access, copy.lane);
    std::fill_n(block.copied.begin() + copy.at / 4, copy.bytes / 4, 0);
    return true;
  });
}

void note_global(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes, bool writes,
                 bool strong) {
  Block& block = *warp.block;
  LaunchState& launch = block.launch;
  if (launch.shadow == nullptr || block.clock.exhausted() || places.mask == 0) return;
  const std::uint32_t number = block.operation_number(warp, op);
  if (strong && op.releases) block.clock.fence();
  if (strong && writes) block.clock.publish(launch.shadow->publications);
  Access access = block.clock.access(warp.number, number, warp.synced, strong);
  access.note |= block.clock.block();
  access.first = 0;
  access.publications = &launch.shadow->publications;
  for (std::uint32_t left = places.mask; left != 0;) {
    const std::size_t lane = lowest_lane(left);
    const Allocation* const in =
        places.one != nullptr ? places.one : block.worker.find(number, at[lane], static_cast<std::uint64_t>(bytes));
    // The lanes whose places are in one piece of memory.
    const std::uint64_t piece_number = at[lane] / GlobalShadow::piece_bytes;
    std::uint32_t mask = 0;
    for (std::uint32_t rest = left; rest != 0; rest &= rest - 1)
      if (at[lowest_lane(rest)] / GlobalShadow::piece_bytes == piece_number) mask |= rest & (0 - rest);
    left &= ~mask;
    if (in == nullptr || in->read_only) continue;
    const auto allocation = static_cast<std::size_t>(in - launch.memory.data());
    GlobalShadow::Piece* const piece = launch.shadow->piece(allocation, at[lane], bytes);
    if (piece == nullptr) continue;
    const std::uint64_t begin = piece_number * GlobalShadow::piece_bytes;
    piece->take();
    const bool all = places.neighbours && mask == all_lanes &&
                     (writes ? piece->cells.write_all(at[0] - begin, bytes, access)
                             : piece->cells.read_all(at[0] - begin, bytes, access));
    if (!all)
      note_lanes(piece->cells, at, begin, mask, bytes, writes, access,
                 [&](std::size_t l, ShadowCells::Finding, std::uint64_t other) {
                   report_race(warp, op, l, at[l], other, in);
                 });
    piece->give_back();
  }
}

void acquire(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes) {
  Block& block = *warp.block;
  LaunchState& launch = block.launch;
  if (launch.shadow == nullptr) return;
  const std::uint32_t number = block.operation_number(warp, op);
  for (std::uint32_t left = places.mask; left != 0; left &= left - 1) {
    const std::size_t lane = lowest_lane(left);
    const Allocation* const in =
        places.one != nullptr ? places.one : block.worker.find(number, at[lane], static_cast<std::uint64_t>(bytes));
    if (in == nullptr || in->read_only) continue;
    GlobalShadow::Piece* const piece =
        launch.shadow->piece(static_cast<std::size_t>(in - launch.memory.data()), at[lane], bytes);
    if (piece == nullptr) continue;
    piece->take();
    const bool seen = piece->cells.written_abroad(at[lane] % GlobalShadow::piece_bytes, block.clock.block());
    piece->give_back();
    if (!seen) continue;
    block.clock.acquire(launch.shadow->publications);
    return;
  }
}

}  // namespace threadscape::warp
