#include "compute/io/video/video_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "compute/core/errors.h"
#include "compute/io/file_extension.h"
#include "compute/io/video/ffmpeg.h"
#include "compute/io/video/sound_copy.h"
#include "compute/io/video/video_output_file.h"

namespace threadscape::io {

namespace {

using namespace ffmpeg;

struct VideoFormat {
  std::string_view extension;
  const char* container;                ///< Name of the muxer.
  std::array<const char*, 2> encoders;  ///< In the order of preference.
  std::string_view need;                ///< What is missing if there is none of them.
};
constexpr std::array<const char*, 2> h264{"libx264", "libopenh264"};
constexpr std::string_view h264_need = "needs FFmpeg's libraries with an encoder of H.264 (libx264); .mkv needs none";
constexpr std::array video_formats{
    VideoFormat{".mp4", "mp4", h264, h264_need},
    VideoFormat{".m4v", "mp4", h264, h264_need},
    VideoFormat{".mov", "mov", h264, h264_need},
    VideoFormat{".webm",
                "webm",
                {"libvpx-vp9", nullptr},
                "needs FFmpeg's libraries with an encoder of VP9 (libvpx-vp9); .mkv needs none"},
    VideoFormat{".mkv", "matroska", {"ffv1", nullptr}, "needs FFmpeg's libraries with the encoder ffv1"},
};

const VideoFormat* video_format_of(const std::filesystem::path& path) {
  const auto* const found = std::ranges::find(video_formats, extension_of(path), &VideoFormat::extension);
  return found == video_formats.end() ? nullptr : found;
}

const AVCodec* encoder_of(const VideoFormat& format) {
  silence_messages();
  for (const char* name : format.encoders)
    if (const AVCodec* const codec = name == nullptr ? nullptr : avcodec_find_encoder_by_name(name); codec != nullptr)
      return codec;
  return nullptr;
}

struct FreeOutput {
  void operator()(AVFormatContext* format) const { avformat_free_context(format); }
};

/// How pixels of a type lie in memory, for the libraries; AV_PIX_FMT_NONE for types that no video holds.
AVPixelFormat pixels_of(const Shape& shape) {
  const bool grey = shape.channels == 1;
  if (shape.element == Element::u8) return grey ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGBA;
  if (shape.element == Element::u16) return grey ? AV_PIX_FMT_GRAY16LE : AV_PIX_FMT_RGBA64LE;
  return AV_PIX_FMT_NONE;
}

class FfmpegLibraryWriter final : public FrameWriter {
 public:
  FfmpegLibraryWriter(const std::filesystem::path& path, const VideoFormat& format, const FrameWriterOptions& options)
      : path_(path), kind_(format), options_(options), output_(path) {
    if (options.sound_from.empty()) return;
    sound_.emplace(options.sound_from);
    if (!sound_->exists()) sound_.reset();
  }

  void add(HostIn picture) override {
    add_with(picture, {.seconds = static_cast<double>(frames_) / options_.frames_per_second});
  }

  void add_with(HostIn picture, const FrameFacts& facts) override {
    if (done_) throw UsageError("'" + path_.string() + "' has ended");
    if (!codec_) begin(picture.shape);
    if (picture.shape != shape_) {
      if (!std::exchange(done_, options_.only_whole)) finish();
      refuse_size(path_, options_, frames_, picture.shape, shape_);
    }
    convert(picture);
    // The clock of the encoder is that of the frames' times, or it counts frames.
    const std::int64_t at = options_.tick > 0 ? std::llround(facts.seconds / av_q2d(codec_->time_base)) : frames_;
    frame_->pts = frames_ > 0 ? std::max(at, frame_->pts + 1) : at;
    encode(frame_.get());
    ++frames_;
  }

  void finish() override { complete(false); }
  void finish_with_sound() override { complete(true); }

  [[nodiscard]] std::string note() const override { return note_; }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw EnvironmentError("cannot write '" + path_.string() + "': " + why);
  }
  [[noreturn]] void fail(int error) const { fail(error_text(error)); }
  int require(int result) const {
    if (result < 0) fail(result);
    return result;
  }

