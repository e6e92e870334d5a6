// Pictures as NumPy arrays: (height, width), or (height, width, channels) with 1 to 4 channels. Bool becomes black and
// white, integers of 8 and 16 bit without sign stay what they are, and other numbers become floats. Both orders of the
// axes' numbers are read. .npz archives are read too, of which the first array counts. Arrays of clips have an axis
// more, the first one, along which the frames lie.

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "compute/core/clip.h"
#include "compute/io/numbers/npy_array.h"
#include "compute/io/pictures/clip_codecs.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/zip_archive.h"

namespace threadscape::io {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written in little endian as they are");

struct NpyLayout {
  Shape shape;
  FileColour colour = FileColour::grey;
  int channels = 1;  ///< Of the file.
  /// Of the next row, pixel and channel, in numbers.
  std::int64_t row_stride = 0, pixel_stride = 0, channel_stride = 0;
};

/// The layout of a picture. `frame` says whether it is one of the frames of a clip, which lie along the first axis.
NpyLayout npy_layout(const NpyHeader& header, bool frame = false) {
  const std::size_t first = frame ? 1 : 0;
  const std::size_t axes = header.extents.size() - std::min(first, header.extents.size());
  const std::int64_t channels = axes == 3 ? header.extents[first + 2] : 1;
  const bool bytes = header.kind == 'b' || (header.kind == 'u' && header.bytes == 1);
  const bool floats = !bytes && !(header.kind == 'u' && header.bytes == 2);
  if (axes < 2 || axes > 3 || channels < 1 || channels > 4)
    throw DecodeFailure{"its array " + header.text() +
                        (frame ? " is no clip: (frames, height, width) or (frames, height, width, 1 to 4)"
                               : " is no picture: (height, width) or (height, width, 1 to 4)") +
                        " is"};
  constexpr std::array colours{FileColour::grey, FileColour::grey_alpha, FileColour::rgb, FileColour::rgba};
  const Element element = floats ? Element::f32 : bytes ? Element::u8 : Element::u16;
  const std::vector<std::int64_t> strides = header.strides();
  NpyLayout layout{Shape::image(element, channels == 1 ? 1 : 4, header.extents[first + 1], header.extents[first]),
                   colours[static_cast<std::size_t>(channels) - 1],
                   static_cast<int>(channels),
                   strides[first],
                   strides[first + 1],
                   axes == 3 ? strides[first + 2] : 0};
  check_header(layout.shape.width, layout.shape.height, layout.shape.pixel_bytes());
  return layout;
}

std::int64_t max_npy_bytes(Bytes beginning) {
  const NpyHeader header = read_npy_header(beginning);
  (void)npy_layout(header);
  return static_cast<std::int64_t>(header.size) + header.count() * header.bytes;
}

/// Reads a picture whose first number has the index `origin`.
template <class T>
void read_numbers(const NpyNumbers& numbers, const NpyHeader& header, const NpyLayout& layout, std::int64_t origin,
                  T full, HostOut to) {
  const double scale = header.kind == 'b' ? static_cast<double>(full) : 1.0;
  for (std::int64_t y = 0; y < to.shape.height; ++y) {
    T* pixel = reinterpret_cast<T*>(to.data + static_cast<std::size_t>(y) * to.pitch);
    for (std::int64_t x = 0; x < to.shape.width; ++x, pixel += to.shape.channels) {
      const auto value = [&](int channel) {
        return static_cast<T>(
            numbers.at(origin + y * layout.row_stride + x * layout.pixel_stride + channel * layout.channel_stride) *
            scale);
      };
      pixel[0] = value(0);
      if (to.shape.channels == 1) continue;
      const bool colours = layout.channels >= 3, alpha = layout.channels % 2 == 0;
      pixel[1] = colours ? value(1) : pixel[0];
      pixel[2] = colours ? value(2) : pixel[0];
      pixel[3] = alpha ? value(layout.channels - 1) : full;
    }
  }
}

void read_pixels(const NpyNumbers& numbers, const NpyHeader& header, const NpyLayout& layout, std::int64_t origin,
                 HostOut to) {
  if (layout.shape.element == Element::u8)
    read_numbers<std::uint8_t>(numbers, header, layout, origin, 255, to);
  else if (layout.shape.element == Element::u16)
    read_numbers<std::uint16_t>(numbers, header, layout, origin, 65535, to);
  else
    read_numbers<float>(numbers, header, layout, origin, 1.0f, to);
}

Loaded decode_npy(Bytes file) {
  const NpyHeader header = read_npy_header(file);
  const NpyLayout layout = npy_layout(header);
  const NpyNumbers numbers(header, file.subspan(header.size));
  Loaded picture{HostArray(layout.shape), layout.colour};
  read_pixels(numbers, header, layout, 0, picture.pixels.view());
  return picture;
}

void encode_npy(FileWriter& file, HostIn pixels, const EncodeOptions& options) {
  const Shape& shape = pixels.shape;
  const std::array<std::vector<std::size_t>, 4> kept{{{0}, {0, 3}, {0, 1, 2}, {0, 1, 2, 3}}};
  const std::vector<std::size_t>& channels = kept[shape.channels == 1 ? 0 : static_cast<std::size_t>(options.colour)];
  const std::size_t bytes = size_of(shape.element), pixel_bytes = shape.pixel_bytes();
  const std::string type = shape.element == Element::f32 ? "<f4" : shape.element == Element::u16 ? "<u2" : "|u1";
  std::vector<std::int64_t> extents{shape.height, shape.width};
  if (shape.kind == Kind::clip) extents.insert(extents.begin(), shape.depth);
  if (channels.size() > 1) extents.push_back(static_cast<std::int64_t>(channels.size()));
  file.write(npy_header_text(type, extents));
  std::vector<std::byte> row;
  for (std::int64_t y = 0; y < shape.height * shape.depth; ++y) {
    const std::byte* pixel = pixels.data + static_cast<std::size_t>(y) * pixels.pitch;
    row.clear();
    for (std::int64_t x = 0; x < shape.width; ++x, pixel += pixel_bytes)
      for (const std::size_t channel : channels)
        row.insert(row.end(), pixel + channel * bytes, pixel + (channel + 1) * bytes);
    file.write(row.data(), row.size());
  }
}

}  // namespace

