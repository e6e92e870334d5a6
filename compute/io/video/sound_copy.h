#pragma once
// The sound of a video, copied packet by packet into another one.

#include <optional>

#include "compute/io/video/ffmpeg_input.h"

namespace threadscape::io {

/// Reads the packets of the sound of a file, which is neither decoded nor changed.
class SoundCopy {
 public:
  /// Throws EnvironmentError.
  explicit SoundCopy(const std::filesystem::path& path) : input_(path, {}), packet_(av_packet_alloc()) {
    const int found = av_find_best_stream(input_.get(), AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
    const int pictures = av_find_best_stream(input_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
    if (found < 0 || !packet_) return;
    from_ = input_->streams[found];
    for (unsigned i = 0; i < input_->nb_streams; ++i)
      if (input_->streams[i] != from_) input_->streams[i]->discard = AVDISCARD_ALL;
    // Times count from the first picture, because the written video begins there.
    if (pictures >= 0 && input_->streams[pictures]->start_time != AV_NOPTS_VALUE)
      start_ =
          av_rescale_q(input_->streams[pictures]->start_time, input_->streams[pictures]->time_base, from_->time_base);
  }

  [[nodiscard]] bool exists() const { return from_ != nullptr; }
  [[nodiscard]] const char* codec() const { return avcodec_get_name(from_->codecpar->codec_id); }
  /// Adds a stream for the sound to the output if its container can hold it. Returns false if not.
  [[nodiscard]] bool add_to(AVFormatContext* output) {
    if (avformat_query_codec(output->oformat, from_->codecpar->codec_id, FF_COMPLIANCE_NORMAL) != 1) return false;
    to_ = avformat_new_stream(output, nullptr);
    if (to_ == nullptr || avcodec_parameters_copy(to_->codecpar, from_->codecpar) < 0) return false;
    to_->codecpar->codec_tag = 0;
    to_->time_base = from_->time_base;
    return true;
  }
  /// Writes the packets that begin before this time in seconds. Returns 0 or the error number of the libraries.
  [[nodiscard]] int write_until(AVFormatContext* output, double seconds) {
    while (to_ != nullptr && !ended_) {
      if (!waiting_ && !read()) break;
      const std::int64_t at = packet_->dts != AV_NOPTS_VALUE ? packet_->dts : packet_->pts;
      if (static_cast<double>(at) * av_q2d(from_->time_base) >= seconds) break;
      waiting_ = false;
      av_packet_rescale_ts(packet_.get(), from_->time_base, to_->time_base);
      packet_->stream_index = to_->index;
      packet_->pos = -1;
      if (const int error = av_interleaved_write_frame(output, packet_.get()); error < 0) return error;
    }
    return 0;
  }

 private:
  bool read() {
    for (;;) {
      av_packet_unref(packet_.get());
      if (av_read_frame(input_.get(), packet_.get()) < 0) {
        ended_ = true;
        return false;
      }
      if (packet_->stream_index != from_->index || (packet_->pts == AV_NOPTS_VALUE && packet_->dts == AV_NOPTS_VALUE))
        continue;
      if (packet_->pts != AV_NOPTS_VALUE) packet_->pts -= start_;
      if (packet_->dts != AV_NOPTS_VALUE) packet_->dts -= start_;
      waiting_ = true;
      return true;
    }
  }

  FfmpegInput input_;
  ffmpeg::Packet packet_;
  AVStream *from_ = nullptr, *to_ = nullptr;
  std::int64_t start_ = 0;
  bool waiting_ = false;  ///< If true, packet_ is still to be written.
  bool ended_ = false;
};

}  // namespace threadscape::io
