#include "compute/io/video/tiff_frames.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/io/file_writer.h"
#include "compute/io/input_file.h"
#include "compute/io/pictures/clip_codecs.h"
#include "compute/io/pictures/image_file.h"
#include "compute/io/pictures/tiff_writer.h"
#include "compute/io/standard_stream.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

class TiffFrames final : public FrameSource {
 public:
  TiffFrames(const fs::path& path, const FrameOptions& options)
      : path_(path), file_(load_bytes(path, Limit::file_bytes, options.stop)) {
    if (options.frames_per_second > 0) info_.frames_per_second = options.frames_per_second;
    try {
      tiff_ = std::make_unique<TiffFile>(file_);
      require_frame_count(tiff_->pages());
      info_.frames = tiff_->pages();
      page_ = tiff_->page(0);
    } catch (const DecodeFailure& failure) {
      cannot_read(path_, failure.cause);
    }
    info_.width = static_cast<int>(page_.pixels.shape().width);
    info_.height = static_cast<int>(page_.pixels.shape().height);
    info_.what = "TIFF, " + std::to_string(info_.frames) + " pages";
  }

  [[nodiscard]] const FrameInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t count() override { return info_.frames; }
  void seek(std::int64_t index) override { next_ = std::clamp<std::int64_t>(index, 0, info_.frames); }
  [[nodiscard]] std::string note() const override {
    if (!tiff_->damaged()) return {};
    return readable_name(path_) + ": its list of pages is damaged after page " + std::to_string(info_.frames);
  }

  bool advance() override {
    if (next_ >= info_.frames) return false;
    try {
      page_ = tiff_->page(next_);
    } catch (const DecodeFailure& failure) {
      cannot_read(path_, "page " + std::to_string(next_ + 1) + ": " + failure.cause);
    }
    state_alpha(page_);
    ++next_;
    return true;
  }
  void picture(Frame& frame) override {
    frame.index = next_ - 1;
    frame.seconds = static_cast<double>(frame.index) / info_.frames_per_second;
    if (frame.pixels.shape() != page_.pixels.shape()) frame.pixels = HostArray(page_.pixels.shape());
    copy(std::as_const(page_.pixels).view(), frame.pixels.view());
    frame.stated = {.pixels = {}, .colour = page_.colour, .settings = page_.settings, .facts = page_.facts};
  }

 private:
  fs::path path_;
  std::vector<std::byte> file_;  ///< The reader takes pages from here as long as it lives.
  std::unique_ptr<TiffFile> tiff_;
  FrameInfo info_;
  Loaded page_;
  std::int64_t next_ = 0;
};

class TiffFrameWriter final : public FrameWriter {
 public:
  TiffFrameWriter(const fs::path& path, const FrameWriterOptions& options)
      : path_(path), options_(options), file_(path) {}

  void add(HostIn picture) override { add_with(picture, {.colour = options_.colour}); }
  void add_with(HostIn picture, const FrameFacts& facts) override {
    const ImageFormat format = written_format(path_);
    const bool grey = picture.shape.channels == 1;
    const FileColour colour = require_encodable(path_, format, picture, grey ? FileColour::grey : facts.colour);
    const auto count = static_cast<std::size_t>(options_.frames);
    if (!pages_) pages_.emplace(file_, count == 0 || needs_big_tiff(picture.shape.bytes() * count));
    pages_->add(picture, {.colour = colour, .facts = written_facts(format, facts.picture, picture.shape, colour)});
  }
  void finish() override {
    if (!pages_) return;
    pages_->finish();
    file_.commit();
  }

 private:
  fs::path path_;
  FrameWriterOptions options_;
  FileWriter file_;
  std::optional<TiffPages> pages_;
};

}  // namespace

std::unique_ptr<FrameSource> open_tiff_frames(const fs::path& path, const FrameOptions& options) {
  return std::make_unique<TiffFrames>(path, options);
}

std::unique_ptr<FrameWriter> make_tiff_frames(const fs::path& path, const FrameWriterOptions& options) {
  return std::make_unique<TiffFrameWriter>(path, options);
}

}  // namespace threadscape::io
