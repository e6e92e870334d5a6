// Masks and seam maps from picture files.

#include <algorithm>

#include "compute/algorithms/seams/seam_carving/seam_carving_plan.h"
#include "compute/core/errors.h"
#include "compute/core/file_cache.h"
#include "compute/core/mask.h"
#include "compute/core/parameter_file.h"

namespace threadscape::seam_carving {

namespace {

std::shared_ptr<const Mask> read_mask(const std::filesystem::path& path) {
  const HostArray pixels = read_parameter_file(ParameterFile::picture, path);
  const Shape& shape = pixels.shape();
  auto mask = std::make_shared<Mask>();
  mask->width = static_cast<int>(shape.width);
  mask->height = static_cast<int>(shape.height);
  mask->inside.resize(static_cast<std::size_t>(shape.items()));
  std::vector<int> in_row(static_cast<std::size_t>(mask->height)), in_column(static_cast<std::size_t>(mask->width));
  for_white(pixels, [&](int x, int y) {
    mask->inside[static_cast<std::size_t>(y) * in_column.size() + static_cast<std::size_t>(x)] = 1;
    ++in_row[static_cast<std::size_t>(y)];
    ++in_column[static_cast<std::size_t>(x)];
  });
  mask->max_in_row = *std::ranges::max_element(in_row);
  mask->max_in_column = *std::ranges::max_element(in_column);
  return mask;
}

/// Number of seams across the lines of a map: n if each of `lines` lines has each of 1..n exactly once and no other
/// number but 0; otherwise 0.
template <class At>
int seams_across(int lines, int length, const At& at) {
  int count = 0;
  std::vector<int> seen;
  for (int line = 0; line < lines; ++line) {
    int in_line = 0;
    for (int i = 0; i < length; ++i) {
      const std::size_t number = at(line, i);
      if (number == 0) continue;
      if (number >= seen.size()) seen.resize(number + 1, -1);
      if (seen[number] == line) return 0;
      seen[number] = line;
      ++in_line;
    }
    if (line > 0 && in_line != count) return 0;
    count = in_line;
    // If there are as many distinct numbers as the largest one says, they are 1..n.
    if (static_cast<int>(seen.size()) > count + 1) return 0;
  }
  return count;
}

std::shared_ptr<const SeamMap> read_map(const std::filesystem::path& path) {
  const HostArray pixels = read_parameter_file(ParameterFile::picture, path);
  const Shape& shape = pixels.shape();
  auto map = std::make_shared<SeamMap>();
  map->width = static_cast<int>(shape.width);
  map->height = static_cast<int>(shape.height);
  const auto add = [&]<class Pixel>(Pixel) {
    if (!holds<Pixel>(shape)) return;
    for (int y = 0; y < map->height; ++y)
      for (int x = 0; x < map->width; ++x)
        map->order.push_back(pixels.image<Pixel>()(x, y));
  };
  add(std::uint8_t{});
  add(std::uint16_t{});
  const auto at = [&](int x, int y) {
    return map->order[static_cast<std::size_t>(y) * static_cast<std::size_t>(map->width) + static_cast<std::size_t>(x)];
  };
  if (!map->order.empty()) {
    map->columns = seams_across(map->height, map->width, [&](int y, int x) { return at(x, y); });
    map->rows = seams_across(map->width, map->height, [&](int x, int y) { return at(x, y); });
  }
  const bool blank = std::ranges::all_of(map->order, [](std::uint16_t number) { return number == 0; });
  if (map->order.empty() || (map->columns == 0 && map->rows == 0 && !blank))
    throw UsageError(
        "seam_carving: " + path.string() +
        " is no map: a grey picture of whole numbers is wanted, 1..n once in every row or in every column");
  return map;
}

}  // namespace

std::shared_ptr<const Mask> load_mask(const std::filesystem::path& path) {
  static FileCache<Mask> cache(read_mask);
  return cache.get(path);
}

std::shared_ptr<const SeamMap> load_map(const std::filesystem::path& path) {
  static FileCache<SeamMap> cache(read_map);
  return cache.get(path);
}

}  // namespace threadscape::seam_carving
