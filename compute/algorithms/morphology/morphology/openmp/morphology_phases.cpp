// Morphology phase by phase in one parallel region, in four forms that differ in what is a section and what a shared
// loop. The rows of a step are computed pixel of the element by pixel of the element, as in morphology_serial.cpp.

#include "compute/algorithms/morphology/morphology/openmp/morphology_phases.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <vector>

#include "compute/algorithms/morphology/morphology/morphology_planes.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_reconstruct.h"
#include "compute/core/machine.h"
#include "compute/engines/planes/planes.h"

namespace threadscape::morphology {
namespace {

std::size_t plane_bytes(const PlaneExtent& extent, const Shape& shape) {
  return HostScratch::padded(extent.cells() * size_of(shape.element));
}

/// How a loop runs that all threads of a parallel region reach, or only the thread of a section.
enum class Loop { shared, single };

/// The channels first .. end - 1.
struct ChannelRange {
  int first = 0, end = 0;
};

/// Calls f(row) for the rows 0 .. count - 1. A shared loop ends with a barrier.
template <class F>
void for_rows(Loop loop, int count, const F& f) {
  if (loop == Loop::single) {
    for (int row = 0; row < count; ++row)
      f(row);
    return;
  }
#pragma omp for schedule(static)
  for (int row = 0; row < count; ++row)
    f(row);
}

/// P is Planes<Pixel, Channels::each>. All threads of the parallel region call the functions that have no Loop.
template <class P>
class Phases {
 public:
  using Pixel = typename P::Pixel;
  using Value = typename P::Value;

  Phases(const Plan& plan, const HostRun& run, Sections sections)
      : plan_(plan),
        run_(run),
        sections_(sections),
        extent_(plan, run.in.shape),
        in_(run.in.image<Pixel>()),
        out_(run.out.image<Pixel>()) {
    for (int channel = 0; channel < P::count; ++channel)
      for (int plane = 0; plane < planes_per_channel(plan); ++plane)
        planes_[channel][plane] = run.scratch->take<Value>(extent_.cells()).data();
    for (const auto* steps : {&plan.side, &plan.steps})
      for (const Step& step : *steps)
        terms_.try_emplace(step.window.get(), all_terms(*step.window));
    rows_ = P::count * static_cast<int>(plan.side.size() + plan.steps.size()) * extent_.height;
    if (run_.progress) run_.progress->report(0.0);
  }

  void operator()(int threads) {
#pragma omp parallel num_threads(threads)
    {
      int side = 0;
      PlanePair pair;
      if (!plan_.side.empty()) {
        side = branch(plan_.side, pair);
        pair = pair_beside(side);
      }
      compose(branch(plan_.steps, pair), side);
    }
  }

 private:
  static constexpr ChannelRange all_channels{0, P::count};

  /// Executes the steps of a branch on all channels. Returns the planes that hold the result.
  int branch(const std::vector<Step>& steps, PlanePair pair) {
    initialise(steps, pair);
    if (sections_.steps) {
#pragma omp sections
      {
#pragma omp section
        channel_through(0, steps, pair, Loop::single);
#pragma omp section
        if (P::count > 1) channel_through(1 % P::count, steps, pair, Loop::single);
#pragma omp section
        if (P::count > 1) channel_through(2 % P::count, steps, pair, Loop::single);
      }
    } else {
      for (int channel = 0; channel < P::count; ++channel)
        channel_through(channel, steps, pair, Loop::shared);
    }
    return pair.read_by(steps.size());
  }

  void initialise(const std::vector<Step>& steps, PlanePair pair) {
    const auto ghost_of_results = [&](Loop loop) {
      if (steps.size() > 1 && plan_.neutral()) fill_ghost(all_channels, pair.second, steps[1], loop);
    };
    if (sections_.initialisation) {
#pragma omp sections
      {
#pragma omp section
        split(steps[0], pair.first, Loop::single);
#pragma omp section
        ghost_of_results(Loop::single);
      }
    } else {
      split(steps[0], pair.first, Loop::shared);
      ghost_of_results(Loop::shared);
    }
  }

  /// Copies the channels of the input into planes, with the ghost area that the step which reads them needs.
  void split(const Step& step, int to, Loop loop) {
    for_rows(loop, extent_.height, [&](int y) {
      for (int channel = 0; channel < P::count; ++channel) {
        Value* row = cell(planes_[channel][to], 0, y);
        for (int x = 0; x < extent_.width; ++x)
          row[x] = P::get(in_(x, y), channel);
      }
    });
    fill_ghost(all_channels, to, step, loop);
  }

  void fill_ghost(ChannelRange channels, int plane, const Step& step, Loop loop) {
    for_rows(loop, extent_.rows(), [&](int row) {
      const int y = row - extent_.top, source = border_index(y, extent_.height, plan_.border);
      const bool outside = y < 0 || y >= extent_.height;
      for (int channel = channels.first; channel < channels.end; ++channel) {
        Value* cells = planes_[channel][plane];
        const auto fill = [&](int first, int last) {
          for (int x = first; x < last; ++x) {
            const int column = border_index(x, extent_.width, plan_.border);
            *cell(cells, x, y) =
                column < 0 || source < 0 ? neutral_value<Value>(step.erode) : *cell(cells, column, source);
          }
        };
        fill(-extent_.left, 0);
        if (outside) fill(0, extent_.width);
        fill(extent_.width, extent_.width + extent_.right);
      }
    });
  }

