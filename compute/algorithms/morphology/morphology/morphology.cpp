// Parameters of morphology, and the plan that the OpenMP and the CUDA backend execute.

#include "compute/algorithms/morphology/morphology/morphology.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "compute/algorithms/morphology/morphology/morphology_memory.h"
#include "compute/engines/planes/planes.h"
#include "compute/engines/planes/require_planes.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

using morphology::Finish;
using morphology::Plan;
using morphology::StructuringElement;

namespace {

/// The painted element of shape=file, or what is wrong with its text. Both are empty for other elements.
struct Painted {
  std::optional<StructuringElement> element;
  std::string problem;
};

Painted painted(const Morphology::Params& params) {
  if (params.shape != morphology::Form::file || !morphology::is_painted(params.element)) return {};
  try {
    return {morphology::parse_painted(params.element), {}};
  } catch (const UsageError& error) {
    return {{}, error.what()};
  }
}

}  // namespace

void Morphology::Params::assigned(std::string_view field) {
  if (field == "size") width = height = size;
  if (const auto element = painted(*this).element) {
    // A painted element has its own size.
    width = element->width;
    height = element->height;
    size = std::max(width, height);
  } else if (field == "width" || field == "height") {
    size = std::max(width, height);
  }
}

void Morphology::Params::edited(std::string_view field) {
  const bool resizes = field == "size" || field == "width" || field == "height";
  if (std::optional<StructuringElement> before = painted(*this).element; before && resizes) {
    const auto side = [](int wanted) { return std::min(wanted, morphology::max_painted); };
    const bool both = field == "size";
    before->origin_x = origin_x < 0 ? before->origin_x : origin_x;
    before->origin_y = origin_y < 0 ? before->origin_y : origin_y;
    const StructuringElement after = resized(*before, side(both ? size : width), side(both ? size : height));
    element = painted_text(after);
    if (origin_x >= 0) origin_x = after.origin_x;
    if (origin_y >= 0) origin_y = after.origin_y;
  }
  assigned(field);
}

std::string Morphology::Params::problem() const {
  if (shape == Form::file && element.empty())
    return "shape=file needs 'element': the path of a picture, or the pixels themselves as in 3x3:010/111/010";
  const Painted own = painted(*this);
  if (!own.problem.empty()) return own.problem;
  if (own.element || shape != Form::file) {
    const auto outside = [](std::string_view name, int origin, int side) {
      return std::string(name) + "=" + std::to_string(origin) + " lies outside the element; 0.." +
             std::to_string(side - 1) + " or -1 (the centre) is accepted";
    };
    const int columns = own.element ? own.element->width : width, rows = own.element ? own.element->height : height;
    if (origin_x >= columns) return outside("origin_x", origin_x, columns);
    if (origin_y >= rows) return outside("origin_y", origin_y, rows);
  }
  if (order != ColourOrder::marginal && (!flat || operation == Operation::hitmiss))
    return "order=" + std::string(order_names[static_cast<std::size_t>(order)]) +
           " takes flat elements and no hitmiss: whole colours have no levels to subtract, and are not binary";
  if (order != ColourOrder::marginal && operation == Operation::open_reconstruct)
    return "operation=open_reconstruct compares each channel by itself: order=marginal is accepted";
  if (!std::isfinite(angle) || !std::isfinite(peak)) return "angle and peak must be finite numbers";
  return {};
}

StructuringElement Morphology::possibly_empty_element(const Params& params) {
  if (const std::string problem = params.problem(); !problem.empty()) throw UsageError("morphology: " + problem);
  const bool hit_or_miss = params.operation == Operation::hitmiss;
  const bool flat = params.flat || hit_or_miss;
  StructuringElement element;
  if (params.shape != Form::file) {
    element = morphology::make_element(params.shape, params.width, params.height, params.origin_x, params.origin_y,
                                       params.angle);
  } else if (auto own = painted(params).element) {
    element = std::move(*own);
    if (params.origin_x >= 0) element.origin_x = params.origin_x;
    if (params.origin_y >= 0) element.origin_y = params.origin_y;
  } else {
    return morphology::load_element(params.element, params.origin_x, params.origin_y, flat, hit_or_miss);
  }
  if (flat)
    element.levels.clear();
  else if (element.levels.empty())
    morphology::make_dome(element, params.peak);
  return element;
}

