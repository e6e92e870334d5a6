// Loops of a textbook for algorithms whose pixels depend on one pixel alone: editing, noise, and the frames of a clip.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "app/bench/peers/textbook_loops.h"
#include "compute/algorithms/editing/crop/crop.h"
#include "compute/algorithms/editing/levels/levels.h"
#include "compute/algorithms/editing/rotate/rotate.h"
#include "compute/algorithms/filters/noise/noise.h"
#include "compute/algorithms/time/frame_difference/frame_difference.h"
#include "compute/algorithms/time/motion_history/motion_history.h"
#include "compute/algorithms/time/running_background/running_background.h"
#include "compute/algorithms/time/temporal_mean/temporal_mean.h"
#include "compute/algorithms/time/temporal_median/temporal_median.h"
#include "compute/core/clip.h"

namespace threadscape::app::textbook {
namespace {

bool bytes_supported(const ParamBox&, const Shape& shape) {
  return holds<std::uint8_t>(shape);
}

// ---- Editing and noise

void crop(HostIn from, HostOut to, int, const ParamBox& params) {
  const auto& p = params.as<Crop::Params>();
  const Picture in = picture(from);
  for (int y = 0; y < static_cast<int>(to.shape.height); ++y)
    for (int x = 0; x < static_cast<int>(to.shape.width); ++x)
      row_of(to, y)[x] = in.row(p.top + y)[p.left + x];
}

void levels(HostIn from, HostOut to, int, const ParamBox& params) {
  const auto& p = params.as<Levels::Params>();
  std::array<Byte, 256> table{};
  for (std::size_t level = 0; level < table.size(); ++level) {
    const double share = (static_cast<double>(level) - static_cast<double>(p.black)) /
                         (static_cast<double>(p.white) - static_cast<double>(p.black));
    const double bent = std::pow(std::clamp(share, 0.0, 1.0), 1.0 / static_cast<double>(p.gamma));
    const double low = static_cast<double>(p.low), high = static_cast<double>(p.high);
    table[level] = static_cast<Byte>(std::floor(low + (high - low) * bent + 0.5));
  }
  const Picture in = picture(from);
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
      row_of(to, y)[x] = table[in.row(y)[x]];
}

/// Turned to the right, the first column from bottom to top becomes the first row.
void rotate(HostIn from, HostOut to, int, const ParamBox&) {
  const Picture in = picture(from);
  for (int y = 0; y < in.width; ++y)
    for (int x = 0; x < in.height; ++x)
      row_of(to, y)[x] = in.row(in.height - 1 - x)[y];
}
bool rotate_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Rotate::Params>();
  return holds<std::uint8_t>(shape) && p.turn == threadscape::rotate::Turn::right &&
         p.flip == threadscape::rotate::Flip::none;
}

/// Salt and pepper, by the random numbers of the seed 0.
void noise(HostIn from, HostOut to, int, const ParamBox& params) {
  const threadscape::noise::Plan plan = Noise::plan(params.as<Noise::Params>(), from.shape, 0, 0);
  const Picture in = picture(from);
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x) {
      const PhiloxBlock random = threadscape::noise::random_words(plan, x, y, 0);
      Byte value = in.row(y)[x];
      if (random.word[0] < plan.threshold) value = (random.word[1] & 1) != 0 ? 255 : 0;
      row_of(to, y)[x] = value;
    }
}
bool noise_supports(const ParamBox& params, const Shape& shape) {
  return holds<std::uint8_t>(shape) && params.as<Noise::Params>().kind == threadscape::noise::Kind::salt_pepper;
}

// ---- Clips

/// Calls result(at, frames) for all pixels of a clip, with its newest `used` frames; at(t) is the value in frame t.
template <class Result>
void filter_frames(HostIn clip, HostOut to, int used, const Result& result) {
  const HostIn frames = newest_frames(clip, used);
  const int count = static_cast<int>(frames.shape.depth);
  const std::size_t bytes = frames.pitch * static_cast<std::size_t>(frames.shape.height);
  const Picture first = picture(frames);
  for (int y = 0; y < first.height; ++y)
    for (int x = 0; x < first.width; ++x) {
      const Byte* value = first.row(y) + x;
      row_of(to, y)[x] =
          result([&](int t) { return static_cast<int>(value[static_cast<std::size_t>(t) * bytes]); }, count);
    }
}

