// Median: results of SciPy, cases with known answers, laws of percentiles, and every size.

#include "compute/algorithms/smoothing/median/median.h"

#include <algorithm>
#include <cmath>

#include "tests/support/compute/host_backends.h"
#include "tests/support/compute/scratch_testing.h"

namespace threadscape::testing {
namespace {

using MedianParams = Median::Params;

/// Values of any order of magnitude and both signs, many of them equal, with zeros of both signs, infinities and a NaN.
HostArray random_float_image(int width, int height, int channels, unsigned seed) {
  HostArray image(Shape::image(Element::f32, channels, width, height));
  std::mt19937 random(seed);
  const float special[]{0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-42f, 0.5f, -0.5f};
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<float*>(image.data() + static_cast<std::size_t>(y) * image.pitch());
    for (int x = 0; x < width * channels; ++x) {
      const unsigned r = random();
      row[x] = r % 8 == 0 ? special[r / 8 % 8]
                          : std::ldexp(static_cast<float>(r / 8 % 64) - 31.5f, static_cast<int>(r >> 24) % 9);
    }
  }
  return image;
}

/// The result by definition: for every pixel the values of its window, sorted.
template <class Value>
HostArray by_definition(const MedianParams& params, const HostArray& in) {
  HostArray out = in.clone();
  const auto from = in.image<Value>();
  const auto to = out.image<Value>();
  const int radius = params.size / 2;
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x) {
      if (params.border == Border::valid &&
          (x < radius || y < radius || x >= from.width - radius || y >= from.height - radius))
        continue;
      std::vector<Value> window;
      for (int j = y - radius; j <= y + radius; ++j)
        for (int i = x - radius; i <= x + radius; ++i) {
          const int column = border_index(i, from.width, params.border),
                    row = border_index(j, from.height, params.border);
          window.push_back(column < 0 || row < 0 ? Value{0} : from(column, row));
        }
      const auto result = window.begin() + Median::plan(params).rank;
      std::ranges::nth_element(window, result, {}, [](Value value) { return total_order_key(value); });
      to(x, y) = *result;
    }
  return out;
}

TEST(Median, RankRuleIsThatOfSciPy) {
  EXPECT_EQ(median::rank_of(0, 9), 0);
  EXPECT_EQ(median::rank_of(50, 9), 4);
  EXPECT_EQ(median::rank_of(49, 25), 12);
  EXPECT_EQ(median::rank_of(99, 9), 8);
  EXPECT_EQ(median::rank_of(100, 9), 8);
  for (int size = 3; size <= 75; size += 2)
    EXPECT_EQ(median::rank_of(50, size * size), size * size / 2);
}

TEST(Median, KeysKeepTheOrderOfFloats) {
  const float ascending[]{-NAN, -INFINITY, -2.0f, -1e-45f, -0.0f, 0.0f, 1e-45f, 0.5f, 1.0f, INFINITY, NAN};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    EXPECT_EQ(__builtin_bit_cast(std::uint32_t, from_total_order_key<float>(total_order_key(ascending[i]))),
              __builtin_bit_cast(std::uint32_t, ascending[i]));
    if (i > 0) {
      EXPECT_LT(total_order_key(ascending[i - 1]), total_order_key(ascending[i]));
    }
  }
}

TEST(Median, EqualsTheDefinition) {
  for (const int size : {3, 5, 7, 9, 11, 21})
    for (const int percentile : {0, 10, 50, 100})
      for (const Border border : borders) {
        const MedianParams params{size, percentile, border, Channels::each};
        for (const int width : {1, 13, 66}) {
          const HostArray bytes = random_image<std::uint8_t>(width, 9, 1);
          const HostArray floats = random_float_image(width, 9, 1, 2);
          for (const Backend backend : host_backends) {
            SCOPED_TRACE(std::to_string(size) + " " + std::to_string(percentile) + " " + std::string(name_of(backend)));
            ASSERT_EQ(
                difference(run_on_scratch<Median>(backend, params, bytes), by_definition<std::uint8_t>(params, bytes)),
                "");
            ASSERT_EQ(difference(run_on_scratch<Median>(backend, params, floats), by_definition<float>(params, floats)),
                      "");
          }
        }
      }
}