StructuringElement Morphology::element(const Params& params) {
  StructuringElement element = possibly_empty_element(params);
  if (std::ranges::count(element.part, 1) == 0)
    throw UsageError("morphology: the element " + (params.shape == Form::file ? params.element + " " : std::string()) +
                     "has no pixel; at least one must be white");
  return element;
}

namespace morphology {
namespace {

struct Windows {
  std::shared_ptr<const Window> erosion, dilation, background;
};

Windows windows_of(const Morphology::Params& params) {
  const auto shared = [](Window window) { return std::make_shared<const Window>(std::move(window)); };
  const bool hit_or_miss = params.operation == Morphology::Operation::hitmiss;
  if (params.shape == Morphology::Form::rect && params.flat && !hit_or_miss) {
    // The most frequent case goes without a list of pixels: making one would take longer than the GPU takes for the
    // run.
    const int x = params.origin_x < 0 ? params.width / 2 : params.origin_x;
    const int y = params.origin_y < 0 ? params.height / 2 : params.origin_y;
    return {shared(rect_window(-x, -y, params.width, params.height)),
            shared(rect_window(x - params.width + 1, y - params.height + 1, params.width, params.height)), nullptr};
  }
  const StructuringElement element = Morphology::element(params);
  Windows windows{shared(make_window(for_erosion(element, params.erosion), element.part, false)),
                  shared(make_window(element, element.part, true)), nullptr};
  if (hit_or_miss && std::ranges::count(element.background, 1) > 0)
    windows.background = shared(make_window(element, element.background, false));
  return windows;
}

/// Adds `count` repetitions of a step. Under a neutral border rectangles add up, which saves passes over the picture: n
/// erosions by a rectangle of width w that contains its origin equal one by a rectangle of width n (w - 1) + 1.
void add_steps(std::vector<Step>& steps, const std::shared_ptr<const Window>& window, bool erode, int count,
               bool neutral) {
  const int max_side = std::max({window->width, window->height, 2});
  const bool holds_origin = window->left <= 0 && window->top <= 0 && window->right() >= 0 && window->bottom() >= 0;
  const int together = neutral && window->rect && holds_origin ? (max_element_size - 1) / (max_side - 1) : 1;
  for (int left = count; left > 0; left -= together) {
    const int n = std::min(left, together);
    if (n == 1)
      steps.push_back({window, erode});
    else
      steps.push_back(
          {std::make_shared<const Window>(rect_window(n * window->left, n * window->top, n * (window->width - 1) + 1,
                                                      n * (window->height - 1) + 1)),
           erode});
  }
}

}  // namespace
}  // namespace morphology

void morphology::check(const Plan& plan) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::logic_error(std::string("morphology plan: ") + what);
  };
  require(!plan.steps.empty(), "it has no steps");
  const bool uses_side = plan.finish == Finish::side_minus_result || plan.finish == Finish::hit_and_miss;
  require(uses_side == !plan.side.empty(), "its finish and its side result do not fit together");
  require(!plan.reconstruct || plan.finish == Finish::none, "a reconstruction with a finish");
  for (const auto* steps : {&plan.side, &plan.steps})
    for (const Step& step : *steps) {
      require(step.window != nullptr, "a step without a window");
      const Window& window = *step.window;
      require(window.width >= 1 && window.height >= 1, "an empty window");
      require(window.flat || !window.rect, "a rectangle with grey levels");
      require(window.rect == window.terms.empty(), "a rectangle with terms, or another window without");
      require(window.rect || window.flat == !window.chords.empty(), "chords of a window that is not flat, or none");
    }
}