  // Exceptions must not pass through the libraries. FFmpeg 7 made the bytes of the first one constant.
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  using WrittenBytes = const std::uint8_t*;
#else
  using WrittenBytes = std::uint8_t*;
#endif
  static int write(void* self, WrittenBytes data, int bytes) {
    const int error = static_cast<FfmpegLibraryWriter*>(self)->output_.write(data, static_cast<std::size_t>(bytes));
    return error == 0 ? bytes : AVERROR(error);
  }
  static std::int64_t move(void* self, std::int64_t offset, int whence) {
    auto& file = static_cast<FfmpegLibraryWriter*>(self)->output_;
    if (whence == AVSEEK_SIZE) return file.size();
    const int from = whence & ~AVSEEK_FORCE;
    const std::int64_t target = offset + (from == SEEK_CUR ? file.position() : from == SEEK_END ? file.size() : 0);
    if (target < 0) return AVERROR(EINVAL);
    file.seek(target);
    return target;
  }

  void complete(bool all_sound) {
    if (done_) return;
    if (!codec_) {
      done_ = true;
      return;  // A video without frames is no file.
    }
    encode(nullptr);
    const double seconds = static_cast<double>(frame_->pts + frame_ticks()) * av_q2d(codec_->time_base);
    int error = 0;
    if (sound_) error = all_sound ? sound_->write_all(format_.get()) : sound_->write_until(format_.get(), seconds);
    if (error < 0) end_because(error);
    end();
  }

  /// Ticks of the encoder's clock in the time of a usual frame.
  [[nodiscard]] std::int64_t frame_ticks() const {
    return std::max<std::int64_t>(1, std::llround(1 / (options_.frames_per_second * av_q2d(codec_->time_base))));
  }

  /// Sets everything up for frames of this shape.
  void begin(const Shape& shape) {
    source_ = pixels_of(shape);
    const bool exact = kind_.encoders.front() == std::string_view("ffv1");
    if (source_ == AV_PIX_FMT_NONE || (!exact && shape.element != Element::u8))
      throw UsageError("cannot write '" + path_.string() +
                       "': " + (exact ? "FFV1 holds 8 or 16" : "this codec holds 8") + " bits, and the frames are a " +
                       to_string(shape) + (exact ? "; frame_%04d.pfm keeps them" : "; .mkv keeps 16 bits"));
    shape_ = shape;
    constexpr int buffer_bytes = 1 << 16;
    AVFormatContext* format = nullptr;
    require(avformat_alloc_output_context2(&format, nullptr, kind_.container, nullptr));
    format_.reset(format);
    auto* const buffer = static_cast<std::uint8_t*>(av_malloc(buffer_bytes));
    if (buffer == nullptr) fail(AVERROR(ENOMEM));
    io_.reset(avio_alloc_context(buffer, buffer_bytes, 1, this, nullptr, write, move));
    packet_.reset(av_packet_alloc());
    frame_.reset(av_frame_alloc());
    if (!io_ || !packet_ || !frame_) fail(AVERROR(ENOMEM));
    format->pb = io_.get();
    format->flags |= AVFMT_FLAG_CUSTOM_IO;
    open_encoder(exact);
    if (const std::string left_out = sound_ ? sound_->add_to(format) : ""; !left_out.empty())
      note_ = "the sound of '" + options_.sound_from.string() + "' (" + left_out + ") does not fit into " +
              std::string(kind_.extension) + " and is left out";
    write_header();
  }

