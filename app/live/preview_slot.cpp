#include "app/live/preview_slot.h"

#include <algorithm>
#include <cmath>

#include "compute/core/fields.h"
#include "compute/registry/steps.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

/// A run that takes longer shows a preview first.
constexpr double slow_ms = 1000.0;
/// The preview is not worth its own time after runs that were so much quicker.
constexpr double quick_ms = slow_ms / (preview_divisor * preview_divisor);
/// What a run has reported tells how long it takes after this time.
constexpr double telling_ms = 250.0;
/// The sides and the number of pixels of the smallest pictures that have a preview.
constexpr std::int64_t least_side = 64, least_pixels = std::int64_t{1} << 18;

constexpr std::string_view scaled_unit = "pixels";

/// Changes the fields for a quarter of the width. Returns false if one of them names a file.
bool scale_fields(const std::vector<FieldRef>& fields) {
  for (const FieldRef& field : fields) {
    if (const auto* text = std::get_if<TextValue>(&field.value); text != nullptr && !text->value->empty()) return false;
    if (const auto* steps = std::get_if<StepsValue>(&field.value))
      for (Step& step : *steps->steps)
        if (!scale_fields(step.params.fields())) return false;
    if (field.unit != scaled_unit) continue;
    if (const auto* number = std::get_if<IntValue>(&field.value); number != nullptr && *number->value > 0) {
      const int step = std::max(number->step, 1);
      const double steps = (static_cast<double>(*number->value) / preview_divisor - number->lo) / step;
      *number->value = std::clamp(number->lo + step * static_cast<int>(std::lround(steps)), number->lo, number->hi);
    } else if (const auto* real = std::get_if<FloatValue>(&field.value)) {
      *real->value = std::clamp(*real->value / preview_divisor, real->lo, real->hi);
    }
  }
  return true;
}

template <class T>
void take_means(HostIn picture, HostArray& small) {
  using Sum = std::conditional_t<std::is_floating_point_v<T>, float, std::uint32_t>;
  constexpr Sum count = preview_divisor * preview_divisor;
  const std::int64_t channels = picture.shape.channels;
  const auto row = [](auto* data, std::size_t pitch, std::int64_t y) {
    return data + static_cast<std::size_t>(y) * pitch;
  };
  for (std::int64_t y = 0; y < small.shape().height; ++y) {
    T* const out = reinterpret_cast<T*>(row(small.data(), small.pitch(), y));
    for (std::int64_t i = 0; i < small.shape().width * channels; ++i) {
      const std::int64_t first = i / channels * preview_divisor * channels + i % channels;
      Sum sum = 0;
      for (int v = 0; v < preview_divisor; ++v) {
        const T* const in = reinterpret_cast<const T*>(row(picture.data, picture.pitch, y * preview_divisor + v));
        for (int u = 0; u < preview_divisor; ++u)
          sum += in[first + u * channels];
      }
      if constexpr (std::is_floating_point_v<T>)
        out[i] = sum / count;
      else
        out[i] = static_cast<T>((sum + count / 2) / count);
    }
  }
}

}  // namespace

std::optional<ParamBox> preview_params(const ParamBox& params) {
  ParamBox scaled = params;
  if (!scale_fields(scaled.fields()) || !scaled.problem().empty()) return {};
  return scaled;
}

HostArray quarter_of(HostIn picture) {
  Shape shape = picture.shape;
  shape.width /= preview_divisor;
  shape.height /= preview_divisor;
  HostArray small(shape);
  if (shape.element == Element::u8) take_means<std::uint8_t>(picture, small);
  if (shape.element == Element::u16) take_means<std::uint16_t>(picture, small);
  if (shape.element == Element::f32) take_means<float>(picture, small);
  return small;
}

std::optional<PreviewRun> PreviewSlot::due(const Work& work, const std::shared_ptr<const Source>& source,
                                           std::optional<double> known_ms) {
  if (!wanted_ || tried_ == work) return {};
  tried_ = work;
  if (sketch::runs_on_gpu(*work.algorithm, work.backend, work.variant)) return {};
  if ((known_ms && *known_ms < quick_ms) || !source || source->stream != 0) return {};
  const Shape& shape = source->picture.pixels.shape();
  const bool has_means = shape.element == Element::u8 || shape.element == Element::u16 || shape.element == Element::f32;
  if (shape.kind != Kind::image || work.algorithm->output != Kind::image || !has_means) return {};
  if (std::min(shape.width, shape.height) < least_side || shape.items() < least_pixels) return {};
  std::optional<ParamBox> params = preview_params(work.params);
  if (!params) return {};
  whole_ = work.algorithm->output_shape(work.params, shape);
  return PreviewRun{.work = work, .params = std::move(*params), .source = source, .known_ms = known_ms.value_or(0.0)};
}

void PreviewSlot::store(const PreviewRun& run, const RunResult& result) {
  gl::Resource picture(result.output.shape());
  if (picture.texture() == nullptr) return;
  picture.texture()->write(result.output.view());
  const double expected_ms = std::max(run.known_ms, result.times.compute_ms * preview_divisor * preview_divisor);
  held_ = Held{.work = run.work, .picture = std::move(picture), .is_shown = expected_ms >= slow_ms};
}

void PreviewSlot::update(const Work& wanted, double run_ms, double progress) {
  if (!held_) return;
  if (held_->work != wanted) return held_.reset();
  const bool takes_long = progress > 0.0 && run_ms >= telling_ms && run_ms >= slow_ms * progress;
  if (takes_long || run_ms >= slow_ms) held_->is_shown = true;
}

}  // namespace threadscape::app
