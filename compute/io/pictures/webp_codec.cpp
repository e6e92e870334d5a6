// WebP (8 bit, RGB and RGBA, with and without losses) through libwebp. Animations are refused. The orientation of EXIF
// data is applied.

#include <webp/decode.h>
#include <webp/encode.h>

#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "compute/io/pictures/image_format.h"
#include "compute/io/pictures/orientation.h"

namespace threadscape::io {

namespace {

const std::uint8_t* data_of(Bytes file) {
  return reinterpret_cast<const std::uint8_t*>(file.data());
}

bool has_tag(Bytes file, std::size_t at, const char* tag) {
  return file.size() >= at + 4 && std::memcmp(file.data() + at, tag, 4) == 0;
}

bool is_webp(Bytes file) {
  return has_tag(file, 0, "RIFF") && has_tag(file, 8, "WEBP");
}

WebPBitstreamFeatures features_of(Bytes file) {
  WebPBitstreamFeatures features;
  const VP8StatusCode status = WebPGetFeatures(data_of(file), file.size(), &features);
  if (status == VP8_STATUS_NOT_ENOUGH_DATA) throw DecodeFailure{"it is truncated"};
  if (status != VP8_STATUS_OK) throw DecodeFailure{"corrupt WebP: its header is damaged"};
  if (features.has_animation != 0) throw DecodeFailure{"it is an animation: pictures are read"};
  check_header(features.width, features.height, sizeof(Rgba8));
  return features;
}

std::int64_t max_webp_bytes(Bytes beginning) {
  (void)features_of(beginning);
  return 8 + static_cast<std::int64_t>(little_endian_at(beginning, 4, 4));
}

/// The data of the first chunk with this tag; empty where there is none.
Bytes chunk_of(Bytes file, const char* tag) {
  constexpr std::size_t header_bytes = 8;
  for (std::size_t at = 12; at + header_bytes <= file.size();) {
    const std::size_t bytes = little_endian_at(file, at + 4, 4), start = at + header_bytes;
    if (bytes > file.size() - start) break;
    if (has_tag(file, at, tag)) return file.subspan(start, bytes);
    at = start + bytes + bytes % 2;
  }
  return {};
}

/// The EXIF data of the file; empty where there are none.
Bytes exif_of(Bytes file) {
  const Bytes chunk = chunk_of(file, "EXIF");
  // Some programs begin the chunk as they begin the segment of a JPEG.
  const bool named = chunk.size() > 6 && std::memcmp(chunk.data(), "Exif\0\0", 6) == 0;
  return named ? chunk.subspan(6) : chunk;
}

/// The file that libwebp has written, with a profile in it. The header of such a file states its size and what it has.
std::string with_profile(Bytes file, Bytes profile, const Shape& shape, bool alpha) {
  const auto number = [](std::size_t value, std::size_t bytes) {
    return std::string(reinterpret_cast<const char*>(&value), bytes);
  };
  const auto text = [](Bytes bytes) { return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()); };
  constexpr std::size_t has_profile = 0x20, has_alpha = 0x10, file_header = 12, extended_bytes = 10;
  const bool extended = has_tag(file, file_header, "VP8X");
  const Bytes chunks = file.subspan(file_header + (extended ? 8 + extended_bytes : 0));
  const std::string body = "WEBPVP8X" + number(extended_bytes, 4) + number(has_profile | (alpha ? has_alpha : 0), 4) +
                           number(static_cast<std::size_t>(shape.width - 1), 3) +
                           number(static_cast<std::size_t>(shape.height - 1), 3) + "ICCP" + number(profile.size(), 4) +
                           text(profile) + std::string(profile.size() % 2, '\0') + text(chunks);
  return "RIFF" + number(body.size(), 4) + body;
}

Loaded decode_webp(Bytes file, const ReadingWatch&) {
  const WebPBitstreamFeatures features = features_of(file);
  check_header(features.width, features.height, sizeof(Rgba8), file.size());
  Loaded picture{HostArray(Shape::image(Element::u8, 4, features.width, features.height)),
                 features.has_alpha != 0 ? FileColour::rgba : FileColour::rgb};
  const std::size_t pitch = picture.pixels.pitch(), bytes = pitch * static_cast<std::size_t>(features.height);
  if (little_endian_at(file, 4, 4) + 8 > file.size()) throw DecodeFailure{"it is truncated"};
  if (WebPDecodeRGBAInto(data_of(file), file.size(), reinterpret_cast<std::uint8_t*>(picture.pixels.data()), bytes,
                         static_cast<int>(pitch)) == nullptr)
    throw DecodeFailure{"corrupt WebP: its pixels cannot be decoded"};
  // libwebp gives the alpha values of files without losses even where their header says that there are none.
  if (features.has_alpha == 0) {
    const auto pixels = picture.pixels.image<Rgba8>();
    for (int y = 0; y < pixels.height; ++y)
      for (int x = 0; x < pixels.width; ++x)
        pixels(x, y).a = 255;
  }
  const Bytes profile = chunk_of(file, "ICCP");
  picture.facts.profile.assign(profile.begin(), profile.end());
  return oriented(std::move(picture), exif_orientation(exif_of(file)));
}

/// libwebp's picture, whose memory it frees.
struct Canvas : WebPPicture {
  Canvas() : WebPPicture{} {
    if (WebPPictureInit(this) == 0) throw EnvironmentError("cannot write WebP: libwebp has another version");
  }
  ~Canvas() { WebPPictureFree(this); }
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
};

/// The file that libwebp has written in memory, which is freed.
struct Written : WebPMemoryWriter {
  Written() : WebPMemoryWriter{} { WebPMemoryWriterInit(this); }
  ~Written() { WebPMemoryWriterClear(this); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
};

void import(Canvas& canvas, HostIn pixels, FileColour colour) {
  const auto pitch = static_cast<int>(pixels.pitch);
  const auto* data = reinterpret_cast<const std::uint8_t*>(pixels.data);
  int done = 0;
  if (pixels.shape.channels == 1) {
    std::vector<std::uint8_t> rgb;
    rgb.reserve(static_cast<std::size_t>(pixels.shape.items()) * 3);
    for (int y = 0; y < canvas.height; ++y)
      for (int x = 0; x < canvas.width; ++x)
        rgb.insert(rgb.end(), 3, pixels.image<std::uint8_t>()(x, y));
    done = WebPPictureImportRGB(&canvas, rgb.data(), canvas.width * 3);
  } else if (colour == FileColour::rgba || colour == FileColour::grey_alpha) {
    done = WebPPictureImportRGBA(&canvas, data, pitch);
  } else {
    done = WebPPictureImportRGBX(&canvas, data, pitch);
  }
  if (done == 0) throw EnvironmentError("cannot write WebP: out of memory");
}

void encode_webp(FileWriter& file, HostIn pixels, const EncodeOptions& options) {
  const Shape& shape = pixels.shape;
  if (shape.width > WEBP_MAX_DIMENSION || shape.height > WEBP_MAX_DIMENSION)
    throw EnvironmentError("a WebP has at most 16383 x 16383 pixels: choose another format for " + to_string(shape));
  WebPConfig config;
  // Level 3 of 9 is several times as fast as the default for a few percent of size.
  bool ready = WebPConfigInit(&config) != 0;
  if (options.quality == 0)
    ready = ready && WebPConfigLosslessPreset(&config, 3) != 0;
  else
    config.quality = static_cast<float>(options.quality);
  config.exact = 1;  // Colours below transparent pixels are kept.
  if (!ready || WebPValidateConfig(&config) == 0) throw EnvironmentError("cannot write WebP: libwebp refuses");
  Canvas canvas;
  canvas.use_argb = options.quality == 0 ? 1 : 0;
  canvas.width = static_cast<int>(shape.width);
  canvas.height = static_cast<int>(shape.height);
  import(canvas, pixels, options.colour);
  Written written;
  canvas.custom_ptr = &written;
  canvas.writer = WebPMemoryWrite;
  if (WebPEncode(&config, &canvas) == 0)
    throw EnvironmentError("cannot write WebP: error " + std::to_string(canvas.error_code) + " of libwebp");
  // Where libwebp gets no memory for its output, it may write a part of the picture and say nothing.
  try {
    (void)decode_webp({reinterpret_cast<const std::byte*>(written.mem), written.size}, {});
  } catch (const DecodeFailure&) {
    throw EnvironmentError("cannot write WebP: out of memory");
  }
  const bool alpha = options.colour == FileColour::rgba || options.colour == FileColour::grey_alpha;
  if (options.facts.profile.empty()) return file.write(written.mem, written.size);
  const Bytes plain{reinterpret_cast<const std::byte*>(written.mem), written.size};
  file.write(with_profile(plain, options.facts.profile, shape, alpha));
}

}  // namespace

ImageFormat webp_format() {
  static constexpr std::array<std::string_view, 1> extensions{".webp"};
  return {.name = "WebP",
          .extensions = extensions,
          .sniff = is_webp,
          .decode = decode_webp,
          .max_bytes = max_webp_bytes,
          .encode = encode_webp,
          .numbers = {.u8 = true},
          .colour = true,
          .alpha = true,
          .profiles = true,
          .grey_profiles = false};
}

}  // namespace threadscape::io
