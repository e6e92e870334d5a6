// What the window shows of morphology beside its result: the element, which can be painted, and the intermediate steps.

#include <algorithm>
#include <cmath>
#include <optional>

#include "compute/algorithms/morphology/morphology/morphology.h"
#include "compute/core/errors.h"
#include "compute/registry/facets/preview.h"

namespace threadscape {

using morphology::StructuringElement;

namespace {

static_assert(morphology::max_painted == Preview::max_painted);

bool is_hit_or_miss(const Morphology::Params& params) {
  return params.operation == Morphology::Operation::hitmiss;
}

bool same_cells(const Preview& a, const Preview& b) {
  if (a.width() != b.width() || a.height() != b.height()) return false;
  const auto left = a.picture.image<Rgba8>(), right = b.picture.image<Rgba8>();
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (left(x, y) != right(x, y)) return false;
  return true;
}

StructuringElement element_of(const Preview& painted) {
  StructuringElement element = morphology::blank_element(painted.width(), painted.height(), -1, -1);
  element.background.assign(element.part.size(), 1);
  const bool grey = painted.cells == Preview::Cells::levels;
  if (grey) element.levels.assign(element.part.size(), 0.0f);
  const auto cells = painted.picture.image<Rgba8>();
  for (int y = 0; y < element.height; ++y)
    for (int x = 0; x < element.width; ++x) {
      const std::size_t i = element.index(x, y);
      const Rgba8 cell = cells(x, y);
      const bool black = cell.r == 0 && painted.cells == Preview::Cells::parts_and_background;
      element.part[i] = cell.a != 0 && !black;
      if (grey) element.levels[i] = cell.r;
      if (painted.cells == Preview::Cells::parts_and_background) element.background[i] = cell.a != 0 && black;
    }
  return element;
}

/// Pixels that are not part of an element were background or ignored by hit-or-miss. Painting a flat element keeps
/// that.
void keep_ignored(StructuringElement& element, const StructuringElement& before) {
  if (before.width != element.width || before.height != element.height) return;
  for (std::size_t i = 0; i < element.part.size(); ++i)
    if (!before.part[i] && !before.background[i]) element.background[i] = 0;
}

std::string times(int count) {
  return count == 1 ? "" : ", " + std::to_string(count) + " times";
}

}  // namespace

Preview Morphology::preview(const Params& params) {
  const StructuringElement element = possibly_empty_element(params);
  Preview preview;
  preview.origin_x = element.origin_x;
  preview.origin_y = element.origin_y;
  preview.cells = is_hit_or_miss(params)   ? Preview::Cells::parts_and_background
                  : element.levels.empty() ? Preview::Cells::parts
                                           : Preview::Cells::levels;
  preview.picture = HostArray(Shape::image(Element::u8, 4, element.width, element.height));
  const auto cells = preview.picture.image<Rgba8>();
  const auto grey = [](std::uint8_t level) { return Rgba8{level, level, level, 255}; };
  for (int y = 0; y < element.height; ++y)
    for (int x = 0; x < element.width; ++x) {
      const std::size_t i = element.index(x, y);
      if (element.part[i])
        cells(x, y) = grey(element.levels.empty() ? 255 : static_cast<std::uint8_t>(std::lround(element.levels[i])));
      else
        cells(x, y) = is_hit_or_miss(params) && element.background[i] ? grey(0) : Rgba8{0, 0, 0, 0};
    }
  return preview;
}

void Morphology::paint(Params& params, const Preview& painted) {
  if (const int limit = Preview::max_painted; std::max(painted.width(), painted.height()) > limit)
    throw UsageError("morphology: painted elements have at most " + std::to_string(limit) + " pixels a side, not " +
                     std::to_string(painted.width()) + "x" + std::to_string(painted.height()));
  Params moved = params;
  const auto origin = [](int at, int size) { return at == size / 2 ? -1 : at; };
  moved.origin_x = origin(painted.origin_x, painted.width());
  moved.origin_y = origin(painted.origin_y, painted.height());
  std::optional<StructuringElement> before;
  try {
    if (same_cells(preview(moved), painted)) {
      params = moved;  // The form stays what it is.
      return;
    }
    before = possibly_empty_element(params);
  } catch (const Error&) {
    // The previous element does not matter for what is painted.
  }
  StructuringElement element = element_of(painted);
  if (before && painted.cells == Preview::Cells::parts) keep_ignored(element, *before);
  params = moved;
  params.shape = Form::file;
  params.element = painted_text(element);
  params.assigned("element");
}

std::vector<std::pair<std::string, Morphology::Params>> Morphology::intermediates(const Params& params) {
  std::vector<std::pair<std::string, Params>> pictures;
  const auto as = [&](Operation operation) {
    Params one = params;
    one.operation = operation;
    return one;
  };
  const std::string erosion = "erosion" + times(params.iterations), dilation = "dilation" + times(params.iterations);
  switch (params.operation) {
    case Operation::erode:
    case Operation::dilate:
      for (int i = 1; i <= params.iterations; ++i) {
        pictures.emplace_back(params.operation == Operation::erode ? "erosion" : "dilation", params);
        pictures.back().second.iterations = i;
      }
      break;
    case Operation::open:
      pictures = {{erosion, as(Operation::erode)}, {dilation, params}};
      break;
    case Operation::close:
      pictures = {{dilation, as(Operation::dilate)}, {erosion, params}};
      break;
    case Operation::gradient:
      pictures = {{dilation, as(Operation::dilate)}, {erosion, as(Operation::erode)}, {"their difference", params}};
      break;
    case Operation::tophat:
      pictures = {{erosion, as(Operation::erode)}, {dilation, as(Operation::open)}, {"picture - opening", params}};
      break;
    case Operation::blackhat:
      pictures = {{dilation, as(Operation::dilate)}, {erosion, as(Operation::close)}, {"closing - picture", params}};
      break;
    case Operation::hitmiss:
      // An erosion takes another threshold for white, so it would use another element.
      if (params.shape == Form::file && !morphology::is_painted(params.element)) break;
      pictures = {{"foreground fits", as(Operation::erode)}, {"background fits, too", params}};
      pictures.front().second.flat = true;
      break;
    case Operation::open_reconstruct:
      pictures = {{erosion, as(Operation::erode)}, {"reconstruction", params}};
      break;
  }
  return pictures;
}

}  // namespace threadscape
