#include "compute/io/video/video_reader.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "compute/core/errors.h"
#include "compute/io/limits.h"
#include "compute/io/pictures/orientation.h"
#include "compute/io/standard_stream.h"
#include "compute/io/video/ffmpeg_input.h"
#include "compute/io/video/video_index.h"
#include "compute/io/video/video_picture.h"

namespace threadscape::io {

namespace {

using namespace ffmpeg;

std::atomic<VideoDecoder> chosen_decoder{VideoDecoder::software};

/// A device that decodes, and the format of its frames, which are in its memory.
struct HardwareDecoder {
  AVBufferRef* device = nullptr;
  AVPixelFormat format = AV_PIX_FMT_NONE;
};

/// Opens the first device that the driver has for a decoder; one without a device if there is none.
HardwareDecoder find_hardware(const AVCodec& decoder) {
  for (int i = 0; const AVCodecHWConfig* const config = avcodec_get_hw_config(&decoder, i); ++i) {
    if ((config->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) == 0) continue;
    if (config->device_type != AV_HWDEVICE_TYPE_VAAPI && config->device_type != AV_HWDEVICE_TYPE_CUDA) continue;
    HardwareDecoder found{.format = config->pix_fmt};
    if (av_hwdevice_ctx_create(&found.device, config->device_type, nullptr, nullptr, 0) >= 0) return found;
  }
  return {};
}

/// Takes the format of the device if the decoder offers it for this stream, and otherwise one of the CPU.
AVPixelFormat choose_format(AVCodecContext* codec, const AVPixelFormat* offered) {
  const auto wanted = *static_cast<const AVPixelFormat*>(codec->opaque);
  for (const AVPixelFormat* format = offered; *format != AV_PIX_FMT_NONE; ++format)
    if (*format == wanted) return wanted;
  return avcodec_default_get_format(codec, offered);
}

class VideoReader final : public FrameSource {
 public:
  VideoReader(const std::filesystem::path& path, const FrameOptions& options)
      : path_(path), threads_(options.threads), format_(path, options.stop) {
    for (unsigned i = 0; i < format_->nb_streams; ++i)
      if (format_->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO) info_.audio = true;
    open_decoder();
    describe();
    int tracks = 0;
    for (unsigned i = 0; i < format_->nb_streams; ++i)
      if (format_->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
          (format_->streams[i]->disposition & AV_DISPOSITION_ATTACHED_PIC) == 0)
        ++tracks;
    if (tracks > 1)
      tracks_note_ = readable_name(path_) + " has " + std::to_string(tracks) + " tracks of pictures, of which track " +
                     std::to_string(stream_->index) + " is read";
    if (const std::string lost = left_out(*format_.get(), *stream_); !lost.empty())
      tracks_note_ += (tracks_note_.empty() ? readable_name(path_) + ": " : "; ") + lost;
  }

  [[nodiscard]] const FrameInfo& info() const override { return info_; }
  [[nodiscard]] std::string note() const override {
    std::string all;
    for (const std::string* note : {&tracks_note_, &decoder_note_, &note_})
      if (!note->empty()) all += (all.empty() ? "" : "; ") + *note;
    return all;
  }

  bool advance() override {
    if (!decode()) {
      note_end();
      return false;
    }
    ++index_;
    furthest_ = std::max(furthest_, index_ + 1);
    last_time_ = frame_->best_effort_timestamp;
    return true;
  }

  void picture(Frame& frame) override {
    frame.index = index_;
    frame.seconds = seconds_of(*frame_);
    frame.lasts = lasts_of(*frame_);
    try {
      convert_.to_picture(*frame_, frame.pixels);
    } catch (const DecodeFailure& failure) {
      cannot_read(path_, failure.cause);
    }
    if (orientation_ != 1) frame.pixels = oriented({std::move(frame.pixels)}, orientation_).pixels;
  }
  [[nodiscard]] std::optional<YuvPlanes> planes() const override {
    return orientation_ == 1 ? planes_of(*frame_) : std::nullopt;
  }

