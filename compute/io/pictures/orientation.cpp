#include "compute/io/pictures/orientation.h"

#include <cstring>
#include <utility>

namespace threadscape::io {

namespace {

/// Integers of a TIFF structure in its byte order; 0 beyond its end.
class Integers {
 public:
  explicit Integers(Bytes bytes) : bytes_(bytes), big_(!bytes.empty() && bytes[0] == std::byte{'M'}) {}

  [[nodiscard]] std::size_t at(std::size_t offset, std::size_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) return 0;
    std::size_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value = value << 8 | std::to_integer<std::size_t>(bytes_[offset + (big_ ? i : size - 1 - i)]);
    return value;
  }

 private:
  Bytes bytes_;
  bool big_;
};

/// How an orientation reads the stored pixels, in the order of its values 1..8.
struct Reading {
  bool transposed, mirrored_x, mirrored_y;  ///< Of the stored picture.
};
constexpr Reading readings[]{{false, false, false}, {false, true, false}, {false, true, true}, {false, false, true},
                             {true, false, false},  {true, false, true},  {true, true, true},  {true, true, false}};

}  // namespace

int exif_orientation(Bytes exif) {
  constexpr std::size_t tag_orientation = 274, entry_bytes = 12;
  const Integers integers(exif);
  const std::size_t directory = integers.at(4, 4), entries = integers.at(directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + i * entry_bytes;
    if (entry > exif.size()) break;
    if (integers.at(entry, 2) != tag_orientation) continue;
    const std::size_t value = integers.at(entry + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Loaded oriented(Loaded picture, int orientation) {
  if (orientation <= 1 || orientation > 8) return picture;
  const Reading reading = readings[orientation - 1];
  const HostArray stored = std::move(picture.pixels);
  Shape shape = stored.shape();
  if (reading.transposed) {
    std::swap(shape.width, shape.height);
    std::swap(picture.facts.per_metre_x, picture.facts.per_metre_y);
  }
  picture.pixels = HostArray(shape);
  const std::size_t pixel = shape.pixel_bytes();
  const auto last_x = stored.shape().width - 1, last_y = stored.shape().height - 1;
  for (std::int64_t y = 0; y < shape.height; ++y) {
    std::byte* to = picture.pixels.data() + static_cast<std::size_t>(y) * picture.pixels.pitch();
    for (std::int64_t x = 0; x < shape.width; ++x, to += pixel) {
      std::int64_t from_x = reading.transposed ? y : x, from_y = reading.transposed ? x : y;
      if (reading.mirrored_x) from_x = last_x - from_x;
      if (reading.mirrored_y) from_y = last_y - from_y;
      std::memcpy(
          to,
          stored.data() + static_cast<std::size_t>(from_y) * stored.pitch() + static_cast<std::size_t>(from_x) * pixel,
          pixel);
    }
  }
  return picture;
}

}  // namespace threadscape::io
