#include "app/panels/lesson/lesson_pictures.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "app/shell/thumbnail.h"
#include "compute/core/convert.h"
#include "compute/io/pictures/image_file.h"

namespace threadscape::app {

namespace {

std::optional<HostArray> read_lesson_picture(const std::filesystem::path& file) {
  try {
    const HostArray picture = convert_picture(io::load_picture(file).pixels.view(), Element::u8);
    const auto width = static_cast<int>(picture.shape().width), height = static_cast<int>(picture.shape().height);
    constexpr int most = 2048;  // More pixels are not seen in a column of text.
    const double scale = std::min(1.0, static_cast<double>(most) / std::max(width, height));
    const auto scaled = [scale](int length) { return std::max(1, static_cast<int>(length * scale)); };
    return shrink(picture.view(), {0, 0}, {width, height}, {scaled(width), scaled(height)});
  } catch (const std::exception&) {  // Its text stands in its place.
    return {};
  }
}

}  // namespace

bool LessonPictures::draw(const std::filesystem::path& file, float width) {
  if (loading_.valid() && loading_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    if (const std::optional<HostArray> picture = loading_.get()) {
      gl::Texture& texture = shown_[next_];
      texture = gl::Texture(picture->shape());
      texture.write(picture->view());
      texture.set_filter(gl::Filter::linear);
    }
  const auto found = shown_.find(file);
  if (found == shown_.end() && !loading_.valid()) {
    shown_[file];
    next_ = file;
    loading_ = std::async(std::launch::async, read_lesson_picture, file);
  }
  if (found == shown_.end() || found->second.empty()) return false;
  const Shape& shape = found->second.shape();
  const auto natural = static_cast<float>(shape.width);
  const float shown = std::min(width, natural * ImGui::GetStyle().FontScaleDpi);
  ImGui::Image(static_cast<ImTextureID>(found->second.id()),
               {shown, shown * static_cast<float>(shape.height) / natural});
  return true;
}

}  // namespace threadscape::app
