// Going from pass to pass on the CPU: grey values and marks are brought into the space of the pass, the seams are
// searched, and the next picture is assembled.

#include "compute/algorithms/seams/seam_carving/seam_carving_host.h"

#include <numeric>

#include "compute/algorithms/seams/seam_carving/seam_carving_candidates.h"
#include "compute/algorithms/seams/seam_carving/seam_carving_transport.h"
#include "compute/engines/planes/bands.h"
#include "compute/engines/planes/planes.h"

namespace threadscape::seam_carving {
namespace {

using Output = SeamCarving::Output;

template <class Pixel>
class HostSeamPipeline {
 public:
  HostSeamPipeline(const Plan& plan, const HostRun& run, CarveFunction carve)
      : plan_(plan), run_(run), silent_run_(run), carve_(carve) {
    silent_run_.progress = nullptr;
    const std::size_t max_pixels = plan.max_pixels();
    for (std::span<Pixel>& buffer : pictures_)
      buffer = run.scratch->take<Pixel>(plan.keeps_pictures() ? max_pixels : 0);
    grey_ = run.scratch->take<float>(max_pixels);
    order_ = run.scratch->take<std::uint16_t>(max_pixels);
    if (plan.masked()) {
      marks_in_space_ = run.scratch->take<Mark>(max_pixels);
      for (std::span<Mark>& buffer : marks_)
        buffer = run.scratch->take<Mark>(max_pixels);
    }
    if (plan.params.output == Output::order)
      for (std::span<std::uint32_t>& buffer : origins_)
        buffer = run.scratch->take<std::uint32_t>(max_pixels);
  }

  CarvingCost run() {
    picture_ = run_.in.image<Pixel>();
    if (plan_.masked()) start_marks();
    if (plan_.params.output == Output::order) start_order();
    std::vector<Pass> passes = plan_.passes;
    if (plan_.needs_transport()) passes = find_order();
    SeamProgress progress(run_, plan_.seams());
    CarvingCost removed;
    int number = 0;
    for (std::size_t i = 0; i < passes.size(); ++i) {
      const CarvingCost of_pass = search(passes[i], number, progress);
      if (run_.stop.stop_requested()) return removed;
      removed.rank += of_pass.rank;
      removed.energy += of_pass.energy;
      number += passes[i].seams;
      const bool last = i + 1 == passes.size();
      if (!last || plan_.params.output != Output::order) assemble(passes[i], last);
    }
    if (passes.empty() && plan_.params.output == Output::picture) {
      const HostOut out = run_.out;
      copy(run_.in, out);
    }
    if (plan_.shows_state()) view(view_of_rows(passes));
    return removed;
  }

 private:
  template <class F>
  void for_lines(int lines, const F& f) const {
    for_each_band(silent_run_, lines, f, lines_per_block);
  }

  void start_marks() {
    mark_picture_ = {marks_[0].data(), plan_.width, plan_.height, plan_.width};
    for_lines(plan_.height, [&](int y0, int y1) {
      for (int y = y0; y < y1; ++y)
        for (int x = 0; x < plan_.width; ++x)
          mark_picture_(x, y) = plan_.mark(x, y);
    });
  }
  void start_order() {
    const auto out = run_.out.image<std::uint16_t>();
    origin_picture_ = {origins_[0].data(), plan_.width, plan_.height, plan_.width};
    for (int y = 0; y < plan_.height; ++y) {
      std::fill_n(out.row(y), plan_.width, std::uint16_t{0});
      std::iota(origin_picture_.row(y), origin_picture_.row(y) + plan_.width,
                static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(plan_.width));
    }
  }
  std::vector<Pass> find_order() {
    fill_space({});
    Picture start{{grey_.data(), plan_.width, plan_.height, plan_.width}, {}};
    if (plan_.masked()) start.marks = {marks_in_space_.data(), plan_.width, plan_.height, plan_.width};
    return find_pass_order(plan_, start, silent_run_, carve_);
  }

