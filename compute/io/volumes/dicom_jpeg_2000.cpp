// JPEG 2000 goes to OpenJPEG, which sees nothing of the file around the pixels.

#include <openjpeg.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "compute/io/volumes/dicom_decode.h"

namespace threadscape::io {

namespace {

/// The largest number of tiles of a frame: the decoder takes some kilobytes for each, whatever the data hold.
constexpr std::int64_t most_tiles = 4096;

/// What the data say that they are, in the segment that every codestream begins with (ISO/IEC 15444-1, A.5.1). Throws
/// DecodeFailure for data that begin otherwise.
StatedFrame stated_by(Bytes data) {
  constexpr std::size_t segment = 4, shortest = segment + 2 + 38 + 3;
  if (data.size() < shortest) throw DecodeFailure{"its compressed pixels are damaged: they do not describe a frame"};
  const auto number = [&](std::size_t at, int bytes) {
    std::int64_t value = 0;
    for (int i = 0; i < bytes; ++i)
      value = value * 256 + std::to_integer<int>(data[at + static_cast<std::size_t>(i)]);
    return value;
  };
  constexpr std::int64_t start_and_size = 0xFF4FFF51;
  if (number(0, 4) != start_and_size) throw DecodeFailure{"its compressed pixels are no codestream of JPEG 2000"};
  // Behind the length and the capabilities: width, height, left, top, and the same four of the grid of tiles.
  const auto extent = [&](int i) { return number(segment + 4 + 4 * static_cast<std::size_t>(i), 4); };
  const std::int64_t width = extent(0), height = extent(1), tile_width = extent(4), tile_height = extent(5);
  const std::int64_t left = extent(6), top = extent(7);
  if (tile_width == 0 || tile_height == 0 || left > width || top > height)
    throw DecodeFailure{"its compressed pixels are damaged: they have no tiles"};
  const std::int64_t across = (width - left + tile_width - 1) / tile_width;
  const std::int64_t down = (height - top + tile_height - 1) / tile_height;
  if (across * down > most_tiles)
    throw DecodeFailure{"its compressed pixels have " + std::to_string(across * down) + " tiles, up to " +
                        std::to_string(most_tiles) + " are decoded"};
  const std::size_t channels = segment + 4 + 32;
  return {.columns = width - extent(2),
          .rows = height - extent(3),
          .channels = static_cast<int>(number(channels, 2)),
          .bits = static_cast<int>(number(channels + 2, 1) & 127) + 1,
          .widened = true};
}

/// The data as a stream.
struct Reader {
  Bytes data;
  std::size_t at = 0;

  static OPJ_SIZE_T read(void* to, OPJ_SIZE_T size, void* self) {
    auto& reader = *static_cast<Reader*>(self);
    const std::size_t count = std::min<std::size_t>(size, reader.data.size() - reader.at);
    if (count == 0) return static_cast<OPJ_SIZE_T>(-1);
    std::memcpy(to, reader.data.data() + reader.at, count);
    reader.at += count;
    return count;
  }
  static OPJ_OFF_T skip(OPJ_OFF_T by, void* self) {
    auto& reader = *static_cast<Reader*>(self);
    if (by < 0 || static_cast<std::size_t>(by) > reader.data.size() - reader.at) return -1;
    reader.at += static_cast<std::size_t>(by);
    return by;
  }
  static OPJ_BOOL seek(OPJ_OFF_T to, void* self) {
    auto& reader = *static_cast<Reader*>(self);
    if (to < 0 || static_cast<std::size_t>(to) > reader.data.size()) return OPJ_FALSE;
    reader.at = static_cast<std::size_t>(to);
    return OPJ_TRUE;
  }
};

/// Keeps the first message of the decoder about an error.
void keep_error(const char* message, void* text) {
  auto& kept = *static_cast<std::string*>(text);
  if (!kept.empty()) return;
  kept = message;
  kept.erase(std::find_if(kept.begin(), kept.end(), [](unsigned char c) { return c < ' '; }), kept.end());
}

}  // namespace

std::vector<std::byte> decoded_jpeg_2000_frame(const DicomFile& file, Bytes data) {
  require_stated(file, stated_by(data), data);
  std::string error;
  const auto require = [&error](bool holds) {
    if (!holds) throw DecodeFailure{"its compressed pixels cannot be decoded: " + (error.empty() ? "damaged" : error)};
  };
  Reader reader{data};
  const std::unique_ptr<opj_stream_t, decltype(&opj_stream_destroy)> stream(
      opj_stream_create(OPJ_J2K_STREAM_CHUNK_SIZE, OPJ_TRUE), opj_stream_destroy);
  const std::unique_ptr<opj_codec_t, decltype(&opj_destroy_codec)> codec(opj_create_decompress(OPJ_CODEC_J2K),
                                                                         opj_destroy_codec);
  require(stream && codec);
  opj_stream_set_user_data(stream.get(), &reader, nullptr);
  opj_stream_set_user_data_length(stream.get(), data.size());
  opj_stream_set_read_function(stream.get(), Reader::read);
  opj_stream_set_skip_function(stream.get(), Reader::skip);
  opj_stream_set_seek_function(stream.get(), Reader::seek);
  opj_set_error_handler(codec.get(), keep_error, &error);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  require(opj_setup_decoder(codec.get(), &parameters) == OPJ_TRUE);
  opj_image_t* header = nullptr;
  require(opj_read_header(stream.get(), codec.get(), &header) == OPJ_TRUE && header != nullptr);
  const std::unique_ptr<opj_image_t, decltype(&opj_image_destroy)> image(header, opj_image_destroy);
  require(opj_decode(codec.get(), stream.get(), image.get()) == OPJ_TRUE);
  require(image->numcomps == 1);
  const opj_image_comp_t& grey = image->comps[0];
  require(grey.data != nullptr && grey.w == file.columns && grey.h == file.rows);
  std::vector<std::byte> decoded(static_cast<std::size_t>(file.frame_bytes()));
  const auto count = static_cast<std::size_t>(file.rows * file.columns);
  const auto store = [&]<class Number>(Number) {
    auto* const to = reinterpret_cast<Number*>(decoded.data());
    std::transform(grey.data, grey.data + count, to, [](OPJ_INT32 value) { return static_cast<Number>(value); });
  };
  if (file.numbers.bytes() == 1)
    store(std::uint8_t{});
  else
    store(std::uint16_t{});
  return decoded;
}

}  // namespace threadscape::io
