#pragma once
// The numbers of volumes as files store them, and their conversion to floats.

#include <cstdint>

#include "compute/io/bytes.h"

namespace threadscape::io {

/// The type of a number in a file.
enum class VolumeNumber : std::uint8_t { u8, u16, i16, f32, f64, i8, i32, u32, i64, u64 };

/// How a file stores the voxels of a volume.
struct VolumeNumbers {
  VolumeNumber type = VolumeNumber::f32;
  bool swapped = false;  ///< The numbers have the other byte order than this machine.
  int unused_bits = 0;   ///< The highest bits of an integer that are not part of it; its sign is the bit below them.
  /// A voxel is slope * number + intercept, computed in double precision.
  double slope = 1, intercept = 0;

  /// The bytes of one number: 1, 2, 4 or 8.
  [[nodiscard]] std::int64_t bytes() const;
  /// Converts all numbers in `from`, whose size is a multiple of bytes(), to floats.
  void to_floats(Bytes from, float* to) const;
};

/// A number in memory with its bytes in the opposite order.
template <class T>
[[nodiscard]] T byte_swapped(T value) {
  auto* const bytes = reinterpret_cast<unsigned char*>(&value);
  for (std::size_t i = 0; i < sizeof(T) / 2; ++i) {
    const unsigned char low = bytes[i];
    bytes[i] = bytes[sizeof(T) - 1 - i];
    bytes[sizeof(T) - 1 - i] = low;
  }
  return value;
}

}  // namespace threadscape::io
