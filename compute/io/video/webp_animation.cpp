// Animated WebP through libwebp and libwebpmux, always lossy.

#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "compute/core/errors.h"
#include "compute/io/file_writer.h"
#include "compute/io/video/animation.h"

namespace threadscape::io {

namespace {

constexpr int default_quality = 90;

class WebpWriter final : public AnimationWriter {
 public:
  using AnimationWriter::AnimationWriter;

 private:
  struct Delete {
    void operator()(WebPAnimEncoder* encoder) const { WebPAnimEncoderDelete(encoder); }
    void operator()(WebPMux* mux) const { WebPMuxDelete(mux); }
  };
  struct Clear {
    void operator()(WebPData* data) const { WebPDataClear(data); }
  };

  void begin(int width, int height) override {
    if (width > WEBP_MAX_DIMENSION || height > WEBP_MAX_DIMENSION)
      throw UsageError("cannot write '" + path().string() + "': a WebP has at most 16383 pixels a side");
    WebPAnimEncoderOptions settings;
    if (WebPAnimEncoderOptionsInit(&settings) == 0 || WebPConfigInit(&config_) == 0)
      fail("libwebp has another version than this build");
    config_.quality = static_cast<float>(options().quality > 0 ? options().quality : default_quality);
    encoder_.reset(WebPAnimEncoderNew(width, height, &settings));
    if (!encoder_) fail("libwebp cannot begin an animation");
    file_.emplace(path());
  }

  void add_rgba(HostIn picture, double begin, double end) override {
    WebPPicture frame;
    if (WebPPictureInit(&frame) == 0) fail_encoding();
    frame.width = static_cast<int>(picture.shape.width);
    frame.height = static_cast<int>(picture.shape.height);
    frame.use_argb = 1;
    const bool imported = WebPPictureImportRGBX(&frame, reinterpret_cast<const std::uint8_t*>(picture.data),
                                                static_cast<int>(picture.pitch)) != 0;
    const bool added = imported && WebPAnimEncoderAdd(encoder_.get(), &frame, milliseconds(begin), &config_) != 0;
    WebPPictureFree(&frame);
    if (!added) fail_encoding();
    end_ = milliseconds(end);
  }

  void end() override {
    WebPData data;
    WebPDataInit(&data);
    const bool assembled = WebPAnimEncoderAdd(encoder_.get(), nullptr, end_, nullptr) != 0 &&
                           WebPAnimEncoderAssemble(encoder_.get(), &data) != 0;
    const std::unique_ptr<WebPData, Clear> owner(&data);
    if (!assembled) fail_encoding();
    // Where libwebp gets no memory, it may write a part of a frame and say nothing.
    if (!can_be_decoded(data)) fail("out of memory");
    file_->write(data.bytes, data.size);
    file_->commit();
  }

  static bool can_be_decoded(const WebPData& file) {
    const std::unique_ptr<WebPMux, Delete> mux(WebPMuxCreate(&file, 0));
    int count = 0;
    if (!mux || WebPMuxNumChunks(mux.get(), WEBP_CHUNK_ANMF, &count) != WEBP_MUX_OK) return false;
    for (int i = 1; i <= std::max(count, 1); ++i) {
      WebPMuxFrameInfo frame;
      if (WebPMuxGetFrame(mux.get(), static_cast<std::uint32_t>(i), &frame) != WEBP_MUX_OK) return false;
      const std::unique_ptr<WebPData, Clear> owner(&frame.bitstream);
      int width = 0, height = 0;
      std::uint8_t* const pixels = WebPDecodeRGBA(frame.bitstream.bytes, frame.bitstream.size, &width, &height);
      if (pixels == nullptr) return false;
      WebPFree(pixels);
    }
    return true;
  }

  [[nodiscard]] static int milliseconds(double seconds) {
    return static_cast<int>(std::min(std::lround(1000 * seconds), long{std::numeric_limits<int>::max()}));
  }
  [[noreturn]] void fail_encoding() const { fail(WebPAnimEncoderGetError(encoder_.get())); }

  std::optional<FileWriter> file_;
  WebPConfig config_{};
  int end_ = 0;  ///< When the last frame ends, in milliseconds.
  std::unique_ptr<WebPAnimEncoder, Delete> encoder_;
};

}  // namespace

std::unique_ptr<FrameWriter> make_webp_animation(const std::filesystem::path& path, const FrameWriterOptions& options) {
  return std::make_unique<WebpWriter>(path, options);
}

}  // namespace threadscape::io
