#include "app/scenes/seams/mask_painter.h"

#include <algorithm>
#include <cmath>

#include "compute/core/border.h"

namespace threadscape::app {

namespace {

constexpr std::array<Rgba8, 3> colours{Rgba8{0, 0, 0, 0}, Rgba8{40, 215, 110, 130}, Rgba8{240, 60, 50, 140}};

}  // namespace

void MaskPainter::Area::include(const Area& other) {
  if (other.empty()) return;
  if (empty()) {
    *this = other;
    return;
  }
  lo = {std::min(lo.x, other.lo.x), std::min(lo.y, other.lo.y)};
  hi = {std::max(hi.x, other.hi.x), std::max(hi.y, other.hi.y)};
}

void MaskPainter::follow(glm::ivec2 size, const Files& files) {
  if (size == size_ && files == files_) return;
  size_ = size;
  files_ = files;
  load_files();
}

void MaskPainter::load_files() {
  painting_ = false;
  changed_ = {};
  write_due_ = false;
  if (writing_) writing_->wanted = false;
  marks_ = std::make_shared<Marks>(static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(size_.y), Brush::erase);
  load(Brush::remove, files_.remove);
  load(Brush::protect, files_.protect);  // Where both masks are white, the pixel is protected.
  count();
  dirty_ = everything();
}

bool MaskPainter::discard() {
  if (!painting() && !write_due_ && !(writing_ && writing_->wanted)) return false;
  load_files();
  return true;
}

void MaskPainter::count() {
  counts_ = {};
  for (const Brush mark : *marks_)
    ++counts_[index(mark)];
}

void MaskPainter::mark_changed(const Area& area) {
  dirty_.include(area);
  changed_.fill(true);
  write_due_ = true;
}

void MaskPainter::detach() {
  if (marks_.use_count() > 1) marks_ = std::make_shared<Marks>(*marks_);
}

void MaskPainter::begin_stroke() {
  detach();
  painting_ = true;
}

void MaskPainter::paint(Brush brush, glm::vec2 from, glm::vec2 to, float radius) {
  const glm::vec2 lowest{std::min(from.x, to.x) - radius, std::min(from.y, to.y) - radius};
  const glm::vec2 highest{std::max(from.x, to.x) + radius, std::max(from.y, to.y) + radius};
  const auto cut = [](float at, int limit) {
    return static_cast<int>(std::clamp(std::floor(at), 0.0f, static_cast<float>(limit)));
  };
  const Area area{{cut(lowest.x, size_.x), cut(lowest.y, size_.y)},
                  {cut(highest.x + 1.0f, size_.x), cut(highest.y + 1.0f, size_.y)}};
  const float dx = to.x - from.x, dy = to.y - from.y, length = dx * dx + dy * dy;
  for (int y = area.lo.y; y < area.hi.y; ++y)
    for (int x = area.lo.x; x < area.hi.x; ++x) {
      // Distance from the centre of the pixel to the nearest point of the stroke.
      const float px = static_cast<float>(x) + 0.5f - from.x, py = static_cast<float>(y) + 0.5f - from.y;
      const float t = length > 0.0f ? std::clamp((px * dx + py * dy) / length, 0.0f, 1.0f) : 0.0f;
      const float ex = px - t * dx, ey = py - t * dy;
      if (ex * ex + ey * ey > radius * radius) continue;
      Brush& mark = row(y)[x];
      if (mark == brush) continue;
      for (const Brush other : {mark, brush})
        changed_[index(other)] = true;
      write_due_ = true;
      --counts_[index(mark)];
      ++counts_[index(brush)];
      mark = brush;
    }
  dirty_.include(area);
}

void MaskPainter::end_stroke() {
  painting_ = false;
}

void MaskPainter::clear() {
  detach();
  std::ranges::fill(*marks_, Brush::erase);
  count();
  mark_changed(everything());
}

const gl::Texture* MaskPainter::overlay() {
  if (size_.x < 1 || size_.y < 1) return nullptr;
  if (overlay_.empty() || overlay_.width() != size_.x || overlay_.height() != size_.y) {
    overlay_ = {};  // Released first, so that both textures never exist at once.
    overlay_ = gl::Texture(gl::Format::rgba8, size_.x, size_.y);
    dirty_ = everything();
  }
  if (!dirty_.empty()) {
    const glm::ivec2 size = dirty_.hi - dirty_.lo;
    std::vector<Rgba8> pixels;
    pixels.reserve(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y));
    for (int y = dirty_.lo.y; y < dirty_.hi.y; ++y)
      std::transform(row(y) + dirty_.lo.x, row(y) + dirty_.hi.x, std::back_inserter(pixels),
                     [](Brush mark) { return colours[index(mark)]; });
    glTextureSubImage2D(overlay_.id(), 0, dirty_.lo.x, dirty_.lo.y, size.x, size.y, GL_RGBA, GL_UNSIGNED_BYTE,
                        pixels.data());
    dirty_ = {};
  }
  return &overlay_;
}

}  // namespace threadscape::app
