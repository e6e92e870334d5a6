#include "app/scenes/mask_painter.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/settings.h"
#include "compute/core/border.h"
#include "compute/core/errors.h"
#include "compute/io/image_file.h"

namespace threadscape::app {

namespace {

constexpr std::array<Rgba8, 3> colours{Rgba8{0, 0, 0, 0}, Rgba8{40, 215, 110, 130}, Rgba8{240, 60, 50, 140}};

/// As algorithms take masks: at least half of white.
template <class Pixel>
bool is_white(const Pixel& pixel) {
  if constexpr (std::is_class_v<Pixel>)
    return is_white(luma(pixel));
  else
    return 2 * static_cast<double>(pixel) >= static_cast<double>(white<Pixel>);
}

/// f(x, y) for every white pixel.
template <class F>
void for_white(const HostArray& picture, const F& f) {
  const auto visit = [&]<class Pixel>(Pixel) {
    if (!holds<Pixel>(picture.shape())) return;
    const auto pixels = picture.image<Pixel>();
    for (int y = 0; y < pixels.height; ++y)
      for (int x = 0; x < pixels.width; ++x)
        if (is_white(pixels(x, y))) f(x, y);
  };
  visit(std::uint8_t{});
  visit(std::uint16_t{});
  visit(0.0f);
  visit(Rgba8{});
  visit(Rgba16{});
  visit(Rgba32f{});
}

/// A name in the cache folder that no file has, nor ever had.
std::filesystem::path new_file(std::string_view what) {
  static int number = 0;
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
  const std::filesystem::path folder = cache_folder() / "masks";
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw EnvironmentError("cannot make the folder " + folder.string() + ": " + failed.message());
  // Not packed: a mask of a large picture is written at the end of every stroke.
  return folder / (std::string(what) + "-" + std::to_string(now.count()) + "-" + std::to_string(getpid()) + "-" +
                   std::to_string(number++) + ".pgm");
}

}  // namespace

void MaskPainter::Area::take_in(const Area& other) {
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
  before_.reset();
  undo_.clear();
  changed_ = {};
  marks_.assign(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y), Brush::erase);
  load(Brush::remove, files.remove);
  load(Brush::protect, files.protect);  // where both are white it stays
  count();
  dirty_ = everything();
}

void MaskPainter::load(Brush brush, const std::string& file) {
  if (file.empty()) return;
  try {
    const io::Picture picture = io::load_picture(file);
    const Shape& shape = picture.pixels.shape();
    if (shape.width == size_.x && shape.height == size_.y)
      for_white(picture.pixels, [&](int x, int y) { row(y)[x] = brush; });
  } catch (const Error&) {
    // The workspace says what is wrong with it.
  }
}

void MaskPainter::count() {
  counts_ = {};
  for (const Brush mark : marks_)
    ++counts_[index(mark)];
}

void MaskPainter::touch(const Area& area) {
  dirty_.take_in(area);
  changed_.fill(true);
}

void MaskPainter::begin_stroke() {
  before_ = marks_;
  stroke_ = {};
}

void MaskPainter::paint(Brush brush, glm::vec2 from, glm::vec2 to, float radius) {
  const glm::vec2 lowest{std::min(from.x, to.x) - radius, std::min(from.y, to.y) - radius};
  const glm::vec2 highest{std::max(from.x, to.x) + radius, std::max(from.y, to.y) + radius};
  const auto cut = [](float at, int most) {
    return static_cast<int>(std::clamp(std::floor(at), 0.0f, static_cast<float>(most)));
  };
  const Area area{{cut(lowest.x, size_.x), cut(lowest.y, size_.y)},
                  {cut(highest.x + 1.0f, size_.x), cut(highest.y + 1.0f, size_.y)}};
  const float dx = to.x - from.x, dy = to.y - from.y, length = dx * dx + dy * dy;
  for (int y = area.lo.y; y < area.hi.y; ++y)
    for (int x = area.lo.x; x < area.hi.x; ++x) {
      // To the middle of the pixel, from the nearest point of the way.
      const float px = static_cast<float>(x) + 0.5f - from.x, py = static_cast<float>(y) + 0.5f - from.y;
      const float t = length > 0.0f ? std::clamp((px * dx + py * dy) / length, 0.0f, 1.0f) : 0.0f;
      const float ex = px - t * dx, ey = py - t * dy;
      if (ex * ex + ey * ey > radius * radius) continue;
      Brush& mark = row(y)[x];
      if (mark == brush) continue;
      for (const Brush other : {mark, brush})
        changed_[index(other)] = true;
      --counts_[index(mark)];
      ++counts_[index(brush)];
      mark = brush;
    }
  stroke_.take_in(area);
  dirty_.take_in(area);
}

void MaskPainter::end_stroke() {
  if (before_) remember(stroke_, *before_);
  before_.reset();
}

void MaskPainter::remember(const Area& area, const std::vector<Brush>& before) {
  if (area.empty()) return;
  Undo& undo = undo_.emplace_back();
  undo.area = area;
  for (int y = area.lo.y; y < area.hi.y; ++y) {
    const Brush* const line = before.data() + static_cast<std::ptrdiff_t>(y) * size_.x;
    undo.marks.insert(undo.marks.end(), line + area.lo.x, line + area.hi.x);
  }
  if (undo_.size() > most_undo) undo_.pop_front();
}

void MaskPainter::undo() {
  if (undo_.empty() || painting()) return;
  const Undo last = std::move(undo_.back());
  undo_.pop_back();
  const Brush* from = last.marks.data();
  for (int y = last.area.lo.y; y < last.area.hi.y; ++y) {
    const int width = last.area.hi.x - last.area.lo.x;
    std::copy_n(from, width, row(y) + last.area.lo.x);
    from += width;
  }
  count();
  touch(last.area);
}

void MaskPainter::clear() {
  remember(everything(), marks_);
  std::ranges::fill(marks_, Brush::erase);
  count();
  touch(everything());
}

void MaskPainter::save(Brush brush, const std::filesystem::path& path) const {
  HostArray mask(Shape::image(Element::u8, 1, size_.x, size_.y));
  const auto pixels = mask.image<std::uint8_t>();
  for (int y = 0; y < size_.y; ++y)
    std::transform(row(y), row(y) + size_.x, pixels.row(y),
                   [brush](Brush mark) { return static_cast<std::uint8_t>(mark == brush ? 255 : 0); });
  io::save_picture(path, std::as_const(mask).view(), io::FileColour::grey);
}

void MaskPainter::write_one(Brush brush, std::string& file) {
  const std::size_t i = index(brush);
  if (!std::exchange(changed_[i], false)) return;
  // A run that is under way may still read the last one, but not the one before.
  std::error_code ignored;
  if (!superseded_[i].empty()) std::filesystem::remove(superseded_[i], ignored);
  superseded_[i] = std::exchange(written_[i], {});
  file.clear();
  if (!marks(brush)) return;
  const std::filesystem::path to = new_file(brush == Brush::protect ? "protect" : "remove");
  save(brush, to);
  file = written_[i] = to.string();
}

MaskPainter::Files MaskPainter::write() {
  write_one(Brush::protect, files_.protect);
  write_one(Brush::remove, files_.remove);
  return files_;
}

const gl::Texture* MaskPainter::overlay() {
  if (size_.x < 1 || size_.y < 1) return nullptr;
  if (overlay_.empty() || overlay_.width() != size_.x || overlay_.height() != size_.y) {
    overlay_ = {};  // first, so that both never exist at once
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
