// Volumes in NumPy arrays.

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "compute/io/numbers/npy_array.h"
#include "compute/io/volumes/volume_file.h"
#include "compute/io/zip_archive.h"

namespace threadscape::io {

void VolumeReader::open_npy(const Shape&) {
  try {
    std::vector<std::byte> content = read_beginning();
    if (is_zip(content)) {
      file_->read_rest(content, Limit::file_bytes);
      file_.reset();
      std::string arrays;
      content = first_array_of_npz(content, arrays);
      if (!arrays.empty()) note_ = "'" + path_.string() + "': " + arrays;
    }
    const NpyHeader header = read_npy_header(content);
    if (header.extents.size() != 3) fail("its array " + header.text() + " is no volume, which has the indices y, z, x");
    set_extents(header.extents[2], header.extents[1], header.extents[0]);
    constexpr std::array<std::pair<char, int>, 5> plain{{{'u', 1}, {'u', 2}, {'i', 2}, {'f', 4}, {'f', 8}}};
    const auto* const type = std::ranges::find(plain, std::pair(header.kind, header.bytes));
    if (file_ && type != plain.end() && !header.swapped && !header.fortran) {
      numbers_.type = static_cast<VolumeNumber>(type - plain.begin());
      return take_numbers(path_, static_cast<std::int64_t>(header.size));
    }
    if (file_) file_->read_rest(content, Limit::file_bytes);
    file_.reset();
    const NpyNumbers numbers(header, Bytes(content).subspan(header.size));
    const std::vector<std::int64_t> strides = header.strides();
    memory_.resize(static_cast<std::size_t>(shape_.items()) * sizeof(float));
    auto* to = reinterpret_cast<float*>(memory_.data());
    for (std::int64_t y = 0; y < shape_.depth; ++y)
      for (std::int64_t z = 0; z < shape_.height; ++z)
        for (std::int64_t x = 0; x < shape_.width; ++x)
          *to++ = static_cast<float>(numbers.at(y * strides[0] + z * strides[1] + x * strides[2]));
    numbers_.type = VolumeNumber::f32;
  } catch (const DecodeFailure& failure) {
    fail(failure.cause);
  }
}

}  // namespace threadscape::io
