#include "compute/io/video/ffmpeg_input.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "compute/core/errors.h"

namespace threadscape::io {

namespace {

/// Containers that are in use. Demuxers that open other files or addresses (playlists, scripts) are not among them.
constexpr const char* containers =
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpeg,mpegts,mpegvideo,mxf,ogg,gif,apng,flv,ivf,yuv4mpegpipe,nut,asf,"
    "h264,hevc,m4v,mjpeg,jpeg_pipe";

int refuse_other_file(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) {
  return AVERROR(EPERM);
}

}  // namespace

// Rare decoders are more often damaged by hostile files than needed.
const char* const video_decoders =
    "h264,hevc,vp8,vp9,libvpx,libvpx-vp9,libdav1d,libaom-av1,av1,mpeg4,mpeg2video,mpeg1video,mjpeg,ffv1,gif,apng,png,"
    "rawvideo,theora,prores,dnxhd,huffyuv,ffvhuff,utvideo,h263,flv,wmv1,wmv2,wmv3,vc1,msmpeg4,msmpeg4v2,dvvideo,qtrle";

FfmpegInput::FfmpegInput(const std::filesystem::path& path, const std::stop_token& stop)
    : path_(path), stop_(stop), file_(path, stop) {
  file_.require_regular();
  ffmpeg::silence_messages();
  reopen();
}

void FfmpegInput::check_stop() const {
  if (stop_.stop_requested()) throw Cancelled();
}

void FfmpegInput::fail(int error) const {
  check_stop();
  // A container that is not among those above is an invalid argument for the libraries.
  cannot_read(path_, error == AVERROR_INVALIDDATA || error == AVERROR_DECODER_NOT_FOUND || error == AVERROR(EINVAL)
                         ? "it is no video in a format that is read, or it is damaged"
                         : ffmpeg::error_text(error));
}

std::pair<AVStream*, const AVCodec*> FfmpegInput::pictures() const {
  const AVCodec* decoder = nullptr;
  int found = av_find_best_stream(format_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, &decoder, 0);
  if (found < 0) found = av_find_best_stream(format_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (found < 0)
    cannot_read(path_, format_->nb_streams > 0 ? "it has sound or texts and no pictures" : "it has no pictures");
  AVStream* const stream = format_->streams[found];
  const std::string name = decoder != nullptr ? decoder->name : "";
  if (decoder != nullptr && ("," + std::string(video_decoders) + ",").find("," + name + ",") != std::string::npos)
    return {stream, decoder};
  const AVCodecID codec = stream->codecpar->codec_id;
  const AVCodecDescriptor* const stated = codec == AV_CODEC_ID_NONE ? nullptr : avcodec_descriptor_get(codec);
  cannot_read(path_, stated == nullptr
                         ? "its pictures are compressed in a way that is not known, or it is damaged"
                         : "its pictures are compressed by " + std::string(stated->name) +
                               ", which is not read: ffmpeg -i IN -c:v ffv1 OUT.mkv makes a video that is");
}

// Exceptions must not pass through the libraries, which are written in C.
int FfmpegInput::read(void* self, std::uint8_t* to, int bytes) {
  auto& input = *static_cast<FfmpegInput*>(self);
  try {
    const std::int64_t left = input.file_.size() - input.position_;
    const auto wanted = static_cast<std::size_t>(std::clamp<std::int64_t>(left, 0, bytes));
    if (wanted == 0) return AVERROR_EOF;
    if (!input.file_.read_at(input.position_, to, wanted)) return AVERROR(EIO);
    input.position_ += static_cast<std::int64_t>(wanted);
    return static_cast<int>(wanted);
  } catch (const Error&) {
    return AVERROR_EXIT;
  }
}

std::int64_t FfmpegInput::move(void* self, std::int64_t offset, int whence) {
  auto& input = *static_cast<FfmpegInput*>(self);
  if (whence == AVSEEK_SIZE) return input.file_.size();
  const int from = whence & ~AVSEEK_FORCE;
  const std::int64_t base = from == SEEK_CUR ? input.position_ : from == SEEK_END ? input.file_.size() : 0;
  if (offset < -base) return AVERROR(EINVAL);
  return input.position_ = std::min(base + offset, input.file_.size());
}

int FfmpegInput::interrupted(void* self) {
  return static_cast<FfmpegInput*>(self)->stop_.stop_requested() ? 1 : 0;
}

void FfmpegInput::reopen() {
  constexpr int buffer_bytes = 1 << 16;
  format_.reset();
  io_.reset();
  position_ = 0;
  auto* const buffer = static_cast<std::uint8_t*>(av_malloc(buffer_bytes));
  if (buffer == nullptr) fail(AVERROR(ENOMEM));
  io_.reset(avio_alloc_context(buffer, buffer_bytes, 0, this, read, nullptr, move));
  AVFormatContext* format = avformat_alloc_context();
  if (!io_ || format == nullptr) fail(AVERROR(ENOMEM));
  format->pb = io_.get();
  format->flags |= AVFMT_FLAG_CUSTOM_IO;
  format->io_open = refuse_other_file;
  format->interrupt_callback = {interrupted, this};
  AVDictionary* options = nullptr;
  av_dict_set(&options, "format_whitelist", containers, 0);
  av_dict_set(&options, "codec_whitelist", video_decoders, 0);
  // A failure frees the context.
  const int error = avformat_open_input(&format, nullptr, nullptr, &options);
  av_dict_free(&options);
  if (error < 0) fail(error);
  format_.reset(format);
  if (const int unknown = avformat_find_stream_info(format, nullptr); unknown < 0) fail(unknown);
}

}  // namespace threadscape::io
