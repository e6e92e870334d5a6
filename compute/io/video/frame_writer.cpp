#include "compute/io/video/frame_writer.h"

#include <algorithm>
#include <system_error>

#include "compute/core/errors.h"
#include "compute/io/file_extension.h"
#include "compute/io/file_writer.h"
#include "compute/io/video/animation.h"
#include "compute/io/video/numbered_pictures.h"
#include "compute/io/video/video_writer.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view gif_extension = ".gif";

class NumberedWriter final : public FrameWriter {
 public:
  NumberedWriter(std::string pattern, const FrameWriterOptions& options)
      : pattern_(std::move(pattern)), options_(options) {}
  void add(HostIn picture) override {
    const bool grey = picture.shape.channels == 1;
    save_picture(number_name(pattern_, next_), picture, grey ? FileColour::grey : options_.colour, options_.quality);
    ++next_;
  }
  void finish() override {}

 private:
  std::string pattern_;
  FrameWriterOptions options_;
  std::int64_t next_ = 0;
};

/// A GIF, which the writer of animations makes from RGBA pictures.
class GifFrames final : public FrameWriter {
 public:
  GifFrames(fs::path path, const FrameWriterOptions& options) : path_(std::move(path)), options_(options) {}

  void add(HostIn picture) override {
    if (picture.shape.element != Element::u8)
      throw UsageError("cannot write '" + path_.string() + "': a GIF has 8 bits, and the frames are a " +
                       to_string(picture.shape) + "; frame_%04d.png keeps them");
    if (!writer_) {
      shape_ = picture.shape;
      writer_ = make_gif_writer();
    }
    if (picture.shape != shape_) {
      finish();
      throw UsageError("'" + path_.string() + "' ends at a frame that is a " + to_string(picture.shape) +
                       " and not a " + to_string(shape_) + "; frame_%04d.png takes frames of any size");
    }
    if (picture.shape.channels == 4) return writer_->add(picture);
    if (rgba_.empty()) rgba_ = HostArray(Shape::image(Element::u8, 4, shape_.width, shape_.height));
    const auto from = picture.image<std::uint8_t>();
    const auto to = rgba_.image<Rgba8>();
    for (int y = 0; y < from.height; ++y)
      for (int x = 0; x < from.width; ++x)
        to(x, y) = {from(x, y), from(x, y), from(x, y), 255};
    writer_->add(rgba_.view());
  }
  void finish() override {
    if (writer_) writer_->finish();
    writer_.reset();
  }

 private:
  [[nodiscard]] std::unique_ptr<AnimationWriter> make_gif_writer() const {
    return make_animation(path_, {.width = static_cast<int>(shape_.width),
                                  .height = static_cast<int>(shape_.height),
                                  .frames_per_second = options_.frames_per_second});
  }
  fs::path path_;
  FrameWriterOptions options_;
  Shape shape_;
  std::unique_ptr<AnimationWriter> writer_;
  HostArray rgba_;
};

}  // namespace

bool writes_frames(const fs::path& path) {
  return is_number_pattern(path.string()) || is_video(path) || extension_of(path) == gif_extension;
}

std::vector<std::string_view> frame_extensions() {
  std::vector<std::string_view> all = written_video_extensions();
  all.push_back(gif_extension);
  return all;
}

void require_frame_path(const fs::path& path) {
  if (is_number_pattern(path.string())) return require_picture_path(number_name(path.string(), 0));
  if (extension_of(path) == gif_extension) return require_animation_path(path);
  if (const std::string why = video_writer_absent(path); !why.empty())
    throw UsageError("cannot write '" + path.string() + "': it " + why);
  require_writable(path);
}

std::unique_ptr<FrameWriter> make_frame_writer(const fs::path& path, const FrameWriterOptions& options) {
  require_frame_path(path);
  if (is_number_pattern(path.string())) return std::make_unique<NumberedWriter>(path.string(), options);
  if (extension_of(path) == gif_extension) return std::make_unique<GifFrames>(path, options);
  return make_video_writer(path, options);
}

}  // namespace threadscape::io
