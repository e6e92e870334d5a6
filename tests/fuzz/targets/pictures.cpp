// Every picture format of the table, and one of the writers followed by its reader.

#include <string>
#include <vector>

#include "compute/core/border.h"
#include "compute/core/errors.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/support/compute/scoped_limit.h"

namespace threadscape::fuzz {

namespace {

/// The pixels of a grey picture as opaque RGBA, as which a format that holds colours alone gives them back.
template <class T>
HostArray coloured(const HostArray& grey) {
  HostArray rgba(Shape::image(grey.shape().element, 4, grey.shape().width, grey.shape().height));
  const auto from = grey.image<T>();
  const auto to = rgba.image<RgbaOf<T>>();
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      to(x, y) = {from(x, y), from(x, y), from(x, y), white<T>};
  return rgba;
}

HostArray coloured(const HostArray& grey) {
  switch (grey.shape().element) {
    case Element::u8:
      return coloured<std::uint8_t>(grey);
    case Element::u16:
      return coloured<std::uint16_t>(grey);
    default:
      return coloured<float>(grey);
  }
}

/// Writes the picture in a format, if that holds it, and expects to read the same pixels.
void write_and_read_picture(const io::ImageFormat& format, const io::Loaded& picture) {
  const auto path = scratch_path("picture" + std::string(format.extensions.front()));
  try {
    io::save_picture(path, picture.pixels.view(), picture.colour);
  } catch (const UsageError&) {
    return;  // The format does not hold such pixels.
  }
  const io::Loaded again = io::load_picture(path);
  const bool gained_colours = picture.pixels.shape().channels == 1 && again.pixels.shape().channels == 4;
  // The pixels of a JPEG are near the written ones only, and formats of floats without alpha keep the colours only.
  const bool has_alpha = picture.colour == io::FileColour::grey_alpha || picture.colour == io::FileColour::rgba;
  const bool drops_alpha = picture.pixels.shape().element == Element::f32 && has_alpha && !format.alpha;
  if (format.name == "JPEG" || drops_alpha) {
    expect(again.pixels.shape().width == picture.pixels.shape().width &&
               again.pixels.shape().height == picture.pixels.shape().height,
           std::string(format.name) + " is read back with another size");
    return;
  }
  const HostArray expected = gained_colours ? coloured(picture.pixels) : picture.pixels.clone();
  expect(equal_data(expected.view(), again.pixels.view()),
         std::string(format.name) + " is read back with other pixels");
}

}  // namespace

FUZZ_TARGET(pictures) {
  const ScopedLimit pixels(io::Limit::pixels, 1 << 16);
  const io::Loaded picture = io::decode_picture(input.bytes());
  note_result(picture.pixels.view());
  // Writing and reading all formats would take most of the time, so that each input has one of them.
  std::vector<const io::ImageFormat*> written;
  for (const io::ImageFormat& format : io::image_formats())
    if (format.encode != nullptr) written.push_back(&format);
  write_and_read_picture(*written[input.bytes().size() % written.size()], picture);
}

}  // namespace threadscape::fuzz