TEST(Median, EverySize) {
  const HostArray bytes = random_image<std::uint8_t>(70, 6, 3);
  const HostArray floats = random_float_image(70, 6, 1, 4);
  for (int size = 3; size <= 75; size += 2) {
    const MedianParams params{size, 50, Border::mirror, Channels::each};
    ASSERT_EQ(
        difference(run_on_scratch<Median>(Backend::openmp, params, bytes), by_definition<std::uint8_t>(params, bytes)),
        "");
    ASSERT_EQ(
        difference(run_on_scratch<Median>(Backend::openmp, params, floats, 2), by_definition<float>(params, floats)),
        "");
  }
}

TEST(Median, NetworksOfEveryInstructionSet) {
  const HostArray bytes = random_image<std::uint8_t>(200, 100, 5);
  const HostArray floats = random_float_image(200, 100, 1, 6);
  for (const int size : {3, 5, 7, 9, 13}) {
    const MedianParams params{size, 50, Border::wrap, Channels::each};
    const HostArray expected_bytes = by_definition<std::uint8_t>(params, bytes);
    const HostArray expected_floats = by_definition<float>(params, floats);
    for_each_simd_target([&] {
      ASSERT_EQ(difference(run_on_scratch<Median>(Backend::openmp, params, bytes), expected_bytes), "");
      ASSERT_EQ(difference(run_on_scratch<Median>(Backend::openmp, params, floats), expected_floats), "");
    });
  }
}

TEST(Median, RemovesSpecksAndKeepsStraightEdges) {
  std::vector<int> edge, specks;
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 90; ++x) {
      edge.push_back(x < 40 ? 20 : 220);
      specks.push_back(x % 8 == 4 && y % 8 == 4 ? 255 : edge.back());
    }
  const auto clean = grey_image(90, 30, edge), noisy = grey_image(90, 30, specks);
  for (const int size : {3, 5, 7, 9, 11})
    for (const Backend backend : host_backends) {
      const MedianParams params{size, 50, Border::clamp, Channels::each};
      EXPECT_EQ(difference(run_on_scratch<Median>(backend, params, clean), clean), "");
      EXPECT_EQ(difference(run_on_scratch<Median>(backend, params, noisy), clean), "");
    }
}

TEST(Median, CommutesWithMonotoneMaps) {
  const HostArray in = random_image<std::uint8_t>(101, 33, 7);
  const auto mapped = [](const HostArray& image) {
    HostArray out = image.clone();
    for (int y = 0; y < 33; ++y)
      for (int x = 0; x < 101; ++x)
        out.image<std::uint8_t>()(x, y) = static_cast<std::uint8_t>(20 + image.image<std::uint8_t>()(x, y) / 3);
    return out;
  };
  for (const int size : {3, 5, 7, 9, 15})
    for (const Backend backend : host_backends) {
      const MedianParams params{size, 50, Border::reflect, Channels::each};
      EXPECT_EQ(difference(run_on_scratch<Median>(backend, params, mapped(in)),
                           mapped(run_on_scratch<Median>(backend, params, in))),
                "");
    }
}

TEST(Median, AlphaIsKept) {
  for (const int size : {3, 9, 11})
    expect_alpha_kept<Median>({size, 50, Border::wrap, Channels::each});
}

TEST(Median, SciPy) {
  for_each_stored_case("median.json", "", [](const nlohmann::json& one) {
    const MedianParams params{one.at("size"), one.at("percentile"), border_of(one), Channels::each};
    for (const Backend backend : host_backends)
      EXPECT_EQ(
          difference(run_on_scratch<Median>(backend, params, stored_image(one, "input")), stored_image(one, "output")),
          "")
          << "size " << params.size << " percentile " << params.percentile << " border " << one.at("border");
  });
}

TEST(Median, RefusesWhatItCannotDo) {
  EXPECT_THROW((void)Median::output_shape({}, Shape::image(Element::u16, 1, 4, 4)), UsageError);
  ParamBox params = ParamBox::of(MedianParams{});
  for (const char* size : {"2", "4", "1", "77", "-3", "x", "nan"})
    EXPECT_THROW(params.assign("size", size), UsageError) << size;
  for (const char* percentile : {"-1", "101", "50.5", ""})
    EXPECT_THROW(params.assign("percentile", percentile), UsageError) << percentile;
  EXPECT_THROW(params.assign("border", "none"), UsageError);
}

}  // namespace
}  // namespace threadscape::testing
