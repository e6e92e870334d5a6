#include "compute/io/video/test_scene.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string>

#include "compute/core/errors.h"
#include "compute/io/limits.h"

namespace threadscape::io {

namespace {

constexpr std::string_view scene_prefix = "test:";
constexpr int code_bits = 24;
constexpr int code_rows = 8;  // The part of the height that the bar code takes is 1 / code_rows.

struct SceneSize {
  int width = 640, height = 360;
  double rate = 30;
  std::int64_t frames = 300;
};

[[noreturn]] void refuse_name(std::string_view name) {
  throw UsageError("'" + std::string(name) +
                   "' is no test scene: test:, test:WIDTHxHEIGHT, test:WIDTHxHEIGHT@RATE or "
                   "test:WIDTHxHEIGHT@RATE:FRAMES, for example test:640x360@30:300");
}

/// Takes a number from the beginning of `rest`. Throws UsageError if there is none in min..max.
template <class T>
T take_number(std::string_view name, std::string_view& rest, T min, T max) {
  T value{};
  const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (parsed.ec != std::errc{} || !(value >= min && value <= max)) refuse_name(name);
  rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest.data()));
  return value;
}

/// Removes `letter` from the beginning of `rest`, if it is there.
bool take_letter(std::string_view& rest, char letter) {
  if (!rest.starts_with(letter)) return false;
  rest.remove_prefix(1);
  return true;
}

SceneSize parse(std::string_view name) {
  SceneSize size;
  std::string_view rest = name.substr(scene_prefix.size());
  if (rest.empty()) return size;
  constexpr int max_side = 1 << 16;
  size.width = take_number(name, rest, 1, max_side);
  if (!take_letter(rest, 'x')) refuse_name(name);
  size.height = take_number(name, rest, 1, max_side);
  if (take_letter(rest, '@')) size.rate = take_number(name, rest, 0.01, 10000.0);
  if (take_letter(rest, ':')) size.frames = take_number(name, rest, std::int64_t{1}, std::int64_t{1} << code_bits);
  if (!rest.empty()) refuse_name(name);
  if (std::int64_t{size.width} * size.height > limit_of(Limit::pixels))
    throw UsageError("'" + std::string(name) + "' is too large: " + limit_text(Limit::pixels));
  return size;
}

/// A position that goes to and fro between 0 and `range` - 1, `step` further in each frame.
int bounce(std::int64_t index, int step, int range) {
  if (range <= 1) return 0;
  const std::int64_t period = 2 * (std::int64_t{range} - 1);
  const std::int64_t at = index * step % period;
  return static_cast<int>(std::min(at, period - at));
}

/// A gradient that drifts, with a chequered field and a bright disc that move over it, and the bar code.
void draw_scene(ImageView<Rgba8> to, std::int64_t index) {
  const int side = std::max(1, std::min(to.width, to.height) / 4);
  const int disc_x = bounce(index, 5, to.width), disc_y = bounce(index, 3, to.height);
  const int field_x = bounce(index, 2, std::max(1, to.width - side)), field_y = (to.height - side) / 2;
  const int drift = static_cast<int>(index % 256);
  const std::int64_t radius_2 = std::int64_t{side} * side / 4;
  for (int y = 0; y < to.height; ++y) {
    Rgba8* const row = to.row(y);
    const auto green = static_cast<std::uint8_t>(y * 255 / to.height);
    for (int x = 0; x < to.width; ++x)
      row[x] = {static_cast<std::uint8_t>(x + drift), green, static_cast<std::uint8_t>(255 - ((x + y) / 2 & 255)), 255};
    if (y >= field_y && y < field_y + side)
      for (int x = field_x; x < std::min(field_x + side, to.width); ++x)
        if ((((x - field_x) >> 3) + ((y - field_y) >> 3)) % 2 == 0) row[x] = {20, 20, 20, 255};
    const std::int64_t dy = y - disc_y;
    for (int x = std::max(0, disc_x - side); x < std::min(to.width, disc_x + side); ++x)
      if (const std::int64_t dx = x - disc_x; dx * dx + dy * dy <= radius_2) row[x] = {250, 220, 60, 255};
  }
}