  /// Grey values and marks in the space of the pass. Marks of removal count only while the picture shrinks.
  Search fill_space(const Pass& pass) {
    const int width = pass.of_rows ? picture_.height : picture_.width;
    const int height = pass.of_rows ? picture_.width : picture_.height;
    const ImageView<float> grey{grey_.data(), width, height, width};
    const ImageView<Mark> marks{marks_in_space_.data(), width, height, width};
    for_lines(height, [&](int y0, int y1) {
      if (!pass.of_rows) {
        for (int y = y0; y < y1; ++y)
          std::transform(picture_.row(y), picture_.row(y) + width, grey.row(y),
                         [](const Pixel& pixel) { return grey_of(pixel); });
      } else {
        for (int x = 0; x < width; ++x)
          for (int y = y0; y < y1; ++y)
            grey(x, y) = grey_of(picture_(y, x));
      }
      if (!plan_.masked()) return;
      for (int x = 0; x < width; ++x)
        for (int y = y0; y < y1; ++y) {
          const Mark mark = at(mark_picture_, pass.of_rows, x, y);
          marks(x, y) = pass.enlarges && mark == Mark::remove ? Mark::none : mark;
        }
    });
    return {grey,
            plan_.masked() ? ImageView<const Mark>(marks) : ImageView<const Mark>(),
            plan_.params.energy,
            plan_.params.path,
            plan_.params.start,
            pass.seams,
            plan_.params.seams_per_pass,
            {order_.data(), width, height, width},
            nullptr};
  }
  /// Finds the seams of a pass; `number` seams were found in the passes before.
  CarvingCost search(const Pass& pass, int number, SeamProgress& progress) {
    const int width = pass.of_rows ? picture_.height : picture_.width;
    const int height = pass.of_rows ? picture_.width : picture_.height;
    order_view_ = {order_.data(), width, height, width};
    const bool wants_map = plan_.params.output == Output::order;
    const OrderMap map{wants_map ? run_.out.image<std::uint16_t>() : ImageView<std::uint16_t>(), origin_picture_,
                       pass.of_rows, number};
    if (!plan_.map) {
      Search search = fill_space(pass);
      if (wants_map) search.map = &map;
      return carve_(search, run_, progress);
    }
    for_lines(height, [&](int y0, int y1) {
      const ImageView<const std::uint16_t> known{plan_.map->order.data(), plan_.width, plan_.height, plan_.width};
      for (int x = 0; x < width; ++x)
        for (int y = y0; y < y1; ++y)
          order_view_(x, y) = at(known, pass.of_rows, x, y);
    });
    if (wants_map)
      for_lines(height, [&](int y0, int y1) {
        for (int x = 0; x < width; ++x)
          for (int y = y0; y < y1; ++y)
            if (is_taken(order_view_(x, y), pass.seams)) map.take(x, y, order_view_(x, y));
      });
    return {};
  }

  template <class T>
  void assemble_picture(const Pass& pass, const ImageView<T>& from, const ImageView<T>& to) const {
    for_lines(order_view_.height, [&](int y0, int y1) { assemble_lines<T>(pass, order_view_, from, to, y0, y1); });
  }
  void assemble(const Pass& pass, bool last) {
    const int change = pass.enlarges ? pass.seams : -pass.seams;
    const int width = picture_.width + (pass.of_rows ? 0 : change);
    const int height = picture_.height + (pass.of_rows ? change : 0);
    const std::size_t other = ++buffer_ % 2;
    ImageView<Pixel> to{pictures_[other].data(), width, height, width};
    if (last && plan_.params.output == Output::picture) to = run_.out.image<Pixel>();
    for_lines(order_view_.height,
              [&](int y0, int y1) { assemble_lines<Pixel>(pass, order_view_, picture_, to, y0, y1); });
    picture_ = to;
    if (plan_.masked()) {
      const ImageView<Mark> marks{marks_[other].data(), width, height, width};
      assemble_picture(pass, mark_picture_, marks);
      mark_picture_ = marks;
    }
    if (plan_.params.output == Output::order) {
      const ImageView<std::uint32_t> origins{origins_[other].data(), width, height, width};
      assemble_picture(pass, origin_picture_, origins);
      origin_picture_ = origins;
    }
  }