void frame_difference(HostIn from, HostOut to, int, const ParamBox& params) {
  filter_frames(from, to, params.as<FrameDifference::Params>().used(),
                [](const auto& at, int frames) { return static_cast<Byte>(std::abs(at(frames - 1) - at(0))); });
}
bool frame_difference_supports(const ParamBox& params, const Shape& shape) {
  return holds<std::uint8_t>(shape) &&
         params.as<FrameDifference::Params>().mode == threadscape::frame_difference::Mode::absolute;
}

void motion_history(HostIn from, HostOut to, int, const ParamBox& params) {
  const auto& p = params.as<MotionHistory::Params>();
  const int threshold = static_cast<int>(p.threshold), duration = p.duration;
  filter_frames(from, to, p.used(), [&](const auto& at, int frames) {
    int level = 0;
    for (int t = 1; t < frames; ++t)
      if (std::abs(at(t) - at(t - 1)) > threshold) {
        const int age = frames - 1 - t;
        level = (255 * (duration - age) + duration / 2) / duration;
      }
    return static_cast<Byte>(level);
  });
}

void running_background(HostIn from, HostOut to, int, const ParamBox& params) {
  const auto& p = params.as<RunningBackground::Params>();
  const int alpha = RunningBackground::plan(p).alpha, threshold = static_cast<int>(p.threshold);
  filter_frames(from, to, p.used(), [&](const auto& at, int frames) {
    int background = at(0) << 14;
    for (int t = 1; t < frames - 1; ++t)
      background += (((at(t) << 14) - background) * alpha + 128) >> 8;
    return static_cast<Byte>(std::abs(at(frames - 1) - ((background + (1 << 13)) >> 14)) > threshold ? 255 : 0);
  });
}
bool running_background_supports(const ParamBox& params, const Shape& shape) {
  return holds<std::uint8_t>(shape) &&
         params.as<RunningBackground::Params>().show == threadscape::running_background::Show::foreground;
}

void temporal_mean(HostIn from, HostOut to, int, const ParamBox& params) {
  filter_frames(from, to, params.as<TemporalMean::Params>().used(), [](const auto& at, int frames) {
    int sum = 0;
    for (int t = 0; t < frames; ++t)
      sum += at(t);
    return static_cast<Byte>((sum + frames / 2) / frames);
  });
}

void temporal_median(HostIn from, HostOut to, int, const ParamBox& params) {
  std::array<Byte, clips::max_frames> values{};
  filter_frames(from, to, params.as<TemporalMedian::Params>().used(), [&](const auto& at, int frames) {
    for (int t = 0; t < frames; ++t)
      values[static_cast<std::size_t>(t)] = static_cast<Byte>(at(t));
    const auto middle = values.begin() + (frames - 1) / 2;
    std::nth_element(values.begin(), middle, values.begin() + frames);
    return *middle;
  });
}

}  // namespace

std::span<const Peer> pixel_peers() {
  static const std::array all{
      Peer{"crop", "textbook", crop, bytes_supported, Backend::serial},
      Peer{"levels", "textbook", levels, bytes_supported, Backend::serial},
      Peer{"rotate", "textbook", rotate, rotate_supports, Backend::serial},
      Peer{"noise", "textbook", noise, noise_supports, Backend::serial},
      Peer{"frame_difference", "textbook", frame_difference, frame_difference_supports, Backend::serial},
      Peer{"motion_history", "textbook", motion_history, bytes_supported, Backend::serial},
      Peer{"running_background", "textbook", running_background, running_background_supports, Backend::serial},
      Peer{"temporal_mean", "textbook", temporal_mean, bytes_supported, Backend::serial},
      Peer{"temporal_median", "textbook", temporal_median, bytes_supported, Backend::serial}};
  return all;
}

}  // namespace threadscape::app::textbook
