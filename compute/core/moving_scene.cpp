#include "compute/core/moving_scene.h"

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>

#include "compute/core/clip.h"
#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/kernel/philox.h"

namespace threadscape {

namespace {

/// Grey levels and places are integers, so that they are equal on every machine: levels have 16 bits, and places are in
/// 1/256 of a pixel.
constexpr std::int64_t place_unit = 256;
constexpr std::int32_t full_level = 65535;

/// A disc whose centre moves in straight lines and is reflected where it touches the edges of the frame. Lengths are
/// in thousandths of the shorter side of the frame, speeds in thousandths of it per frame, colours in 16-bit levels.
struct Disc {
  int radius, x, y, speed_x, speed_y;
  std::array<std::int32_t, 3> colour;
};
constexpr std::array discs{
    Disc{.radius = 90, .x = 220, .y = 300, .speed_x = 34, .speed_y = 21, .colour = {62000, 20000, 16000}},
    Disc{.radius = 65, .x = 900, .y = 650, .speed_x = -29, .speed_y = 23, .colour = {16000, 24000, 60000}},
    Disc{.radius = 45, .x = 500, .y = 150, .speed_x = 22, .speed_y = 31, .colour = {64000, 60000, 12000}},
};
/// An upright bar that crosses the frame from the left to the right again and again, in the same units.
constexpr int bar_width = 60, bar_length = 600, bar_speed = 18;
constexpr std::array<std::int32_t, 3> bar_colour{6000, 9000, 7000};
/// The noise has uniform values of up to this many grey levels of 255 above and below.
constexpr int noise_levels = 8;

/// The place at time t of a point that moves between 0 and `length` and is reflected at both ends.
std::int64_t reflected(std::int64_t place, std::int64_t length) {
  if (length <= 0) return 0;
  const std::int64_t period = 2 * length;
  place %= period;
  if (place < 0) place += period;
  return place <= length ? place : period - place;
}

/// The places and sizes of the objects in a frame, in units of place_unit.
struct Objects {
  struct Placed {
    std::int64_t x, y, radius;
  };
  std::array<Placed, discs.size()> disc{};
  std::int64_t bar_left = 0, bar_right = 0, bar_top = 0, bar_bottom = 0;

  Objects(const Shape& frame, std::int64_t number) {
    const std::int64_t side = std::min(frame.width, frame.height);
    const auto length = [&](std::int64_t thousandths) { return thousandths * side * place_unit / 1000; };
    for (std::size_t i = 0; i < discs.size(); ++i) {
      const Disc& moves = discs[i];
      const std::int64_t radius = length(moves.radius);
      disc[i] = {
          radius + reflected(length(moves.x) + number * length(moves.speed_x), frame.width * place_unit - 2 * radius),
          radius + reflected(length(moves.y) + number * length(moves.speed_y), frame.height * place_unit - 2 * radius),
          radius};
    }
    const std::int64_t track = frame.width * place_unit + length(bar_width);
    bar_right = (length(bar_width) + number * length(bar_speed)) % track;
    bar_left = bar_right - length(bar_width);
    bar_top = (frame.height * place_unit - length(bar_length)) / 2;
    bar_bottom = bar_top + length(bar_length);
  }

