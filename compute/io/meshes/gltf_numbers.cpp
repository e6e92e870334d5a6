#include "compute/io/meshes/gltf_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "compute/core/errors.h"
#include "compute/io/words.h"

namespace threadscape::io {

namespace {

constexpr std::size_t i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125;

}  // namespace

std::size_t component_bytes(std::size_t type) {
  switch (type) {
    case i8:
    case u8:
      return 1;
    case i16:
    case u16:
      return 2;
    case u32:
    case gltf_float:
      return 4;
    default:
      throw UsageError("it has the type of components " + std::to_string(type) + ", which glTF has not");
  }
}

double component(Bytes data, std::size_t at, std::size_t type, bool normalised) {
  const std::uint64_t bits = little_endian_at(data, at, component_bytes(type));
  const auto scaled = [&](double value, double full) { return normalised ? std::max(value / full, -1.0) : value; };
  switch (type) {
    case i8:
      return scaled(static_cast<std::int8_t>(bits), 127.0);
    case u8:
      return scaled(static_cast<double>(bits), 255.0);
    case i16:
      return scaled(static_cast<std::int16_t>(bits), 32767.0);
    case u16:
      return scaled(static_cast<double>(bits), 65535.0);
    case gltf_float:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    default:
      return static_cast<double>(bits);
  }
}

std::size_t parts_of(const std::string& type) {
  constexpr std::array<std::string_view, 4> names{"SCALAR", "VEC2", "VEC3", "VEC4"};
  const auto* const at = std::ranges::find(names, type);
  if (at == names.end()) throw UsageError("it has an accessor of '" + readable_word(type) + "' where vectors are read");
  return static_cast<std::size_t>(at - names.begin()) + 1;
}

void require_items(Bytes data, std::size_t offset, std::size_t count, std::size_t stride, std::size_t item) {
  if (count == 0) return;
  if (stride < item || offset > data.size() || data.size() - offset < item ||
      (count - 1) > (data.size() - offset - item) / stride)
    throw UsageError("an accessor reads beyond its buffer: the file is damaged");
}

}  // namespace threadscape::io
