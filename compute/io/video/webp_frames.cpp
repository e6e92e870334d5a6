// Animated WebP through libwebpdemux, whose decoder puts every frame on the canvas of those before it.

#include "compute/io/video/webp_frames.h"

#include <webp/demux.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "compute/core/errors.h"
#include "compute/io/input_file.h"
#include "compute/io/limits.h"
#include "compute/io/standard_stream.h"

namespace threadscape::io {

namespace {

struct Free {
  void operator()(WebPAnimDecoder* decoder) const { WebPAnimDecoderDelete(decoder); }
  void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
};

class WebpFrames final : public FrameSource {
 public:
  WebpFrames(const std::filesystem::path& path, const FrameOptions& options)
      : path_(path), stop_(options.stop), file_(load_bytes(path, Limit::file_bytes, options.stop)) {
    const WebPData data{reinterpret_cast<const std::uint8_t*>(file_.data()), file_.size()};
    read_times(data);
    WebPAnimDecoderOptions how;
    if (WebPAnimDecoderOptionsInit(&how) == 0) cannot_read(path_, "libwebpdemux has another version than its headers");
    how.color_mode = MODE_RGBA;
    how.use_threads = options.threads == 1 ? 0 : 1;
    decoder_.reset(WebPAnimDecoderNew(&data, &how));
    if (!decoder_) cannot_read(path_, "it is a damaged WebP file, or memory ran out");
    info_.what = "WebP, " + std::to_string(info_.width) + "x" + std::to_string(info_.height);
  }

  [[nodiscard]] const FrameInfo& info() const override { return info_; }
  [[nodiscard]] std::string note() const override { return note_; }

  bool advance() override {
    if (stop_.stop_requested()) throw Cancelled();
    if (next_ >= info_.frames) return false;
    int end_ms = 0;
    if (WebPAnimDecoderGetNext(decoder_.get(), &canvas_, &end_ms) == 0) {
      note_ = readable_name(path_) + " is damaged: " + std::to_string(next_) + " of " + std::to_string(info_.frames) +
              " frames are there";
      next_ = info_.frames;
      return false;
    }
    ++next_;
    return true;
  }

  void picture(Frame& frame) override {
    const Shape shape = Shape::image(Element::u8, 4, info_.width, info_.height);
    if (frame.pixels.shape() != shape) frame.pixels = HostArray(shape);
    frame.index = next_ - 1;
    const auto* const begin = &begin_ms_[static_cast<std::size_t>(frame.index)];
    frame.seconds = static_cast<double>(begin[0]) / 1e3;
    frame.lasts = static_cast<double>(begin[1] - begin[0]) / 1e3;
    const std::size_t row = static_cast<std::size_t>(info_.width) * sizeof(Rgba8);
    for (int y = 0; y < info_.height; ++y)
      std::memcpy(frame.pixels.image<Rgba8>().row(y), canvas_ + row * static_cast<std::size_t>(y), row);
  }

  void seek(std::int64_t index) override {
    index = std::clamp<std::int64_t>(index, 0, info_.frames);
    if (index == info_.frames) {
      // What is behind the end needs no decoding, and a step back begins at the first frame in any case.
      next_ = index;
      behind_ = true;
      return;
    }
    if (index < next_ || behind_) {
      WebPAnimDecoderReset(decoder_.get());
      next_ = 0;
      behind_ = false;
    }
    while (next_ < index && advance()) {
    }
  }
  [[nodiscard]] std::int64_t count() override { return info_.frames; }

 private:
  /// Reads size, number and times of the frames from the list of the chunks, before anything is decoded.
  void read_times(const WebPData& data) {
    const std::unique_ptr<WebPDemuxer, Free> chunks(WebPDemux(&data));
    if (!chunks) cannot_read(path_, "it is no WebP file, or it is damaged");
    const std::int64_t width = WebPDemuxGetI(chunks.get(), WEBP_FF_CANVAS_WIDTH);
    const std::int64_t height = WebPDemuxGetI(chunks.get(), WEBP_FF_CANVAS_HEIGHT);
    if (width * height > limit_of(Limit::pixels))
      cannot_read(path_, "its pictures have " + std::to_string(width) + "x" + std::to_string(height) + " pixels; " +
                             limit_text(Limit::pixels));
    if (static_cast<std::size_t>(width * height) * sizeof(Rgba8) > justified_bytes(data.size))
      cannot_read(path_, "its pictures of " + std::to_string(width) + "x" + std::to_string(height) +
                             " pixels are too large for its length; " + limit_text(Limit::expansion));
    info_.width = static_cast<int>(width);
    info_.height = static_cast<int>(height);
    info_.frames = WebPDemuxGetI(chunks.get(), WEBP_FF_FRAME_COUNT);
    if (info_.frames > limit_of(Limit::frames))
      cannot_read(path_, "it has " + std::to_string(info_.frames) + " frames; " + limit_text(Limit::frames));
    std::int64_t at_ms = 0;
    WebPIterator frame;
    for (int more = WebPDemuxGetFrame(chunks.get(), 1, &frame); more != 0; more = WebPDemuxNextFrame(&frame)) {
      begin_ms_.push_back(at_ms);
      at_ms += std::max(frame.duration, 0);
    }
    WebPDemuxReleaseIterator(&frame);
    begin_ms_.resize(static_cast<std::size_t>(info_.frames) + 1, at_ms);
    info_.tick = 1e-3;
    if (at_ms > 0 && info_.frames > 1)
      info_.frames_per_second = static_cast<double>(info_.frames) * 1e3 / static_cast<double>(at_ms);
  }

  std::filesystem::path path_;
  std::stop_token stop_;
  std::vector<std::byte> file_;  ///< The decoder reads from here as long as it lives.
  FrameInfo info_;
  std::string note_;
  std::vector<std::int64_t> begin_ms_;  ///< When each frame begins, and the last one ends, in milliseconds.
  std::unique_ptr<WebPAnimDecoder, Free> decoder_;
  std::uint8_t* canvas_ = nullptr;  ///< The picture of the last advance(), which the decoder owns.
  std::int64_t next_ = 0;
  bool behind_ = false;  ///< If true, next_ was set to the end without decoding up to there.
};

}  // namespace

std::unique_ptr<FrameSource> open_animated_webp(const std::filesystem::path& path, const FrameOptions& options) {
  return std::make_unique<WebpFrames>(path, options);
}

}  // namespace threadscape::io
