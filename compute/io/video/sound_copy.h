#pragma once
// The sound of a video, copied packet by packet into another one: all of its tracks that the container can hold.

#include <limits>
#include <string>
#include <vector>

#include "compute/io/video/ffmpeg_input.h"

namespace threadscape::io {

/// Reads the packets of the sound of a file, which is neither decoded nor changed.
class SoundCopy {
 public:
  /// Throws EnvironmentError.
  explicit SoundCopy(const std::filesystem::path& path) : input_(path, {}), packet_(av_packet_alloc()) {
    const int pictures = av_find_best_stream(input_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
    // Times count from the first picture, because the written video begins there.
    if (pictures >= 0 && input_->streams[pictures]->start_time != AV_NOPTS_VALUE)
      start_ =
          static_cast<double>(input_->streams[pictures]->start_time) * av_q2d(input_->streams[pictures]->time_base);
    for (unsigned i = 0; i < input_->nb_streams; ++i) {
      AVStream* const stream = input_->streams[i];
      if (stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO && packet_)
        tracks_.push_back({stream});
      else
        stream->discard = AVDISCARD_ALL;
    }
  }

  [[nodiscard]] bool exists() const { return !tracks_.empty(); }
  /// Adds a stream for each track that the container of the output can hold. Returns the codecs of the others,
  /// separated by commas; "" if all are held.
  [[nodiscard]] std::string add_to(AVFormatContext* output) {
    std::string left_out;
    for (Track& track : tracks_) {
      if (add_to(output, track)) continue;
      track.from->discard = AVDISCARD_ALL;
      left_out += (left_out.empty() ? "" : ", ") + std::string(avcodec_get_name(track.from->codecpar->codec_id));
    }
    return left_out;
  }
  /// Writes the packets that begin before this time in seconds. Returns 0 or the error number of the libraries.
  [[nodiscard]] int write_until(AVFormatContext* output, double seconds) {
    while (!ended_) {
      if (waiting_ == nullptr && !read()) break;
      const std::int64_t at = packet_->dts != AV_NOPTS_VALUE ? packet_->dts : packet_->pts;
      if (static_cast<double>(at) * av_q2d(waiting_->from->time_base) >= seconds) break;
      av_packet_rescale_ts(packet_.get(), waiting_->from->time_base, waiting_->to->time_base);
      packet_->stream_index = waiting_->to->index;
      packet_->pos = -1;
      waiting_ = nullptr;
      if (const int error = av_interleaved_write_frame(output, packet_.get()); error < 0) return error;
    }
    return 0;
  }
  [[nodiscard]] int write_all(AVFormatContext* output) {
    return write_until(output, std::numeric_limits<double>::infinity());
  }

 private:
  struct Track {
    AVStream *from = nullptr, *to = nullptr;
  };

  static bool add_to(AVFormatContext* output, Track& track) {
    const AVCodecParameters* const codec = track.from->codecpar;
    if (avformat_query_codec(output->oformat, codec->codec_id, FF_COMPLIANCE_NORMAL) != 1) return false;
    AVStream* const to = avformat_new_stream(output, nullptr);
    if (to == nullptr || avcodec_parameters_copy(to->codecpar, codec) < 0) return false;
    to->codecpar->codec_tag = 0;
    to->time_base = track.from->time_base;
    to->disposition = track.from->disposition;
    av_dict_copy(&to->metadata, track.from->metadata, 0);
    track.to = to;
    return true;
  }

  bool read() {
    for (;;) {
      av_packet_unref(packet_.get());
      if (av_read_frame(input_.get(), packet_.get()) < 0) {
        ended_ = true;
        return false;
      }
      if (packet_->pts == AV_NOPTS_VALUE && packet_->dts == AV_NOPTS_VALUE) continue;
      for (Track& track : tracks_)
        if (track.to != nullptr && track.from->index == packet_->stream_index) waiting_ = &track;
      if (waiting_ == nullptr) continue;
      const auto start = static_cast<std::int64_t>(start_ / av_q2d(waiting_->from->time_base));
      if (packet_->pts != AV_NOPTS_VALUE) packet_->pts -= start;
      if (packet_->dts != AV_NOPTS_VALUE) packet_->dts -= start;
      return true;
    }
  }

  FfmpegInput input_;
  ffmpeg::Packet packet_;
  std::vector<Track> tracks_;
  double start_ = 0;                ///< When the first picture is shown, in seconds of the input.
  const Track* waiting_ = nullptr;  ///< The track of packet_, which is still to be written; null if there is none.
  bool ended_ = false;
};

}  // namespace threadscape::io
