#include "compute/io/video/video_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

#include "compute/core/errors.h"
#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

namespace {

/// The number in a field of the libraries. Fields of their enumerations hold what a file says, which need not be one of
/// the enumerators, so that reading it as a value of the enumeration is undefined in C++.
template <class Enumeration>
int number_in(const Enumeration& field) {
  static_assert(sizeof(field) == sizeof(int));
  int number = 0;
  std::memcpy(&number, &field, sizeof(number));
  return number;
}

bool is_full_range(const AVFrame& frame) {
  return number_in(frame.color_range) == AVCOL_RANGE_JPEG || frame.format == AV_PIX_FMT_YUVJ420P ||
         frame.format == AV_PIX_FMT_YUVJ422P || frame.format == AV_PIX_FMT_YUVJ444P;
}

/// Returns whether the colours are those of BT.709. Files that do not say it are taken as players do: by their size.
bool is_bt709(const AVFrame& frame) {
  constexpr int hd_lines = 720;
  const int space = number_in(frame.colorspace);
  return space == AVCOL_SPC_BT709 || (space == AVCOL_SPC_UNSPECIFIED && frame.height >= hd_lines);
}

/// The matrix of a frame whose colours are neither those of BT.601 nor of BT.709: FCC, SMPTE 240M and BT.2020, with
/// constant luminance or without. swscale numbers them as the standard does. 0 for all others.
int other_matrix(const AVFrame& frame) {
  const int space = number_in(frame.colorspace);
  const bool other = space == AVCOL_SPC_FCC || space == AVCOL_SPC_SMPTE240M || space == AVCOL_SPC_BT2020_NCL ||
                     space == AVCOL_SPC_BT2020_CL;
  return other ? space : 0;
}

/// The format that the libraries convert a frame to.
AVPixelFormat target_of(const AVPixFmtDescriptor& format) {
  const bool grey =
      format.nb_components == 1 && (format.flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM)) == 0;
  const bool deep = format.comp[0].depth > 8;
  if (grey) return deep ? AV_PIX_FMT_GRAY16LE : AV_PIX_FMT_GRAY8;
  // Video with more than 8 bits for Y, U and V gets 8: its own precision is for the steps of dark colours on screens.
  return deep && (format.flags & AV_PIX_FMT_FLAG_RGB) != 0 ? AV_PIX_FMT_RGBA64LE : AV_PIX_FMT_RGBA;
}

Shape shape_of(AVPixelFormat target, const AVFrame& frame) {
  const bool grey = target == AV_PIX_FMT_GRAY8 || target == AV_PIX_FMT_GRAY16LE;
  const bool deep = target == AV_PIX_FMT_GRAY16LE || target == AV_PIX_FMT_RGBA64LE;
  return Shape::image(deep ? Element::u16 : Element::u8, grey ? 1 : 4, frame.width, frame.height);
}

/// Rows of bytes that need no conversion.
void copy_rows(const AVFrame& frame, HostArray& pixels) {
  const std::size_t bytes = static_cast<std::size_t>(frame.width) * pixels.shape().pixel_bytes();
  for (int y = 0; y < frame.height; ++y)
    std::memcpy(pixels.data() + static_cast<std::size_t>(y) * pixels.pitch(),
                frame.data[0] + static_cast<std::ptrdiff_t>(y) * frame.linesize[0], bytes);
}

/// The numbers a, b, c and d of the matrix by which a pixel (x, y) is shown at (a x + c y, b x + d y), up to a shift;
/// nothing where none is stated.
std::optional<std::array<double, 4>> display_matrix(const AVStream& stream) {
  const std::uint8_t* data = nullptr;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
  const AVPacketSideData* const found = av_packet_side_data_get(
      stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
  if (found != nullptr && found->size >= 9 * sizeof(std::int32_t)) data = found->data;
#else
  std::size_t bytes = 0;
  data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &bytes);
  if (bytes < 9 * sizeof(std::int32_t)) data = nullptr;
#endif
  if (data == nullptr) return {};
  std::array<std::int32_t, 9> matrix{};
  std::memcpy(matrix.data(), data, sizeof matrix);
  return std::array<double, 4>{1.0 * matrix[0], 1.0 * matrix[1], 1.0 * matrix[3], 1.0 * matrix[4]};
}

}  // namespace

