// Replayed seams against loops on the host that remove or duplicate the pixels of one seam after another.

#include "render/passes/seams_pass.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "render/gl/resource.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

/// A picture of changing size whose pixels hold the number of the seam that takes them.
template <class T>
struct Plane {
  struct Cell {
    T value;
    std::uint16_t order;
  };
  int width = 0, height = 0;
  std::vector<std::vector<Cell>> rows;

  [[nodiscard]] Plane transposed() const {
    Plane turned{height, width, std::vector<std::vector<Cell>>(static_cast<std::size_t>(width))};
    for (const auto& row : rows)
      for (std::size_t x = 0; x < row.size(); ++x)
        turned.rows[x].push_back(row[x]);
    return turned;
  }
};

template <class T>
T mean_of(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return (a + b) / 2;
  else
    return static_cast<T>((a + b + 1) / 2);
}

/// Applies one seam after another, in the order of their numbers. Added pixels belong to no seam.
template <class T>
Plane<T> after(Plane<T> plane, const std::vector<SeamRun>& runs, int step) {
  int number = 0;
  for (const SeamRun& run : runs) {
    if (run.of_rows) plane = plane.transposed();
    const Plane<T> start = plane;
    const int seams = std::min(run.seams, std::max(step - number, 0));
    for (std::size_t y = 0; y < plane.rows.size(); ++y) {
      auto& row = plane.rows[y];
      row.clear();
      for (std::size_t x = 0; x < start.rows[y].size(); ++x) {
        const auto cell = start.rows[y][x];
        const bool taken = cell.order > number && cell.order <= number + seams;
        if (!taken || run.enlarges) row.push_back(cell);
        if (!taken || !run.enlarges) continue;
        const std::size_t beside = x + 1 < start.rows[y].size() ? x + 1 : x == 0 ? 0 : x - 1;
        row.push_back({mean_of(cell.value, start.rows[y][beside].value), 0});
      }
    }
    plane.width += run.enlarges ? seams : -seams;
    number += run.seams;
    if (run.of_rows) plane = plane.transposed();
  }
  return plane;
}

/// A picture, and a map in which the lines of each run have each of its numbers once.
template <class T>
Plane<T> random_plane(int width, int height, const std::vector<SeamRun>& runs, unsigned seed) {
  std::mt19937 random(seed);
  Plane<T> plane{width, height, {}};
  plane.rows.assign(static_cast<std::size_t>(height),
                    std::vector<typename Plane<T>::Cell>(static_cast<std::size_t>(width)));
  for (auto& row : plane.rows)
    for (auto& cell : row)
      cell = {static_cast<T>(random() % 251), 0};
  // Later runs number what earlier ones have left.
  using Grid = std::vector<std::vector<typename Plane<T>::Cell*>>;
  Grid left(static_cast<std::size_t>(height));
  for (std::size_t y = 0; y < left.size(); ++y)
    for (auto& cell : plane.rows[y])
      left[y].push_back(&cell);
  const auto transpose = [](const Grid& grid) {
    Grid turned(grid[0].size());
    for (const auto& line : grid)
      for (std::size_t x = 0; x < line.size(); ++x)
        turned[x].push_back(line[x]);
    return turned;
  };
  int number = 0;
  for (const SeamRun& run : runs) {
    if (run.of_rows) left = transpose(left);
    for (auto& line : left) {
      auto chosen = line;
      std::shuffle(chosen.begin(), chosen.end(), random);
      for (int i = 0; i < run.seams; ++i)
        chosen[static_cast<std::size_t>(i)]->order = static_cast<std::uint16_t>(number + 1 + i);
      std::erase_if(line, [](const auto* cell) { return cell->order != 0; });
    }
    number += run.seams;
    if (run.of_rows) left = transpose(left);
  }
  return plane;
}

class SeamsPassTest : public testing::GlTest {
 protected:
  template <class T>
  void hold(const Plane<T>& plane) {
    HostArray values(Shape::image(PixelTraits<T>::element, 1, plane.width, plane.height));
    HostArray orders(Shape::image(Element::u16, 1, plane.width, plane.height));
    for (int y = 0; y < plane.height; ++y)
      for (int x = 0; x < plane.width; ++x) {
        const auto& cell = plane.rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
        values.image<T>()(x, y) = cell.value;
        orders.image<std::uint16_t>()(x, y) = cell.order;
      }
    input_ = gl::Texture(values.shape());
    input_.write(values.view());
    orders_ = gl::Texture(orders.shape());
    orders_.write(orders.view());
  }
  template <class T>
  void expect_replayed(int width, int height, const std::vector<SeamRun>& runs, const std::vector<int>& steps) {
    const Plane<T> plane = random_plane<T>(width, height, runs, static_cast<unsigned>(width * 7 + height));
    hold(plane);
    render::SeamsPass pass(library_);
    pass.begin(input_, orders_, runs, 1);
    for (const int step : steps) {
      const Plane<T> expected = after(plane, runs, step);
      pass.move(step, 0);
      ASSERT_EQ(pass.size(), glm::ivec2(expected.width, expected.height)) << "step " << step;
      const HostArray got = pass.picture().read();
      const auto pixels = got.image<RgbaOf<T>>();
      int wrong = 0;
      for (int y = 0; y < expected.height; ++y)
        for (int x = 0; x < expected.width; ++x) {
          const T value = expected.rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)].value;
          const auto pixel = pixels(x, y);
          wrong += pixel.r != value || pixel.g != value || pixel.b != value;
        }
      EXPECT_EQ(wrong, 0) << width << "x" << height << ", step " << step;
    }
  }

  gl::ShaderLibrary library_;
  gl::Texture input_, orders_;
};

