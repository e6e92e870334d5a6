#include "compute/io/volumes/volume_numbers.h"

#include <cstring>
#include <type_traits>

namespace threadscape::io {

namespace {

/// The number that the lower bits of a value are.
template <class T>
T without_unused(T value, int unused_bits) {
  const auto shifted = static_cast<T>(static_cast<std::uint64_t>(value) << unused_bits);
  return static_cast<T>(shifted >> unused_bits);  // Shifting numbers with sign to the right repeats the sign.
}

template <class T>
void convert(const VolumeNumbers& numbers, Bytes from, float* to) {
  const std::size_t count = from.size() / sizeof(T);
  const bool scaled = numbers.slope != 1 || numbers.intercept != 0;
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from.data() + i * sizeof(T), sizeof(T));
    if (numbers.swapped) value = byte_swapped(value);
    if constexpr (std::is_integral_v<T>) value = without_unused(value, numbers.unused_bits);
    to[i] = scaled ? static_cast<float>(numbers.slope * static_cast<double>(value) + numbers.intercept)
                   : static_cast<float>(value);
  }
}

}  // namespace

std::int64_t VolumeNumbers::bytes() const {
  switch (type) {
    case VolumeNumber::u8:
    case VolumeNumber::i8:
      return 1;
    case VolumeNumber::u16:
    case VolumeNumber::i16:
      return 2;
    case VolumeNumber::f32:
    case VolumeNumber::i32:
    case VolumeNumber::u32:
      return 4;
    case VolumeNumber::f64:
    case VolumeNumber::i64:
    case VolumeNumber::u64:
      break;
  }
  return 8;
}

void VolumeNumbers::to_floats(Bytes from, float* to) const {
  switch (type) {
    case VolumeNumber::u8:
      return convert<std::uint8_t>(*this, from, to);
    case VolumeNumber::u16:
      return convert<std::uint16_t>(*this, from, to);
    case VolumeNumber::i16:
      return convert<std::int16_t>(*this, from, to);
    case VolumeNumber::f32:
      return convert<float>(*this, from, to);
    case VolumeNumber::f64:
      return convert<double>(*this, from, to);
    case VolumeNumber::i8:
      return convert<std::int8_t>(*this, from, to);
    case VolumeNumber::i32:
      return convert<std::int32_t>(*this, from, to);
    case VolumeNumber::u32:
      return convert<std::uint32_t>(*this, from, to);
    case VolumeNumber::i64:
      return convert<std::int64_t>(*this, from, to);
    case VolumeNumber::u64:
      return convert<std::uint64_t>(*this, from, to);
  }
}

}  // namespace threadscape::io
