#pragma once
// The CUDA launchers of morphology, one file each; morphology_cuda.cu decides which are needed.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compute/algorithms/morphology/morphology/morphology_plan.h"
#include "compute/registry/algorithm.h"

namespace threadscape::morphology {

/// Pixels in device memory; `pitch` is in bytes.
struct DevicePicture {
  std::byte* data = nullptr;
  std::size_t pitch = 0;

  [[nodiscard]] DeviceOut view(const Shape& shape) const { return {data, shape, pitch}; }
};

/// One erosion or dilation from a picture to another one of the same shape, all channels alike.
struct DevicePass {
  Shape shape;
  DevicePicture from, to;
  Step step;
  Border border = Border::zero;
  CudaStream stream = nullptr;
  /// Rectangles: from the end of the picture to its beginning. What the pass before has written last is then read
  /// first, while it is still in the cache.
  bool backwards = false;
};

enum class Axis { columns, rows };
/// A rectangle's pass along one axis.
struct LinePass {
  Axis axis;
  const Step* first;
  const Step* second = nullptr;  ///< done in the same launch, along rows and under a neutral border only
};
[[nodiscard]] std::vector<LinePass> line_passes(const std::vector<Step>& steps, bool neutral);
/// The last pass may write the result itself, with the alpha of the input: pixels of one word, 8-bit or grey. Passes of
/// rectangles hand alpha on from one to the next, as long as every window holds the pixel whose result it makes.
[[nodiscard]] bool can_finish(const Shape& shape, const std::vector<Step>& steps);

// morphology_lines.cu: van Herk / Gil-Werman. `result`, if given, takes the place of pass.to.
void launch_lines(const DevicePass& pass, const LinePass& line, const DeviceRun* result);

/// The same chord in some neighbouring rows, as two entries of the table of a tile: where they lie in the first of
/// these rows, relative to the place of the result.
struct ChordRun {
  std::int16_t row, first, second, rows;
};
inline constexpr int longest_run = 4;
inline constexpr int table_levels = 8;  ///< chords of up to 255 pixels
/// Some rows of an element. Its runs of level l, maxima over 2^l pixels, are begin[l] .. begin[l + 1] - 1.
struct Slice {
  int top = 0, rows = 0;
  int begin[table_levels + 1] = {};
};
inline constexpr int chord_tile_width = 64, chord_tile_height = 64;
/// An element as morphology_chords.cu wants it. As many rows at a time as fit into shared memory.
struct ChordTable {
  /// What is read beyond the end of the tile belongs to no chord.
  static constexpr int words_beyond = 128;
  int left = 0, width = 0, rows = 0;  ///< of the tile, with the pixels around it; left and width in multiples of 4
  std::vector<Slice> slices;
  std::vector<ChordRun> runs;

  /// Of one of the two levels that are in shared memory.
  [[nodiscard]] int level_words() const { return width * rows + words_beyond; }
  [[nodiscard]] std::size_t shared_bytes() const {
    return 2 * sizeof(std::uint32_t) * static_cast<std::size_t>(level_words());
  }
  /// Slices and runs, one behind the other.
  [[nodiscard]] std::size_t slice_bytes() const { return slices.size() * sizeof(Slice); }
  [[nodiscard]] std::size_t bytes() const { return slice_bytes() + runs.size() * sizeof(ChordRun); }
};
[[nodiscard]] ChordTable chord_table(const Window& window);
/// The pixels of any window, rectangles included.
[[nodiscard]] std::vector<Term> all_terms(const Window& window);

/// What a run takes from the scratch memory.
struct CudaNeed {
  int pictures = 1;
  std::size_t pitch = 0, element = 0, grow = 0;

  CudaNeed(const Plan& plan, const Shape& shape, int variant);
};

// morphology_chords.cu: flat elements that are not rectangles. `result` as for launch_lines().
void launch_chords(const DevicePass& pass, std::byte* memory, const DeviceRun* result);

// morphology_terms.cu: one thread per pixel, any element.
void launch_terms(const DevicePass& pass, std::byte* memory, bool shared);

// morphology_finish.cu
/// What follows the last pass: Finish, alpha, and the store that the run asks for.
void launch_finish(const DeviceRun& run, Finish finish, DevicePicture result, DevicePicture side);

// morphology_grow.cu
inline constexpr int grow_tile = 32;  ///< side of the squares that wait in the queue
/// The queue of reconstruction, see morphology_grow.cu.
struct GrowQueue {
  int* counters = nullptr;  ///< taken, added, pending
  int* slots = nullptr;     ///< square + 1, or 0
  int* state = nullptr;     ///< by square
  int squares = 0, across = 0, down = 0;
};
[[nodiscard]] int grow_squares(const Shape& shape);
/// Reconstruction by dilation: `marker` grows under `original`, in one launch.
void launch_grow(const DeviceRun& run, DevicePicture marker, std::byte* memory);

}  // namespace threadscape::morphology
