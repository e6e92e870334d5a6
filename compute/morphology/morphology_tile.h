#pragma once
// A tile of the picture, as the OpenMP backend works on it: see morphology_simd.cpp.

#include <cstddef>

#include "compute/core/shape.h"
#include "compute/morphology/morphology_plan.h"

namespace threadscape::morphology {

/// Pixels in host memory. All channels are worked on alike: a row is `channels * width` samples.
struct Samples {
  std::byte* data = nullptr;
  std::ptrdiff_t pitch = 0;  ///< in bytes

  template <class T>
  [[nodiscard]] T* row(int y) const {
    return reinterpret_cast<T*>(data + y * pitch);
  }
};

/// Calls f(Value{}) for the type of the samples: one of those that output_shape() lets pass.
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
  int width = 0, height = 0;  ///< of the picture, in pixels
  Samples from, to;
  Samples original, side;  ///< for Finish; alpha comes from `original`
  const Step* steps = nullptr;
  int count = 1;
  Border border = Border::zero;
  Finish finish = Finish::none;
  bool keep_alpha = false;
  bool stream = false;  ///< the result is larger than the cache: write past it
};

/// Whether two steps can share a tile: the first one's result around the tile is computed along with it.
[[nodiscard]] inline bool can_fuse(const Plan& plan, const Step& first, const Step& second) {
  return plan.neutral() && first.window->rect && second.window->rect;
}

/// Up to this height maxima along columns share rows between four results; from here on van Herk's method does less.
inline constexpr int few_rows = 11;
/// How many rows of results that takes at once, in a pass of rectangles.
[[nodiscard]] inline int rows_at_once(const Window& window) {
  return window.height > few_rows ? window.height : (window.height + 3) / 4 * 4;
}
/// How many rows a tile of such a pass keeps of its buffer `i`: of what is loaded (0), or of the results of step i.
[[nodiscard]] inline int rows_kept(const Pass& pass, int i) {
  const int made = i == 0 ? 1 : rows_at_once(*pass.steps[i - 1].window);
  if (i == pass.count) return made;
  const int taken = rows_at_once(*pass.steps[i].window) + pass.steps[i].window->height - 1;
  // Rows are made in packs. Where packs of both kinds are equally high, they start at the same rows.
  if (rows_at_once(*pass.steps[i].window) == made) return (taken + made - 1) / made * made;
  return taken + made - 1;
}

struct Extent {
  int width, height;
};
/// In pixels. Large enough that the pixels around it, which neighbouring tiles compute as well, are few.
[[nodiscard]] Extent tile_extent(const Pass& pass);
/// Bytes from one row of a tile's buffers to the next.
[[nodiscard]] std::size_t tile_pitch(const Pass& pass, Extent extent);
/// Bytes of memory for one tile of this size.
[[nodiscard]] std::size_t tile_bytes(const Pass& pass, Extent extent);
/// Does the tile at (x, y). `memory` holds tile_bytes(), aligned to 64 bytes.
void process_tile(const Pass& pass, int x, int y, Extent extent, std::byte* memory);

}  // namespace threadscape::morphology