  void channel_through(int channel, const std::vector<Step>& steps, PlanePair pair, Loop loop) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      // The initialisation has filled the ghost area for the first step, and the neutral one for the second.
      if (i > 1 || (i == 1 && !plan_.neutral())) fill_ghost({channel, channel + 1}, pair.read_by(i), steps[i], loop);
      step_plane(steps[i], planes_[channel][pair.read_by(i)], planes_[channel][pair.read_by(i + 1)], loop);
    }
  }

  void step_plane(const Step& step, const Value* from, Value* to, Loop loop) {
    const std::vector<Term>& terms = terms_.at(step.window.get());
    for_rows(loop, extent_.height, [&](int y) {
      if (run_.stop.stop_requested()) return;  // OpenMP loops cannot be left early.
      if (step.erode)
        extreme_row<true>(terms, step.window->flat, from, to, y);
      else
        extreme_row<false>(terms, step.window->flat, from, to, y);
      const int done = done_.fetch_add(1, std::memory_order_relaxed) + 1;
      if (run_.progress) run_.progress->advance(static_cast<double>(done) / rows_);
    });
  }

  template <bool erode>
  void extreme_row(const std::vector<Term>& terms, bool flat, const Value* from, Value* to, int y) {
    const int width = extent_.width;  // Bytes that are stored could alias the member, and the loops would be slow.
    Value* result = cell(to, 0, y);
    std::fill_n(result, width, neutral_value<Value>(erode));
    for (const Term& term : terms) {
      const Value* values = cell(from, term.dx, y + term.dy);
      if (flat) {
        for (int x = 0; x < width; ++x)
          result[x] = extreme(result[x], values[x], erode);
        continue;
      }
      // A ghost cell is not neutral any more once the element's grey level has been added to it or subtracted from it.
      const bool neutral = plan_.neutral();
      if (neutral && (y + term.dy < 0 || y + term.dy >= extent_.height)) continue;
      const int first = neutral ? std::clamp(-term.dx, 0, width) : 0;
      const int last = neutral ? std::clamp(width - term.dx, first, width) : width;
      const Units<Value> units = in_units<Value>(term.level);
      for (int x = first; x < last; ++x)
        result[x] = extreme(result[x], shifted(values[x], units, erode), erode);
    }
  }

  void compose(int result, int side) {
    for_rows(Loop::shared, extent_.height, [&](int y) {
      for (int x = 0; x < extent_.width; ++x) {
        const Pixel original = in_(x, y);
        Pixel pixel = original;  // Keeps the alpha of the input.
        for (int channel = 0; channel < P::count; ++channel)
          P::set(pixel, channel,
                 finished(plan_.finish, *cell(planes_[channel][result], x, y), P::get(original, channel),
                          *cell(planes_[channel][side], x, y)));
        out_(x, y) = pixel;
      }
    });
  }

  /// The cell of the pixel (x, y), which may lie in the ghost area.
  template <class Cell>
  [[nodiscard]] Cell* cell(Cell* plane, int x, int y) const {
    return plane + static_cast<std::ptrdiff_t>(y + extent_.top) * extent_.columns() + x + extent_.left;
  }

  const Plan& plan_;
  const HostRun& run_;
  Sections sections_;
  PlaneExtent extent_;
  ImageView<const Pixel> in_;
  ImageView<Pixel> out_;
  Value* planes_[3][3] = {};  ///< By channel and plane.
  std::map<const Window*, std::vector<Term>> terms_;
  int rows_ = 1;
  std::atomic<int> done_ = 0;
};

}  // namespace

std::size_t phases_scratch_bytes(const Plan& plan, const Shape& input) {
  const std::size_t planes = (input.channels == 4 ? 3u : 1u) * static_cast<std::size_t>(planes_per_channel(plan));
  return planes * plane_bytes(PlaneExtent(plan, input), input) +
         HostScratch::padded(reconstruct_bytes(static_cast<int>(input.height)));
}

void run_phases(const Plan& plan, const HostRun& run, Sections sections) {
  const Shape& shape = run.in.shape;
  const int threads = std::clamp(run.threads, 1, 4 * hardware_threads());
  with_planes<std::uint8_t, std::uint16_t, float>(shape, [&](auto planes) {
    Phases<decltype(planes)> phases(plan, run, sections);
    phases(threads);
  });
  if (!plan.reconstruct) return;
  const int height = static_cast<int>(shape.height);
  reconstruct(run, shape.element, shape.channels, static_cast<int>(shape.width), height,
              {const_cast<std::byte*>(run.in.data), static_cast<std::ptrdiff_t>(run.in.pitch)},
              {run.out.data, static_cast<std::ptrdiff_t>(run.out.pitch)}, threads,
              run.scratch->take<std::byte>(reconstruct_bytes(height)).data());
}

}  // namespace threadscape::morphology
