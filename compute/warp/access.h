#pragma once
// What loads, stores, atomic operations and copies have in common: addresses, bounds and counts.

#include "compute/warp/code.h"
#include "compute/warp/requests.h"
#include "compute/warp/state.h"

namespace threadscape::warp {

/// The bytes that a lane accesses with one operation.
inline int bytes_of(const Operation& op) {
  return op.bytes * op.elements;
}

/// The addresses of the lanes.
void find_addresses(const Warp& warp, const Operation& op, Addresses& at);

/// A part of a request whose lanes lie in one space. Generic addresses become those of the space.
struct Part {
  Space space = Space::Global;
  std::uint32_t mask = 0;
};
/// Takes lanes of one space out of `left`.
[[nodiscard]] Part take_part(const Operation& op, Addresses& at, std::uint32_t& left);

/// Where the lanes' bytes lie in the memory of the host. The lanes that may not access theirs are left out of the
/// result, and are faults.
struct Places {
  std::array<std::byte*, 32> at{};
  std::uint32_t mask = 0;
  bool neighbours = false;          ///< All 32 lanes have neighbouring elements, in order, in one memory.
  bool same = false;                ///< All 32 lanes have one element of shared memory.
  bool one_row = false;             ///< The elements begin in one row of the banks of shared memory.
  const Allocation* one = nullptr;  ///< The allocation, if all lanes lie in one.
};
[[nodiscard]] Places find_places(Warp& warp, const Operation& op, const Addresses& at, const Part& part, int bytes,
                                 bool writes);

/// Counts a request for global memory and reports it to the observer.
void count_global(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes,
                  MemoryRequest::Kind kind);
/// Gives the observer the requests that an access to local memory is: the lanes' bytes begin at `at` in their memory.
void ask_for_local(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes, bool writes);

/// How lanes access memory: an update is a write that depends on the value that it replaces.
enum class Use : std::uint8_t { Read, Write, Update };
/// Checks that what is read from global or local memory was written, and notes what is written, where the launch keeps
/// track of that.
void check_written(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes, Use use);
void check_local(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes, Use use);

/// Notes accesses to shared or global memory, which may be races or uninitialised reads. Strong ones are atomic,
/// volatile, relaxed, acquire or release.
void note_shared(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes, Use use,
                 bool strong);
void note_global(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes, bool writes,
                 bool strong);
/// Orders the block behind what others had published, if the lanes have read what another block wrote atomically.
void acquire(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes);
/// Notes copies to shared memory, which are complete when their lanes have waited for them.
void note_copies(Warp& warp, const Operation& op, const Addresses& at, const Places& places, int bytes);
/// A race with a noted access, in an allocation or, if that is null, in shared memory.
void report_race(Warp& warp, const Operation& op, std::size_t lane, std::uint64_t at, std::uint64_t other,
                 const Allocation* in);

}  // namespace threadscape::warp