  void open_encoder(bool exact) {
    const AVCodec* const encoder = encoder_of(kind_);
    AVStream* const stream = avformat_new_stream(format_.get(), nullptr);
    Codec codec(avcodec_alloc_context3(encoder));
    if (stream == nullptr || !codec) fail(AVERROR(ENOMEM));
    constexpr int rate_unit = 1000000;
    const AVRational rate = av_d2q(options_.frames_per_second, rate_unit);
    constexpr int tick_unit = 10000000;
    codec->time_base = options_.tick > 0 ? av_d2q(options_.tick, tick_unit) : av_inv_q(rate);
    codec->framerate = rate;
    // With losses, colours have half the resolution in both directions, so that both sides have to be even.
    const auto even = [&](std::int64_t side) { return static_cast<int>(exact ? side : (side + 1) / 2 * 2); };
    codec->width = even(shape_.width);
    codec->height = even(shape_.height);
    codec->pix_fmt = !exact ? AV_PIX_FMT_YUV420P : source_ == AV_PIX_FMT_RGBA ? AV_PIX_FMT_BGRA : source_;
    codec->thread_count = 0;
    constexpr int aspect_unit = 10000;
    if (options_.pixel_aspect != 1) codec->sample_aspect_ratio = av_d2q(options_.pixel_aspect, aspect_unit);
    if (!exact) {
      constexpr int hd_lines = 720;
      const bool hd = shape_.height >= hd_lines;
      codec->colorspace = hd ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
      codec->color_primaries = hd ? AVCOL_PRI_BT709 : AVCOL_PRI_SMPTE170M;
      codec->color_trc = hd ? AVCOL_TRC_BT709 : AVCOL_TRC_SMPTE170M;
      codec->color_range = AVCOL_RANGE_MPEG;
    }
    if ((format_->oformat->flags & AVFMT_GLOBALHEADER) != 0) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    AVDictionary* options = nullptr;
    for (const auto& [name, value] : options_of(encoder->name))
      av_dict_set(&options, name, value.c_str(), 0);
    const int error = avcodec_open2(codec.get(), encoder, &options);
    av_dict_free(&options);
    require(error);
    require(avcodec_parameters_from_context(stream->codecpar, codec.get()));
    stream->time_base = codec->time_base;
    stream->avg_frame_rate = rate;
    stream->sample_aspect_ratio = codec->sample_aspect_ratio;
    frame_->format = codec->pix_fmt;
    frame_->width = codec->width;
    frame_->height = codec->height;
    frame_->colorspace = codec->colorspace;
    frame_->color_range = codec->color_range;
    require(av_frame_get_buffer(frame_.get(), 0));
    stream_ = stream;
    codec_ = std::move(codec);
  }

  [[nodiscard]] std::vector<std::pair<const char*, std::string>> options_of(std::string_view encoder) const {
    // Frames are cut into slices, which threads encode and decode at the same time; small ones cannot be cut.
    constexpr int least_side = 64;
    const bool small = shape_.width < least_side || shape_.height < least_side;
    if (encoder == "libx264") return {{"crf", "18"}, {"preset", "veryfast"}};
    // Quality 24 with no limit of the rate; fast enough to record while it plays.
    if (encoder == "libvpx-vp9")
      return {{"crf", "24"}, {"b", "0"}, {"deadline", "realtime"}, {"cpu-used", "6"}, {"row-mt", "1"}};
    if (encoder == "ffv1" && !small)
      return {{"level", "3"}, {"slices", std::to_string(ffv1_slices())}, {"slicecrc", "1"}, {"g", "1"}};
    return {};
  }

  /// The number of slices of a frame in FFV1: four, or as many more as the encoder asks for large frames, whose slices
  /// may have at most 2^27 bits of a plane and a bit more for each sample.
  [[nodiscard]] std::int64_t ffv1_slices() const {
    constexpr std::int64_t most = std::int64_t{8} << 24;
    constexpr int planes = 4;
    const std::int64_t bits = shape_.element == Element::u16 ? 17 : 9;
    std::int64_t side = 2;
    while ((shape_.width + side - 1) / side * ((shape_.height + side - 1) / side) * bits * planes > most)
      ++side;
    return side * side;
  }

