// Seam carving against a plain implementation, against all paths of small pictures, and the guarantees of masks and
// maps.

#include "compute/algorithms/seams/seam_carving/seam_carving.h"

#include "compute/algorithms/seams/seam_carving/seam_carving_host.h"
#include "compute/core/synthetic.h"
#include "compute/io/pictures/image_file.h"
#include "tests/support/compute/host_backends.h"
#include "tests/support/compute/seam_carving_testing.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

using Energy = SeamCarving::Energy;
using Output = SeamCarving::Output;
using SidesOrder = SeamCarving::Order;
constexpr std::array energies{Energy::gradient, Energy::sobel, Energy::forward};

template <class Pixel>
void expect_plain_order(int width, int height, unsigned seed) {
  const HostArray in = random_image<Pixel>(width, height, seed);
  for (const Energy energy : energies)
    for (const SeamCarving::Path path : {SeamCarving::Path::dp, SeamCarving::Path::greedy}) {
      CarvingParams params;
      params.energy = energy;
      params.path = path;
      params.seams = width - 1;
      params.output = Output::order;
      const HostArray expected = array_of(carve_plainly<Pixel>(in, params, width - 1).order);
      for (const Backend backend : host_backends)
        EXPECT_EQ(difference(carved(params, in, backend), expected), "")
            << SeamCarving::energy_names[static_cast<std::size_t>(energy)] << " "
            << SeamCarving::path_names[static_cast<std::size_t>(path)] << " " << name_of(backend);
    }
}

TEST(SeamCarving, ARunWithoutASizeTakesAQuarterOfTheColumns) {
  const Shape input = Shape::image(Element::u8, 1, 103, 40);
  EXPECT_EQ(SeamCarving::run_params({}, input).seams, 25);
  EXPECT_EQ(SeamCarving::run_params({.output = Output::order}, input).seams, 25);
  for (const CarvingParams& stated :
       {CarvingParams{.width = 50}, CarvingParams{.height = 30}, CarvingParams{.seams = 3},
        CarvingParams{.remove = "mask.png"}, CarvingParams{.output = Output::energy}})
    EXPECT_EQ(SeamCarving::run_params(stated, input), stated);
  EXPECT_EQ(SeamCarving::run_params({}, Shape::image(Element::u8, 1, 2, 2)).seams, 1);
  EXPECT_EQ(SeamCarving::run_params({}, Shape::image(Element::u8, 1, 1, 2)).seams, 0);
}

TEST(SeamCarving, TakesTheSeamsOfAPlainLoop) {
  expect_plain_order<std::uint8_t>(23, 17, 1);
  expect_plain_order<std::uint16_t>(40, 9, 2);
  expect_plain_order<Rgba8>(31, 12, 3);
  expect_plain_order<Rgba16>(5, 30, 4);
  expect_plain_order<std::uint8_t>(12, 1, 5);
  expect_plain_order<std::uint8_t>(2, 8, 6);
}

TEST(SeamCarving, TakesTheSeamsOfAPlainLoopInFloats) {
  for (const bool colour : {false, true}) {
    const HostArray in = make_synthetic(InputPattern::noise, Shape::image(Element::f32, colour ? 4 : 1, 27, 11), 3);
    CarvingParams params;
    params.seams = 20;
    params.output = Output::order;
    const Carved plain = colour ? carve_plainly<Rgba32f>(in, params, 20) : carve_plainly<float>(in, params, 20);
    for (const Backend backend : host_backends)
      EXPECT_EQ(difference(carved(params, in, backend), array_of(plain.order)), "");
  }
}

TEST(SeamCarving, EqualEnergiesGoLeftmost) {
  // Few grey levels make many ties.
  HostArray in = random_image<std::uint8_t>(40, 25, 8);
  for (int y = 0; y < 25; ++y)
    for (int x = 0; x < 40; ++x)
      in.image<std::uint8_t>()(x, y) &= 1;
  for (const Energy energy : energies) {
    CarvingParams params;
    params.energy = energy;
    params.seams = 39;
    params.output = Output::order;
    const HostArray expected = array_of(carve_plainly<std::uint8_t>(in, params, 39).order);
    for (const Backend backend : host_backends)
      EXPECT_EQ(difference(carved(params, in, backend), expected), "");
  }
  const HostArray flat = grey_image(9, 4, std::vector<int>(36, 7));
  CarvingParams params;
  params.seams = 3;
  params.output = Output::order;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 9; ++x)
      EXPECT_EQ(carved(params, flat).image<std::uint16_t>()(x, y), x < 3 ? x + 1 : 0);
}

