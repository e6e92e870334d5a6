// Overviews of large TIFFs in strips, from a few rows.

#include <tiffio.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "compute/io/pictures/tiff_layout.h"

namespace threadscape::io {

std::optional<HostArray> sampled_tiff(TIFF* tiff) {
  constexpr std::uint32_t eighth = 8, most_rows = 64;
  const TiffLayout is = tiff_layout(tiff);
  const bool numbers = is.is_integer() && (is.bits == 8 || is.bits == 16);
  const bool rgb = is.photometric == PHOTOMETRIC_RGB && is.samples >= 3;
  const bool inverted = is.photometric == PHOTOMETRIC_MINISWHITE;
  const bool together = is.planar == PLANARCONFIG_CONTIG || is.samples == 1;
  if (TIFFIsTiled(tiff) != 0 || !numbers || !together || !(rgb || inverted || is.photometric == PHOTOMETRIC_MINISBLACK))
    return {};
  std::uint32_t strip = is.height;
  std::uint16_t method = COMPRESSION_NONE;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &strip);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &method);
  strip = method == COMPRESSION_NONE ? 1 : std::min(strip, is.height);
  if (strip == 0 || strip > most_rows) return {};
  const std::uint32_t step = (eighth + strip - 1) / strip * strip;
  const std::size_t sample_bytes = is.bits / 8u, pixel_bytes = is.samples * sample_bytes;
  std::vector<std::byte> row(static_cast<std::size_t>(TIFFScanlineSize(tiff)));
  if (is.width < eighth || is.height < step || row.size() < is.width * pixel_bytes) return {};
  HostArray small(Shape::image(Element::u8, rgb ? 4 : 1, is.width / eighth, is.height / step));
  const Shape& shape = small.shape();
  for (std::uint32_t y = 0; y < shape.height; ++y) {
    if (TIFFReadScanline(tiff, row.data(), y * step, 0) < 0) return {};
    std::byte* to = small.data() + y * small.pitch();
    std::memset(to, 0xFF, static_cast<std::size_t>(shape.width * shape.channels));
    for (std::int64_t x = 0; x < shape.width; ++x, to += shape.channels)
      for (std::size_t colour = 0; colour < (rgb ? 3u : 1u); ++colour) {
        const std::byte* from = row.data() + static_cast<std::size_t>(x) * eighth * pixel_bytes + colour * sample_bytes;
        std::uint16_t wide = 0;
        if (sample_bytes == 2) std::memcpy(&wide, from, sizeof wide);
        const auto value = sample_bytes == 2 ? static_cast<std::byte>(wide >> 8) : *from;
        to[colour] = inverted ? ~value : value;
      }
  }
  return small;
}

}  // namespace threadscape::io
