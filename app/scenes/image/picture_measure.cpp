#include "app/scenes/image/picture_measure.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numbers>

namespace threadscape::app {

namespace {

constexpr std::array<const char*, 4> channel_names{"red", "green", "blue", "alpha"};

/// Reads values of a picture by column, row and channel.
class Pixels {
 public:
  explicit Pixels(HostIn picture) : picture_(picture), size_(size_of(picture.shape.element)) {}
  [[nodiscard]] int width() const { return static_cast<int>(picture_.shape.width); }
  [[nodiscard]] int height() const { return static_cast<int>(picture_.shape.height); }
  [[nodiscard]] int channels() const { return static_cast<int>(picture_.shape.channels); }
  [[nodiscard]] double at(int x, int y, int channel) const {
    const std::byte* const from =
        picture_.data + static_cast<std::size_t>(y) * picture_.pitch +
        (static_cast<std::size_t>(x) * static_cast<std::size_t>(channels()) + static_cast<std::size_t>(channel)) *
            size_;
    if (picture_.shape.element == Element::u8) return as<std::uint8_t>(from);
    return picture_.shape.element == Element::u16 ? as<std::uint16_t>(from) : static_cast<double>(as<float>(from));
  }
  /// The value at a place between pixels.
  [[nodiscard]] double between(double x, double y, int channel) const {
    const double left = std::floor(x - 0.5), top = std::floor(y - 0.5);
    const double right_share = x - 0.5 - left, lower_share = y - 0.5 - top;
    const auto column = [this](double c) { return static_cast<int>(std::clamp(c, 0.0, width() - 1.0)); };
    const auto row = [this](double r) { return static_cast<int>(std::clamp(r, 0.0, height() - 1.0)); };
    // A neighbour without weight does not count, whatever it is.
    double sum = 0.0;
    for (const auto& [dx, dy] : {std::pair{0, 0}, {1, 0}, {0, 1}, {1, 1}}) {
      const double weight = (dx == 1 ? right_share : 1.0 - right_share) * (dy == 1 ? lower_share : 1.0 - lower_share);
      if (weight > 0.0) sum += weight * at(column(left + dx), row(top + dy), channel);
    }
    return sum;
  }

 private:
  template <class T>
  [[nodiscard]] static T as(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
  }

  HostIn picture_;
  std::size_t size_;
};

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

std::string channel_name(int channel, int channels) {
  return channels == 1 ? "value" : channel_names[static_cast<std::size_t>(channel)];
}

}  // namespace

LineProfile profile_of(HostIn picture, const MeasuredPlaces& places) {
  const Pixels pixels(picture);
  LineProfile profile{.channels = pixels.channels()};
  const double dx = static_cast<double>(places.to.x) - static_cast<double>(places.from.x);
  const double dy = static_cast<double>(places.to.y) - static_cast<double>(places.from.y);
  profile.length = std::hypot(dx, dy);
  profile.degrees = profile.length > 0.0 ? std::atan2(-dy, dx) * 180.0 / std::numbers::pi : 0.0;
  if (pixels.width() < 1 || pixels.height() < 1) return profile;
  const int steps = std::max(1, static_cast<int>(std::ceil(profile.length)));
  for (int i = 0; i <= steps; ++i) {
    const double share = static_cast<double>(i) / steps;
    profile.at.push_back(share * profile.length);
    for (int c = 0; c < profile.channels; ++c)
      profile.values.push_back(pixels.between(static_cast<double>(places.from.x) + share * dx,
                                              static_cast<double>(places.from.y) + share * dy, c));
  }
  return profile;
}

RegionStatistics statistics_of(HostIn picture, const MeasuredPlaces& places) {
  const Pixels pixels(picture);
  const auto edges = [](float a, float b, int size) {
    const double low = std::clamp(std::floor(static_cast<double>(std::min(a, b))), 0.0, static_cast<double>(size));
    const double high = std::clamp(std::ceil(static_cast<double>(std::max(a, b))), 0.0, static_cast<double>(size));
    return std::pair{static_cast<int>(low), static_cast<int>(high)};
  };
  const auto [left, right] = edges(places.from.x, places.to.x, pixels.width());
  const auto [top, bottom] = edges(places.from.y, places.to.y, pixels.height());
  RegionStatistics region{
      .x = left, .y = top, .width = right - left, .height = bottom - top, .channels = std::min(pixels.channels(), 4)};
  for (int c = 0; c < region.channels; ++c) {
    const auto channel = static_cast<std::size_t>(c);
    double count = 0.0, mean = 0.0, squares = 0.0;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x) {
        const double value = pixels.at(x, y, c);
        if (!std::isfinite(value)) {
          ++region.ignored;
          continue;
        }
        // Welford's recurrence, which loses nothing where the mean is large beside the deviation.
        count += 1.0;
        const double before = value - mean;
        mean += before / count;
        squares += before * (value - mean);
        low = std::min(low, value);
        high = std::max(high, value);
      }
    if (count == 0.0) continue;
    region.mean[channel] = mean;
    region.deviation[channel] = std::sqrt(squares / count);
    region.minimum[channel] = low;
    region.maximum[channel] = high;
  }
  return region;
}

std::string table_of(const LineProfile& profile) {
  std::string text = "distance";
  for (int c = 0; c < profile.channels; ++c)
    text += "\t" + channel_name(c, profile.channels);
  text += "\n";
  for (std::size_t i = 0; i < profile.at.size(); ++i) {
    text += number(profile.at[i]);
    for (int c = 0; c < profile.channels; ++c)
      text +=
          "\t" + number(profile.values[i * static_cast<std::size_t>(profile.channels) + static_cast<std::size_t>(c)]);
    text += "\n";
  }
  return text;
}

std::string table_of(const RegionStatistics& region) {
  std::string text = "channel\tmean\tdeviation\tminimum\tmaximum\n";
  for (int c = 0; c < region.channels; ++c) {
    const auto i = static_cast<std::size_t>(c);
    text += channel_name(c, region.channels);
    for (const auto& column : {region.mean, region.deviation, region.minimum, region.maximum})
      text += "\t" + number(column[i]);
    text += "\n";
  }
  return text;
}

}  // namespace threadscape::app
