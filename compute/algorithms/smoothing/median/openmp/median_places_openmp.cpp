// Percentiles of floats with large windows, with all cores. All values of a tile and its halo are sorted once, and from
// then on each value is represented by its place in that order. The window that slides along a row is a set of places:
// one bit for each place, and the number of bits before the last result. (Huang 1979, with bits instead of counts,
// since no place occurs twice.)
//
//   values of the tile   0.5  -2.0   7.25   0.5        window of columns 0 .. 2: places {1, 0, 3}
//   places               1     0     3      2          bits, from place 0 on: 1 1 0 1

#include <bit>
#include <cstring>
#include <utility>

#include "compute/algorithms/smoothing/median/openmp/median_openmp.h"
#include "compute/engines/planes/bands.h"

namespace threadscape::median {
namespace {

constexpr int side = 256;  ///< Side of a tile with its halo in pixels, so that places fit into 16 bits.
constexpr int cells = side * side;

/// The set of places that lie in the window.
class PlaceSet {
 public:
  void clear() {
    std::memset(words_, 0, sizeof(words_));
    at_ = 0;
    below_ = 0;
  }
  void add(std::uint16_t place) {
    words_[place / 64] |= std::uint64_t{1} << place % 64;
    below_ += place / 64 < at_;
  }
  void remove(std::uint16_t place) {
    words_[place / 64] &= ~(std::uint64_t{1} << place % 64);
    below_ -= place / 64 < at_;
  }
  /// The place with this rank. The search starts at the last result, since neighbouring windows have nearly the same
  /// median.
  int select(int rank) {
    while (below_ > rank)
      below_ -= std::popcount(words_[--at_]);
    for (int here = std::popcount(words_[at_]); below_ + here <= rank; here = std::popcount(words_[at_])) {
      below_ += here;
      ++at_;
    }
    std::uint64_t word = words_[at_];
    for (int i = below_; i < rank; ++i)
      word &= word - 1;
    return at_ * 64 + std::countr_zero(word);
  }

 private:
  std::uint64_t words_[cells / 64];
  int at_ = 0;     ///< Index of the word that contains the last result.
  int below_ = 0;  ///< Number of bits that are set in the words before it.
};

/// Working memory of a tile with its halo, whose pixels are called cells.
struct Tile {
  std::int32_t keys[cells];
  std::uint16_t order[2][cells];  ///< Cells by ascending key; the second array is the buffer of the radix sort.
  std::uint16_t places[cells];    ///< The place of each cell, column by column, since a window takes in columns.
  PlaceSet window;
  float results[side];
};

/// Sorts the first `count` cells by a radix sort, from the lowest digit on. Equal keys stay in the order of their
/// cells.
void sort_cells(Tile& tile, int count) {
  constexpr int digit_bits = 8, digits = 4;
  for (int i = 0; i < count; ++i)
    tile.order[0][i] = static_cast<std::uint16_t>(i);
  const auto digit_of = [&](std::uint16_t cell, int digit) {
    const auto key =
        static_cast<std::uint32_t>(tile.keys[cell]) ^ 0x80000000u;  // as an unsigned integer in the same order
    return key >> digit * digit_bits & 0xff;
  };
  for (int digit = 0; digit < digits; ++digit) {
    const std::uint16_t* from = tile.order[digit % 2];
    std::uint16_t* to = tile.order[1 - digit % 2];
    int start[256] = {};
    for (int i = 0; i < count; ++i)
      ++start[digit_of(from[i], digit)];
    for (int value = 0, sum = 0; value < 256; ++value)
      sum += std::exchange(start[value], sum);
    for (int i = 0; i < count; ++i)
      to[start[digit_of(from[i], digit)]++] = from[i];
  }
}

template <class P>
void filter_tile(const Plan& plan, const HostRun& run, const TileArea& area, Tile& tile) {
  using Pixel = typename P::Pixel;
  const auto in = run.in.image<Pixel>();
  const auto out = run.out.image<Pixel>();
  const int size = plan.size, radius = plan.radius();
  const TileArea around = area.grown(radius);
  copy_pixels(in, out, area);
  for (int plane = 0; plane < P::count; ++plane) {
    load_plane<P>(in, around, plane, plan.border, tile.keys, around.width,
                  [](float value) { return total_order_key(value); });
    const int count = around.width * around.height;
    sort_cells(tile, count);
    for (int place = 0; place < count; ++place) {
      const int cell = tile.order[0][place];
      tile.places[cell % around.width * side + cell / around.width] = static_cast<std::uint16_t>(place);
    }
    for (int y = 0; y < area.height; ++y) {
      const auto for_column = [&](int x, const auto& f) {
        const std::uint16_t* column = tile.places + x * side + y;
        for (int i = 0; i < size; ++i)
          f(column[i]);
      };
      tile.window.clear();
      for (int x = 0; x < size - 1; ++x)
        for_column(x, [&](std::uint16_t place) { tile.window.add(place); });
      for (int x = 0; x < area.width; ++x) {
        for_column(x + size - 1, [&](std::uint16_t place) { tile.window.add(place); });
        tile.results[x] = from_total_order_key<float>(tile.keys[tile.order[0][tile.window.select(plan.rank)]]);
        for_column(x, [&](std::uint16_t place) { tile.window.remove(place); });
      }
      store_plane<P>(tile.results, side, out, TileArea{area.x, area.y + y, area.width, 1}, plane, radius, plan.border,
                     [](float value) { return value; });
    }
  }
}

}  // namespace

void filter_by_places(const Plan& plan, const HostRun& run) {
  with_planes<float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    const int inner = side - 2 * plan.radius();
    for_each_tile(run, inner, inner, [&](int x, int y, int width, int height) {
      Tile tile;  // about 0.7 MB of the thread's stack
      filter_tile<P>(plan, run, {x, y, width, height}, tile);
    });
  });
}

}  // namespace threadscape::median
