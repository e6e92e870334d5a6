// Structuring elements from picture files.

#include "compute/algorithms/morphology/morphology/morphology_element.h"
#include "compute/core/border.h"
#include "compute/core/errors.h"
#include "compute/core/file_cache.h"
#include "compute/core/parameter_file.h"

namespace threadscape::morphology {

namespace {

struct Picture {
  int width = 0, height = 0;
  std::vector<int> levels;  ///< Luma of each pixel, 0..255.
};

/// Luma of every pixel of a picture of any format that a file can have, 0..255.
std::vector<int> grey_levels(const HostArray& pixels) {
  const int width = static_cast<int>(pixels.shape().width), height = static_cast<int>(pixels.shape().height);
  std::vector<int> levels;
  const auto add = [&]<class Pixel>(Pixel) {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const Pixel pixel = pixels.image<Pixel>()(x, y);
        int value = 0;
        if constexpr (std::is_class_v<Pixel>)
          value = luma(pixel);
        else
          value = pixel;
        constexpr bool wide = PixelTraits<Pixel>::element == Element::u16;
        levels.push_back(wide ? (value + 128) / 257 : value);
      }
  };
  if (holds<std::uint8_t>(pixels.shape()))
    add(std::uint8_t{});
  else if (holds<Rgba8>(pixels.shape()))
    add(Rgba8{});
  else if (holds<std::uint16_t>(pixels.shape()))
    add(std::uint16_t{});
  else
    add(Rgba16{});
  return levels;
}

std::shared_ptr<const Picture> read_picture(const std::filesystem::path& path) {
  const HostArray pixels = read_parameter_file(ParameterFile::picture, path);
  const Shape& shape = pixels.shape();
  if (shape.width > max_element_size || shape.height > max_element_size)
    throw UsageError("morphology: the element " + path.string() + " has " + std::to_string(shape.width) + "x" +
                     std::to_string(shape.height) + " pixels, at most 255x255 are accepted");
  return std::make_shared<const Picture>(
      Picture{static_cast<int>(shape.width), static_cast<int>(shape.height), grey_levels(pixels)});
}

}  // namespace

StructuringElement load_element(const std::filesystem::path& path, int origin_x, int origin_y, bool flat,
                                bool hit_or_miss) {
  static FileCache<Picture, 8> cache(read_picture);
  const std::shared_ptr<const Picture> picture = cache.get(path);
  StructuringElement element = blank_element(picture->width, picture->height, origin_x, origin_y);
  element.background.assign(element.part.size(), 0);
  const int threshold = hit_or_miss ? 192 : flat ? 128 : 1;
  for (std::size_t i = 0; i < picture->levels.size(); ++i) {
    const int level = picture->levels[i];
    element.part[i] = level >= threshold;
    element.background[i] = level < (hit_or_miss ? 64 : threshold);
    if (!flat) element.levels.push_back(static_cast<float>(level));
  }
  return element;
}

}  // namespace threadscape::morphology