// ---- Where greedy paths start.

/// A picture of four columns whose energies are integers:
///
///   grey  0 8 3 8    energy   8  3  3  5    from the top, totals by column of the start: 16 14 13 15
///         0 8 6 8             8 10  3  2    from the bottom:                             11 14 15 13
///         0 0 0 8             0  8 10  8
HostArray worked_example() {
  return grey_image(4, 3, {0, 8, 3, 8, 0, 8, 6, 8, 0, 0, 0, 8});
}

TEST(SeamCarvingStart, WorkedExample) {
  CarvingParams params;
  params.path = SeamCarving::Path::greedy;
  params.output = Output::energy;
  EXPECT_EQ(
      difference(carved(params, worked_example()), array_of(Grid<float>{{8, 3, 3, 5}, {8, 10, 3, 2}, {0, 8, 10, 8}})),
      "");
  params.output = Output::order;
  params.seams = 1;
  const auto expect = [&](SeamCarving::Start start, const Grid<std::uint16_t>& order, double energy) {
    params.start = start;
    for (const Backend backend : host_backends)
      for (int variant = 0; variant < (backend == Backend::openmp ? 2 : 1); ++variant)
        EXPECT_EQ(difference(carved(params, worked_example(), backend, variant), array_of(order)), "");
    EXPECT_EQ(seam_carving::carving_cost(params, worked_example().view(), 1).energy, energy);
  };
  expect(SeamCarving::Start::top, {{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, 1}}, 13.0);
  expect(SeamCarving::Start::bottom, {{0, 1, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}, 11.0);
}

TEST(SeamCarvingCandidates, WorkedExample) {
  // The relative costs of the totals 16, 14, 13 and 15 are 1, 1/3, 0 and 2/3. Paths from the columns 2 and 3 share the
  // lower rows of column 3, where the cheaper one counts.
  CarvingParams params;
  params.path = SeamCarving::Path::greedy;
  params.output = Output::candidates;
  constexpr float third = 1.0f / 3.0f, two_thirds = 2.0f / 3.0f, none = seam_carving::no_candidate;
  const Grid<float> costs{{1, third, 0, two_thirds}, {1, none, third, 0}, {1, third, none, 0}};
  const Grid<int> cheapest{{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, 1}};
  for (const Backend backend : host_backends) {
    const HostArray made = carved(params, worked_example(), backend);
    const HostArray grey = worked_example();
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 4; ++x) {
        const auto row = static_cast<std::size_t>(y), column = static_cast<std::size_t>(x);
        const Rgba32f pixel = made.image<Rgba32f>()(x, y);
        EXPECT_EQ(pixel.r, grey.image<std::uint8_t>()(x, y));
        EXPECT_EQ(pixel.g, costs[row][column]) << x << " " << y;
        EXPECT_EQ(pixel.b, static_cast<float>(cheapest[row][column]));
        EXPECT_EQ(pixel.a, 1.0f);
      }
  }
}

TEST(SeamCarvingCandidates, TheCheapestIsTheSeamThatGoes) {
  const HostArray in = random_image<Rgba8>(41, 23, 31);
  for (const Energy energy : energies)
    for (const SeamCarving::Path path : {SeamCarving::Path::dp, SeamCarving::Path::greedy})
      for (const bool of_rows : {false, true}) {
        CarvingParams params;
        params.energy = energy;
        params.path = path;
        params.output = Output::order;
        (of_rows ? params.height : params.width) = (of_rows ? 23 : 41) - 8;
        const HostArray order = carved(params, in);
        // The picture after seven seams, and where its eighth goes.
        (of_rows ? params.height : params.width) += 1;
        params.output = Output::candidates;
        const HostArray state = carved(params, in);
        int marked = 0;
        for (int y = 0; y < state.shape().height; ++y)
          for (int x = 0; x < state.shape().width; ++x) {
            const Rgba32f pixel = state.image<Rgba32f>()(x, y);
            marked += pixel.b == 1.0f;
            EXPECT_TRUE(pixel.g == seam_carving::no_candidate || (pixel.g >= 0.0f && pixel.g <= 1.0f));
            if (pixel.b == 1.0f) {
              EXPECT_EQ(pixel.g, 0.0f);
            }
          }
        EXPECT_EQ(marked, of_rows ? 41 : 23);
        const auto numbers = order.image<std::uint16_t>();
        const int lines = of_rows ? 41 : 23, length = of_rows ? 23 : 41;
        for (int line = 0; line < lines; ++line) {
          int left = 0;  // Pixels of the line that are left after seven seams.
          for (int i = 0; i < length; ++i) {
            const int number = of_rows ? numbers(line, i) : numbers(i, line);
            if (number != 0 && number < 8) continue;
            const Rgba32f pixel = of_rows ? state.image<Rgba32f>()(line, left) : state.image<Rgba32f>()(left, line);
            EXPECT_EQ(pixel.b == 1.0f, number == 8);
            ++left;
          }
        }
      }
}

