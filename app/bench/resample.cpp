#include "app/bench/resample.h"

#include <algorithm>
#include <cstring>

#include "compute/core/errors.h"

namespace threadscape::app {

HostArray resampled(HostIn input, const Shape& shape) {
  if (shape.kind == Kind::mesh && shape != input.shape)
    throw UsageError("the loaded mesh cannot be resampled to the one that the parameters determine");
  HostArray output(shape);
  const HostOut to = output.view();
  const std::size_t pixel = shape.pixel_bytes();
  const auto source = [](std::int64_t at, std::int64_t from, std::int64_t length) {
    return std::min(from - 1, at * from / length);
  };
  for (std::int64_t z = 0; z < shape.depth; ++z)
    for (std::int64_t y = 0; y < shape.height; ++y) {
      const std::int64_t row_in =
          source(z, input.shape.depth, shape.depth) * input.shape.height + source(y, input.shape.height, shape.height);
      const std::byte* from = input.data + static_cast<std::size_t>(row_in) * input.pitch;
      std::byte* row = to.data + static_cast<std::size_t>(z * shape.height + y) * to.pitch;
      for (std::int64_t x = 0; x < shape.width; ++x)
        std::memcpy(row + static_cast<std::size_t>(x) * pixel,
                    from + static_cast<std::size_t>(source(x, input.shape.width, shape.width)) * pixel, pixel);
    }
  return output;
}

}  // namespace threadscape::app