void PictureConverter::to_picture(const AVFrame& frame, HostArray& pixels) {
  const auto format = static_cast<AVPixelFormat>(frame.format);
  const AVPixFmtDescriptor* const descriptor = av_pix_fmt_desc_get(format);
  if (descriptor == nullptr || (descriptor->flags & AV_PIX_FMT_FLAG_HWACCEL) != 0)
    throw DecodeFailure{"its frames have an unknown format"};
  const AVPixelFormat target = target_of(*descriptor);
  if (const Shape shape = shape_of(target, frame); pixels.shape() != shape) pixels = HostArray(shape);
  if (format == target) return copy_rows(frame, pixels);
  // YUV 4:2:0 with 8 bits, which most files have, is converted quicker than swscale does it, and on the GPU alike.
  if (const std::optional<YuvPlanes> planes = planes_of(frame)) return yuv_to_rgba(*planes, pixels.view());
  scaler_.reset(sws_getCachedContext(scaler_.release(), frame.width, frame.height, format, frame.width, frame.height,
                                     target, SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, nullptr, nullptr,
                                     nullptr));
  if (!scaler_) throw DecodeFailure{std::string("frames of the format ") + descriptor->name + " are not converted"};
  const int other = other_matrix(frame);
  const int* const matrix = sws_getCoefficients(other != 0 ? other : is_bt709(frame) ? SWS_CS_ITU709 : SWS_CS_ITU601);
  constexpr int neutral = 1 << 16;
  // Formats that are no YUV have no such details, and refuse them.
  (void)sws_setColorspaceDetails(scaler_.get(), matrix, is_full_range(frame) ? 1 : 0, matrix, 1, 0, neutral, neutral);
  std::uint8_t* const to[4] = {reinterpret_cast<std::uint8_t*>(pixels.data()), nullptr, nullptr, nullptr};
  const int pitch[4] = {static_cast<int>(pixels.pitch()), 0, 0, 0};
  if (sws_scale(scaler_.get(), frame.data, frame.linesize, 0, frame.height, to, pitch) != frame.height)
    throw DecodeFailure{std::string("frames of the format ") + descriptor->name + " are not converted"};
}

std::optional<YuvPlanes> planes_of(const AVFrame& frame) {
  const bool planar = frame.format == AV_PIX_FMT_YUV420P || frame.format == AV_PIX_FMT_YUVJ420P;
  if ((!planar && frame.format != AV_PIX_FMT_NV12) || other_matrix(frame) != 0) return std::nullopt;
  return YuvPlanes{.width = frame.width,
                   .height = frame.height,
                   .y = frame.data[0],
                   .u = frame.data[1],
                   .v = planar ? frame.data[2] : nullptr,
                   .y_pitch = frame.linesize[0],
                   .u_pitch = frame.linesize[1],
                   .v_pitch = planar ? frame.linesize[2] : 0,
                   .full_range = is_full_range(frame),
                   .bt709 = is_bt709(frame)};
}

int orientation_of(const AVStream& stream) {
  const auto [a, b, c, d] = display_matrix(stream).value_or(std::array<double, 4>{1, 0, 0, 1});
  if (std::abs(a) + std::abs(d) >= std::abs(b) + std::abs(c)) return a >= 0 ? (d >= 0 ? 1 : 4) : d >= 0 ? 2 : 3;
  return b >= 0 ? (c >= 0 ? 5 : 6) : c >= 0 ? 8 : 7;
}

std::string left_out(const AVFormatContext& file, const AVStream& stream) {
  std::string all;
  const auto add = [&](const std::string& text) { all += (all.empty() ? "" : "; ") + text; };
  for (unsigned i = 0; i < file.nb_streams; ++i)
    if (file.streams[i]->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE) {
      add("its subtitles are left out");
      break;
    }
  if (const auto matrix = display_matrix(stream)) {
    const auto [a, b, c, d] = *matrix;
    const double straight = std::abs(a) + std::abs(d), across = std::abs(b) + std::abs(c);
    if (std::min(straight, across) > 0.01 * std::max(straight, across))
      add("its pictures are turned to the nearest right angle, and not as far as it states");
  }
  const AVDictionaryEntry* const alpha = av_dict_get(stream.metadata, "alpha_mode", nullptr, 0);
  if (alpha != nullptr && std::string_view(alpha->value) == "1") add("its transparency is left out");
  const AVCodecParameters& stated = *stream.codecpar;
  const AVPixFmtDescriptor* const pixels = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(stated.format));
  const bool keeps = pixels == nullptr || pixels->nb_components == 1 || (pixels->flags & AV_PIX_FMT_FLAG_RGB) != 0;
  if (!keeps && pixels->comp[0].depth > 8)
    add("its colours of " + std::to_string(pixels->comp[0].depth) + " bits become those of 8");
  const int transfer = number_in(stated.color_trc);
  if (transfer == AVCOL_TRC_SMPTE2084 || transfer == AVCOL_TRC_ARIB_STD_B67)
    add("its brightness of HDR is taken as that of a usual screen");
  return all;
}

}  // namespace threadscape::io
