#pragma once
// The loops over the cells of a clip (clip_cells_math.h) on the host.

#include <cstddef>
#include <cstdint>

#include "compute/algorithms/time/clip_cells_math.h"
#include "compute/core/clip.h"
#include "compute/core/rows.h"

namespace threadscape::clips {

/// Calls f(Cells<Value, channels, channels>{}) with the pixel type of the clip, one pixel to a cell.
template <class F>
void with_cells(const Shape& clip, F&& f) {
  const auto with = [&]<class Value>(Value) {
    if (clip.channels == 4)
      f(Cells<Value, 4, 4>{});
    else
      f(Cells<Value, 1, 1>{});
  };
  if (clip.element == Element::u8)
    with(std::uint8_t{});
  else if (clip.element == Element::u16)
    with(std::uint16_t{});
  else
    with(float{});
}

/// Computes the pixels `begin` .. `end` - 1 of a row of the result. The plan is a copy, because a stored byte may alias
/// what is behind a reference, which would be loaded again for every pixel.
template <class C, class Plan>
void compute_pixels(const Plan plan, const HostIn& frames, const HostOut& out, std::int64_t y, std::int64_t begin,
                    std::int64_t end) {
  using Value = typename C::Value;
  const int count = static_cast<int>(frames.shape.depth);
  const std::size_t frame_bytes = frames.pitch * static_cast<std::size_t>(frames.shape.height);
  const std::byte* const row = frames.data + frames.pitch * static_cast<std::size_t>(y);
  Value* const to = reinterpret_cast<Value*>(out.data + out.pitch * static_cast<std::size_t>(y));
  for (std::int64_t x = begin; x < end; ++x) {
    const auto load = [&](int t) {
      const Value* const from = reinterpret_cast<const Value*>(row + frame_bytes * static_cast<std::size_t>(t));
      typename C::Cell cell;
      for (int i = 0; i < C::count; ++i)
        cell.v[i] = from[x * C::count + i];
      return cell;
    };
    const typename C::Cell result = plan.template cell<C>(count, load);
    for (int i = 0; i < C::count; ++i)
      to[x * C::count + i] = result.v[i];
  }
}

/// The readable reference: pixel by pixel on one thread. `used` is the number of frames that the algorithm uses.
template <class Plan>
void compute_serial(const Plan& plan, int used, const HostRun& run) {
  const HostIn frames = newest_frames(run.in, used);
  with_cells(frames.shape, [&](auto cells) {
    for_rows(run, frames.shape.height,
             [&](int y) { compute_pixels<decltype(cells)>(plan, frames, run.out, y, 0, frames.shape.width); });
  });
}

}  // namespace threadscape::clips