HostArray upside_down(const HostArray& picture) {
  HostArray flipped(picture.shape());
  const auto height = static_cast<std::size_t>(picture.shape().height);
  for (std::size_t y = 0; y < height; ++y)
    std::copy_n(picture.data() + y * picture.pitch(), picture.pitch(),
                flipped.data() + (height - 1 - y) * flipped.pitch());
  return flipped;
}

TEST(SeamCarvingStart, BottomIsTopOfThePictureUpsideDown) {
  const HostArray in = random_image<std::uint8_t>(31, 12, 21);
  for (const Energy energy : energies)
    for (const int seams_per_pass : {1, 3}) {
      CarvingParams params;
      params.energy = energy;
      params.path = SeamCarving::Path::greedy;
      params.seams = 20;
      params.seams_per_pass = seams_per_pass;
      params.output = Output::order;
      params.start = SeamCarving::Start::bottom;
      HostArray expected = upside_down(in);
      if (seams_per_pass == 1) {
        expected = upside_down(array_of(carve_plainly<std::uint8_t>(expected, params, 20).order));
      } else {
        CarvingParams from_top = params;
        from_top.start = SeamCarving::Start::top;
        expected = upside_down(carved(from_top, expected));
      }
      for (const Backend backend : host_backends)
        for (int variant = 0; variant < (backend == Backend::openmp ? 2 : 1); ++variant)
          EXPECT_EQ(difference(carved(params, in, backend, variant), expected), "")
              << SeamCarving::energy_names[static_cast<std::size_t>(energy)] << " " << name_of(backend);
    }
}

/// The lowest energy of all paths from (x, y) downwards, by trying each of them.
float min_path_energy(const Grid<float>& grey, Energy energy, int x, int y, int from, float sum) {
  sum = y == 0 ? step_energy(grey, energy, x, 0, x) : sum + step_energy(grey, energy, x, y, from);
  if (y + 1 == static_cast<int>(grey.size())) return sum;
  float best = std::numeric_limits<float>::infinity();
  for (int to = std::max(x - 1, 0); to <= std::min(x + 1, static_cast<int>(grey[0].size()) - 1); ++to)
    best = std::min(best, min_path_energy(grey, energy, to, y + 1, x, sum));
  return best;
}

TEST(SeamCarving, EverySeamIsTheLeastOfAllPaths) {
  const HostArray in = random_image<std::uint8_t>(7, 8, 12);
  for (const Energy energy : energies) {
    CarvingParams params;
    params.energy = energy;
    double total = 0.0;
    for (int seams = 1; seams < 7; ++seams) {
      params.seams = seams - 1;
      Grid<float> grey;
      for (const auto& row : grid_of<std::uint8_t>(carved(params, in)))
        grey.emplace_back(row.begin(), row.end());
      float least = std::numeric_limits<float>::infinity();
      for (int x = 0; x < static_cast<int>(grey[0].size()); ++x)
        least = std::min(least, min_path_energy(grey, energy, x, 0, x, 0.0f));
      EXPECT_EQ(min_energy_seam(grey, energy).energy, least);
      // The minimum of the last row of the cost view equals it, and so does what the search reports as removed.
      params.output = Output::cost;
      const HostArray costs = carved(params, in);
      params.output = Output::picture;
      const float* last = costs.image<float>().row(7);
      EXPECT_EQ(*std::min_element(last, last + costs.shape().width), least);
      total += static_cast<double>(least);
      params.seams = seams;
      EXPECT_EQ(seam_carving::carving_cost(params, in.view(), 1).energy, total);
    }
  }
}