  void write_header() {
    AVDictionary* options = nullptr;
    // Short clusters, so that little of a video is in memory only.
    if (std::string_view(kind_.container) == "matroska" || std::string_view(kind_.container) == "webm") {
      av_dict_set(&options, "cluster_size_limit", "1000000", 0);
      av_dict_set(&options, "cluster_time_limit", "1000", 0);
    }
    const int error = avformat_write_header(format_.get(), &options);
    av_dict_free(&options);
    require(error);
  }

  /// Converts a picture into frame_. Sides that were made even repeat the last column and row.
  void convert(HostIn picture) {
    require(av_frame_make_writable(frame_.get()));
    const auto width = static_cast<int>(shape_.width), height = static_cast<int>(shape_.height);
    HostIn from = picture;
    if (frame_->width != width || frame_->height != height) from = padded(picture);
    const auto target = static_cast<AVPixelFormat>(frame_->format);
    const std::uint8_t* const data[4] = {reinterpret_cast<const std::uint8_t*>(from.data), nullptr, nullptr, nullptr};
    const int pitch[4] = {static_cast<int>(from.pitch), 0, 0, 0};
    if (target == source_) {
      av_image_copy(frame_->data, frame_->linesize, const_cast<const std::uint8_t**>(data), pitch, target,
                    frame_->width, frame_->height);
      return;
    }
    scaler_.reset(sws_getCachedContext(scaler_.release(), frame_->width, frame_->height, source_, frame_->width,
                                       frame_->height, target, SWS_BILINEAR, nullptr, nullptr, nullptr));
    if (!scaler_) fail(AVERROR(EINVAL));
    const int* const matrix =
        sws_getCoefficients(frame_->colorspace == AVCOL_SPC_BT709 ? SWS_CS_ITU709 : SWS_CS_ITU601);
    constexpr int neutral = 1 << 16;
    (void)sws_setColorspaceDetails(scaler_.get(), matrix, 1, matrix, 0, 0, neutral, neutral);
    require(sws_scale(scaler_.get(), data, pitch, 0, frame_->height, frame_->data, frame_->linesize));
  }

  HostIn padded(HostIn picture) {
    Shape shape = shape_;
    shape.width = frame_->width;
    shape.height = frame_->height;
    if (padded_.shape() != shape) padded_ = HostArray(shape);
    const std::size_t pixel = shape.pixel_bytes(), row = static_cast<std::size_t>(shape_.width) * pixel;
    for (std::int64_t y = 0; y < shape.height; ++y) {
      std::byte* const to = padded_.data() + static_cast<std::size_t>(y) * padded_.pitch();
      std::memcpy(to, picture.data + static_cast<std::size_t>(std::min(y, shape_.height - 1)) * picture.pitch, row);
      if (shape.width > shape_.width) std::memcpy(to + row, to + row - pixel, pixel);
    }
    return padded_.view();
  }

  /// Encodes a frame, or what the encoder has kept back if it is null, and writes the packets.
  void encode(const AVFrame* frame) {
    require(avcodec_send_frame(codec_.get(), frame));
    for (;;) {
      const int got = avcodec_receive_packet(codec_.get(), packet_.get());
      if (got == AVERROR(EAGAIN) || got == AVERROR_EOF) return;
      require(got);
      packet_->stream_index = stream_->index;
      if (packet_->duration == 0) packet_->duration = frame_ticks();
      const double seconds = static_cast<double>(packet_->dts) * av_q2d(codec_->time_base);
      av_packet_rescale_ts(packet_.get(), codec_->time_base, stream_->time_base);
      keep_room(packet_->size);
      ++packets_;
      last_time_ = std::max(last_time_, packet_->pts);
      int error = av_interleaved_write_frame(format_.get(), packet_.get());
      if (error >= 0 && sound_) error = sound_->write_until(format_.get(), seconds);
      if (error < 0) end_because(error);
    }
  }

