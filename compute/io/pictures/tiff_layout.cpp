#include "compute/io/pictures/tiff_layout.h"

namespace threadscape::io {

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

}  // namespace threadscape::io
