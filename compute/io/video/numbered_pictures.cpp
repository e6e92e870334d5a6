#include "compute/io/video/numbered_pictures.h"

#include <algorithm>
#include <utility>

#include "compute/core/errors.h"
#include "compute/io/pictures/image_file.h"
#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

class PictureFrames final : public FrameSource {
 public:
  PictureFrames(std::vector<fs::path> files, const FrameOptions& options) : files_(std::move(files)) {
    options_.stop = options.stop;
    if (options.frames_per_second > 0) info_.frames_per_second = options.frames_per_second;
    info_.frames = static_cast<std::int64_t>(files_.size());
    // The first picture says the size, and whether the files can be read at all.
    picture_ = load(0);
    info_.width = static_cast<int>(picture_.pixels.shape().width);
    info_.height = static_cast<int>(picture_.pixels.shape().height);
    info_.what = "pictures, " + std::to_string(info_.width) + "x" + std::to_string(info_.height);
    loaded_ = 0;
  }

  [[nodiscard]] const FrameInfo& info() const override { return info_; }
  bool advance() override {
    if (next_ >= info_.frames) return false;
    if (loaded_ != next_) picture_ = load(next_);
    loaded_ = next_++;
    return true;
  }
  void picture(Frame& frame) override {
    frame.index = loaded_;
    frame.seconds = static_cast<double>(loaded_) / info_.frames_per_second;
    const HostArray& pixels = picture_.pixels;
    if (frame.pixels.shape() != pixels.shape()) frame.pixels = HostArray(pixels.shape());
    copy(pixels.view(), frame.pixels.view());
    frame.stated = {.pixels = {}, .colour = picture_.colour, .settings = picture_.settings, .facts = picture_.facts};
  }
  void seek(std::int64_t index) override { next_ = std::clamp<std::int64_t>(index, 0, info_.frames); }
  [[nodiscard]] std::int64_t count() override { return info_.frames; }

 private:
  [[nodiscard]] Loaded load(std::int64_t index) const {
    return load_picture(files_[static_cast<std::size_t>(index)], options_);
  }

  std::vector<fs::path> files_;
  LoadOptions options_;
  FrameInfo info_;
  Loaded picture_;
  std::int64_t next_ = 0, loaded_ = -1;
};

/// The pictures of a folder or a pattern. `none` says what is missing if there are none.
std::unique_ptr<FrameSource> open_stack(const fs::path& path, const FrameOptions& options, const std::string& none) {
  std::vector<fs::path> files;
  try {
    files = stack_of_pictures(path);
  } catch (const DecodeFailure& failure) {
    throw EnvironmentError("cannot read '" + path.string() + "': " + failure.cause);
  }
  if (files.empty()) throw EnvironmentError("cannot read '" + path.string() + "': " + none);
  return std::make_unique<PictureFrames>(std::move(files), options);
}

}  // namespace

std::unique_ptr<FrameSource> open_numbered_pictures(const std::string& pattern, const FrameOptions& options) {
  return open_stack(
      pattern, options,
      "no such picture exists, for example '" + fs::path(number_name(pattern, 1)).filename().string() + "'");
}

std::unique_ptr<FrameSource> open_picture_folder(const fs::path& folder, const FrameOptions& options) {
  return open_stack(folder, options, "the folder has no pictures in it");
}

}  // namespace threadscape::io