Loaded decode_npy_clip(Bytes file) {
  std::vector<std::byte> unpacked;
  std::string note;
  if (is_zip(file)) {
    unpacked = first_array_of_npz(file, note);
    file = unpacked;
  }
  const NpyHeader header = read_npy_header(file);
  if (header.extents.size() == 2) {
    ClipBuilder picture(1);
    picture.add(decode_npy(file), "");
    Loaded clip = picture.take();
    clip.note = note;
    return clip;
  }
  const NpyLayout layout = npy_layout(header, true);
  const std::int64_t frames = header.extents[0];
  require_frame_count(frames);
  const NpyNumbers numbers(header, file.subspan(header.size));
  Loaded clip{HostArray(clip_shape(layout.shape, frames)), layout.colour};
  clip.note = note;
  for (std::int64_t i = 0; i < frames; ++i)
    read_pixels(numbers, header, layout, i * header.strides()[0], frame_of(clip.pixels.view(), i));
  return clip;
}

void encode_npy_clip(FileWriter& file, HostIn clip, FileColour colour) {
  encode_npy(file, clip, {.colour = colour});
}

ImageFormat npy_format() {
  static constexpr std::array<std::string_view, 1> extensions{".npy"};
  return {.name = "NPY",
          .extensions = extensions,
          .sniff = is_npy,
          .decode = [](Bytes file, const ReadingWatch&) { return decode_npy(file); },
          .max_bytes = max_npy_bytes,
          .encode = encode_npy,
          .numbers = {.u8 = true, .u16 = true, .f32 = true},
          .colour = true,
          .alpha = true};
}

ImageFormat npz_format() {
  static constexpr std::array<std::string_view, 1> extensions{".npz"};
  return {.name = "NPZ", .extensions = extensions, .sniff = is_zip, .decode = [](Bytes archive, const ReadingWatch&) {
            std::string note;
            const std::vector<std::byte> array = first_array_of_npz(archive, note);
            Loaded picture = decode_npy(array);
            picture.note = note;
            return picture;
          }};
}

}  // namespace threadscape::io