  /// The colour of the object whose front is at the centre of this pixel; null where the background is seen.
  [[nodiscard]] const std::array<std::int32_t, 3>* at(std::int64_t column, std::int64_t row) const {
    const std::int64_t x = column * place_unit + place_unit / 2, y = row * place_unit + place_unit / 2;
    const std::array<std::int32_t, 3>* seen = nullptr;
    if (x >= bar_left && x < bar_right && y >= bar_top && y < bar_bottom) seen = &bar_colour;
    for (std::size_t i = 0; i < discs.size(); ++i) {
      const std::int64_t dx = x - disc[i].x, dy = y - disc[i].y;
      if (dx * dx + dy * dy < disc[i].radius * disc[i].radius) seen = &discs[i].colour;
    }
    return seen;
  }
};

/// A level of 16 bits as the value of a pixel; levels beyond black and white are cut off.
template <class T>
T level_value(std::int32_t level) {
  level = std::clamp(level, 0, full_level);
  if constexpr (std::is_same_v<T, std::uint8_t>)
    return static_cast<T>((level + 128) / 257);
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return static_cast<T>(level);
  else
    return static_cast<float>(level) / static_cast<float>(full_level);
}

/// The last word of the counter of the random numbers of the noise, which no pattern of make_synthetic() uses.
constexpr std::uint32_t noise_stream = 0x6E6F6973;

template <class T>
void draw_row(HostIn background, const Objects& objects, std::int64_t number, std::uint64_t seed, std::int64_t y,
              HostOut to) {
  const auto channels = static_cast<std::size_t>(to.shape.channels);
  const auto* from =
      reinterpret_cast<const std::uint16_t*>(background.data + static_cast<std::size_t>(y) * background.pitch);
  T* out = reinterpret_cast<T*>(to.data + static_cast<std::size_t>(y) * to.pitch);
  PhiloxBlock random{};
  for (std::int64_t x = 0; x < to.shape.width; ++x, from += channels, out += channels) {
    if (x % 4 == 0)
      random = philox({{static_cast<std::uint32_t>(x / 4), static_cast<std::uint32_t>(y),
                        static_cast<std::uint32_t>(number), noise_stream}},
                      seed);
    const std::uint32_t word = random.word[x % 4];
    const std::array<std::int32_t, 3>* const object = objects.at(x, y);
    const auto level = [&](std::size_t channel) {
      const auto byte = static_cast<std::int32_t>(word >> (8 * channel) & 0xff);
      return (object != nullptr ? (*object)[channel] : std::int32_t{from[channel]}) +
             (2 * byte - 255) * noise_levels * 257 / 255;
    };
    for (std::size_t channel = 0; channel < std::min<std::size_t>(channels, 3); ++channel)
      out[channel] = level_value<T>(level(channel));
    if (channels == 4) out[3] = level_value<T>(full_level);
  }
}

Shape sixteen_bit(const Shape& frame) {
  const bool known = frame.element == Element::u8 || frame.element == Element::u16 || frame.element == Element::f32;
  if (frame.kind != Kind::image || !known || (frame.channels != 1 && frame.channels != 4))
    throw UsageError("the moving scene has frames of 8 bit, 16 bit or float in grey or RGBA, not " + to_string(frame));
  return Shape::image(Element::u16, frame.channels, frame.width, frame.height);
}

}  // namespace

MovingScene::MovingScene(const Shape& frame, std::uint64_t seed)
    : shape_(frame), background_(make_synthetic(InputPattern::photo, sixteen_bit(frame), seed)), seed_(seed) {
  // The middle half of the levels, so that the background is neither black nor white and noise is not cut off.
  for (std::int64_t y = 0; y < frame.height; ++y) {
    auto* row =
        reinterpret_cast<std::uint16_t*>(background_.data() + static_cast<std::size_t>(y) * background_.pitch());
    for (std::int64_t i = 0; i < frame.width * frame.channels; ++i)
      row[i] = static_cast<std::uint16_t>(full_level / 4 + row[i] / 2);
  }
}

void MovingScene::draw(std::int64_t number, HostOut to) const {
  if (number < 0)
    throw UsageError("the frames of the moving scene are numbered from 0 on, not " + std::to_string(number));
  if (to.shape != shape_)
    throw UsageError("the moving scene has frames of " + to_string(shape_) + ", not " + to_string(to.shape));
  const Objects objects(shape_, number);
#pragma omp parallel for schedule(static)
  for (std::int64_t y = 0; y < shape_.height; ++y) {
    if (shape_.element == Element::u8)
      draw_row<std::uint8_t>(background_.view(), objects, number, seed_, y, to);
    else if (shape_.element == Element::u16)
      draw_row<std::uint16_t>(background_.view(), objects, number, seed_, y, to);
    else
      draw_row<float>(background_.view(), objects, number, seed_, y, to);
  }
}

HostArray make_moving_clip(const Shape& clip, std::uint64_t seed) {
  HostArray frames(clip);
  const MovingScene scene(frame_shape(clip), seed);
  for (std::int64_t i = 0; i < clip.depth; ++i)
    scene.draw(i, frame_of(frames.view(), i));
  return frames;
}

}  // namespace threadscape
