// Morphology with all cores. The variant `loops` shares tiles of the picture among the threads, with all channels in
// them; `sections` gives each channel to one OpenMP section. morphology_simd.cpp computes the tiles. The variants that
// work phase by phase are in morphology_phases.cpp.

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>

#include "compute/algorithms/morphology/morphology/morphology.h"
#include "compute/algorithms/morphology/morphology/morphology_memory.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_phases.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_reconstruct.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_tile.h"
#include "compute/core/machine.h"

namespace threadscape {
namespace morphology {

namespace {

constexpr int sections = 3;  // One per colour.

/// The variants from this one on work phase by phase.
constexpr int first_phases_variant = 2;
constexpr Sections sections_of_phases[]{{.initialisation = true, .steps = true},
                                        {.initialisation = true, .steps = false},
                                        {.initialisation = false, .steps = true},
                                        {.initialisation = false, .steps = false}};
static_assert(std::size(sections_of_phases) + first_phases_variant == Morphology::openmp_variants.size());

/// The passes that execute `steps`, still without their pictures.
std::vector<Pass> passes_for(const Plan& plan, const std::vector<Step>& steps, const Shape& shape, int channels) {
  std::vector<Pass> passes;
  for (std::size_t i = 0; i < steps.size();) {
    Pass pass;
    pass.element = shape.element;
    pass.channels = channels;
    pass.width = static_cast<int>(shape.width);
    pass.height = static_cast<int>(shape.height);
    pass.steps = &steps[i];
    pass.count = i + 1 < steps.size() && can_fuse(plan, steps[i], steps[i + 1]) ? 2 : 1;
    if (const Window& window = *steps[i].window; window.flat && !window.rect)
      if (ChordLines lines(window); lines.usable()) pass.lines = std::make_shared<const ChordLines>(std::move(lines));
    pass.border = plan.border;
    passes.push_back(pass);
    i += static_cast<std::size_t>(pass.count);
  }
  return passes;
}

/// More threads than this would only wait for a core.
int usable_threads(int threads) {
  return std::clamp(threads, 1, 4 * hardware_threads());
}
int tile_count(const Pass& pass, Extent extent) {
  return ((pass.width + extent.width - 1) / extent.width) * ((pass.height + extent.height - 1) / extent.height);
}
/// Memory for the tiles of this many threads, without those that have no tile.
std::size_t tiles_bytes(const Pass& pass, int threads) {
  const Extent extent = tile_extent(pass, threads);
  return static_cast<std::size_t>(std::min(threads, tile_count(pass, extent))) *
         HostScratch::padded(tile_bytes(pass, extent));
}

std::size_t picture_pitch(const Shape& shape, int channels) {
  return HostScratch::padded(static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(channels) *
                             size_of(shape.element));
}

/// What a run with `channels` samples per pixel and up to this many threads takes from the scratch memory.
struct MemoryNeed {
  bool spare = false, side = false;
  std::size_t tiles = 0;

  MemoryNeed(const Plan& plan, const Shape& shape, int channels, int max_threads) : side(!plan.side.empty()) {
    for (const auto* steps : {&plan.side, &plan.steps}) {
      const std::vector<Pass> passes = passes_for(plan, *steps, shape, channels);
      spare = spare || passes.size() > 1;
      for (const Pass& pass : passes)
        for (int threads = 1; threads <= max_threads; ++threads)
          tiles = std::max(tiles, tiles_bytes(pass, threads));
    }
  }
  [[nodiscard]] std::size_t bytes(const Shape& shape, int channels) const {
    const std::size_t picture = picture_pitch(shape, channels) * static_cast<std::size_t>(shape.height);
    return (std::size_t{spare} + std::size_t{side}) * picture + tiles +
           HostScratch::padded(reconstruct_bytes(static_cast<int>(shape.height)));
  }
};

/// Executes a plan on one picture.
class PlanExecution {
 public:
  PlanExecution(const Plan& plan, const HostRun& run, int channels, int threads)
      : plan_(plan), run_(run), shape_(run.in.shape), channels_(channels), threads_(usable_threads(threads)) {
    const MemoryNeed need(plan, shape_, channels, threads_);
    pitch_ = picture_pitch(shape_, channels);
    if (need.spare) intermediate_ = picture();
    if (need.side) side_ = picture();
    tiles_ = run.scratch->take<std::byte>(need.tiles).data();
    flags_ = run.scratch->take<std::byte>(reconstruct_bytes(static_cast<int>(shape_.height))).data();
  }
  [[nodiscard]] Samples picture() const {
    return {run_.scratch->take<std::byte>(pitch_ * static_cast<std::size_t>(shape_.height)).data(),
            static_cast<std::ptrdiff_t>(pitch_)};
  }