  /// Sees to it that a packet and the end of the file fit on the disk: tables with entries for all packets, and what
  /// the muxer still has in memory.
  void keep_room(std::int64_t bytes) {
    largest_ = std::max(largest_, bytes);
    constexpr std::int64_t fixed = 64 << 10, each = 64, memory = 1'100'000;
    const bool matroska = std::string_view(kind_.container) != "mp4" && std::string_view(kind_.container) != "mov";
    const std::int64_t room = fixed + each * (packets_ + 1) + 2 * largest_ + (matroska ? memory : 0);
    if (const int error = output_.keep_room(room); error != 0) end_because(AVERROR(error));
  }

  /// Completes the file with the packets that it has, and throws the error.
  [[noreturn]] void end_because(int error) {
    av_packet_unref(packet_.get());
    if (packets_ == 0 || options_.only_whole) {
      done_ = true;
      fail(error);
    }
    end();
    throw EnvironmentError("'" + path_.string() + "' ends after " + std::to_string(packets_) +
                           " frames: " + error_text(error) + "; what is there can be played");
  }

  void end() {
    done_ = true;
    const int error = av_write_trailer(format_.get());
    avio_flush(io_.get());
    if (error < 0 || io_->error < 0) fail(error < 0 ? error : io_->error);
    if (!has_last_frame(output_.complete())) fail("the file is damaged, because memory or disk ended");
    output_.commit();
  }

  /// Returns true if a container can be opened again and has the frame that was written last.
  [[nodiscard]] bool has_last_frame(const std::filesystem::path& path) const try {
    const FfmpegInput input(path, {});
    const int index = stream_->index;
    if (index >= static_cast<int>(input->nb_streams)) return false;
    // Containers have clocks of their own, so that times may differ by a tick.
    const std::int64_t last = av_rescale_q(last_time_, stream_->time_base, input->streams[index]->time_base) - 1;
    const Packet packet(av_packet_alloc());
    if (!packet || av_seek_frame(input.get(), index, last, AVSEEK_FLAG_BACKWARD) < 0) return false;
    while (av_read_frame(input.get(), packet.get()) >= 0) {
      const bool found = packet->stream_index == index && packet->pts >= last;
      av_packet_unref(packet.get());
      if (found) return true;
    }
    return false;
  } catch (const EnvironmentError&) {
    return false;
  }

  std::filesystem::path path_;
  const VideoFormat& kind_;
  FrameWriterOptions options_;
  VideoOutputFile output_;
  std::optional<SoundCopy> sound_;
  std::string note_;
  Shape shape_;
  AVPixelFormat source_ = AV_PIX_FMT_NONE;

  Io io_;
  std::unique_ptr<AVFormatContext, FreeOutput> format_;
  AVStream* stream_ = nullptr;
  Codec codec_;
  Packet packet_;
  FrameOwner frame_;
  Scaler scaler_;
  HostArray padded_;
  std::int64_t frames_ = 0, packets_ = 0, largest_ = 0;
  std::int64_t last_time_ = 0;  ///< When the last frame is shown, in the ticks of the stream.
  bool done_ = false;
};

}  // namespace

bool is_video(const std::filesystem::path& path) {
  return video_format_of(path) != nullptr;
}

std::vector<std::string_view> written_video_extensions() {
  std::vector<std::string_view> found;
  for (const VideoFormat& format : video_formats)
    if (encoder_of(format) != nullptr) found.push_back(format.extension);
  return found;
}

std::string video_writer_absent(const std::filesystem::path& path) {
  const VideoFormat* const format = video_format_of(path);
  if (format == nullptr) return "is no video: .mp4, .m4v, .mov, .webm or .mkv";
  return encoder_of(*format) != nullptr ? "" : std::string(format->need);
}

std::unique_ptr<FrameWriter> make_video_writer(const std::filesystem::path& path, const FrameWriterOptions& options) {
  const VideoFormat* const format = video_format_of(path);
  if (const std::string why = video_writer_absent(path); !why.empty())
    throw UsageError("cannot write '" + path.string() + "': it " + why);
  return std::make_unique<FfmpegLibraryWriter>(path, *format, options);
}

}  // namespace threadscape::io