class TestScene final : public FrameSource {
 public:
  explicit TestScene(const SceneSize& size) : size_(size) {
    info_.width = size.width;
    info_.height = size.height;
    info_.frames_per_second = size.rate;
    info_.frames = size.frames;
    info_.what = "test scene, " + std::to_string(size.width) + "x" + std::to_string(size.height);
  }

  [[nodiscard]] const FrameInfo& info() const override { return info_; }
  bool advance() override {
    if (next_ >= size_.frames) return false;
    ++next_;
    return true;
  }
  void picture(Frame& frame) override {
    const Shape shape = Shape::image(Element::u8, 4, size_.width, size_.height);
    if (frame.pixels.shape() != shape) frame.pixels = HostArray(shape);
    frame.index = next_ - 1;
    frame.seconds = static_cast<double>(frame.index) / size_.rate;
    draw_scene(frame.pixels.image<Rgba8>(), frame.index);
    draw_frame_code(frame.pixels.view(), frame.index);
  }
  void seek(std::int64_t index) override { next_ = std::clamp<std::int64_t>(index, 0, size_.frames); }
  [[nodiscard]] std::int64_t count() override { return size_.frames; }

 private:
  SceneSize size_;
  FrameInfo info_;
  std::int64_t next_ = 0;
};

/// Returns whether a cell of the bar code is white.
bool is_white(std::int64_t index, int cell) {
  const auto bits = static_cast<std::uint32_t>(index) & ((1u << code_bits) - 1);
  if (cell == 0) return true;
  if (cell == 1) return false;
  if (cell < 2 + code_bits) return (bits >> (1 + code_bits - cell) & 1u) != 0;
  return (static_cast<unsigned>(std::popcount(bits)) >> (cell == 2 + code_bits ? 1 : 0) & 1u) != 0;
}

bool has_room(const Shape& shape) {
  return shape.kind == Kind::image && shape.element == Element::u8 && shape.width >= frame_code_cells &&
         shape.height >= code_rows;
}

}  // namespace

bool is_test_scene(std::string_view name) {
  return name.starts_with(scene_prefix);
}

std::unique_ptr<FrameSource> open_test_scene(std::string_view name) {
  return std::make_unique<TestScene>(parse(name));
}

void draw_frame_code(HostOut picture, std::int64_t index) {
  if (!has_room(picture.shape)) return;
  const auto width = static_cast<int>(picture.shape.width), height = static_cast<int>(picture.shape.height);
  for (int y = height - height / code_rows; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::uint8_t value = is_white(index, x * frame_code_cells / width) ? 255 : 0;
      if (picture.shape.channels == 4)
        picture.image<Rgba8>()(x, y) = {value, value, value, 255};
      else
        picture.image<std::uint8_t>()(x, y) = value;
    }
}

std::optional<std::int64_t> read_frame_code(HostIn picture) {
  if (!has_room(picture.shape)) return std::nullopt;
  const auto width = static_cast<int>(picture.shape.width), height = static_cast<int>(picture.shape.height);
  const int y = height - 1 - height / code_rows / 2;
  const auto white_at = [&](int cell) {
    // The first and the last column of a cell are those that draw_frame_code() gives it.
    const int first = (cell * width + frame_code_cells - 1) / frame_code_cells;
    const int last = ((cell + 1) * width + frame_code_cells - 1) / frame_code_cells - 1;
    const int x = (first + last) / 2;
    const int value =
        picture.shape.channels == 4 ? picture.image<Rgba8>()(x, y).g : picture.image<std::uint8_t>()(x, y);
    return value >= 128;
  };
  std::int64_t index = 0;
  for (int bit = 0; bit < code_bits; ++bit)
    index = index * 2 + (white_at(2 + bit) ? 1 : 0);
  for (const int cell : {0, 1, 2 + code_bits, 3 + code_bits})
    if (white_at(cell) != is_white(index, cell)) return std::nullopt;
  return index;
}

}  // namespace threadscape::io
