#include "app/scenes/image/shown_range.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

namespace threadscape::app {

namespace {

constexpr double max_samples = 2e6;  // Number of pixels that are looked at.

template <class T>
std::vector<float> samples_of(const HostIn& picture, bool luma) {
  const Shape& shape = picture.shape;
  const auto by = static_cast<std::int64_t>(
      std::ceil(std::sqrt(std::max(static_cast<double>(shape.width) * shape.height / max_samples, 1.0))));
  const std::int64_t channels = shape.channels, colours = std::min<std::int64_t>(channels, 3);
  std::vector<float> values;
  for (std::int64_t y = 0; y < shape.height; y += by) {
    const auto* row = reinterpret_cast<const T*>(picture.data + static_cast<std::size_t>(y) * picture.pitch);
    for (std::int64_t x = 0; x < shape.width; x += by) {
      const T* pixel = row + x * channels;
      if (luma && colours == 3)
        values.push_back(0.299f * static_cast<float>(pixel[0]) + 0.587f * static_cast<float>(pixel[1]) +
                         0.114f * static_cast<float>(pixel[2]));
      else
        for (std::int64_t c = 0; c < colours; ++c)
          values.push_back(static_cast<float>(pixel[c]));
    }
  }
  std::erase_if(values, [](float value) { return !std::isfinite(value); });
  return values;
}

std::optional<ValueRange> range_of(std::vector<float> values) {
  if (values.empty()) return {};
  const auto skipped = static_cast<std::ptrdiff_t>(left_out * static_cast<double>(values.size()));
  const auto low = values.begin() + skipped, high = values.end() - 1 - skipped;
  std::nth_element(values.begin(), low, values.end());
  ValueRange range{double{*low}, 0.0};  // The next call reorders what is not below it.
  std::nth_element(low, high, values.end());
  range.high = double{*high};
  if (!(range.high > range.low)) {
    const auto [least, most] = std::ranges::minmax(values);
    range = {double{least}, double{most}};
  }
  return range.high > range.low ? std::optional(range) : std::nullopt;
}

}  // namespace

std::optional<ValueRange> robust_range(HostIn picture, bool luma) {
  switch (picture.shape.element) {
    case Element::u8:
      return range_of(samples_of<std::uint8_t>(picture, luma));
    case Element::u16:
      return range_of(samples_of<std::uint16_t>(picture, luma));
    case Element::f32:
      return range_of(samples_of<float>(picture, luma));
    default:
      return {};
  }
}

render::ImageTone tone_over_range(const render::ImageViewSettings& settings, const ValueRange& range, double white) {
  const double gain = white / (range.high - range.low);
  const auto exposure = static_cast<double>(settings.exposure);
  return {static_cast<float>(exposure + std::log2(gain)),
          static_cast<float>(static_cast<double>(settings.offset) - range.low / white * gain * std::exp2(exposure))};
}

ShownRange::~ShownRange() {
  if (thread_.valid()) thread_.wait();  // It reads the memory of the pending read.
}

bool ShownRange::take() {
  if (!thread_.valid()) return true;
  if (thread_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
  found_ = thread_.get();
  read_.reset();
  return true;
}

void ShownRange::rest() {
  if (!take()) return;
  read_.reset();
  asked_.reset();
  found_.reset();
}

void ShownRange::follow(const gl::Texture& texture, std::uint64_t version, bool luma) {
  if (!take()) return;
  if (read_) {
    if (const std::optional<HostIn> arrived = read_->poll())
      thread_ = std::async(std::launch::async,
                           [data = *arrived, luma = std::get<bool>(*asked_)] { return robust_range(data, luma); });
    return;
  }
  const Contents wanted{texture.id(), version, luma};
  if (asked_ == wanted) return;
  asked_ = wanted;
  read_.emplace(texture);
}

}  // namespace threadscape::app
