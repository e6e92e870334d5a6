#pragma once
// Writing TIFF without libtiff, which may leave out tags or parts of strips without a word where memory ends.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

/// The strips of a page and its directory, which says where they are. Offsets have 64 bits if `big`.
class TiffStrips {
 public:
  /// The first strip lies at the byte `first` of the file.
  TiffStrips(const Shape& shape, EncodeOptions options, bool big, std::uint64_t first);
  /// The number of rows of a strip, but the last one.
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  /// Packs the next strips by so many threads, and appends them: rows of the picture, whole strips but at its end.
  void pack(HostIn rows, std::vector<std::byte>& to, int threads = 1);
  /// The directory, with values that have no room in it before it, to be written after the strips at end(), which is
  /// even. Sets `place` to where it begins itself.
  [[nodiscard]] std::string directory(std::uint64_t& place) const;
  [[nodiscard]] std::uint64_t end() const { return end_ + end_ % 2; }

 private:
  Shape shape_;
  EncodeOptions options_;
  bool big_ = false;
  std::size_t samples_ = 1;
  std::int64_t rows_ = 1;
  std::uint64_t end_ = 0;  ///< The end of the last strip.
  std::vector<std::uint64_t> offsets_, sizes_;
};

/// Writes pages one after another. The directory of a page is written after the pixels of the next one have been
/// packed, because it states where the next directory is.
class TiffPages {
 public:
  /// Offsets have 64 bits if `big`, as in BigTIFF, and otherwise 32. The file outlives the pages.
  TiffPages(FileWriter& file, bool big) : file_(file), big_(big) {}
  /// Adds a page. Throws UsageError where the offsets end, and EnvironmentError.
  void add(HostIn pixels, const EncodeOptions& options);
  /// Completes the file.
  void finish() { file_.write(directory_); }

 private:
  FileWriter& file_;
  bool big_ = false;
  std::uint64_t end_ = 0;  ///< The bytes of all pages so far, with the last directory; 0 before the first one.
  std::string directory_;  ///< That of the last page, whose last number is the place of the next one.
};

/// Returns true if pictures of so many bytes in all need the 64-bit offsets of BigTIFF.
[[nodiscard]] bool needs_big_tiff(std::size_t bytes);

/// The member `encode` of tiff_format().
void encode_tiff(FileWriter& file, HostIn pixels, const EncodeOptions& options);

}  // namespace threadscape::io
