#include "compute/core/data.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "compute/core/kind_info.h"
#include "compute/core/machine.h"

namespace threadscape {

namespace {

constexpr std::size_t row_alignment = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::int64_t max_extent = std::numeric_limits<int>::max();

constexpr std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Views index with int, and sizes in bytes must not wrap around: nothing larger gets past this point.
void require_sane(const Shape& shape) {
  const bool line = info_of(shape.kind).dimensions < 2;
  const bool fits = shape.width >= 0 && shape.height >= 0 && shape.depth >= 0 &&
                    (line || (shape.width <= max_extent && shape.height <= max_extent && shape.depth <= max_extent)) &&
                    static_cast<double>(shape.width) * static_cast<double>(shape.height) *
                            static_cast<double>(shape.depth) * static_cast<double>(shape.pixel_bytes()) <
                        0x1p46;
  if (!fits) throw EnvironmentError("out of memory: " + to_string(shape) + " is larger than any memory");
}

}  // namespace

void refuse_pixel_type(const Shape& shape) {
  throw UsageError("pixel type does not match " + to_string(shape));
}

std::size_t row_bytes(const Shape& shape, std::size_t alignment) {
  const std::size_t row = static_cast<std::size_t>(shape.width) * shape.pixel_bytes();
  const bool padded = info_of(shape.kind).dimensions == 2;
  return padded ? round_up(row, alignment) : row;
}

std::size_t array_bytes(const Shape& shape, std::size_t alignment) {
  if (shape.kind == Kind::none) return 0;
  require_sane(shape);
  return row_bytes(shape, alignment) * static_cast<std::size_t>(shape.height * shape.depth);
}

std::size_t HostArray::bytes_for(const Shape& shape) {
  const std::size_t bytes = array_bytes(shape, row_alignment);
  return round_up(bytes, bytes >= huge_page ? huge_page : row_alignment);
}

HostArray::HostArray(const Shape& shape) : shape_(shape) {
  const std::size_t bytes = bytes_for(shape);
  pitch_ = row_bytes(shape, row_alignment);
  if (bytes == 0) return;
  // Linux hands out memory that it does not have, and ends the program when it is used.
  if (const auto free = free_host_bytes_below(bytes))
    throw EnvironmentError("out of memory: " + to_string(shape) + " takes " + std::to_string(bytes) + " bytes, " +
                           std::to_string(*free) + " are free");
  // Large arrays sit on huge pages: 4 KiB pages cost more to touch first than most filters cost to compute.
  const bool large = bytes >= huge_page;
  data_.reset(static_cast<std::byte*>(std::aligned_alloc(large ? huge_page : row_alignment, bytes)));
  if (!data_) throw EnvironmentError("out of memory: " + std::to_string(bytes) + " bytes for " + to_string(shape));
#ifdef MADV_HUGEPAGE
  if (large) madvise(data_.get(), bytes, MADV_HUGEPAGE);  // a wish: where it is refused, small pages serve as well
#endif
}

HostArray HostArray::lent(std::shared_ptr<const void> owner, const std::byte* data, const Shape& shape) {
  HostArray array;
  array.shape_ = shape;
  array.pitch_ = row_bytes(shape, row_alignment);
  array.data_ = std::unique_ptr<std::byte[], Free>(const_cast<std::byte*>(data), Free{std::move(owner)});
  return array;
}

void HostArray::Free::operator()(std::byte* p) const {
  if (!owner) std::free(p);
}

HostArray HostArray::clone() const {
  HostArray twin(shape_);
  copy(view(), twin.view());
  return twin;
}

void copy(HostIn from, HostOut to) {
  if (from.shape != to.shape) throw UsageError("cannot copy " + to_string(from.shape) + " to " + to_string(to.shape));
  const std::size_t row = static_cast<std::size_t>(from.shape.width) * from.shape.pixel_bytes();
  const auto rows = static_cast<std::size_t>(from.shape.items() == 0 ? 0 : from.shape.height * from.shape.depth);
  if (row == 0 || rows == 0) return;
  if (from.pitch == row && to.pitch == row) {
    std::memcpy(to.data, from.data, row * rows);
    return;
  }
  for (std::size_t y = 0; y < rows; ++y)
    std::memcpy(to.data + y * to.pitch, from.data + y * from.pitch, row);
}

}  // namespace threadscape
