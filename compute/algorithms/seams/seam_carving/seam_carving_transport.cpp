// order=optimal: the transport map of Avidan and Shamir. A row of pictures is kept, one for every number of removed
// columns; with every removed row each of them is made anew, from the picture above or the one to the left.

#include <omp.h>

#include "compute/algorithms/seams/seam_carving/seam_carving_host.h"
#include "compute/engines/planes/planes.h"

namespace threadscape::seam_carving {
namespace {

/// Steps of T(r, c) are single seams of either direction.
struct Costs {
  Removed total;
  bool by_row = false;
};
bool operator<(const Removed& a, const Removed& b) {
  return a.rank < b.rank || (a.rank == b.rank && a.energy < b.energy);
}

std::size_t picture_bytes(const Plan& plan) {
  return HostScratch::padded(plan.most_pixels() * sizeof(float)) +
         (plan.masked() ? HostScratch::padded(plan.most_pixels()) : 0);
}
Picture take_picture(const Plan& plan, HostScratch& scratch) {
  Picture picture;
  picture.grey.data = scratch.take<float>(plan.most_pixels()).data();
  if (plan.masked()) picture.marks.data = scratch.take<Mark>(plan.most_pixels()).data();
  return picture;
}
void set_size(Picture& picture, int width, int height) {
  picture.grey = {picture.grey.data, width, height, width};
  picture.marks = {picture.marks.data, width, height, width};
}

class Transport {
 public:
  Transport(const Plan& plan, const HostRun& run, Carve carve)
      : plan_(plan),
        run_(run),
        carve_(carve),
        space_(take_picture(plan, *run.scratch)),
        order_(run.scratch->take<std::uint16_t>(plan.most_pixels())),
        other_order_(run.scratch->take<std::uint16_t>(plan.most_pixels())) {}

  std::vector<Pass> run(const Picture& start) {
    const int columns = plan_.width - std::min(plan_.width, target(false));
    const int rows = plan_.height - std::min(plan_.height, target(true));
    std::vector<Picture> pictures;
    for (int i = 0; i <= columns; ++i)
      pictures.push_back(take_picture(plan_, *run_.scratch));
    Picture next = take_picture(plan_, *run_.scratch);
    std::vector<std::vector<Costs>> map(static_cast<std::size_t>(rows + 1),
                                        std::vector<Costs>(static_cast<std::size_t>(columns + 1)));
    for (int r = 0; r <= rows && !run_.stop.stop_requested(); ++r)
      for (int c = 0; c <= columns; ++c) {
        const auto row = static_cast<std::size_t>(r), column = static_cast<std::size_t>(c);
        Costs& here = map[row][column];
        if (r == 0 && c == 0) {
          copy(start, pictures[0]);
          continue;
        }
        // From the picture with one row more, which is still in its place, and from the one with one column more.
        Costs by_row, by_column;
        if (r > 0) by_row = {plus(map[row - 1][column].total, find(pictures[column], true, order_)), true};
        if (c > 0)
          by_column = {plus(map[row][column - 1].total, find(pictures[column - 1], false, other_order_)), false};
        here = c == 0 || (r > 0 && !(by_column.total < by_row.total)) ? by_row : by_column;
        const Picture& from = here.by_row ? pictures[column] : pictures[column - 1];
        remove(from, here.by_row, here.by_row ? order_ : other_order_, next);
        std::swap(next, pictures[column]);
      }
    std::vector<Pass> passes;
    for (int r = rows, c = columns; r > 0 || c > 0;) {
      const bool by_row = map[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)].by_row && r > 0;
      passes.insert(passes.begin(), Pass{by_row || c == 0, false, 1});
      --(by_row || c == 0 ? r : c);
    }
    for (const Pass& pass : plan_.passes)
      if (pass.enlarges) passes.push_back(pass);
    return passes;
  }