TEST_F(SeamsPassTest, ColumnsAreTakenOneAfterAnotherAndBack) {
  expect_replayed<std::uint8_t>(130, 7, {{false, false, 40}}, {0, 1, 2, 39, 40, 17, 0});
  expect_replayed<std::uint16_t>(64, 3, {{false, false, 63}}, {63, 5});
  expect_replayed<float>(65, 3, {{false, false, 20}}, {20, 3});
}

TEST_F(SeamsPassTest, RowsAreTaken) {
  expect_replayed<std::uint8_t>(9, 140, {{true, false, 50}}, {50, 1, 23});
}

TEST_F(SeamsPassTest, RunsFollowEachOther) {
  expect_replayed<std::uint8_t>(40, 30, {{false, false, 10}, {true, false, 12}}, {5, 10, 11, 22, 16, 3});
  expect_replayed<std::uint8_t>(20, 20, {{false, false, 1}, {true, false, 1}, {false, false, 1}, {true, false, 1}},
                                {1, 2, 3, 4, 2});
}

TEST_F(SeamsPassTest, PixelsOfEnlargingSeamsAreDoubled) {
  expect_replayed<std::uint8_t>(50, 6, {{false, true, 25}}, {1, 25, 12});
  expect_replayed<float>(33, 5, {{false, true, 16}}, {16});
  expect_replayed<std::uint16_t>(6, 50, {{true, true, 20}}, {20, 1});
}

TEST_F(SeamsPassTest, TheNextSeamIsColoured) {
  const std::vector<SeamRun> runs{{false, false, 4}};
  const Plane<std::uint8_t> plane = random_plane<std::uint8_t>(30, 5, runs, 3);
  hold(plane);
  render::SeamsPass pass(library_);
  pass.begin(input_, orders_, runs, 1);
  pass.move(2, 1);
  const HostArray got = pass.picture().read();
  const Plane<std::uint8_t> expected = after(plane, runs, 2);
  for (int y = 0; y < expected.height; ++y)
    for (int x = 0; x < expected.width; ++x) {
      const auto& cell = expected.rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
      const Rgba8 pixel = got.image<Rgba8>()(x, y);
      EXPECT_EQ(pixel.r == pixel.g && pixel.g == pixel.b, cell.order != 3) << x << ", " << y;
    }
}

TEST_F(SeamsPassTest, ComparedPicturesStandBesideEachOther) {
  // Constant columns of 0, 10, 20, ...: scaling by one half gives the means of pairs, and cropping the middle gives the
  // columns from 2 on.
  Plane<std::uint8_t> plane{8, 2, {}};
  plane.rows.assign(2, {});
  for (auto& row : plane.rows)
    for (int x = 0; x < 8; ++x)
      row.push_back({static_cast<std::uint8_t>(10 * x), static_cast<std::uint16_t>(x < 4 ? x + 1 : 0)});
  hold(plane);
  render::SeamsPass pass(library_);
  pass.begin(input_, orders_, {{false, false, 4}}, 1);
  pass.compare(4, {0, 0, 0});
  const HostArray got = pass.composed().read();
  const int first = 8 + pass.gap(), stride = 4 + pass.gap();
  ASSERT_EQ(got.shape().width, first + 2 * stride + 4);
  for (int x = 0; x < 8; ++x)
    EXPECT_EQ(got.image<Rgba8>()(x, 1).r, 10 * x);
  for (int x = 0; x < 4; ++x) {
    EXPECT_EQ(got.image<Rgba8>()(first + x, 1).r, 10 * (x + 4));
    EXPECT_EQ(got.image<Rgba8>()(first + stride + x, 1).r, 20 * x + 5);
    EXPECT_EQ(got.image<Rgba8>()(first + 2 * stride + x, 1).r, 10 * (x + 2));
  }
}

TEST_F(SeamsPassTest, CandidatesAreDrawnOverTheGreyPicture) {
  HostArray state(Shape::image(Element::f32, 4, 3, 1));
  const auto pixels = state.image<Rgba32f>();
  pixels(0, 0) = {200.0f, -1.0f, 0.0f, 1.0f};  // No seam passes.
  pixels(1, 0) = {200.0f, 1.0f, 0.0f, 1.0f};   // The most expensive one.
  pixels(2, 0) = {200.0f, 0.0f, 1.0f, 1.0f};   // The cheapest one.
  gl::Texture texture(state.shape());
  texture.write(state.view());
  render::SeamsPass pass(library_);
  constexpr int grey_map = 1;
  const auto drawn = [&](bool all) {
    pass.paint_candidates(texture, 255.0f, grey_map, all);
    return pass.candidates().read();
  };
  const Rgba8 grey{200, 200, 200, 255}, dim{100, 100, 100, 255};
  HostArray got = drawn(false);
  EXPECT_EQ(got.image<Rgba8>()(0, 0), grey);
  EXPECT_EQ(got.image<Rgba8>()(1, 0), grey);
  const Rgba8 mark = got.image<Rgba8>()(2, 0);
  EXPECT_GT(mark.r, 2 * mark.g);
  got = drawn(true);
  EXPECT_EQ(got.image<Rgba8>()(0, 0), dim);
  // 85 % of white over 15 % of the dimmed picture.
  EXPECT_NEAR(got.image<Rgba8>()(1, 0).r, 0.85 * 255 + 0.15 * 100, 1.0);
  EXPECT_EQ(got.image<Rgba8>()(2, 0), (Rgba8{255, 255, 255, 255}));
}

}  // namespace
}  // namespace threadscape