  void operator()(Samples in, Samples out) {
    if (!plan_.side.empty()) run_steps(plan_.side, in, side_, Finish::none, false);
    run_steps(plan_.steps, in, out, plan_.finish, channels_ == 4);
    if (plan_.reconstruct)
      reconstruct(run_, shape_.element, channels_, static_cast<int>(shape_.width), static_cast<int>(shape_.height), in,
                  out, threads_, flags_);
  }

 private:
  void run_steps(const std::vector<Step>& steps, Samples in, Samples out, Finish finish, bool keep_alpha) {
    constexpr std::size_t cached = std::size_t{16} << 20;
    std::vector<Pass> passes = passes_for(plan_, steps, shape_, channels_);
    Samples from = in;
    for (std::size_t i = 0; i < passes.size(); ++i) {
      Pass& pass = passes[i];
      const bool last = i + 1 == passes.size();
      pass.from = from;
      pass.to = (passes.size() - i) % 2 == 1 ? out : intermediate_;  // Alternates so that the last pass writes `out`.
      pass.original = in;
      pass.side = side_;
      pass.finish = last ? finish : Finish::none;
      pass.keep_alpha = keep_alpha;
      pass.stream = last && shape_.bytes() > cached;
      run_pass(pass);
      from = pass.to;
    }
  }
  void run_pass(const Pass& pass) {
    const Extent extent = tile_extent(pass, threads_);
    const int across = (pass.width + extent.width - 1) / extent.width, count = tile_count(pass, extent);
    const std::size_t bytes = HostScratch::padded(tile_bytes(pass, extent));
    std::atomic<int> done = 0;
    if (run_.progress) run_.progress->report(0.0);
#pragma omp parallel for schedule(dynamic) num_threads(std::max(1, std::min(threads_, count)))
    for (int tile = 0; tile < count; ++tile) {
      if (run_.stop.stop_requested()) continue;  // OpenMP loops cannot be left early.
      process_tile(pass, tile % across * extent.width, tile / across * extent.height, extent,
                   tiles_ + bytes * static_cast<std::size_t>(omp_get_thread_num()));
      const int finished = done.fetch_add(1, std::memory_order_relaxed) + 1;
      if (run_.progress) run_.progress->advance(static_cast<double>(finished) / count);
    }
  }

  const Plan& plan_;
  const HostRun& run_;
  Shape shape_;
  int channels_, threads_;
  std::size_t pitch_ = 0;
  Samples intermediate_, side_;
  std::byte *tiles_ = nullptr, *flags_ = nullptr;
};

/// Copies one channel of a picture to a picture of its own, and back.
template <class T>
void take_channel(const HostIn& in, int channel, Samples to) {
  for (int y = 0; y < static_cast<int>(in.shape.height); ++y) {
    const T* from = reinterpret_cast<const T*>(in.data + static_cast<std::size_t>(y) * in.pitch) + channel;
    T* row = to.row<T>(y);
    for (std::int64_t x = 0; x < in.shape.width; ++x)
      row[x] = from[x * in.shape.channels];
  }
}
template <class T>
void put_channel(Samples from, int channel, const HostOut& out) {
  for (int y = 0; y < static_cast<int>(out.shape.height); ++y) {
    const T* row = from.row<T>(y);
    T* to = reinterpret_cast<T*>(out.data + static_cast<std::size_t>(y) * out.pitch) + channel;
    for (std::int64_t x = 0; x < out.shape.width; ++x)
      to[x * out.shape.channels] = row[x];
  }
}
struct Channel {
  PlanExecution work;
  Samples in, out;