 private:
  /// Of the shrinking passes alone.
  int target(bool of_rows) const {
    int size = of_rows ? plan_.height : plan_.width;
    for (const Pass& pass : plan_.passes)
      if (!pass.enlarges && pass.of_rows == of_rows) size -= pass.seams;
    return size;
  }
  static Removed plus(const Removed& a, const Removed& b) { return {a.rank + b.rank, a.energy + b.energy}; }

  static void copy(const Picture& from, Picture& to) {
    set_size(to, from.grey.width, from.grey.height);
    for (int y = 0; y < from.grey.height; ++y) {
      std::copy_n(from.grey.row(y), from.grey.width, to.grey.row(y));
      if (from.marks.data) std::copy_n(from.marks.row(y), from.grey.width, to.marks.row(y));
    }
  }
  Removed find(const Picture& picture, bool of_rows, std::span<std::uint16_t> order) {
    const int width = of_rows ? picture.grey.height : picture.grey.width;
    const int height = of_rows ? picture.grey.width : picture.grey.height;
    set_size(space_, width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        space_.grey(x, y) = at(picture.grey, of_rows, x, y);
        if (picture.marks.data) space_.marks(x, y) = at(picture.marks, of_rows, x, y);
      }
    SeamCount uncounted(run_, 0);
    const Search search{
        space_.grey, space_.marks, plan_.params.energy, plan_.params.path, 1, 1, {order.data(), width, height, width},
        nullptr};
    return carve_(search, run_, uncounted);
  }
  static void remove(const Picture& from, bool of_rows, std::span<std::uint16_t> order, Picture& to) {
    const int width = from.grey.width, height = from.grey.height;
    set_size(to, of_rows ? width : width - 1, of_rows ? height - 1 : height);
    const int lines = of_rows ? width : height, length = of_rows ? height : width;
    const ImageView<const std::uint16_t> numbers{order.data(), length, lines, length};
    for (int y = 0; y < lines; y += lines_at_once) {
      const int end = std::min(y + lines_at_once, lines);
      const Pass pass{of_rows, false, 1};
      assemble_lines<float>(pass, numbers, from.grey, to.grey, y, end);
      if (from.marks.data) assemble_lines<Mark>(pass, numbers, from.marks, to.marks, y, end);
    }
  }

  const Plan& plan_;
  const HostRun& run_;
  Carve carve_;
  Picture space_;
  std::span<std::uint16_t> order_, other_order_;
};

}  // namespace

std::size_t transport_bytes(const Plan& plan) {
  if (!plan.needs_transport()) return 0;
  int columns = 0;
  for (const Pass& pass : plan.passes)
    if (!pass.enlarges && !pass.of_rows) columns += pass.seams;
  return static_cast<std::size_t>(columns + 3) * picture_bytes(plan) +
         2 * HostScratch::padded(plan.most_pixels() * sizeof(std::uint16_t));
}

std::vector<Pass> transport_passes(const Plan& plan, const Picture& start, const HostRun& run, Carve carve) {
  const std::size_t mark = run.scratch->mark();
  std::vector<Pass> passes = Transport(plan, run, carve).run(start);
  run.scratch->rewind(mark);
  return passes;
}

std::vector<Pass> transport_passes(const Plan& plan, const HostIn& input, const HostRun& run) {
  const std::size_t mark = run.scratch->mark();
  Picture start = take_picture(plan, *run.scratch);
  set_size(start, plan.width, plan.height);
  with_planes<std::uint8_t, std::uint16_t, float>(input.shape, Channels::each, [&](auto planes) {
    using Pixel = typename decltype(planes)::Pixel;
    const auto in = input.image<Pixel>();
    for (int y = 0; y < plan.height; ++y)
      for (int x = 0; x < plan.width; ++x) {
        start.grey(x, y) = grey_of(in(x, y));
        if (plan.masked()) start.marks(x, y) = plan.mark(x, y);
      }
  });
  std::vector<Pass> passes = transport_passes(plan, start, run, carve_openmp);
  run.scratch->rewind(mark);
  return passes;
}

}  // namespace threadscape::seam_carving
