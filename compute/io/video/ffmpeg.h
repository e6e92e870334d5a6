#pragma once
// FFmpeg's libraries in C++: headers, owners of their objects, and the text of their errors. Included by the files that
// read and write videos, and compiled only where the libraries were found (cmake/FileLibraries.cmake).

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <array>
#include <memory>
#include <string>

namespace threadscape::io::ffmpeg {

struct Free {
  void operator()(AVCodecContext* codec) const { avcodec_free_context(&codec); }
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
  void operator()(AVIOContext* io) const {
    av_freep(&io->buffer);
    avio_context_free(&io);
  }
};
using Codec = std::unique_ptr<AVCodecContext, Free>;
using FrameOwner = std::unique_ptr<AVFrame, Free>;
using Packet = std::unique_ptr<AVPacket, Free>;
using Scaler = std::unique_ptr<SwsContext, Free>;
using Io = std::unique_ptr<AVIOContext, Free>;

/// The text of an error number of the libraries.
inline std::string error_text(int error) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(error, text.data(), text.size());
  return text.data();
}

/// Messages of the libraries are not printed: what matters of them is in exceptions and notes.
inline void silence_messages() {
  static const bool once = [] {
    av_log_set_level(AV_LOG_QUIET);
    return true;
  }();
  (void)once;
}

}  // namespace threadscape::io::ffmpeg