TEST(SeamCarving, EnergyViewIsTheEnergy) {
  const HostArray in = random_image<Rgba8>(19, 14, 5);
  for (const Energy energy : energies) {
    CarvingParams params;
    params.energy = energy;
    params.output = Output::energy;
    Grid<float> grey;
    for (const auto& row : grid_of<Rgba8>(in)) {
      grey.emplace_back();
      for (const Rgba8& pixel : row)
        grey.back().push_back(grey_level(pixel));
    }
    for (const Backend backend : host_backends) {
      const HostArray view = carved(params, in, backend);
      for (int y = 0; y < 14; ++y)
        for (int x = 0; x < 19; ++x)
          EXPECT_EQ(view.image<float>()(x, y), step_energy(grey, energy, x, y, x));
    }
  }
}

TEST(SeamCarving, StripesLoseTheQuietColumns) {
  // Columns of noise, with uniform columns at 8..15 and 24..31 between them.
  HostArray in = random_image<std::uint8_t>(40, 30, 9);
  const auto quiet = [](int x) { return (x >= 8 && x < 16) || (x >= 24 && x < 32); };
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x)
      if (quiet(x)) in.image<std::uint8_t>()(x, y) = 100;
  CarvingParams params;
  params.seams = 10;
  params.output = Output::order;
  for (const Energy energy : energies)
    for (const Backend backend : host_backends) {
      params.energy = energy;
      const HostArray order = carved(params, in, backend);
      for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 40; ++x)
          EXPECT_TRUE(order.image<std::uint16_t>()(x, y) == 0 || quiet(x)) << x << " " << y;
    }
}

TEST(SeamCarving, RowsAreColumnsOfTheTransposedPicture) {
  const HostArray in = random_image<Rgba8>(21, 34, 6);
  const HostArray turned = array_of(transposed(grid_of<Rgba8>(in)));
  CarvingParams rows, columns;
  for (const int target : {5, 30, 40, 100}) {
    rows.height = columns.width = target;
    for (const Backend backend : host_backends)
      EXPECT_EQ(
          difference(carved(rows, in, backend), array_of(transposed(grid_of<Rgba8>(carved(columns, turned, backend))))),
          "");
  }
}

TEST(SeamCarving, BothSidesAreOnePassAfterTheOther) {
  const HostArray in = random_image<std::uint8_t>(24, 20, 7);
  const auto resized = [](const HostArray& from, int width, int height, SidesOrder order = SidesOrder::columns) {
    CarvingParams params;
    params.width = width;
    params.height = height;
    params.order = order;
    return carved(params, from);
  };
  EXPECT_EQ(difference(resized(in, 17, 12), resized(resized(in, 17, 0), 0, 12)), "");
  EXPECT_EQ(difference(resized(in, 30, 12), resized(resized(in, 0, 12), 30, 0)), "");
  HostArray turns = in.clone();
  for (int i = 1; i <= 3; ++i) {
    turns = resized(turns, 24 - i, 0);
    turns = resized(turns, 0, 20 - i);
  }
  turns = resized(turns, 19, 0);
  EXPECT_EQ(difference(resized(in, 19, 17, SidesOrder::alternate), turns), "");
}

/// The picture at T(rows, columns) of the transport map of Avidan and Shamir, using the algorithm itself for single
/// seams.
HostArray transported(const HostArray& in, int columns, int rows) {
  struct Entry {
    HostArray picture;
    double total = 0.0;
  };
  const auto without = [](const Entry& from, bool row) {
    CarvingParams params;
    (row ? params.height : params.width) =
        static_cast<int>(row ? from.picture.shape().height : from.picture.shape().width) - 1;
    return Entry{carved(params, from.picture),
                 from.total + seam_carving::carving_cost(params, from.picture.view(), 1).energy};
  };
  std::vector<std::vector<Entry>> map(static_cast<std::size_t>(rows + 1));
  for (std::size_t r = 0; r < map.size(); ++r)
    for (std::size_t c = 0; c <= static_cast<std::size_t>(columns); ++c) {
      if (r == 0 && c == 0)
        map[r].push_back({in.clone()});
      else if (r == 0)
        map[r].push_back(without(map[r][c - 1], false));
      else if (c == 0)
        map[r].push_back(without(map[r - 1][c], true));
      else {
        Entry by_row = without(map[r - 1][c], true), by_column = without(map[r][c - 1], false);
        map[r].push_back(by_column.total < by_row.total ? std::move(by_column) : std::move(by_row));
      }
    }
  return std::move(map.back().back().picture);
}

