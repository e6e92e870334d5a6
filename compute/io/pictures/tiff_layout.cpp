#include "compute/io/pictures/tiff_layout.h"

#include <tiffio.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace threadscape::io {

static_assert(TiffLayout::unsigned_numbers == SAMPLEFORMAT_UINT && TiffLayout::rgb == PHOTOMETRIC_RGB &&
              TiffLayout::palette == PHOTOMETRIC_PALETTE && TiffLayout::cie_lab == PHOTOMETRIC_CIELAB &&
              TiffLayout::icc_lab == PHOTOMETRIC_ICCLAB);

bool TiffLayout::is_plain() const {
  const auto one_of = [this](std::initializer_list<int> all) { return std::ranges::count(all, int{bits}) > 0; };
  const bool numbers = is_integer() ? (bits >= 1 && bits <= 16) || one_of({32, 64})
                       : sample_format == SAMPLEFORMAT_INT
                           ? one_of({8, 16, 32, 64})
                           : sample_format == SAMPLEFORMAT_IEEEFP && one_of({16, 32, 64});
  const bool plain_colours = photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_MINISBLACK ||
                             photometric == PHOTOMETRIC_MINISWHITE || (is_lab() && is_integer() && one_of({8, 16}));
  return numbers && plain_colours && samples >= colours();
}

bool has_entry(TIFF* tiff, Bytes file, std::uint64_t tag) {
  const bool big_endian = TIFFIsBigEndian(tiff) != 0;
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes && at <= file.size() && bytes <= file.size() - at; ++i)
      value = value << 8 | std::to_integer<std::uint64_t>(file[at + (big_endian ? i : bytes - 1 - i)]);
    return value;
  };
  const bool big_tiff = number(2, 2) == 43;
  const std::size_t count_bytes = big_tiff ? 8 : 2, entry_bytes = big_tiff ? 20 : 12;
  const auto start = static_cast<std::size_t>(TIFFCurrentDirOffset(tiff));
  const std::uint64_t count = std::min<std::uint64_t>(number(start, count_bytes), 65535);
  for (std::uint64_t i = 0; i < count; ++i)
    if (number(start + count_bytes + static_cast<std::size_t>(i) * entry_bytes, 2) == tag) return true;
  return false;
}

TiffLayout tiff_layout(TIFF* tiff) {
  TiffLayout is;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &is.width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &is.height);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &is.bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &is.samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &is.sample_format);
  if (is.sample_format == SAMPLEFORMAT_VOID) is.sample_format = SAMPLEFORMAT_UINT;  // TIFF 6.0 says so.
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &is.planar);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &is.orientation);
  if (TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &is.photometric) == 0)
    is.photometric = is.samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
  std::uint16_t extras = 0;
  const std::uint16_t* types = nullptr;
  if (TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &extras, &types) != 0 && extras > 0) {
    is.premultiplied = types[0] == EXTRASAMPLE_ASSOCALPHA;
    is.has_alpha = is.premultiplied || types[0] == EXTRASAMPLE_UNASSALPHA;
  }
  return is;
}

PictureFacts tiff_facts(TIFF* tiff) {
  PictureFacts facts;
  std::uint32_t bytes = 0;
  const void* profile = nullptr;
  if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &bytes, &profile) != 0 && profile != nullptr) {
    const auto* begin = static_cast<const std::byte*>(profile);
    facts.profile.assign(begin, begin + bytes);
  }
  std::uint16_t unit = RESUNIT_INCH;
  float x = 0, y = 0;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x);
  TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y);
  const double metre = unit == RESUNIT_INCH ? 1 / 0.0254 : unit == RESUNIT_CENTIMETER ? 100 : 0;
  const auto stated = [&](float number) { return std::isfinite(number) && number > 0 ? metre * number : 0.0; };
  facts.per_metre_x = stated(x);
  facts.per_metre_y = stated(y);
  return facts;
}

}  // namespace threadscape::io
