// order=optimal: the transport map of Avidan and Shamir. T(r, c) is the lowest cost of removing r rows and c columns:
//
//     T(r - 1, c) ---- one row ----> T(r, c)        T(r, c) = min(T(r - 1, c) + cost of the next row's seam,
//                                      ^                          T(r, c - 1) + cost of the next column's seam)
//     T(r, c - 1) --- one column ------'
//
// Both candidates need the picture that belongs to their entry of the map. So one row of pictures is kept, one picture
// for each number of removed columns; going down one row of the map replaces each of them, from left to right, by the
// picture above it without one row or by the picture to its left without one column. The path through the map is the
// order of rows and columns.

#include "compute/algorithms/seams/seam_carving/seam_carving_transport.h"

#include "compute/core/machine.h"
#include "compute/engines/planes/planes.h"

namespace threadscape::seam_carving {
namespace {

/// An entry of the transport map: what the cheapest way to it costs, and whether its last step removes a row.
struct Entry {
  CarvingCost total;
  bool by_row = false;
};
using TransportMap = std::vector<std::vector<Entry>>;  ///< Indexed as [removed rows][removed columns].

bool operator<(const CarvingCost& a, const CarvingCost& b) {
  return a.rank < b.rank || (a.rank == b.rank && a.energy < b.energy);
}
CarvingCost operator+(const CarvingCost& a, const CarvingCost& b) {
  return {a.rank + b.rank, a.energy + b.energy};
}

std::size_t picture_bytes(const Plan& plan) {
  return HostScratch::padded(plan.max_pixels() * sizeof(float)) +
         (plan.masked() ? HostScratch::padded(plan.max_pixels()) : 0);
}
Picture take_picture(const Plan& plan, HostScratch& scratch) {
  Picture picture;
  picture.grey.data = scratch.take<float>(plan.max_pixels()).data();
  if (plan.masked()) picture.marks.data = scratch.take<Mark>(plan.max_pixels()).data();
  return picture;
}
void set_size(Picture& picture, int width, int height) {
  picture.grey = {picture.grey.data, width, height, width};
  picture.marks = {picture.marks.data, width, height, width};
}
void copy(const Picture& from, Picture& to) {
  set_size(to, from.grey.width, from.grey.height);
  for (int y = 0; y < from.grey.height; ++y) {
    std::copy_n(from.grey.row(y), from.grey.width, to.grey.row(y));
    if (from.marks.data) std::copy_n(from.marks.row(y), from.grey.width, to.marks.row(y));
  }
}

/// How many columns, or rows, the shrinking passes of a plan remove.
int shrinks_by(const Plan& plan, bool of_rows) {
  int seams = 0;
  for (const Pass& pass : plan.passes)
    if (!pass.enlarges && pass.of_rows == of_rows) seams += pass.seams;
  return seams;
}

class Transport {
 public:
  Transport(const Plan& plan, const HostRun& run, CarveFunction carve)
      : plan_(plan),
        run_(run),
        carve_(carve),
        columns_(shrinks_by(plan, false)),
        rows_(shrinks_by(plan, true)),
        space_(take_picture(plan, *run.scratch)),
        row_seam_(run.scratch->take<std::uint16_t>(plan.max_pixels())),
        column_seam_(run.scratch->take<std::uint16_t>(plan.max_pixels())) {}

  std::vector<Pass> run(const Picture& start) {
    const TransportMap map = fill_map(start);
    std::vector<Pass> passes;
    for (int r = rows_, c = columns_; r > 0 || c > 0;) {
      const bool by_row = c == 0 || (r > 0 && map[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)].by_row);
      passes.insert(passes.begin(), Pass{by_row, false, 1});
      --(by_row ? r : c);
    }
    for (const Pass& pass : plan_.passes)
      if (pass.enlarges) passes.push_back(pass);
    return passes;
  }

