#pragma once
// Compression by Deflate, the method of gzip, zip and zlib.

#include <memory>

#include "compute/io/image_format.h"

namespace threadscape::io {

/// What is around data that were compressed by Deflate.
enum class Deflate : std::uint8_t { raw, zlib_or_gzip };

/// Decompresses data into exactly `bytes` bytes. Throws DecodeFailure where the data are damaged or have another
/// length, where there is not enough memory, and where `bytes` exceeds Limit::file_bytes.
[[nodiscard]] std::vector<std::byte> inflated(Bytes data, std::int64_t bytes, Deflate around);

/// Compresses what it writes into a file as gzip does. Errors are EnvironmentError.
class GzipWriter {
 public:
  explicit GzipWriter(FileWriter& file);
  ~GzipWriter();
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  void write(const void* data, std::size_t bytes);
  /// Writes what is left. To be called once, after the last write().
  void finish();

 private:
  struct Stream;
  void deflate_input(int flush);

  FileWriter& file_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace threadscape::io
