// Animated WebP through libwebp and libwebpmux, always lossy.

#include <webp/encode.h>
#include <webp/mux.h>

#include <cmath>
#include <memory>
#include <utility>

#include "compute/core/errors.h"
#include "compute/io/file_writer.h"
#include "compute/io/video/animation.h"

namespace threadscape::io {

namespace {

constexpr int default_quality = 90;

class WebpWriter final : public AnimationWriter {
 public:
  WebpWriter(const std::filesystem::path& path, const AnimationOptions& options)
      : path_(path.string()), options_(options), file_(path) {
    if (options.width > WEBP_MAX_DIMENSION || options.height > WEBP_MAX_DIMENSION)
      throw UsageError("cannot write '" + path_ + "': a WebP has at most 16383 pixels a side");
    WebPAnimEncoderOptions settings;
    if (WebPAnimEncoderOptionsInit(&settings) == 0 || WebPConfigInit(&config_) == 0)
      throw EnvironmentError("cannot write '" + path_ + "': libwebp has another version than this build");
    config_.quality = static_cast<float>(options.quality > 0 ? options.quality : default_quality);
    encoder_.reset(WebPAnimEncoderNew(options.width, options.height, &settings));
    if (!encoder_) throw EnvironmentError("cannot write '" + path_ + "': libwebp cannot begin an animation");
  }

  void add(HostIn picture) override {
    WebPPicture frame;
    if (WebPPictureInit(&frame) == 0) fail();
    frame.width = options_.width;
    frame.height = options_.height;
    frame.use_argb = 1;
    const bool imported = WebPPictureImportRGBX(&frame, reinterpret_cast<const std::uint8_t*>(picture.data),
                                                static_cast<int>(picture.pitch)) != 0;
    const bool added = imported && WebPAnimEncoderAdd(encoder_.get(), &frame, time_of(added_), &config_) != 0;
    WebPPictureFree(&frame);
    if (!added) fail();
    ++added_;
  }

  void finish() override {
    WebPData data;
    WebPDataInit(&data);
    const bool assembled = WebPAnimEncoderAdd(encoder_.get(), nullptr, time_of(added_), nullptr) != 0 &&
                           WebPAnimEncoderAssemble(encoder_.get(), &data) != 0;
    const std::unique_ptr<WebPData, Clear> owner(&data);
    if (!assembled) fail();
    file_.write(data.bytes, data.size);
    file_.commit();
  }

 private:
  struct Delete {
    void operator()(WebPAnimEncoder* encoder) const { WebPAnimEncoderDelete(encoder); }
  };
  struct Clear {
    void operator()(WebPData* data) const { WebPDataClear(data); }
  };

  /// The time in milliseconds at which a frame begins.
  [[nodiscard]] int time_of(int frame) const {
    return static_cast<int>(std::lround(1000.0 * frame / options_.frames_per_second));
  }
  [[noreturn]] void fail() const {
    throw EnvironmentError("cannot write '" + path_ + "': " + WebPAnimEncoderGetError(encoder_.get()));
  }

  std::string path_;
  AnimationOptions options_;
  FileWriter file_;
  WebPConfig config_{};
  std::unique_ptr<WebPAnimEncoder, Delete> encoder_;
  int added_ = 0;
};

}  // namespace

std::unique_ptr<AnimationWriter> make_webp_animation(const std::filesystem::path& path,
                                                     const AnimationOptions& options) {
  return std::make_unique<WebpWriter>(path, options);
}

}  // namespace threadscape::io
