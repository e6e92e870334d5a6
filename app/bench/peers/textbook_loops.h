#pragma once
// What the loops of the textbook share: plain arrays of a picture, its mirrored border, and their lists of peers.

#include <cmath>
#include <cstddef>
#include <span>

#include "app/bench/peers/peer.h"

namespace threadscape::app::textbook {

/// The peers of each file, which textbook_peers() joins.
[[nodiscard]] std::span<const Peer> filter_peers();
[[nodiscard]] std::span<const Peer> smoothing_peers();
[[nodiscard]] std::span<const Peer> pixel_peers();
[[nodiscard]] std::span<const Peer> terrain_peers();
[[nodiscard]] std::span<const Peer> tomography_peers();
[[nodiscard]] std::span<const Peer> sequence_peers();
[[nodiscard]] std::span<const Peer> graphics_peers();

using Byte = unsigned char;

/// A grey picture: `pitch` bytes from one row to the next.
struct Picture {
  const Byte* data;
  int width, height;
  std::size_t pitch;

  [[nodiscard]] const Byte* row(int y) const { return data + static_cast<std::size_t>(y) * pitch; }
};
inline Picture picture(HostIn view) {
  return {reinterpret_cast<const Byte*>(view.data), static_cast<int>(view.shape.width),
          static_cast<int>(view.shape.height), view.pitch};
}
inline Byte* row_of(HostOut view, int y) {
  return reinterpret_cast<Byte*>(view.data) + static_cast<std::size_t>(y) * view.pitch;
}
inline float* floats_of(HostOut view, int y) {
  return reinterpret_cast<float*>(view.data + static_cast<std::size_t>(y) * view.pitch);
}

/// The index of the pixel that lies at i when the picture is mirrored at its edges as often as needed.
inline int mirrored(int i, int n) {
  if (n == 1) return 0;
  while (i < 0 || i >= n)
    i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}

/// Calls f(x, y) for the pixels whose window reaches out of the picture.
template <class F>
void for_border(const Picture& in, int radius, const F& f) {
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x) {
      if (y >= radius && y < in.height - radius && x == radius && in.width > 2 * radius) x = in.width - radius;
      f(x, y);
    }
}

/// Calls result(x, y, pixel) for all pixels; pixel(dx, dy) is the value beside (x, y), with the border mirrored.
template <class Result>
void filter_windows(HostIn from, HostOut to, int radius, const Result& result) {
  const Picture in = picture(from);
  for (int y = radius; y < in.height - radius; ++y) {
    Byte* out = row_of(to, y);
    for (int x = radius; x < in.width - radius; ++x)
      out[x] = result(x, y, [&](int dx, int dy) { return in.row(y + dy)[x + dx]; });
  }
  for_border(in, radius, [&](int x, int y) {
    row_of(to, y)[x] =
        result(x, y, [&](int dx, int dy) { return in.row(mirrored(y + dy, in.height))[mirrored(x + dx, in.width)]; });
  });
}

inline Byte saturated(int value) {
  return static_cast<Byte>(value < 0 ? 0 : value > 255 ? 255 : value);
}

}  // namespace threadscape::app::textbook