 private:
  /// Computes all entries of the map. Entries that a stopped run does not reach stay empty.
  TransportMap fill_map(const Picture& start) {
    std::vector<Picture> pictures;
    for (int i = 0; i <= columns_; ++i)
      pictures.push_back(take_picture(plan_, *run_.scratch));
    Picture next = take_picture(plan_, *run_.scratch);
    TransportMap map(static_cast<std::size_t>(rows_ + 1), std::vector<Entry>(static_cast<std::size_t>(columns_ + 1)));
    copy(start, pictures[0]);
    for (std::size_t r = 0; r < map.size(); ++r)
      for (std::size_t c = 0; c < map[r].size() && !run_.stop.stop_requested(); ++c) {
        if (r == 0 && c == 0) continue;
        // pictures[c] still has one row more than the entry's picture, pictures[c - 1] has one column more.
        Entry by_row, by_column;
        if (r > 0) by_row = {map[r - 1][c].total + find_seam(pictures[c], true, row_seam_), true};
        if (c > 0) by_column = {map[r][c - 1].total + find_seam(pictures[c - 1], false, column_seam_), false};
        Entry& entry = map[r][c];
        entry = c == 0 || (r > 0 && !(by_column.total < by_row.total)) ? by_row : by_column;
        remove_seam(entry.by_row ? pictures[c] : pictures[c - 1], entry.by_row, entry.by_row ? row_seam_ : column_seam_,
                    next);
        std::swap(next, pictures[c]);
        report(r, c);
      }
    return map;
  }
  void report(std::size_t r, std::size_t c) const {
    if (run_.progress == nullptr) return;
    const double across = columns_ + 1.0, down = rows_ + 1.0;
    run_.progress->report((static_cast<double>(r) * across + static_cast<double>(c) + 1.0) / (across * down));
  }

  /// Finds one seam of a picture and writes it to `order`, which holds 1 at the seam's pixels in the space of its pass.
  CarvingCost find_seam(const Picture& picture, bool of_rows, std::span<std::uint16_t> order) {
    const int width = of_rows ? picture.grey.height : picture.grey.width;
    const int height = of_rows ? picture.grey.width : picture.grey.height;
    set_size(space_, width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        space_.grey(x, y) = at(picture.grey, of_rows, x, y);
        if (picture.marks.data) space_.marks(x, y) = at(picture.marks, of_rows, x, y);
      }
    SeamProgress no_progress(run_, 0);
    const Search search{space_.grey,
                        space_.marks,
                        plan_.params.energy,
                        plan_.params.path,
                        plan_.params.start,
                        1,
                        1,
                        {order.data(), width, height, width},
                        nullptr};
    return carve_(search, run_, no_progress);
  }
  /// Writes the picture `from` without the seam that find_seam() found in it to `to`.
  static void remove_seam(const Picture& from, bool of_rows, std::span<std::uint16_t> order, Picture& to) {
    const int width = from.grey.width, height = from.grey.height;
    set_size(to, of_rows ? width : width - 1, of_rows ? height - 1 : height);
    const int lines = of_rows ? width : height, length = of_rows ? height : width;
    const ImageView<const std::uint16_t> numbers{order.data(), length, lines, length};
    for (int y = 0; y < lines; y += lines_per_block) {
      const int end = std::min(y + lines_per_block, lines);
      const Pass pass{of_rows, false, 1};
      assemble_lines<float>(pass, numbers, from.grey, to.grey, y, end);
      if (from.marks.data) assemble_lines<Mark>(pass, numbers, from.marks, to.marks, y, end);
    }
  }

  const Plan& plan_;
  const HostRun& run_;
  CarveFunction carve_;
  int columns_, rows_;  ///< How many columns and rows are removed.
  Picture space_;       ///< The picture in the space of the pass whose seam is searched.
  std::span<std::uint16_t> row_seam_, column_seam_;
};

}  // namespace

std::size_t transport_bytes(const Plan& plan) {
  if (!plan.needs_transport()) return 0;
  return static_cast<std::size_t>(shrinks_by(plan, false) + 3) * picture_bytes(plan) +
         2 * HostScratch::padded(plan.max_pixels() * sizeof(std::uint16_t));
}

std::vector<Pass> find_pass_order(const Plan& plan, const Picture& start, const HostRun& run, CarveFunction carve) {
  const std::size_t mark = run.scratch->mark();
  std::vector<Pass> passes = Transport(plan, run, carve).run(start);
  run.scratch->rewind(mark);
  return passes;
}

std::vector<Pass> find_pass_order(const Plan& plan, const HostIn& input, const std::stop_token& stop,
                                  Progress* progress) {
  HostScratch scratch;
  scratch.reset(picture_bytes(plan) + transport_bytes(plan) + openmp_bytes(plan));
  Picture start = take_picture(plan, scratch);
  set_size(start, plan.width, plan.height);
  with_planes<std::uint8_t, std::uint16_t, float>(input.shape, [&](auto planes) {
    using Pixel = typename decltype(planes)::Pixel;
    const auto in = input.image<Pixel>();
    for (int y = 0; y < plan.height; ++y)
      for (int x = 0; x < plan.width; ++x) {
        start.grey(x, y) = grey_of(in(x, y));
        if (plan.masked()) start.marks(x, y) = plan.mark(x, y);
      }
  });
  HostRun run;
  run.scratch = &scratch;
  run.threads = hardware_threads();
  run.stop = stop;
  run.progress = progress;
  return find_pass_order(plan, start, run, carve_openmp);
}

}  // namespace threadscape::seam_carving
