#pragma once
// Pictures in files whose rows are read and written one after another (compute/core/row_stream.h): TIFF in strips and
// tiles, BigTIFF among them, and NPY.

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "compute/core/row_stream.h"
#include "compute/io/loaded.h"
#include "compute/io/pictures/picture_facts.h"

namespace threadscape::io {

/// A picture whose rows are read. They have the values that load_picture() reads.
class PictureRows : public RowReader {
 public:
  [[nodiscard]] virtual FileColour colour() const = 0;
  [[nodiscard]] virtual PictureFacts facts() const { return {}; }
};

/// Opens a picture for reading its rows. Null if that is not possible, and `why_not` is a sentence without the path
/// then: another format than TIFF or NPY, several pages, alpha, palettes, and numbers other than 8 and 16 bits without
/// sign and floats of 32 bits. Throws EnvironmentError if the file cannot be read.
[[nodiscard]] std::unique_ptr<PictureRows> open_picture_rows(const std::filesystem::path& path, std::string& why_not,
                                                             const std::stop_token& stop = {});

/// A picture whose rows are written. Without finish() the file is left as it was.
class PictureRowWriter : public RowWriter {
 public:
  /// Completes the file after its last row. Throws EnvironmentError.
  virtual void finish() = 0;
};

/// Begins a file of this shape and colour by its extension, .tif, .tiff or .npy; TIFF is compressed by so many threads.
/// Throws UsageError for other extensions, for standard output, and for pixels that the format cannot hold.
[[nodiscard]] std::unique_ptr<PictureRowWriter> make_picture_rows(const std::filesystem::path& path, const Shape& shape,
                                                                  FileColour colour, const PictureFacts& facts,
                                                                  int threads);

/// Copies a row of pixels of the file, with 1 or 3 numbers each, to a row of a picture with 1 or 4 channels.
void copy_row(const std::byte* from, int samples, const Shape& shape, std::byte* to);

// The parts of TIFF, which builds without libtiff lack.
[[nodiscard]] std::unique_ptr<PictureRows> open_tiff_rows(const std::filesystem::path& path, std::string& why_not,
                                                          const std::stop_token& stop);
[[nodiscard]] std::unique_ptr<PictureRowWriter> make_tiff_rows(const std::filesystem::path& path, const Shape& shape,
                                                               FileColour colour, const PictureFacts& facts,
                                                               int threads);

}  // namespace threadscape::io
