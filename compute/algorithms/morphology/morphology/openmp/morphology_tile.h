#pragma once
// A tile of the picture, the unit of work of the OpenMP backend:
//
// +---------------------------+
// |  halo: window - 1 pixels  |     computed from pixels of neighbouring tiles, or from the border
// |   +-------------------+   |
// |   |  tile: Extent     |   |     one thread, one tile at a time; rows of samples, all channels side by side
// |   +-------------------+   |
// +---------------------------+
//
// morphology_simd.cpp processes it.

#include <cstddef>
#include <memory>

#include "compute/algorithms/morphology/morphology/morphology_plan.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_chord_lines.h"
#include "compute/core/shape.h"

namespace threadscape::morphology {

/// A picture in host memory. All channels are treated alike: a row is `channels * width` samples.
struct Samples {
  std::byte* data = nullptr;
  std::ptrdiff_t pitch = 0;  ///< In bytes.

  template <class T>
  [[nodiscard]] T* row(int y) const {
    return reinterpret_cast<T*>(data + y * pitch);
  }
};

/// Calls f(Value{}) with the type of the samples, one of those that output_shape() accepts.
template <class F>
void with_sample(Element element, const F& f) {
  switch (element) {
    case Element::u8:
      return f(std::uint8_t{});
    case Element::u16:
      return f(std::uint16_t{});
    default:
      return f(float{});
  }
}

/// One pass over a picture: one step, or two at once (see can_fuse()).
struct Pass {
  Element element = Element::u8;
  int channels = 1;
  int width = 0, height = 0;  ///< Size of the picture in pixels.
  Samples from, to;
  Samples original, side;  ///< Operands of Finish.
  const Step* steps = nullptr;
  int count = 1;
  std::shared_ptr<const ChordLines> lines;  ///< Null where the step's element has not one chord per row.
  Border border = Border::zero;
  Finish finish = Finish::none;
  bool keep_alpha = false;  ///< Keep the alpha of `from`.
  bool stream = false;      ///< The result is larger than the cache: store it past the cache.
};

/// Returns whether two steps can share a tile, which computes the first step's result in its halo as well.
[[nodiscard]] inline bool can_fuse(const Plan& plan, const Step& first, const Step& second) {
  return plan.neutral() && first.window->rect && second.window->rect && first.window->width == second.window->width &&
         first.window->height == second.window->height;
}

/// How many rows a tile of rectangles keeps for the rows that follow.
[[nodiscard]] inline int kept_rows(const Window& window) {
  return window.height > 1 ? window.height - 1 : 1;
}

/// How many rows of results a tile of chords makes at a time, and how many rows of the picture it keeps for that.
inline constexpr int chords_at_once = 4;
[[nodiscard]] inline int chord_rows(const Window& window) {
  return window.height + chords_at_once - 1;
}

struct Extent {
  int width, height;
};
/// Size of tiles in pixels for a run with this many threads: large enough that the halo, which neighbouring tiles
/// compute as well, is small.
[[nodiscard]] Extent tile_extent(const Pass& pass, int threads);
/// Bytes from one row of a tile's buffers to the next.
[[nodiscard]] std::size_t tile_pitch(const Pass& pass, Extent extent);
/// Bytes of memory for one tile of this size.
[[nodiscard]] std::size_t tile_bytes(const Pass& pass, Extent extent);
/// Processes the tile at (x, y). `memory` holds tile_bytes(), aligned to 64 bytes.
void process_tile(const Pass& pass, int x, int y, Extent extent, std::byte* memory);

}  // namespace threadscape::morphology
