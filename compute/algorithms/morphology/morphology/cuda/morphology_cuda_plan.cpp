// What the CUDA backend prepares on the host: rectangles cut into passes, elements cut into chords, and the memory of a
// run. Compiled without CUDA as well.

#include <algorithm>
#include <tuple>

#include "compute/algorithms/morphology/morphology/cuda/morphology_cuda.h"
#include "compute/algorithms/morphology/morphology/morphology_memory.h"
#include "compute/algorithms/morphology/morphology/morphology_planes.h"

namespace threadscape::morphology {

std::vector<LinePass> line_passes(const std::vector<Step>& steps, bool neutral) {
  std::vector<LinePass> passes;
  const auto add = [&](Axis axis, const Step& step) {
    const Window& window = *step.window;
    const bool columns_idle = window.height == 1 && window.top == 0, rows_idle = window.width == 1 && window.left == 0;
    // A pass that changes nothing is left out, unless it is the only one.
    if (axis == Axis::rows ? rows_idle : columns_idle && !rows_idle) return;
    if (neutral && axis == Axis::rows && !passes.empty() && passes.back().axis == axis && !passes.back().second)
      passes.back().second = &step;
    else
      passes.push_back({axis, &step});
  };
  // The axes alternate so that neighbouring steps meet along rows and can share a launch, and so that the last pass
  // goes along columns.
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool rows_first = (steps.size() - i) % 2 == 1;
    add(rows_first ? Axis::rows : Axis::columns, steps[i]);
    add(rows_first ? Axis::columns : Axis::rows, steps[i]);
  }
  return passes;
}

bool can_finish(const Shape& shape, const std::vector<Step>& steps) {
  if (shape.channels == 1) return true;
  const auto hands_alpha_on = [](const Step& step) {
    const Window& w = *step.window;
    return !w.rect || (w.left <= 0 && w.top <= 0 && w.right() >= 0 && w.bottom() >= 0);
  };
  return shape.element == Element::u8 && std::ranges::all_of(steps, hands_alpha_on);
}

ChordTable chord_table(const Window& window) {
  constexpr std::size_t max_shared_bytes = std::size_t{96} << 10;
  ChordTable table;
  table.left = window.left & ~3;
  table.width = (chord_tile_width + window.right() - table.left + 3) / 4 * 4;
  const int words = static_cast<int>(max_shared_bytes / (2 * sizeof(std::uint32_t))) - ChordTable::padding_words;
  const int at_a_time = std::clamp(words / table.width - (chord_tile_height - 1), 1, window.height);
  table.rows = chord_tile_height + at_a_time - 1;
  // Sorted so that equal chords of neighbouring rows are neighbours.
  std::vector<Chord> chords = window.chords;
  std::ranges::sort(chords, {}, [](const Chord& c) { return std::tuple(c.dx, c.length, c.dy); });
  for (int first = window.top; first <= window.bottom(); first += at_a_time) {
    ElementSlice slice;
    slice.top = first;
    slice.rows = std::min(at_a_time, window.bottom() + 1 - first);
    for (int level = 0; level < table_levels; ++level) {
      slice.begin[level] = static_cast<int>(table.runs.size());
      const Chord* last = nullptr;  // The last chord of the run that is being made.
      for (const Chord& chord : chords) {
        if (chord.dy < first || chord.dy >= first + slice.rows) continue;
        if (chord.length >> level != 1) continue;  // The level of a chord is the largest power of two in its length.
        const bool goes_on = last != nullptr && last->dx == chord.dx && last->length == chord.length &&
                             last->dy + 1 == chord.dy && table.runs.back().rows < max_run_rows;
        last = &chord;
        const int column = chord.dx - table.left;
        if (goes_on)
          ++table.runs.back().rows;
        else
          table.runs.push_back({static_cast<std::int16_t>(chord.dy - first), static_cast<std::int16_t>(column),
                                static_cast<std::int16_t>(column + chord.length - (1 << level)), 1});
      }
    }
    slice.begin[table_levels] = static_cast<int>(table.runs.size());
    table.slices.push_back(slice);
  }
  return table;
}

int reconstruction_tiles(const Shape& shape) {
  const auto side = [](std::int64_t pixels) {
    return static_cast<int>((pixels + reconstruction_tile - 1) / reconstruction_tile);
  };
  const int words = std::max(1, static_cast<int>(shape.pixel_bytes() / sizeof(std::uint32_t)));
  return side(shape.width) * side(shape.height) * words;
}

CudaMemoryNeed::CudaMemoryNeed(const Plan& plan, const Shape& shape, int variant)
    : pictures(plan.side.empty() ? 2 : 3),
      pitch(DeviceScratch::padded(shape.pixel_bytes() * static_cast<std::size_t>(shape.width))) {
  const auto window_bytes = [&](const Window& window) -> std::size_t {
    if (variant == 0 && window.rect) return 0;
    if (variant == 0 && window.flat) return chord_table(window).bytes();
    const auto area = static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height);
    return (window.rect ? area : window.terms.size()) * sizeof(Term);
  };
  for (const auto* steps : {&plan.side, &plan.steps})
    for (const Step& step : *steps)
      element = std::max(element, DeviceScratch::padded(window_bytes(*step.window)));
  if (plan.reconstruct)
    grow = DeviceScratch::padded(static_cast<std::size_t>(3 + 2 * reconstruction_tiles(shape)) * sizeof(int));
}

PlanesMemoryNeed::PlanesMemoryNeed(const Plan& plan, const Shape& shape)
    : plane(DeviceScratch::padded(PlaneExtent(plan, shape).cells() * size_of(shape.element))),
      planes((shape.channels == 4 ? 3 : 1) * planes_per_channel(plan)) {
  for (const auto* steps : {&plan.side, &plan.steps})
    for (const Step& step : *steps)
      terms = std::max(terms, all_terms(*step.window).size());
  if (!plan.reconstruct) return;
  marker_pitch = DeviceScratch::padded(shape.pixel_bytes() * static_cast<std::size_t>(shape.width));
  marker = marker_pitch * static_cast<std::size_t>(shape.height);
  grow = DeviceScratch::padded(static_cast<std::size_t>(3 + 2 * reconstruction_tiles(shape)) * sizeof(int));
}

std::size_t PlanesMemoryNeed::bytes() const {
  return static_cast<std::size_t>(planes) * plane + DeviceScratch::padded(terms * sizeof(Term)) + marker + grow;
}

std::size_t cuda_scratch_bytes(const Plan& plan, const Shape& input, int variant) {
  const bool vectors = has_vectors(plan, input);
  if (variant == planes_variant && !vectors) return PlanesMemoryNeed(plan, input).bytes();
  const CudaMemoryNeed need(plan, input, vectors ? terms_variant : variant);
  return static_cast<std::size_t>(need.pictures) * need.pitch * static_cast<std::size_t>(input.height) + need.element +
         need.grow;
}

}  // namespace threadscape::morphology
