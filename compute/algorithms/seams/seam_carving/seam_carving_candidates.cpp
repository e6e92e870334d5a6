#include "compute/algorithms/seams/seam_carving/seam_carving_candidates.h"

#include <numeric>

namespace threadscape::seam_carving {
namespace {

/// One candidate per column of the row where candidates begin: the first row of greedy paths, or the last row of dp.
class Candidates {
 public:
  Candidates(const RemainingPicture& picture, HostScratch& scratch)
      : picture_(picture),
        width_(picture.columns.width),
        height_(picture.columns.height),
        start_(picture.search.path == Path::dp ? Start::bottom : picture.search.start),
        sides_{scratch.take<std::int8_t>(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)).data(),
               width_, height_, width_},
        totals_(scratch.take<Cost>(static_cast<std::size_t>(width_))),
        above_(scratch.take<Cost>(static_cast<std::size_t>(width_))),
        columns_(scratch.take<int>(static_cast<std::size_t>(width_))) {
    if (picture.search.path == Path::dp)
      find_parents();
    else
      follow_greedy_paths();
  }

  void draw(bool of_rows, const ImageView<Rgba32f>& out) {
    const auto best = std::min_element(totals_.begin(), totals_.end());  // The leftmost of equal ones.
    const auto by_float = [](const Cost& a, const Cost& b) { return cost_as_float(a) < cost_as_float(b); };
    const float lowest = cost_as_float(*best);
    const float highest = cost_as_float(*std::max_element(totals_.begin(), totals_.end(), by_float));
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x)
        at(out, of_rows, x, y) = {picture_.search.grey(x, y), no_candidate, 0.0f, 1.0f};
    for_each_row([&](int y, std::size_t start, int x) {
      Rgba32f& pixel = at(out, of_rows, x, y);
      const float cost = relative_cost(cost_as_float(totals_[start]), lowest, highest);
      pixel.g = pixel.g == no_candidate ? cost : std::min(pixel.g, cost);
      if (start == static_cast<std::size_t>(best - totals_.begin())) pixel.b = 1.0f;
    });
  }

 private:
  /// Calls f(y, start, x) for the rows in the order of the paths, and in each of them for the column x of every path.
  template <class F>
  void for_each_row(const F& f) {
    std::iota(columns_.begin(), columns_.end(), 0);
    for (int i = 0; i < height_; ++i) {
      const int y = row_of_step(start_, height_, i);
      for (std::size_t start = 0; start < columns_.size(); ++start) {
        f(y, start, columns_[start]);
        columns_[start] += sides_(columns_[start], y);
      }
    }
  }

  void find_parents() {
    for (int y = 0; y < height_; ++y) {
      std::swap(totals_, above_);
      const auto costs = [&](int x, int) -> const Cost& { return above_[static_cast<std::size_t>(x)]; };
      for (int x = 0; x < width_; ++x) {
        int side = 0;
        totals_[static_cast<std::size_t>(x)] = picture_.best(costs, x, y, 0, width_, side);
        sides_(x, y) = static_cast<std::int8_t>(side);
      }
    }
  }

  void follow_greedy_paths() {
    for (int i = 0; i < height_; ++i) {
      const int y = row_of_step(start_, height_, i);
      for (int x = 0; x < width_; ++x)
        sides_(x, y) = i + 1 < height_ ? static_cast<std::int8_t>(picture_.next_side(x, y, 0, width_)) : std::int8_t{0};
    }
    const int first = row_of_step(start_, height_, 0), next = next_row(start_);
    std::iota(columns_.begin(), columns_.end(), 0);
    for (std::size_t start = 0; start < columns_.size(); ++start)
      totals_[start] = picture_.cost(columns_[start], first);
    for (int i = 1; i < height_; ++i)
      for (std::size_t start = 0; start < columns_.size(); ++start) {
        const int y = row_of_step(start_, height_, i), side = sides_(columns_[start], y - next);
        columns_[start] += side;
        totals_[start] = totals_[start] + picture_.step(columns_[start], y, -side, -next);
      }
  }

  const RemainingPicture& picture_;
  int width_, height_;
  Start start_;
  ImageView<std::int8_t> sides_;  ///< Column of a path's next pixel relative to each pixel.
  std::span<Cost> totals_, above_;
  std::span<int> columns_;
};

}  // namespace

void show_candidates(const RemainingPicture& picture, bool of_rows, HostScratch& scratch,
                     const ImageView<Rgba32f>& out) {
  const std::size_t mark = scratch.mark();
  Candidates(picture, scratch).draw(of_rows, out);
  scratch.rewind(mark);
}

std::size_t candidate_bytes(const Plan& plan) {
  const auto side = static_cast<std::size_t>(std::max(plan.max_width, plan.max_height));
  return HostScratch::padded(plan.max_pixels()) + 2 * HostScratch::padded(side * sizeof(Cost)) +
         HostScratch::padded(side * sizeof(int));
}

}  // namespace threadscape::seam_carving
