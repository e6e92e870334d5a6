#pragma once
// Arrays in the files of NumPy: .npy, and those in .npz archives. The format is that of numpy/lib/format.py, versions 1
// to 3.

#include <cstdint>
#include <string>
#include <vector>

#include "compute/io/bytes.h"

namespace threadscape::io {

/// The header of a .npy file, which the numbers follow.
struct NpyHeader {
  char kind = 'f';       ///< 'b' for bool, 'i' for integers with sign, 'u' without, 'f' for floats.
  int bytes = 0;         ///< Of a number.
  bool swapped = false;  ///< The numbers have the other byte order than this machine.
  bool fortran = false;  ///< The first index varies fastest, otherwise the last one.
  std::vector<std::int64_t> extents;
  std::size_t size = 0;  ///< The bytes of the header itself.

  /// The distance between numbers that are neighbours along each axis, in numbers.
  [[nodiscard]] std::vector<std::int64_t> strides() const;
  [[nodiscard]] std::int64_t count() const;
  /// The extents and the type as text: "(4, 3) of f8".
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] bool is_npy(Bytes file);

/// Throws DecodeFailure for headers that are damaged, truncated, or of numbers other than bool, integers of 1 to 8
/// bytes, f2, f4 and f8. The extents are not judged, but their product fits into 2^62.
[[nodiscard]] NpyHeader read_npy_header(Bytes beginning);

/// Reads numbers of an array as floats.
class NpyNumbers {
 public:
  /// `numbers` are those after the header. Throws DecodeFailure where they are fewer than the header says.
  NpyNumbers(const NpyHeader& header, Bytes numbers);
  /// The number with this index in the order of the file.
  [[nodiscard]] double at(std::int64_t index) const;

 private:
  NpyHeader header_;
  Bytes numbers_;
};

/// The header of an array in C order, padded as NumPy does. `type` is for example "<f4".
[[nodiscard]] std::string npy_header_text(const std::string& type, const std::vector<std::int64_t>& extents);

/// The first .npy file in a .npz archive, stored or deflated. Where there are more of them, `note` receives a sentence
/// that says so. Throws DecodeFailure where there is none, or where it is longer than Limit::file_bytes.
[[nodiscard]] std::vector<std::byte> first_array_of_npz(Bytes archive, std::string& note);

}  // namespace threadscape::io
