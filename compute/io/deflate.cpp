#include "compute/io/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "compute/core/errors.h"
#include "compute/core/machine.h"
#include "compute/io/file_writer.h"
#include "compute/io/input_file.h"
#include "compute/io/limits.h"

namespace threadscape::io {

namespace {

/// zlib's stream for decompression, whose memory it frees.
struct Inflation : z_stream {
  explicit Inflation(Deflate around) : z_stream{} {
    constexpr int detect = 32;  // With this summand zlib looks whether the header is that of zlib or of gzip.
    if (inflateInit2(this, around == Deflate::raw ? -MAX_WBITS : MAX_WBITS + detect) != Z_OK)
      throw DecodeFailure{"zlib has no memory"};
  }
  ~Inflation() { inflateEnd(this); }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
};

}  // namespace

std::vector<std::byte> inflated(Bytes data, std::int64_t bytes, Deflate around) {
  if (bytes < 0 || bytes > limit_of(Limit::file_bytes))
    throw DecodeFailure{"it is too long without compression; " + limit_text(Limit::file_bytes)};
  // Deflate makes data at most 1032 times as small. The check keeps small files from asking for much memory.
  constexpr std::int64_t max_ratio = 1032;
  if (bytes / max_ratio > static_cast<std::int64_t>(data.size())) throw DecodeFailure{"it is truncated"};
  if (const auto free = free_host_bytes_below(static_cast<std::size_t>(bytes)))
    throw DecodeFailure{"its " + std::to_string(bytes) + " bytes without compression do not fit into memory, " +
                        std::to_string(*free) + " are free"};
  std::vector<std::byte> content(static_cast<std::size_t>(bytes));
  Inflation stream(around);
  std::byte spare{};  // zlib needs room for a byte to notice the end of the data.
  std::size_t in = 0, out = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    const std::size_t input = std::min(most, data.size() - in), room = std::min(most, content.size() - out);
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(data.data() + in));  // zlib only reads them.
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = reinterpret_cast<Bytef*>(room > 0 ? content.data() + out : &spare);
    stream.avail_out = static_cast<uInt>(std::max<std::size_t>(room, 1));
    status = inflate(&stream, Z_NO_FLUSH);
    in += input - stream.avail_in;
    const std::size_t got = std::max<std::size_t>(room, 1) - stream.avail_out;
    if (room == 0 && got > 0) throw DecodeFailure{"its compressed data are longer than its header says"};
    out += got;
    if (status == Z_BUF_ERROR && in == data.size()) throw DecodeFailure{"it is truncated"};
    if (status != Z_OK && status != Z_STREAM_END) throw DecodeFailure{"its compressed data are damaged"};
  }
  if (out < content.size()) throw DecodeFailure{"it is truncated"};
  return content;
}

std::vector<std::byte> deflated(Bytes data, int level) {
  std::vector<std::byte> packed(compressBound(data.size()));
  uLongf bytes = packed.size();
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &bytes, reinterpret_cast<const Bytef*>(data.data()),
                data.size(), level) != Z_OK)
    throw EnvironmentError("zlib has no memory");
  packed.resize(bytes);
  return packed;
}

std::vector<std::byte> inflated_to_end(Bytes data, Deflate around) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::vector<std::byte> content;
  Inflation stream(around);
  std::size_t in = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    const std::size_t out = content.size(), input = std::min<std::size_t>(piece, data.size() - in);
    if (static_cast<std::int64_t>(out) > limit_of(Limit::file_bytes))
      throw DecodeFailure{"it is too long without compression; " + limit_text(Limit::file_bytes)};
    if (free_host_bytes_below(2 * out)) throw DecodeFailure{"it does not fit into memory without compression"};
    content.resize(out + piece);
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(data.data() + in));  // zlib only reads them.
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = reinterpret_cast<Bytef*>(content.data() + out);
    stream.avail_out = static_cast<uInt>(piece);
    status = inflate(&stream, Z_NO_FLUSH);
    in += input - stream.avail_in;
    content.resize(out + piece - stream.avail_out);
    if (status == Z_BUF_ERROR && in == data.size()) throw DecodeFailure{"it is truncated"};
    if (status != Z_OK && status != Z_STREAM_END) throw DecodeFailure{"its compressed data are damaged"};
  }
  return content;
}