  void seek(std::int64_t target) override {
    target = std::max<std::int64_t>(target, 0);
    if (target == index_ + 1 && !ended_) return;
    // A few frames further, decoding is quicker than a search.
    constexpr std::int64_t near = 8;
    const bool ahead = target > index_ && !ended_;
    if (!ahead || target > index_ + near) {
      if (!jump(target)) rewind();
    }
    while (index_ + 1 < target && decode())
      ++index_;
  }

  [[nodiscard]] std::int64_t count() override {
    if (index_complete_) return times_.frames();
    const std::int64_t next = index_ + 1;
    find_times();
    seek(next);
    return times_.frames();
  }

 private:
  /// Opens the file again at its beginning.
  void open() {
    codec_.reset();
    format_.reopen();
    open_decoder();
    index_ = -1;
    ended_ = draining_ = pending_ = false;
  }

  void open_decoder() {
    const AVCodec* decoder = nullptr;
    std::tie(stream_, decoder) = format_.pictures();
    if ((stream_->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0)
      cannot_read(path_, "it is sound with a picture, and no video");
    for (unsigned i = 0; i < format_->nb_streams; ++i)
      if (format_->streams[i] != stream_) format_->streams[i]->discard = AVDISCARD_ALL;
    require_size(stream_->codecpar->width, stream_->codecpar->height);
    codec_.reset(avcodec_alloc_context3(decoder));
    packet_.reset(av_packet_alloc());
    frame_.reset(av_frame_alloc());
    if (!codec_ || !packet_ || !frame_) format_.fail(AVERROR(ENOMEM));
    if (const int error = avcodec_parameters_to_context(codec_.get(), stream_->codecpar); error < 0)
      format_.fail(error);
    codec_->thread_count = threads_;
    // Slices of a damaged frame may overlap, and threads that decode those of one frame would race for their pixels.
    codec_->thread_type = FF_THREAD_FRAME;
    codec_->pkt_timebase = stream_->time_base;
    codec_->max_pixels = std::min(limit_of(Limit::pixels), justified_pixels());
    use_hardware(*decoder);
    AVDictionary* options = nullptr;
    av_dict_set(&options, "codec_whitelist", video_decoders, 0);
    const int error = avcodec_open2(codec_.get(), decoder, &options);
    av_dict_free(&options);
    if (error < 0) format_.fail(error);
  }

  /// Lets a device decode, if that is chosen and there is one.
  void use_hardware(const AVCodec& decoder) {
    const VideoDecoder chosen = chosen_decoder;
    if (chosen == VideoDecoder::software) return;
    const HardwareDecoder found = find_hardware(decoder);
    if (found.device != nullptr) {
      hardware_format_ = found.format;
      codec_->hw_device_ctx = found.device;  // The context owns it from now on.
      codec_->opaque = &hardware_format_;
      codec_->get_format = choose_format;
      return;
    }
    const std::string why =
        std::string("no device of VA-API or NVDEC decodes ") + avcodec_get_name(decoder.id) + " on this machine";
    if (chosen == VideoDecoder::hardware) cannot_read(path_, why + "; use --decoder auto or software");
    decoder_note_ = readable_name(path_) + " was decoded by the CPU: " + why;
  }

  /// Copies a frame of a device to the memory of the CPU. Returns false if that fails.
  bool fetch() {
    if (hardware_format_ == AV_PIX_FMT_NONE || frame_->format != hardware_format_) return true;
    FrameOwner fetched(av_frame_alloc());
    if (!fetched) format_.fail(AVERROR(ENOMEM));
    if (av_hwframe_transfer_data(fetched.get(), frame_.get(), 0) < 0 ||
        av_frame_copy_props(fetched.get(), frame_.get()) < 0)
      return false;
    frame_ = std::move(fetched);
    return true;
  }

  void require_size(int width, int height) const {
    if (width <= 0 || height <= 0) cannot_read(path_, "it states no size of its pictures");
    if (std::int64_t{width} * height > limit_of(Limit::pixels))
      cannot_read(path_, "its pictures have " + std::to_string(width) + "x" + std::to_string(height) + " pixels; " +
                             limit_text(Limit::pixels));
    if (std::int64_t{width} * height > justified_pixels())
      cannot_read(path_, "its pictures of " + std::to_string(width) + "x" + std::to_string(height) +
                             " pixels are too large for its length; " + limit_text(Limit::expansion));
  }
  /// The number of pixels of a frame for which the file is long enough. What is no file has no length.
  [[nodiscard]] std::int64_t justified_pixels() const {
    std::error_code unknown;
    const std::uintmax_t bytes = std::filesystem::file_size(path_, unknown);
    if (unknown) return std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(justified_bytes(bytes) / sizeof(Rgba8));
  }

  void describe() {
    orientation_ = orientation_of(*stream_);
    const bool turned = orientation_ > 4;
    info_.width = turned ? codec_->height : codec_->width;
    info_.height = turned ? codec_->width : codec_->height;
    const AVRational rate = av_guess_frame_rate(format_.get(), stream_, nullptr);
    constexpr double max_rate = 10000;
    if (rate.num > 0 && rate.den > 0 && av_q2d(rate) <= max_rate) info_.frames_per_second = av_q2d(rate);
    info_.tick = av_q2d(stream_->time_base);
    info_.frames = stated_frames();
    if (const AVRational aspect = av_guess_sample_aspect_ratio(format_.get(), stream_, nullptr);
        aspect.num > 0 && aspect.den > 0)
      info_.pixel_aspect = turned ? av_q2d(av_inv_q(aspect)) : av_q2d(aspect);
    const AVCodecDescriptor* const codec = avcodec_descriptor_get(codec_->codec_id);
    char text[96];
    std::snprintf(text, sizeof text, "%s, %dx%d, %.4g frames/s", codec != nullptr ? codec->name : "video", info_.width,
                  info_.height, info_.frames_per_second);
    info_.what = text;
  }

  /// The number of frames that the container states; -1 if it states none. An edit list of a MOV or MP4 may leave out
  /// some of those that are stored, of which its index marks or lacks those that are not shown.
  [[nodiscard]] std::int64_t stated_frames() const {
    if (stream_->nb_frames <= 0) return -1;
    const int entries = avformat_index_get_entries_count(stream_);
    if (!std::string_view(format_->iformat->name).starts_with("mov") || entries == 0) return stream_->nb_frames;
    std::int64_t shown = 0;
    for (int i = 0; i < entries; ++i)
      if ((avformat_index_get_entry(stream_, i)->flags & AVINDEX_DISCARD_FRAME) == 0) ++shown;
    return std::min<std::int64_t>(shown, stream_->nb_frames);
  }

  [[nodiscard]] double seconds_of(const AVFrame& frame) const {
    if (frame.best_effort_timestamp == AV_NOPTS_VALUE) return static_cast<double>(index_) / info_.frames_per_second;
    if (first_time_ == AV_NOPTS_VALUE) return 0;
    return static_cast<double>(frame.best_effort_timestamp - first_time_) * av_q2d(stream_->time_base);
  }

  [[nodiscard]] double lasts_of(const AVFrame& frame) const {
#if LIBAVUTIL_VERSION_MAJOR >= 58
    const std::int64_t ticks = frame.duration;
#else
    const std::int64_t ticks = frame.pkt_duration;
#endif
    return ticks > 0 ? static_cast<double>(ticks) * av_q2d(stream_->time_base) : 0;
  }

  /// Reads the next packet of the stream. Returns false at the end of what can be read.
  bool read_packet() {
    for (;;) {
      av_packet_unref(packet_.get());
      const int error = av_read_frame(format_.get(), packet_.get());
      format_.check_stop();
      if (error == AVERROR(EAGAIN)) continue;
      if (error < 0) {
        if (error != AVERROR_EOF) broken_ = true;
        return false;
      }
      if (packet_->stream_index == stream_->index) return true;
    }
  }

  /// Decodes the next frame into frame_. Returns false at the end.
  bool decode() {
    // A decoder that keeps failing after the last packet would never end by itself.
    constexpr int max_failures_at_end = 100;
    int failures_at_end = 0;
    if (std::exchange(pending_, false)) return true;
    while (!ended_) {
      format_.check_stop();
      const int got = avcodec_receive_frame(codec_.get(), frame_.get());
      if (got >= 0) {
        if (frame_->width <= 0 || frame_->height <= 0) continue;
        if (!fetch()) {
          ++damaged_;
          continue;
        }
        if (first_time_ == AV_NOPTS_VALUE && index_ < 0) first_time_ = frame_->best_effort_timestamp;
        return true;
      }
      if (got == AVERROR_EOF) {
        ended_ = true;
        break;
      }
      if (got != AVERROR(EAGAIN)) ++damaged_;
      if (got != AVERROR(EAGAIN) && draining_ && ++failures_at_end >= max_failures_at_end) ended_ = true;
      if (got == AVERROR(EAGAIN) || !draining_) feed();
    }
    return false;
  }

  /// Gives the decoder its next packet, or the sign that there are no more.
  void feed() {
    if (draining_) {
      ended_ = true;  // It wants more where there is nothing.
      return;
    }
    draining_ = !read_packet();
    const int sent = avcodec_send_packet(codec_.get(), draining_ ? nullptr : packet_.get());
    if (sent < 0 && sent != AVERROR(EAGAIN) && sent != AVERROR_EOF) ++damaged_;
  }

  /// Goes back to the first frame. Not every container can seek to its beginning, so that the time of the frame that is
  /// found there is compared with that of the first one; where they differ, the file is opened again.
  void rewind() {
    avcodec_flush_buffers(codec_.get());
    index_ = -1;
    ended_ = draining_ = pending_ = false;
    const bool known = first_time_ != AV_NOPTS_VALUE;
    if (known && avformat_seek_file(format_.get(), stream_->index, INT64_MIN, INT64_MIN, INT64_MAX, 0) >= 0 &&
        decode() && frame_->best_effort_timestamp == first_time_)
      pending_ = true;
    else
      open();
  }

  /// Goes to the place of a frame by the times of all frames, so that the next advance() returns it. Returns false if
  /// that is not possible.
  bool jump(std::int64_t target) {
    if (target == 0) return false;
    if (!index_complete_) find_times();
    if (target >= times_.frames()) {
      ended_ = true;
      index_ = target - 1;
      return true;
    }
    if (!times_.exact()) return false;
    const std::int64_t time = times_.time_of(target - 1);
    const std::optional<VideoIndex::Key> key = times_.key_before(time);
    if (!key || av_seek_frame(format_.get(), stream_->index, key->seek, AVSEEK_FLAG_BACKWARD) < 0) return false;
    avcodec_flush_buffers(codec_.get());
    ended_ = draining_ = false;
    // Decodes up to the frame before the wanted one, whose time shows that the place is right.
    while (decode()) {
      const std::int64_t at = frame_->best_effort_timestamp;
      if (at == AV_NOPTS_VALUE || at > time) return false;
      if (at < time) continue;
      index_ = target - 1;
      return true;
    }
    return false;
  }

  /// Finds the times of all frames. The position is lost.
  void find_times() {
    open();
    times_ = {};
    while (read_packet()) {
      if ((packet_->flags & AV_PKT_FLAG_DISCARD) != 0) continue;
      const std::int64_t shown = packet_->pts != AV_NOPTS_VALUE ? packet_->pts : packet_->dts;
      const std::int64_t seek = packet_->dts != AV_NOPTS_VALUE ? packet_->dts : packet_->pts;
      if (shown == AV_NOPTS_VALUE)
        times_.add_without_time();
      else
        times_.add(shown, seek, (packet_->flags & AV_PKT_FLAG_KEY) != 0);
    }
    times_.complete();
    index_complete_ = true;
    ended_ = true;
  }

  /// Seconds that are missing at the end of a Matroska file, which states its length but not the number of its frames.
  /// Zero where nothing is stated, or what is missing is no more than sound can be longer than pictures.
  [[nodiscard]] double missing_seconds() const {
    const bool states_length = std::string_view(format_->iformat->name).starts_with("matroska") &&
                               format_->duration != AV_NOPTS_VALUE &&
                               format_->duration_estimation_method != AVFMT_DURATION_FROM_BITRATE;
    const bool at_end = index_ + 1 == furthest_ && last_time_ != AV_NOPTS_VALUE;
    if (!states_length || !at_end) return 0;
    const double begin =
        format_->start_time == AV_NOPTS_VALUE ? 0 : static_cast<double>(format_->start_time) / AV_TIME_BASE;
    const double end = static_cast<double>(last_time_) * av_q2d(stream_->time_base) - begin;
    const std::optional<double> own = duration_of_pictures();
    const double stated = own.value_or(static_cast<double>(format_->duration) / AV_TIME_BASE);
    const double missing = stated - end - 1 / info_.frames_per_second;
    return missing > (info_.audio && !own ? 2.0 : 0.5) ? missing : 0;
  }

  /// The length of the pictures alone in seconds, which many Matroska files state as "00:01:02.500000000".
  [[nodiscard]] std::optional<double> duration_of_pictures() const {
    const AVDictionaryEntry* const entry = av_dict_get(stream_->metadata, "DURATION", nullptr, 0);
    if (entry == nullptr) return {};
    const char *at = entry->value, *const end = at + std::strlen(at);
    double total = 0, part = 0;
    for (int parts = 0; parts < 3; ++parts) {
      const auto [rest, error] = std::from_chars(at, end, part);
      if (error != std::errc{} || (rest == end) != (parts == 2) || (rest != end && *rest != ':')) return {};
      total = 60 * total + part;
      at = rest + 1;
    }
    return total;
  }

  void note_end() {
    const std::string name = readable_name(path_);
    const std::int64_t stated = info_.frames;
    if (furthest_ < stated)
      note_ = name + " ends early or is damaged: " + std::to_string(furthest_) + " of " + std::to_string(stated) +
              " frames are there";
    else if (const double missing = missing_seconds(); missing > 0) {
      char text[64];
      std::snprintf(text, sizeof text, "the last %.3g s of it are missing", missing);
      note_ = name + " ends early or is damaged: " + std::to_string(furthest_) + " frames are there, " + text;
    } else if (damaged_ > 0 || broken_)
      note_ = name + " is damaged: " + std::to_string(furthest_) + " frames could be read";
  }

  std::filesystem::path path_;
  int threads_;
  FrameInfo info_;
  std::string note_;
  std::string tracks_note_;   ///< Which of several tracks of pictures is read, and what of it is not; "" if all is.
  std::string decoder_note_;  ///< Why the CPU decodes although a device was wanted; "" otherwise.
  AVPixelFormat hardware_format_ = AV_PIX_FMT_NONE;  ///< The format of a device's frames; none if the CPU decodes.

  FfmpegInput format_;
  AVStream* stream_ = nullptr;
  Codec codec_;
  Packet packet_;
  FrameOwner frame_;
  PictureConverter convert_;
  int orientation_ = 1;

  VideoIndex times_;
  bool index_complete_ = false;
  std::int64_t index_ = -1;    ///< Of the frame in frame_.
  std::int64_t furthest_ = 0;  ///< One more than the largest index that was reached.
  std::int64_t first_time_ = AV_NOPTS_VALUE;
  std::int64_t last_time_ = AV_NOPTS_VALUE;  ///< Of the frame of the last advance().
  std::int64_t damaged_ = 0;
  bool broken_ = false;    ///< If true, reading has failed before the end of the file.
  bool draining_ = false;  ///< If true, the decoder has got its last packet.
  bool ended_ = false;     ///< If true, there are no more frames.
  bool pending_ = false;   ///< If true, frame_ is to be returned by the next decode().
};

}  // namespace

std::string video_reader_absent() {
  return {};
}

void choose_video_decoder(VideoDecoder decoder) {
  chosen_decoder = decoder;
}

std::unique_ptr<FrameSource> open_video(const std::filesystem::path& path, const FrameOptions& options) {
  return std::make_unique<VideoReader>(path, options);
}

}  // namespace threadscape::io
