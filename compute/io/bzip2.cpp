#include "compute/io/bzip2.h"

#include <bzlib.h>

#include <algorithm>
#include <limits>

#include "compute/io/limits.h"

namespace threadscape::io {

std::vector<std::byte> unpacked_bzip2(Bytes data, std::int64_t bytes) {
  // A block of 900,000 equal bytes takes 40 or so. The check keeps small files from asking for much memory.
  constexpr std::int64_t max_ratio = 25'000;
  if (bytes > limit_of(Limit::file_bytes))
    throw DecodeFailure{"it is too long without compression; " + limit_text(Limit::file_bytes)};
  if (bytes / max_ratio > std::ssize(data)) throw DecodeFailure{"it is truncated"};
  std::vector<std::byte> content(static_cast<std::size_t>(bytes));
  struct Stream : bz_stream {
    Stream() : bz_stream{} {
      if (BZ2_bzDecompressInit(this, 0, 0) != BZ_OK) throw DecodeFailure{"bzip2 has no memory"};
    }
    ~Stream() { BZ2_bzDecompressEnd(this); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
  } stream;
  std::size_t in = 0, out = 0;
  for (int status = BZ_OK; status != BZ_STREAM_END;) {
    constexpr std::size_t most = std::numeric_limits<unsigned>::max();
    const auto input = static_cast<unsigned>(std::min(most, data.size() - in));
    const auto room = static_cast<unsigned>(std::min(most, content.size() - out));
    char spare = 0;  // The end of the data is noticed with room for a byte.
    stream.next_in =
        const_cast<char*>(reinterpret_cast<const char*>(data.data() + in));  // The library only reads them.
    stream.avail_in = input;
    stream.next_out = room > 0 ? reinterpret_cast<char*>(content.data() + out) : &spare;
    stream.avail_out = std::max(room, 1u);
    status = BZ2_bzDecompress(&stream);
    in += input - stream.avail_in;
    const unsigned got = std::max(room, 1u) - stream.avail_out;
    if (room == 0 && got > 0) throw DecodeFailure{"its compressed data are longer than its header says"};
    out += got;
    if (status != BZ_OK && status != BZ_STREAM_END) throw DecodeFailure{"its compressed data are damaged"};
    if (status == BZ_OK && stream.avail_in == 0 && in == data.size() && got == 0)
      throw DecodeFailure{"it is truncated"};
  }
  if (out < content.size()) throw DecodeFailure{"it is truncated"};
  return content;
}

}  // namespace threadscape::io
