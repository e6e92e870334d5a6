// The median, the readable reference: a window slides along each row and counts the values that it contains (Huang
// 1979). No tricks.
//
// Counting needs values that are small integers. Bytes are; the floats of a plane are replaced by their positions in
// the sorted list of all of them.

#include <algorithm>

#include "compute/algorithms/smoothing/median/median.h"
#include "compute/algorithms/smoothing/median/median_lists.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {
namespace median {
namespace {

/// The number of times that each value lies in the window.
class Window {
 public:
  explicit Window(std::span<std::uint16_t> counts) : counts_(counts) { std::ranges::fill(counts_, std::uint16_t{0}); }

  void add(int value) {
    ++counts_[static_cast<std::size_t>(value)];
    below_ += value < at_;
  }
  void remove(int value) {
    --counts_[static_cast<std::size_t>(value)];
    below_ -= value < at_;
  }
  /// The value of this rank. The search starts at the last result, since neighbouring windows have nearly the same
  /// median.
  int select(int rank) {
    while (below_ > rank)
      below_ -= counts_[static_cast<std::size_t>(--at_)];
    while (below_ + counts_[static_cast<std::size_t>(at_)] <= rank)
      below_ += counts_[static_cast<std::size_t>(at_++)];
    return at_;
  }

 private:
  std::span<std::uint16_t> counts_;
  int at_ = 0;     ///< The last result.
  int below_ = 0;  ///< The number of values in the window that are less than at_.
};

/// Reads the values of column x in rows y - radius .. y + radius. Not inlined, so that the borders are compiled once.
template <class Index>
[[gnu::noinline]] void read_column(const Index& index, int x, int y, int radius, int* column) {
  for (int i = 0; i <= 2 * radius; ++i)
    column[i] = index(x, y - radius + i);
}

/// Filters row y of one plane; the window is empty before and after it. index(x, y) returns the value of a pixel,
/// inside or outside, as a small integer; value(i) is its inverse.
template <class P, class Index, class Value>
void filter_row(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y,
                int plane, Window& window, const Index& index, const Value& value) {
  const int radius = plan.radius();
  int column[2 * max_radius + 1];
  const auto for_column = [&](int x, const auto& f) {
    read_column(index, x, y, radius, column);
    for (int i = 0; i < plan.size; ++i)
      f(column[i]);
  };
  const auto add_column = [&](int x) { for_column(x, [&](int value) { window.add(value); }); };
  for (int x = -radius; x < radius; ++x)
    add_column(x);
  for (int x = 0; x < in.width; ++x) {
    add_column(x + radius);
    const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
    if (!keep) P::set(out(x, y), plane, value(window.select(plan.rank)));
    for_column(x - radius, [&](int value) { window.remove(value); });
  }
  for (int x = in.width - radius; x < in.width + radius; ++x)
    for_column(x, [&](int value) { window.remove(value); });
}

/// Scratch memory for planes of floats: sorted keys, the position of each pixel's key among them, and counts by
/// position.
struct Lists {
  std::span<std::int32_t> sorted, places;
  std::span<std::uint16_t> counts;
};

/// Filters a plane of bytes.
template <class P>
requires std::is_same_v<typename P::Value, std::uint8_t>
void filter_plane(const Plan& plan, const HostRun& run, const Lists&, int plane) {
  const auto in = run.in.image<typename P::Pixel>();
  const auto filter = [&](int y) {
    std::uint16_t counts[256];
    Window window(counts);
    filter_row<P>(
        plan, in, run.out.image<typename P::Pixel>(), y, plane, window,
        [&](int x, int y) { return static_cast<int>(plane_value<P>(in, x, y, plane, plan.border)); },
        [](int value) { return static_cast<std::uint8_t>(value); });
  };
  for_rows(run, in.height, filter, static_cast<double>(plane) / P::count, (plane + 1.0) / P::count);
}

/// Filters a plane of floats. Threads share the search of the places; one window slides over all rows, since its counts
/// take as much memory as half of the plane.
template <class P>
requires std::is_same_v<typename P::Value, float>
void filter_plane(const Plan& plan, const HostRun& run, const Lists& lists, int plane) {
  const auto in = run.in.image<typename P::Pixel>();
  const auto pixels = static_cast<std::size_t>(run.in.shape.items());
  const auto width = static_cast<std::size_t>(in.width);
  const auto sorted = lists.sorted;
  const auto places = lists.places;
  Window window(lists.counts);

  for (std::size_t i = 0; i < pixels; ++i)
    sorted[i] = total_order_key(P::get(in(static_cast<int>(i % width), static_cast<int>(i / width)), plane));
  sorted[pixels] = total_order_key(0.0f);  // the value outside for Border::zero
  std::ranges::sort(sorted);
  const auto place_of = [&](float value) {
    return static_cast<std::int32_t>(std::ranges::lower_bound(sorted, total_order_key(value)) - sorted.begin());
  };
  HostRun one_thread = run, without_progress = run;
  one_thread.threads = 1;
  without_progress.progress = nullptr;
  for_rows(without_progress, in.height, [&](int y) {
    for (int x = 0; x < in.width; ++x)
      places[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] = place_of(P::get(in(x, y), plane));
  });
  const int place_of_zero = place_of(0.0f);

  const auto filter = [&](int y) {
    filter_row<P>(
        plan, in, run.out.image<typename P::Pixel>(), y, plane, window,
        [&](int x, int y) {
          const int column = border_index(x, in.width, plan.border), row = border_index(y, in.height, plan.border);
          if (column < 0 || row < 0) return place_of_zero;
          return places[static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column)];
        },
        [&](int place) { return from_total_order_key<float>(sorted[static_cast<std::size_t>(place)]); });
  };
  for_rows(one_thread, in.height, filter, static_cast<double>(plane) / P::count, (plane + 1.0) / P::count);
}

}  // namespace
}  // namespace median

void Median::serial(const Params& params, const HostRun& run) {
  const median::Plan plan = Median::plan(params);
  if (run.variant != 0 && plan.size * plan.size <= median::max_list)
    return median::serial_from_lists(plan, run.variant == 2, run);  // in the order of serial_variants
  copy(run.in, run.out);                                            // alpha, and what Border::valid keeps
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    median::Lists lists;
    if constexpr (std::is_same_v<typename P::Value, float>) {
      const auto pixels = static_cast<std::size_t>(run.in.shape.items());
      lists = {run.scratch->take<std::int32_t>(pixels + 1), run.scratch->take<std::int32_t>(pixels),
               run.scratch->take<std::uint16_t>(pixels + 1)};
    }
    for (int plane = 0; plane < P::count; ++plane)
      median::filter_plane<P>(plan, run, lists, plane);
  });
}

}  // namespace threadscape
