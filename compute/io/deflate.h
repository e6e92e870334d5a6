#pragma once
// Compression by Deflate, the method of gzip, zip and zlib.

#include <cstdint>
#include <memory>
#include <vector>

#include "compute/io/bytes.h"

namespace threadscape::io {

class FileWriter;
class InputFile;

/// What is around data that were compressed by Deflate.
enum class Deflate : std::uint8_t { raw, zlib_or_gzip };

/// Decompresses data into exactly `bytes` bytes. Throws DecodeFailure where the data are damaged or have another
/// length, where there is not enough memory, and where `bytes` exceeds Limit::file_bytes.
[[nodiscard]] std::vector<std::byte> inflated(Bytes data, std::int64_t bytes, Deflate around);

/// Compresses data as zlib does, by a level from 1 to 9. Throws EnvironmentError where there is not enough memory.
[[nodiscard]] std::vector<std::byte> deflated(Bytes data, int level);
/// Decompresses data to their end, whose length nothing states. Throws DecodeFailure where they are damaged, do not fit
/// into memory, or exceed Limit::file_bytes.
[[nodiscard]] std::vector<std::byte> inflated_to_end(Bytes data, Deflate around);

/// Decompresses a file that gzip has made, a piece at a time and from its beginning, so that it takes no more memory
/// than the caller asks for. A file may consist of several compressed parts, whose contents follow each other.
class GzipReader {
 public:
  /// The file outlives the reader.
  explicit GzipReader(InputFile& file);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  /// Reads the next bytes of the content and returns how many these are, which are fewer than asked for only where the
  /// content ends. The checksum of the content is compared when its end is noticed, which takes a call that asks for
  /// more than is left. Throws DecodeFailure where the file is truncated or damaged, and what InputFile throws.
  [[nodiscard]] std::size_t read(void* to, std::size_t bytes);
  /// Reads bytes and drops them. Returns false where the content ends before.
  [[nodiscard]] bool skip(std::int64_t bytes);

 private:
  struct Stream;
  /// Prepares for the next part, if the file has one. Returns false at the end of the content.
  bool begin_part();

  InputFile& file_;
  std::unique_ptr<Stream> stream_;
};

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