TEST(SeamCarving, OptimalOrderIsTheTransportMap) {
  const HostArray in = random_image<std::uint8_t>(14, 12, 17);
  CarvingParams params;
  params.width = 9;
  params.height = 8;
  params.order = SidesOrder::optimal;
  for (const Backend backend : host_backends)
    EXPECT_EQ(difference(carved(params, in, backend), transported(in, 5, 4)), "");
}

TEST(SeamCarving, OneColumnAndOnePixel) {
  for (const Backend backend : host_backends) {
    const HostArray column = random_image<Rgba8>(1, 9, 2);
    EXPECT_EQ(difference(carved({}, column, backend), column), "");
    CarvingParams wider;
    wider.width = 4;
    const HostArray wide = carved(wider, column, backend);
    for (int y = 0; y < 9; ++y)
      for (int x = 0; x < 4; ++x)
        EXPECT_EQ(wide.image<Rgba8>()(x, y), column.image<Rgba8>()(0, y));
    CarvingParams lower;
    lower.height = 1;
    EXPECT_EQ(carved(lower, column, backend).shape(), Shape::image(Element::u8, 4, 1, 1));
    CarvingParams narrow;
    narrow.width = 1;
    EXPECT_EQ(carved(narrow, random_image<std::uint16_t>(50, 3, 1), backend).shape(),
              Shape::image(Element::u16, 1, 1, 3));
  }
}

TEST(SeamCarving, EnlargingFollowsPixelsByMeans) {
  const HostArray in = grey_image(4, 2, {10, 10, 50, 90, 10, 11, 50, 90});
  CarvingParams params;
  params.width = 5;
  params.output = Output::order;
  const HostArray order = carved(params, in);
  params.output = Output::picture;
  const HostArray out = carved(params, in);
  for (int y = 0; y < 2; ++y) {
    int to = 0;
    for (int x = 0; x < 4; ++x) {
      EXPECT_EQ(out.image<std::uint8_t>()(to++, y), in.image<std::uint8_t>()(x, y));
      if (order.image<std::uint16_t>()(x, y) == 0) continue;
      const int beside = x == 3 ? 2 : x + 1;
      EXPECT_EQ(out.image<std::uint8_t>()(to++, y),
                (in.image<std::uint8_t>()(x, y) + in.image<std::uint8_t>()(beside, y) + 1) / 2);
    }
    EXPECT_EQ(to, 5);
  }
}

TEST(SeamCarving, RefusesWhatCannotBe) {
  const HostArray in = random_image<std::uint8_t>(20, 10, 1);
  const auto message = [&](const auto& change) -> std::string {
    CarvingParams params;
    change(params);
    try {
      (void)carved(params, in);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message([](auto& p) { p.width = 81; }).find("width = 81 is more than 4 times"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.height = 41; }).find("at most 40"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.seams = 20; }).find("at most 19"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.seams = 2, p.width = 3; }).find("leave one of them 0"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.width = 40, p.output = Output::order; }).find("one pass"), std::string::npos);
  ParamBox box = find_algorithm("seam_carving").defaults();
  EXPECT_THROW(box.assign("width", "-1"), UsageError);
  EXPECT_THROW(box.assign("energy", "entropy"), UsageError);
  EXPECT_THROW((void)SeamCarving::output_shape({}, Shape::image(Element::f64, 1, 4, 4)), UsageError);
  EXPECT_THROW((void)SeamCarving::output_shape({}, Shape::image(Element::u8, 1, 70000, 4)), UsageError);
  CarvingParams optimal;
  optimal.width = optimal.height = 100;
  optimal.order = SidesOrder::optimal;
  EXPECT_THROW((void)SeamCarving::output_shape(optimal, Shape::image(Element::u8, 1, 1000, 1000)), UsageError);
}

}  // namespace
}  // namespace threadscape::testing
