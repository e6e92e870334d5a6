#include "app/shell/file_pictures.h"

#include <chrono>
#include <exception>

#include "app/shell/preset_thumbnails.h"
#include "compute/core/convert.h"
#include "compute/io/pictures/image_file.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t max_listed_bytes = std::uintmax_t{8} << 20;

std::optional<HostArray> read_small(const fs::path& path) {
  try {
    const io::Loaded picture = io::load_picture(path);
    const HostIn pixels = picture.pixels.view();
    if (pixels.shape.kind != Kind::image) return {};
    if (pixels.shape.element == Element::u8) return make_thumbnail(pixels);
    return make_thumbnail(convert_picture(pixels, Element::u8).view());
  } catch (const std::exception&) {  // This includes std::bad_alloc. What cannot be read has no picture.
    return {};
  }
}

}  // namespace

const gl::Texture* FilePictures::of(const fs::path& path) {
  std::error_code missing;
  const fs::file_time_type written = fs::last_write_time(path, missing);
  if (missing) return nullptr;
  if (kept_.size() >= max_kept && !kept_.contains(path)) kept_.clear();
  Kept& kept = kept_[path];
  if (kept.written != written) kept = {.written = written, .asked = false, .picture = {}};
  if (!kept.asked && reading_.empty()) {
    kept.asked = true;
    if (fs::file_size(path, missing) > max_listed_bytes || missing) return nullptr;
    reading_ = path;
    read_ = std::async(std::launch::async, read_small, path);
  }
  return kept.picture.empty() ? nullptr : &kept.picture;
}

bool FilePictures::update() {
  if (reading_.empty()) return false;
  if (read_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return true;
  const std::optional<HostArray> small = read_.get();
  const auto found = kept_.find(reading_);
  reading_.clear();
  if (small && found != kept_.end()) {
    found->second.picture = gl::Texture(small->shape());
    found->second.picture.write(small->view());
    found->second.picture.set_filter(gl::Filter::linear);
  }
  return true;  // The next frame asks for the next file.
}

}  // namespace threadscape::app