struct GzipReader::Stream : Inflation {
  Stream() : Inflation(Deflate::zlib_or_gzip) {}
  /// Reads more of the file if all that was read is used up. Returns false at the end of the file.
  bool fill(InputFile& file) {
    if (avail_in > 0) return true;
    avail_in = static_cast<uInt>(file.read(buffer.data(), buffer.size()));
    next_in = buffer.data();
    return avail_in > 0;
  }
  std::array<Bytef, std::size_t{1} << 16> buffer{};
  bool between_parts = false;
};

GzipReader::GzipReader(InputFile& file) : file_(file), stream_(std::make_unique<Stream>()) {}
GzipReader::~GzipReader() = default;

bool GzipReader::begin_part() {
  constexpr Bytef first_of_gzip = 0x1F;
  // What follows the last part and is none, for example the padding of tapes, is ignored as gzip does.
  if (!stream_->fill(file_) || *stream_->next_in != first_of_gzip) return false;
  if (inflateReset(stream_.get()) != Z_OK) throw DecodeFailure{"zlib cannot decompress"};
  stream_->between_parts = false;
  return true;
}

std::size_t GzipReader::read(void* to, std::size_t bytes) {
  std::size_t got = 0;
  while (got < bytes) {
    if (stream_->between_parts && !begin_part()) break;
    if (!stream_->fill(file_)) throw DecodeFailure{"it is truncated"};
    const std::size_t room = std::min<std::size_t>(bytes - got, std::numeric_limits<uInt>::max());
    stream_->next_out = static_cast<Bytef*>(to) + got;
    stream_->avail_out = static_cast<uInt>(room);
    const int status = inflate(stream_.get(), Z_NO_FLUSH);
    got += room - stream_->avail_out;
    stream_->between_parts = status == Z_STREAM_END;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
      throw DecodeFailure{"its compressed data are damaged"};
  }
  return got;
}

bool GzipReader::skip(std::int64_t bytes) {
  std::array<std::byte, 4096> dropped;
  while (bytes > 0) {
    const auto piece = static_cast<std::size_t>(std::min<std::int64_t>(bytes, dropped.size()));
    if (read(dropped.data(), piece) < piece) return false;
    bytes -= static_cast<std::int64_t>(piece);
  }
  return true;
}

struct GzipWriter::Stream : z_stream {
  Stream() : z_stream{} {
    constexpr int gzip = 16;  // With this summand zlib writes the header of gzip.
    constexpr int level = 3;  // Several times as fast as the default for a few percent of size.
    if (deflateInit2(this, level, Z_DEFLATED, MAX_WBITS + gzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw EnvironmentError("zlib has no memory");
  }
  ~Stream() { deflateEnd(this); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

GzipWriter::GzipWriter(FileWriter& file) : file_(file), stream_(std::make_unique<Stream>()) {}
GzipWriter::~GzipWriter() = default;

void GzipWriter::write(const void* data, std::size_t bytes) {
  const auto* next = static_cast<const Bytef*>(data);
  while (bytes > 0) {
    const std::size_t piece = std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max());
    stream_->next_in = const_cast<Bytef*>(next);  // zlib only reads them.
    stream_->avail_in = static_cast<uInt>(piece);
    deflate_input(Z_NO_FLUSH);
    next += piece;
    bytes -= piece;
  }
}

void GzipWriter::finish() {
  deflate_input(Z_FINISH);
}

void GzipWriter::deflate_input(int flush) {
  std::array<Bytef, std::size_t{1} << 16> buffer;
  do {
    stream_->next_out = buffer.data();
    stream_->avail_out = static_cast<uInt>(buffer.size());
    if (deflate(stream_.get(), flush) == Z_STREAM_ERROR) throw EnvironmentError("zlib cannot compress");
    file_.write(buffer.data(), buffer.size() - stream_->avail_out);
  } while (stream_->avail_out == 0);
}

}  // namespace threadscape::io
