// Atomic operations and reductions in global and shared memory.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "compute/warp/access.h"
#include "compute/warp/decoder.h"
#include "compute/warp/half.h"

namespace threadscape::warp {
namespace {

template <class T>
T integer_result(Atomic kind, T old, T value, T compare) {
  using U = std::make_unsigned_t<T>;
  switch (kind) {
    case Atomic::Add:
      return static_cast<T>(static_cast<U>(old) + static_cast<U>(value));
    case Atomic::Min:
      return std::min(old, value);
    case Atomic::Max:
      return std::max(old, value);
    case Atomic::Inc:
      return old >= value ? T{0} : static_cast<T>(old + 1);
    case Atomic::Dec:
      return old == 0 || old > value ? value : static_cast<T>(old - 1);
    case Atomic::And:
      return static_cast<T>(old & value);
    case Atomic::Or:
      return static_cast<T>(old | value);
    case Atomic::Xor:
      return static_cast<T>(old ^ value);
    case Atomic::Exch:
      return value;
    case Atomic::Cas:
      return old == compare ? value : old;
  }
  return old;
}
template <class F, class W>
W float_result(Atomic kind, W old, W value) {
  const F a = std::bit_cast<F>(old), b = std::bit_cast<F>(value);
  const F result = kind == Atomic::Add ? a + b : kind == Atomic::Min ? std::min(a, b) : std::max(a, b);
  return std::bit_cast<W>(result);
}
std::uint32_t half_pair_sum(std::uint32_t a, std::uint32_t b) {
  const auto sum = [&](int shift) {
    return std::uint32_t{Fp16::bits(Fp16::value(static_cast<std::uint16_t>(a >> shift)) +
                                    Fp16::value(static_cast<std::uint16_t>(b >> shift)))};
  };
  return sum(0) | sum(16) << 16;
}

/// The new value of a place, by the type that the operation is for.
std::uint32_t result32(Type type, Atomic kind, std::uint32_t old, std::uint32_t value, std::uint32_t compare) {
  const bool plain = kind == Atomic::Exch || kind == Atomic::Cas;
  if (type == Type::F32 && !plain) return float_result<float>(kind, old, value);
  if (type == Type::F16x2 && !plain) return half_pair_sum(old, value);
  if (type == Type::S32)
    return static_cast<std::uint32_t>(integer_result(
        kind, static_cast<std::int32_t>(old), static_cast<std::int32_t>(value), static_cast<std::int32_t>(compare)));
  return integer_result(kind, old, value, compare);
}
std::uint64_t result64(Type type, Atomic kind, std::uint64_t old, std::uint64_t value, std::uint64_t compare) {
  const bool plain = kind == Atomic::Exch || kind == Atomic::Cas;
  if (type == Type::F64 && !plain) return float_result<double>(kind, old, value);
  if (type == Type::S64)
    return static_cast<std::uint64_t>(integer_result(
        kind, static_cast<std::int64_t>(old), static_cast<std::int64_t>(value), static_cast<std::int64_t>(compare)));
  return integer_result(kind, old, value, compare);
}
std::uint16_t result16(Type type, Atomic kind, std::uint16_t old, std::uint16_t value, std::uint16_t compare) {
  if (type == Type::F16 && kind == Atomic::Add) return Fp16::bits(Fp16::value(old) + Fp16::value(value));
  return integer_result(kind, old, value, compare);
}

/// Changes a place that other threads of the host may change at once, and returns what it was.
template <class W, class F>
W change(std::byte* at, const F& result) {
  std::atomic_ref<W> place(*reinterpret_cast<W*>(at));
  W old = place.load();
  while (!place.compare_exchange_weak(old, result(old))) {
  }
  return old;
}

template <class W, class L, class F>
void for_lanes(Warp& warp, const Operation& op, const Places& places, const F& result) {
  const L* const values = warp.lanes<L>(op.s[1]);
  const L* const others = op.s[2] == none ? values : warp.lanes<L>(op.s[2]);
  const Atomic kind = static_cast<Atomic>(op.mode);
  const Type type = static_cast<Type>(op.target);
  alignas(64) L before[warp_lanes] = {};
  for (std::uint32_t left = places.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    // cas has the value to compare with first.
    const W first = static_cast<W>(values[lane]), second = static_cast<W>(others[lane]);
    const bool swaps = kind == Atomic::Cas;
    before[lane] =
        change<W>(places.at[lane], [&](W old) { return result(type, kind, old, swaps ? second : first, first); });
  }
  if (op.d == none) return;
  L* const to = warp.lanes<L>(op.d);
  for (std::uint32_t left = places.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    to[lane] = before[lane];
  }
}

}  // namespace

void atomic(Warp& warp, const Operation& op, std::uint32_t mask) {
  Addresses at;
  find_addresses(warp, op, at);
  for (std::uint32_t left = mask; left != 0;) {
    const Part part = take_part(op, at, left);
    const Places places = find_places(warp, op, at, part, op.bytes, true);
    if (places.mask == 0) continue;
    Counts& counts = warp.block->counts(warp, op);
    ++counts.atomics;
    counts.atomic_collisions += static_cast<std::uint64_t>(collisions(at, places.mask));
    const Use use = static_cast<Atomic>(op.mode) == Atomic::Exch ? Use::Write : Use::Update;
    if (part.space == Space::Global) {
      check_written(warp, op, at, places, op.bytes, use);
      count_global(warp, op, at, places, op.bytes,
                   op.d == none ? MemoryRequest::Kind::Reduction : MemoryRequest::Kind::Atomic);
      acquire(warp, op, at, places, op.bytes);
      note_global(warp, op, at, places, op.bytes, true, true);
    } else if (part.space == Space::Shared) {
      note_shared(warp, op, at, places, op.bytes, use, true);
    }
    if (op.bytes == 8) {
      for_lanes<std::uint64_t, std::uint64_t>(warp, op, places, &result64);
    } else if (op.bytes == 4) {
      for_lanes<std::uint32_t, std::uint32_t>(warp, op, places, &result32);
    } else {
      for_lanes<std::uint16_t, std::uint32_t>(warp, op, places, &result16);
    }
    // Another block may have changed the place in between.
    if (part.space == Space::Global) acquire(warp, op, at, places, op.bytes);
  }
}

}  // namespace threadscape::warp