  Channel(const Plan& plan, const HostRun& run) : work(plan, run, 1, 1), in(work.picture()), out(work.picture()) {}
  void operator()(const HostRun& run, int channel) {
    with_sample(run.in.shape.element, [&]<class T>(T) {
      take_channel<T>(run.in, channel, in);
      work(in, out);
      put_channel<T>(out, channel, run.out);
    });
  }
};

void work_in_sections(const Plan& plan, const HostRun& run) {
  const bool colour = run.in.shape.channels == 4;
  Channel red(plan, run), green(plan, run), blue(plan, run);
#pragma omp parallel sections num_threads(std::clamp(run.threads, 1, sections))
  {
#pragma omp section
    {
      red(run, 0);
      if (colour)
        with_sample(run.in.shape.element, [&]<class T>(T) {
          take_channel<T>(run.in, 3, red.in);
          put_channel<T>(red.in, 3, run.out);
        });
    }
#pragma omp section
    if (colour) green(run, 1);
#pragma omp section
    if (colour) blue(run, 2);
  }
}

}  // namespace

Extent tile_extent(const Pass& pass, int threads) {
  const int sample = static_cast<int>(size_of(pass.element)) * pass.channels;
  const Window& window = *pass.steps[0].window;
  Extent extent{};
  // Rectangles beyond the smallest are processed row by row, and rows may be long. One band of the picture per thread
  // is best, as long as the rows that two bands both compute are few. Bands are limited so that runs can be stopped.
  constexpr int max_rows = 4096, row_bytes = 16384, two_vectors = 128;
  if (window.rect && window.width <= 7)
    extent = {1024 / sample, std::max(256, 16 * window.height)};
  else if (window.rect && (threads == 1 || pass.height / threads >= 8 * window.height))
    extent = {std::min(row_bytes, std::max(1, pass.width * sample / two_vectors) * two_vectors) / sample,
              std::min(max_rows, (pass.height + threads - 1) / threads)};
  else if (window.rect)
    extent = {(window.width <= 31 ? 1024 : 4096) / sample, std::max(256, 16 * window.height)};
  else if (pass.lines)
    extent = {1024 / sample, 256};
  else if (window.flat)
    extent = {1024 / sample, window.height <= 32 ? 32 : 64};
  else
    extent = {512 / pass.channels, 32};
  return {std::min(extent.width, pass.width), std::min(extent.height, pass.height)};
}

std::size_t tile_pitch(const Pass& pass, Extent extent) {
  int width = extent.width;
  for (int i = 0; i < pass.count; ++i)
    width += pass.steps[i].window->width - 1;
  const std::size_t sample = pass.steps[0].window->flat ? size_of(pass.element) : sizeof(std::int32_t);
  const std::size_t row = static_cast<std::size_t>(width) * static_cast<std::size_t>(pass.channels) * sample;
  // Room for vectors that extend beyond; and not a multiple of 4096, or rows would compete for a few cache lines.
  return ((row + 511) / 128 | 1) * 128;
}

std::size_t tile_bytes(const Pass& pass, Extent extent) {
  const std::size_t pitch = tile_pitch(pass, extent);
  const Window& window = *pass.steps[0].window;
  constexpr std::size_t beyond = 4096;  // Bytes that vectors may touch after the last row.
  if (window.rect) {
    const auto rows = static_cast<std::size_t>((pass.count + 1) * (kept_rows(window) + 1));
    return rows * pitch + beyond;
  }
  if (pass.lines)
    return (pass.lines->lengths.size() * static_cast<std::size_t>(chord_rows(window)) + chords_at_once) * pitch +
           beyond;
  const auto rows = static_cast<std::size_t>(extent.height + window.height - 1);
  std::size_t buffers = 2;  // Before and after a step.
  if (window.flat) {
    int max_length = 0;
    for (const Chord& chord : window.chords)
      max_length = std::max(max_length, chord.length);
    buffers = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(max_length))) + 1;
  }
  return buffers * rows * pitch + 2 * window.chords.size() * sizeof(std::ptrdiff_t) + 2 * pitch + beyond;
}

std::size_t openmp_scratch_bytes(const Plan& plan, const Shape& input, int variant) {
  if (variant >= first_phases_variant) return phases_scratch_bytes(plan, input);
  if (variant == 0)
    return MemoryNeed(plan, input, input.channels, usable_threads(max_threads())).bytes(input, input.channels);
  const std::size_t plane = picture_pitch(input, 1) * static_cast<std::size_t>(input.height);
  return sections * (MemoryNeed(plan, input, 1, 1).bytes(input, 1) + 2 * plane);
}

}  // namespace morphology

void Morphology::openmp(const Params& params, const HostRun& run) {
  using namespace morphology;  // NOLINT: Plan, PlanExecution, ...
  const morphology::Plan plan = Morphology::plan(params, run.in.shape.element);
  check(plan);
  if (has_vectors(plan, run.in.shape)) return run_vectors(plan, run);
  if (run.variant >= first_phases_variant)
    return run_phases(plan, run, sections_of_phases[run.variant - first_phases_variant]);
  if (run.variant == 1) return work_in_sections(plan, run);
  PlanExecution work(plan, run, run.in.shape.channels, run.threads);
  work({const_cast<std::byte*>(run.in.data), static_cast<std::ptrdiff_t>(run.in.pitch)},
       {run.out.data, static_cast<std::ptrdiff_t>(run.out.pitch)});
}

}  // namespace threadscape
