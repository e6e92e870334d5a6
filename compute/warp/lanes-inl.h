// Loops over the 32 lanes of a warp, which the compiler vectorises for each instruction set. Sources include this file
// once per target of Highway, within HWY_BEFORE_NAMESPACE().

#if defined(THREADSCAPE_WARP_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_WARP_LANES
#undef THREADSCAPE_WARP_LANES
#else
#define THREADSCAPE_WARP_LANES
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <type_traits>

#include "compute/warp/code.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::warp {
namespace HWY_NAMESPACE {

/// A register has 32 lanes of 4 bytes, or of 8 for 64-bit types. What is above a shorter value in its lane is
/// undefined.
template <class T>
using Lane = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <std::size_t bytes>
using Word = std::conditional_t<
    bytes == 1, std::uint8_t,
    std::conditional_t<bytes == 2, std::uint16_t, std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
HWY_INLINE T value_of(Lane<T> lane) {
  return std::bit_cast<T>(static_cast<Word<sizeof(T)>>(lane));
}
template <class T>
HWY_INLINE Lane<T> lane_of(T value) {
  return std::bit_cast<Word<sizeof(T)>>(value);
}

/// Writes the lanes of a mask.
template <class L>
HWY_INLINE void store_lanes(L* to, const L* from, std::uint32_t mask) {
  if (mask == all_lanes) {
    for (int lane = 0; lane < warp_lanes; ++lane)
      to[lane] = from[lane];
    return;
  }
  for (int lane = 0; lane < warp_lanes; ++lane)
    to[lane] = (mask >> lane & 1) != 0 ? from[lane] : to[lane];
}

/// Writes f(lane) into the lanes of a mask; f is called for all lanes.
template <class D, class F>
HWY_INLINE void write_lanes(Warp& warp, std::uint32_t slot, std::uint32_t mask, const F& f) {
  alignas(64) Lane<D> result[warp_lanes];
  for (int lane = 0; lane < warp_lanes; ++lane)
    result[lane] = lane_of<D>(f(lane));
  store_lanes(warp.lanes<Lane<D>>(slot), result, mask);
}

/// The lanes for which f(lane) is true, as a mask.
template <class F>
HWY_INLINE std::uint32_t mask_of(const F& f) {
  std::uint32_t result = 0;
  for (int lane = 0; lane < warp_lanes; ++lane)
    result |= f(lane) ? std::uint32_t{1} << lane : 0;
  return result;
}

/// A source operand.
template <class T>
struct Source {
  const Lane<T>* lanes;
  Source(const Warp& warp, std::uint32_t slot) : lanes(warp.lanes<Lane<T>>(slot)) {}
  HWY_INLINE T operator[](int lane) const { return value_of<T>(lanes[lane]); }
};

template <class F, class D, class A>
void unary(Warp& warp, const Operation& op, std::uint32_t mask) {
  const Source<A> a(warp, op.s[0]);
  write_lanes<D>(warp, op.d, mask, [&](int lane) { return static_cast<D>(F::call(a[lane])); });
}
template <class F, class D, class A, class B>
void binary(Warp& warp, const Operation& op, std::uint32_t mask) {
  const Source<A> a(warp, op.s[0]);
  const Source<B> b(warp, op.s[1]);
  write_lanes<D>(warp, op.d, mask, [&](int lane) { return static_cast<D>(F::call(a[lane], b[lane])); });
}
template <class F, class D, class A, class B, class C>
void ternary(Warp& warp, const Operation& op, std::uint32_t mask) {
  const Source<A> a(warp, op.s[0]);
  const Source<B> b(warp, op.s[1]);
  const Source<C> c(warp, op.s[2]);
  write_lanes<D>(warp, op.d, mask, [&](int lane) { return static_cast<D>(F::call(a[lane], b[lane], c[lane])); });
}
template <class F, class D, class A, class B, class C, class E>
void quaternary(Warp& warp, const Operation& op, std::uint32_t mask) {
  const Source<A> a(warp, op.s[0]);
  const Source<B> b(warp, op.s[1]);
  const Source<C> c(warp, op.s[2]);
  const Source<E> e(warp, op.s[3]);
  write_lanes<D>(warp, op.d, mask,
                 [&](int lane) { return static_cast<D>(F::call(a[lane], b[lane], c[lane], e[lane])); });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace threadscape::warp
HWY_AFTER_NAMESPACE();

#endif