Plan Morphology::plan(const Params& params, Element numbers) {
  if (const std::string problem = params.problem(); !problem.empty()) throw UsageError("morphology: " + problem);
  const morphology::Windows windows = morphology::windows_of(params);
  Plan plan;
  plan.border = params.border;
  plan.order = params.order;
  const Finish holes = numbers == Element::f32 ? Finish::holes_of_original : Finish::none;
  const auto erode = [&](std::vector<morphology::Step>& steps) {
    morphology::add_steps(steps, windows.erosion, true, params.iterations, plan.neutral());
  };
  const auto dilate = [&](std::vector<morphology::Step>& steps) {
    morphology::add_steps(steps, windows.dilation, false, params.iterations, plan.neutral());
  };
  switch (params.operation) {
    case Operation::dilate:
      dilate(plan.steps);
      break;
    case Operation::open:
    case Operation::tophat:
      erode(plan.steps);
      dilate(plan.steps);
      plan.finish = params.operation == Operation::tophat ? Finish::original_minus_result : holes;
      break;
    case Operation::close:
    case Operation::blackhat:
      dilate(plan.steps);
      erode(plan.steps);
      plan.finish = params.operation == Operation::blackhat ? Finish::result_minus_original : holes;
      break;
    case Operation::gradient:
      dilate(plan.side);
      erode(plan.steps);
      plan.finish = Finish::side_minus_result;
      break;
    case Operation::hitmiss:
      erode(plan.steps);
      if (!windows.background) break;  // Without background pixels the erosion is the result.
      morphology::add_steps(plan.side, windows.background, false, params.iterations, plan.neutral());
      plan.finish = Finish::hit_and_miss;
      break;
    default:
      erode(plan.steps);
      plan.reconstruct = params.operation == Operation::open_reconstruct;
      break;
  }
  return plan;
}

namespace {

/// Throws UsageError for the first value, in memory order, that is neither black nor white.
template <class P>
void require_binary(const ImageView<const typename P::Pixel>& in) {
  using Value = typename P::Value;
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
      for (int plane = 0; plane < P::count; ++plane) {
        const Value value = P::get(in(x, y), plane);
        if (value == Value{0} || value == white<Value>) continue;
        throw UsageError("morphology: hitmiss takes binary pictures, of values 0 and " + std::to_string(white<Value>) +
                         "; at x " + std::to_string(x) + ", y " + std::to_string(y) + " is " + std::to_string(value));
      }
}

}  // namespace

void Morphology::check_input(const Params& params, const HostIn& input) {
  if (params.operation != Operation::hitmiss) return;
  with_planes<std::uint8_t, std::uint16_t, float>(input.shape, [&](auto planes) {
    using P = decltype(planes);
    require_binary<P>(input.image<typename P::Pixel>());
  });
}

Reach Morphology::reach(const Params& params) {
  const Plan all = plan(params, Element::u8);
  if (all.reconstruct) return reach_everywhere;
  const auto sum_of = [](const std::vector<morphology::Step>& steps) {
    Reach sum;
    for (const morphology::Step& step : steps) {
      sum.left -= std::min(step.window->left, 0);
      sum.top -= std::min(step.window->top, 0);
      sum.right += std::max(step.window->right(), 0);
      sum.bottom += std::max(step.window->bottom(), 0);
    }
    return sum;
  };
  const Reach side = sum_of(all.side), main = sum_of(all.steps);
  return {.left = std::max(side.left, main.left),
          .top = std::max(side.top, main.top),
          .right = std::max(side.right, main.right),
          .bottom = std::max(side.bottom, main.bottom),
          .border = all.border};
}

Shape Morphology::output_shape(const Params& params, const Shape& input) {
  require_planes_of<std::uint8_t, std::uint16_t, float>("morphology",
                                                        "grey or RGBA images of 8 bits, 16 bits or floats", input);
  // A picture that cannot be read, or has no white pixel, is refused before the run.
  if (params.shape == morphology::Form::file) (void)element(params);
  return input;
}

std::size_t Morphology::scratch_bytes(const Params& params, const Shape& input, Backend backend, int variant) {
  if (backend == Backend::serial) return morphology::serial_scratch_bytes(input);
  const Plan own = plan(params, input.element);
  if (backend == Backend::cuda) return morphology::cuda_scratch_bytes(own, input, variant);
  return has_vectors(own, input) ? morphology::serial_scratch_bytes(input)
                                 : morphology::openmp_scratch_bytes(own, input, variant);
}

AlgorithmInfo describe_morphology() {
  return describe<Morphology>("morphology");
}

}  // namespace threadscape
