#include "compute/engines/sixteen_bit/sixteen_bit.h"

#include "compute/engines/sixteen_bit/sixteen_bit_math.h"

namespace threadscape::sixteen_bit {

namespace {

/// Converts all values of a picture row by row; channels are alike.
template <class To, class From, class Convert>
void convert_rows(const HostIn& in, const HostOut& out, int threads, const Convert& convert) {
  const auto height = static_cast<int>(in.shape.height);
  const std::int64_t values = in.shape.width * in.shape.channels;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int y = 0; y < height; ++y) {
    const auto* from = reinterpret_cast<const From*>(in.data + static_cast<std::size_t>(y) * in.pitch);
    auto* to = reinterpret_cast<To*>(out.data + static_cast<std::size_t>(y) * out.pitch);
    for (std::int64_t i = 0; i < values; ++i)
      to[i] = convert(from[i]);
  }
}

}  // namespace

bool is_converted(const Shape& shape) {
  return shape.kind == Kind::image && shape.element == Element::u16;
}

Shape as_floats(Shape shape) {
  if (is_converted(shape)) shape.element = Element::f32;
  return shape;
}

std::size_t scratch_bytes(const Shape& floats) {
  return HostScratch::padded(array_bytes(floats, row_alignment));
}

void to_floats(const HostIn& in, const HostOut& floats, int threads) {
  convert_rows<float, std::uint16_t>(in, floats, threads, to_float);
}

void from_floats(const HostIn& floats, const HostOut& out, int threads) {
  convert_rows<std::uint16_t, float>(floats, out, threads, from_float);
}

}  // namespace threadscape::sixteen_bit
