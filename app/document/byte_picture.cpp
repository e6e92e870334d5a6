#include "app/document/byte_picture.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "compute/run/similarity.h"

namespace threadscape::app {

namespace {

/// Numbers that are no bytes, in the range from the least to the greatest.
HostArray scaled_to_bytes(HostIn picture) {
  Shape shape = picture.shape;
  shape.kind = Kind::image;
  shape.element = Element::u8;
  HostArray bytes(shape);
  std::vector<double> row(static_cast<std::size_t>(shape.width));
  double least = std::numeric_limits<double>::max(), most = std::numeric_limits<double>::lowest();
  const auto for_each_row = [&](const auto& f) {
    for (int channel = 0; channel < shape.channels; ++channel)
      for (std::int64_t y = 0; y < shape.height; ++y) {
        read_row(picture, y, 0, channel, row.data());
        f(y, channel);
      }
  };
  for_each_row([&](std::int64_t, int) {
    for (const double value : row) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  });
  const double range = most > least ? most - least : 1.0;
  const HostOut to = bytes.view();
  for_each_row([&](std::int64_t y, int channel) {
    std::byte* const line = to.data + static_cast<std::size_t>(y) * to.pitch;
    for (std::size_t x = 0; x < row.size(); ++x)
      line[x * static_cast<std::size_t>(shape.channels) + static_cast<std::size_t>(channel)] =
          static_cast<std::byte>(std::clamp((row[x] - least) / range * 255.0 + 0.5, 0.0, 255.0));
  });
  return bytes;
}

/// The means of square blocks of bytes. Those at the right and lower rim may be smaller.
HostArray reduced(HostIn picture, std::int64_t side) {
  Shape shape = picture.shape;
  shape.width = (shape.width + side - 1) / side;
  shape.height = (shape.height + side - 1) / side;
  HostArray small(shape);
  const HostOut to = small.view();
  for (std::int64_t y = 0; y < shape.height; ++y)
    for (std::int64_t x = 0; x < shape.width; ++x)
      for (std::int64_t channel = 0; channel < shape.channels; ++channel) {
        std::int64_t sum = 0, count = 0;
        for (std::int64_t row = y * side; row < std::min((y + 1) * side, picture.shape.height); ++row)
          for (std::int64_t column = x * side; column < std::min((x + 1) * side, picture.shape.width); ++column) {
            sum += std::to_integer<int>(picture.data[static_cast<std::size_t>(row) * picture.pitch +
                                                     static_cast<std::size_t>(column * shape.channels + channel)]);
            ++count;
          }
        to.data[static_cast<std::size_t>(y) * to.pitch + static_cast<std::size_t>(x * shape.channels + channel)] =
            static_cast<std::byte>((sum + count / 2) / count);
      }
  return small;
}

}  // namespace

HostArray byte_picture(HostIn picture, std::int64_t longest) {
  HostArray bytes;
  if (picture.shape.element != Element::u8 || picture.shape.kind != Kind::image) {
    bytes = scaled_to_bytes(picture);
    picture = bytes.view();
  }
  const std::int64_t side = std::max(picture.shape.width, picture.shape.height);
  if (longest > 0 && side > longest) return reduced(picture, (side + longest - 1) / longest);
  if (bytes.view().data != nullptr) return bytes;
  HostArray same(picture.shape);
  copy(picture, same.view());
  return same;
}

}  // namespace threadscape::app