  /// Writes the energies, costs, grey values or candidates of the final picture to the result.
  void view(bool of_rows) {
    const Search search = fill_space({of_rows, false, 0});
    for (int y = 0; y < search.grey.height; ++y)
      std::iota(search.order.row(y), search.order.row(y) + search.grey.width, std::uint16_t{0});
    const RemainingPicture remaining{search, search.order};
    if (plan_.params.output == Output::candidates)
      return show_candidates(remaining, of_rows, *run_.scratch, run_.out.image<Rgba32f>());
    const auto out = run_.out.image<float>();
    if (plan_.params.output != Output::cost) {
      const bool grey = plan_.params.output == Output::grey;
      for_lines(search.grey.height, [&](int y0, int y1) {
        for (int y = y0; y < y1; ++y)
          for (int x = 0; x < search.grey.width; ++x)
            at(out, of_rows, x, y) = grey ? search.grey(x, y) : remaining.cost(x, y).sum;
      });
      return;
    }
    const std::span<Cost> rows = run_.scratch->take<Cost>(2 * static_cast<std::size_t>(search.grey.width));
    const auto costs = [&](int x, int y) -> Cost& {
      return rows[static_cast<std::size_t>(y % 2 * search.grey.width + x)];
    };
    for (int y = 0; y < search.grey.height && !run_.stop.stop_requested(); ++y)
      for (int x = 0; x < search.grey.width; ++x) {
        int side = 0;
        costs(x, y) = remaining.best(costs, x, y, 0, search.grey.width, side);
        at(out, of_rows, x, y) = cost_as_float(costs(x, y));
      }
  }

  const Plan& plan_;
  const HostRun& run_;
  HostRun silent_run_;  ///< The run without its progress, which is counted in seams.
  CarveFunction carve_;
  std::span<Pixel> pictures_[2];
  std::span<Mark> marks_[2], marks_in_space_;
  std::span<std::uint32_t> origins_[2];
  std::span<float> grey_;
  std::span<std::uint16_t> order_;
  std::size_t buffer_ = 0;

  ImageView<const Pixel> picture_;
  ImageView<Mark> mark_picture_;
  ImageView<std::uint32_t> origin_picture_;  ///< Index in the input of each pixel.
  ImageView<std::uint16_t> order_view_;      ///< The order map of the last pass, in its space.
};

}  // namespace

std::size_t host_bytes(const Plan& plan, const Shape& input) {
  const std::size_t max_pixels = plan.max_pixels();
  const auto side = static_cast<std::size_t>(std::max(plan.max_width, plan.max_height));
  std::size_t bytes = (plan.keeps_pictures() ? 2 * HostScratch::padded(max_pixels * input.pixel_bytes()) : 0) +
                      HostScratch::padded(max_pixels * sizeof(float)) +
                      HostScratch::padded(max_pixels * sizeof(std::uint16_t)) +
                      HostScratch::padded(2 * side * sizeof(Cost)) + transport_bytes(plan);
  if (plan.params.output == Output::candidates) bytes += candidate_bytes(plan);
  if (plan.masked()) bytes += 3 * HostScratch::padded(max_pixels);
  if (plan.params.output == Output::order) bytes += 2 * HostScratch::padded(max_pixels * sizeof(std::uint32_t));
  return bytes;
}

void run_on_host(const SeamCarving::Params& params, const HostRun& run, CarveFunction carve) {
  const Plan plan = make_plan(params, run.in.shape);
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    (void)HostSeamPipeline<typename decltype(planes)::Pixel>(plan, run, carve).run();
  });
}

CarvingCost carving_cost(const SeamCarving::Params& params, const HostIn& input, int threads) {
  const Plan plan = make_plan(params, input.shape);
  HostArray out(SeamCarving::output_shape(params, input.shape));
  HostScratch scratch;
  scratch.reset(SeamCarving::scratch_bytes(params, input.shape, Backend::openmp, 0));
  HostRun run;
  run.in = input;
  run.out = out.view();
  run.scratch = &scratch;
  run.threads = threads;
  CarvingCost removed;
  with_planes<std::uint8_t, std::uint16_t, float>(input.shape, [&](auto planes) {
    removed = HostSeamPipeline<typename decltype(planes)::Pixel>(plan, run, carve_openmp).run();
  });
  return removed;
}

}  // namespace threadscape::seam_carving
