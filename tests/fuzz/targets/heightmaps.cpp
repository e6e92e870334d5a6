// Heightfields: pictures, and .r32 files. Each is written in one of the formats, if that holds it, and read again.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "compute/core/errors.h"
#include "compute/io/pictures/heightfield_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/support/compute/scoped_limit.h"

namespace threadscape::fuzz {

namespace {

/// The height at x, y as a double.
double height_at(const HostArray& heights, int x, int y) {
  switch (heights.shape().element) {
    case Element::u8:
      return heights.image<std::uint8_t>()(x, y);
    case Element::u16:
      return heights.image<std::uint16_t>()(x, y);
    default:
      return heights.image<float>()(x, y);
  }
}

/// Expects that all heights of `a` that are no holes differ by at most `tolerance`.
void expect_near(const HostArray& a, const HostArray& b, double tolerance, const std::string& what) {
  expect(a.shape().width == b.shape().width && a.shape().height == b.shape().height, what + ": other extents");
  for (int y = 0; y < static_cast<int>(a.shape().height); ++y)
    for (int x = 0; x < static_cast<int>(a.shape().width); ++x)
      expect(std::isnan(height_at(a, x, y)) || std::abs(height_at(a, x, y) - height_at(b, x, y)) <= tolerance,
             what + ": other heights");
}

void write_and_read_heights(const HostArray& heights, std::string_view extension) {
  if (extension == ".r16" && heights.shape().element != Element::u16) return;  // Its numbers are others.
  const auto path = scratch_path("written" + std::string(extension));
  try {
    io::save_heightfield(path, heights.view(), 0);
  } catch (const UsageError&) {
    return;  // The format does not hold such heights.
  }
  // PNG stores floats as 65535 steps from the lowest to the highest height, and the result is rounded to a float. The
  // other formats store all heights exactly.
  double tolerance = 0;
  if (extension == ".png" && heights.shape().element == Element::f32) {
    const HeightRange range = height_range(heights.view());
    const double largest = std::max(std::abs(double{range.low}), std::abs(double{range.high}));
    tolerance = (double{range.high} - range.low) / 65535 * 0.500001 + largest * 1.2e-7 + 1e-45;
  }
  expect_near(heights, io::load_heightfield(path, {}), tolerance, std::string(extension));
}

}  // namespace

FUZZ_TARGET(heightmaps) {
  constexpr std::array<const char*, 5> names{"heights.png", "heights.r32", "heights.r16", "heights.asc", "heights.hgt"};
  const char* const name = names[input.choice(names.size())];
  const ScopedLimit pixels(io::Limit::pixels, 1 << 16);
  const auto path = scratch_file(name, input.bytes());
  const HostArray heights = io::load_heightfield(path, {});
  note_result(heights.view());
  // Writing and reading all formats would take most of the time, so that each input has one of them.
  std::vector<std::string_view> extensions = io::heightfield_extensions(io::FormatUse::written);
  const std::vector<std::string_view> read = io::heightfield_extensions(io::FormatUse::read);
  // Models are read as meshes.
  std::erase_if(extensions, [&](std::string_view extension) { return std::ranges::count(read, extension) == 0; });
  write_and_read_heights(heights, extensions[input.bytes().size() % extensions.size()]);
}

}  // namespace threadscape::fuzz
