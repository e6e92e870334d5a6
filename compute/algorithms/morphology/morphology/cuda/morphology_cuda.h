#pragma once
// The kernel launchers of morphology, one file each, and what they are prepared from. morphology_cuda.cu decides which
// of them a plan needs.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compute/algorithms/morphology/morphology/morphology_plan.h"
#include "compute/registry/algorithm.h"

namespace threadscape::morphology {

/// The variant that works phase by phase, an index of Morphology::cuda_variants.
inline constexpr int planes_variant = 3;

/// A picture in device memory; `pitch` is in bytes.
struct DevicePicture {
  std::byte* data = nullptr;
  std::size_t pitch = 0;

  [[nodiscard]] DeviceOut view(const Shape& shape) const { return {data, shape, pitch}; }
};

/// One erosion or dilation from one picture to another of the same shape. All channels are treated alike.
struct DevicePass {
  Shape shape;
  DevicePicture from, to;
  Step step;
  Border border = Border::zero;
  CudaStream stream = {};
  /// For rectangles: process the picture from its end to its beginning. What the previous pass has written last is then
  /// read first, while it is still in the cache.
  bool backwards = false;
};

enum class Axis { columns, rows };
/// A pass of a rectangle along one axis.
struct LinePass {
  Axis axis;
  const Step* first;
  const Step* second = nullptr;  ///< A second step in the same launch: along rows and under a neutral border only.
};
/// Cuts the steps of rectangles into passes.
[[nodiscard]] std::vector<LinePass> line_passes(const std::vector<Step>& steps, bool neutral);
/// Returns whether the last pass can write the result of the run itself, with the alpha of the input: for pixels of one
/// 32-bit word or of one channel. Passes of rectangles hand alpha on from one to the next, which needs every window to
/// hold the pixel whose result it makes.
[[nodiscard]] bool can_finish(const Shape& shape, const std::vector<Step>& steps);

// Rectangles by van Herk / Gil-Werman (morphology_lines.cu). With `result` the kernel writes the result of that run
// instead of pass.to.
void launch_lines(const DevicePass& pass, const LinePass& line, const DeviceRun* result);

/// The same chord in `rows` neighbouring rows of an element, as two entries `first` and `second` of the table of a
/// tile. Places are relative to the place of the result, in the first of these rows.
struct ChordRun {
  std::int16_t row, first, second, rows;
};
inline constexpr int max_run_rows = 4;
inline constexpr int table_levels = 8;  ///< Chords have up to 255 pixels: 2^8 - 1.
/// Some rows of an element. Its chord runs of level l, made of maxima over 2^l pixels, are runs[begin[l]] ..
/// runs[begin[l + 1] - 1].
struct ElementSlice {
  int top = 0, rows = 0;
  int begin[table_levels + 1] = {};
};
inline constexpr int chord_tile_width = 64, chord_tile_height = 64;
/// An element prepared for morphology_chords.cu, cut into slices of as many rows as fit into shared memory.
struct ChordTable {
  /// Words behind the tile that may be read; what is read there belongs to no chord.
  static constexpr int padding_words = 128;
  int left = 0, width = 0, rows = 0;  ///< The tile with the pixels around it; `left` and `width` are multiples of 4.
  std::vector<ElementSlice> slices;
  std::vector<ChordRun> runs;

  /// Words of one of the two levels in shared memory.
  [[nodiscard]] int level_words() const { return width * rows + padding_words; }
  [[nodiscard]] std::size_t shared_bytes() const {
    return 2 * sizeof(std::uint32_t) * static_cast<std::size_t>(level_words());
  }
  /// Size in bytes of the slices, which the runs follow in device memory.
  [[nodiscard]] std::size_t slice_bytes() const { return slices.size() * sizeof(ElementSlice); }
  [[nodiscard]] std::size_t bytes() const { return slice_bytes() + runs.size() * sizeof(ChordRun); }
};
[[nodiscard]] ChordTable chord_table(const Window& window);

/// The variant whose memory and passes are those of vectors, too: an index of Morphology::cuda_variants.
inline constexpr int terms_variant = 1;

/// The scratch memory that a run takes: numbers of bytes, and a number of pictures.
struct CudaMemoryNeed {
  int pictures = 1;
  std::size_t pitch = 0, element = 0, grow = 0;

  CudaMemoryNeed(const Plan& plan, const Shape& shape, int variant);
};

// Flat elements that are not rectangles (morphology_chords.cu). `memory` holds CudaMemoryNeed::element bytes; `result`
// as in launch_lines().
void launch_chords(const DevicePass& pass, std::byte* memory, const DeviceRun* result);

/// The scratch memory that a run of the variant `planes` takes beside its planes: a number of terms, and bytes.
struct PlanesMemoryNeed {
  std::size_t plane = 0;  ///< Bytes of one plane.
  int planes = 0;
  std::size_t terms = 0, marker_pitch = 0, marker = 0, grow = 0;

  PlanesMemoryNeed(const Plan& plan, const Shape& shape);
  [[nodiscard]] std::size_t bytes() const;
};
/// Executes a whole plan phase by phase (morphology_planes.cu).
void launch_planes(const Plan& plan, const DeviceRun& run);

// Any element, one thread per pixel (morphology_terms.cu). `memory` holds CudaMemoryNeed::element bytes.
void launch_terms(const DevicePass& pass, std::byte* memory, bool shared);

// Colours as vectors, for all variants (morphology_vectors.cu). `memory` holds CudaMemoryNeed::element bytes.
void launch_vectors(const DevicePass& pass, std::byte* memory, ColourOrder order);

// The step after the last pass (morphology_finish.cu): Finish, the alpha of the input, and the store to the result of
// the run.
void launch_finish(const DeviceRun& run, Finish finish, DevicePicture result, DevicePicture side);

// Reconstruction (morphology_reconstruct.cu).
inline constexpr int reconstruction_tile = 32;  ///< Side in pixels of the tiles that wait in the queue.
/// The queue of tiles that may still grow, a ring buffer.
struct ReconstructionQueue {
  int* counters = nullptr;  ///< Three counters: taken, added, pending.
  int* slots = nullptr;     ///< Tile + 1, or 0 for an empty slot.
  int* state = nullptr;     ///< The State of each tile.
  int tiles = 0, across = 0, down = 0;
};
[[nodiscard]] int reconstruction_tiles(const Shape& shape);
/// Reconstruction by dilation in one launch: `marker` grows under the input of the run. `memory` holds
/// CudaMemoryNeed::grow bytes.
void launch_reconstruction(const DeviceRun& run, DevicePicture marker, std::byte* memory);

}  // namespace threadscape::morphology
