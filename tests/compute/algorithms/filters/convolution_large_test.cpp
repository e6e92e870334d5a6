// Convolution with masks beyond 9x9: stored results of SciPy, the definition, factors of masks of rank 1, and every
// method of summation on every instruction set.

#include "compute/algorithms/filters/convolution/convolution_large.h"
#include "compute/core/border.h"

#include <cmath>
#include <numeric>

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/algorithms/filters/convolution/convolution_factors.h"
#include "compute/algorithms/filters/convolution/openmp/convolution_large_simd.h"
#include "compute/engines/planes/planes.h"
#include "compute/engines/separable/separable.h"
#include "tests/support/compute/convolution_masks.h"
#include "tests/support/compute/host_backends.h"
#include "tests/support/compute/scratch_testing.h"

namespace threadscape::testing {
namespace {

using convolution::Order;
using ConvolutionParams = Convolution::Params;

// ---- Against SciPy

TEST(ConvolutionLarge, StoredCasesOfSciPy) {
  for_each_stored_case("convolution_large.json", "convolution", [](const nlohmann::json& one) {
    const auto list = [&](const char* name) { return one.at(name).get<std::vector<float>>(); };
    ConvolutionParams params =
        custom(one.at("size"), one.contains("mask") ? list("mask") : product(list("column"), list("row")));
    params.divisor = one.at("divisor");
    params.bias = one.at("bias");
    params.border = border_of(one);
    const std::string kind = one.at("kind");
    SCOPED_TRACE(kind + " " + std::to_string(params.size) + " " + one.at("border").get<std::string>());
    const auto plan = Convolution::plan(params);
    EXPECT_EQ(plan.exact, kind.starts_with("whole"));
    EXPECT_EQ(plan.factored, kind.ends_with("product"));
    const auto in = stored_image(one, "input"), floats = as_floats(in);
    const auto expected = one.at("output").get<std::vector<double>>();
    for (const Backend backend : host_backends) {
      const auto out = run_on<Convolution>(backend, params, in), real = run_on<Convolution>(backend, params, floats);
      for (int y = 0; y < in.shape().height; ++y)
        for (int x = 0; x < in.shape().width; ++x) {
          const double exact = expected[static_cast<std::size_t>(y * in.shape().width + x)];
          ASSERT_NEAR(out.image<std::uint8_t>()(x, y), std::clamp(exact, 0.0, 255.0), 0.5001);
          ASSERT_NEAR(static_cast<double>(real.image<float>()(x, y)) * 255.0, exact, 2e-3);
        }
    }
  });
}

// ---- The definition

/// The result by definition: window_sum() for every pixel.
HostArray defined(const ConvolutionParams& params, const HostArray& in) {
  const convolution::Plan plan = Convolution::plan(params);
  HostArray out(in.shape());
  with_planes<std::uint8_t, float>(in.shape(), plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Value = typename P::Value;
    std::vector<convolution::Tap> mask(convolution::max_taps);
    fill_mask(plan, plan.order<Value>(), mask.data());
    const auto from = in.image<typename P::Pixel>();
    for (int y = 0; y < from.height; ++y)
      for (int x = 0; x < from.width; ++x) {
        auto pixel = from(x, y);
        const bool keep = plan.border == Border::valid && window_leaves(x, y, from.width, from.height, plan.radius);
        for (int plane = 0; plane < P::count && !keep; ++plane) {
          const float sum = window_sum(plan.order<Value>(), mask.data(), plan.size, plan.unit, [&](int kx, int ky) {
            return plane_value<P>(from, x + kx - plan.radius, y + ky - plan.radius, plane, plan.border);
          });
          P::set(pixel, plane, finish_pixel<Value>(sum, plan.finish));
        }
        out.image<typename P::Pixel>()(x, y) = pixel;
      }
  });
  return out;
}

TEST(ConvolutionLarge, SerialIsTheDefinition) {
  std::mt19937 random(3);
  for (const Mask kind : masks)
    for (const auto& [size, width, height] : {std::array{11, 70, 6}, {13, 1, 1}, {31, 66, 2}, {63, 3, 5}}) {
      ConvolutionParams params = random_params(random, size, kind);
      const auto colour = random_image<Rgba8>(width, height, random());
      for (const Channels channels : {Channels::each, Channels::luma}) {
        params.channels = channels;
        ASSERT_EQ(difference(run_on<Convolution>(Backend::serial, params, colour), defined(params, colour)), "");
        const auto floats = float_picture(colour);
        ASSERT_EQ(difference(run_on<Convolution>(Backend::serial, params, floats), defined(params, floats)), "");
      }
    }
}

TEST(ConvolutionLarge, EveryInstructionSetEqualsSerial) {
  constexpr std::array<std::array<int, 3>, 6> cases{
      {{11, 1, 40}, {15, 3, 2}, {31, 65, 67}, {11, 400, 70}, {21, 300, 20}, {63, 129, 7}}};
  for_each_simd_target([&] {
    std::mt19937 random(17);
    for (const Mask kind : masks)
      for (const auto& one : cases) {
        const int size = one[0], width = one[1], height = one[2];
        ConvolutionParams params = random_params(random, size, kind);
        SCOPED_TRACE(std::to_string(size) + " kind " + std::to_string(static_cast<int>(kind)) + " border " +
                     std::string(border_names[static_cast<std::size_t>(params.border)]));
        const auto check = [&](const HostArray& in) {
          ASSERT_EQ(difference(run_on<Convolution>(Backend::openmp, params, in),
                               run_on<Convolution>(Backend::serial, params, in)),
                    "");
        };
        const auto grey = random_image<std::uint8_t>(width, height, random());
        const auto colour = random_image<Rgba8>(width, height, random());
        check(grey);
        check(float_picture(grey));
        for (const Channels channels : {Channels::each, Channels::luma}) {
          params.channels = channels;
          check(colour);
          check(float_picture(colour));
        }
      }
  });
}

/// Integer masks against sums in 64 bits, up to the largest sums that are exact.
TEST(ConvolutionLarge, SumsOfThirtyOneBitsAreExact) {
  std::vector<float> mask(63 * 63, 0.0f);
  mask[5] = 8000000.0f;
  mask[3000] = 413280.0f;
  ConvolutionParams params = custom(63, mask);
  EXPECT_TRUE(Convolution::plan(params).exact);
  params.mask[3000] += 1.0f;
  EXPECT_FALSE(Convolution::plan(params).exact);
  params.mask[3000] -= 1.0f;
  std::vector<int> white(80 * 5, 255);
  white[7] = 254;
  for (const float sign : {1.0f, -1.0f})
    for (const float divisor : {1.0f, 2048.0f, 8413280.0f, 12345678.0f}) {
      params.divisor = sign * divisor;
      params.absolute = sign < 0.0f;
      params.border = Border::clamp;
      const auto in = grey_image(80, 5, white);
      const auto expected = run_on<Convolution>(Backend::serial, params, in);
      EXPECT_EQ(difference(expected, defined(params, in)), "");
      EXPECT_EQ(difference(run_on<Convolution>(Backend::openmp, params, in), expected), "");
      const double largest = 255.0 * 8413280.0 / static_cast<double>(divisor);
      EXPECT_EQ(expected.image<std::uint8_t>()(70, 2), static_cast<int>(std::min(255.0, std::floor(largest + 0.5))));
    }
}

TEST(ConvolutionLarge, InfinityStaysInItsWindow) {
  std::mt19937 random(5);
  for (const Mask kind : {Mask::fine, Mask::fine_product}) {
    ConvolutionParams params = random_params(random, 11, kind);
    HostArray in = float_picture(random_image<std::uint8_t>(64, 40, 4));
    in.image<float>()(30, 20) = std::numeric_limits<float>::infinity();
    const auto serial = run_on<Convolution>(Backend::serial, params, in);
    const auto openmp = run_on<Convolution>(Backend::openmp, params, in);
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 64; ++x) {
        const bool reached = std::abs(x - 30) <= 5 && std::abs(y - 20) <= 5;
        if (reached) continue;
        ASSERT_TRUE(std::isfinite(serial.image<float>()(x, y))) << x << " " << y;
        ASSERT_EQ(serial.image<float>()(x, y), openmp.image<float>()(x, y));
      }
  }
}

// ---- Two passes

TEST(ConvolutionFactors, OfWholeMasks) {
  const std::array<int, 9> mask{6, -12, 18, 0, 0, 0, -10, 20, -30};
  std::array<int, 3> column{}, row{};
  ASSERT_TRUE(convolution::whole_factors(mask.data(), 3, column.data(), row.data()));
  for (std::size_t y = 0; y < 3; ++y)
    for (std::size_t x = 0; x < 3; ++x)
      EXPECT_EQ(column[y] * row[x], mask[3 * y + x]);
  EXPECT_EQ(std::gcd(std::gcd(row[0], row[1]), row[2]), 1);
  auto other = mask;
  other[8] += 1;
  EXPECT_FALSE(convolution::whole_factors(other.data(), 3, column.data(), row.data()));
  other = mask;
  other[4] = 1;
  EXPECT_FALSE(convolution::whole_factors(other.data(), 3, column.data(), row.data()));
  other.fill(0);
  EXPECT_FALSE(convolution::whole_factors(other.data(), 3, column.data(), row.data()));
}

TEST(ConvolutionFactors, OfFloats) {
  std::mt19937 random(8);
  for (const int size : {3, 11, 63})
    for (int round = 0; round < 50; ++round) {
      const auto n = static_cast<std::size_t>(size);
      std::vector<float> mask =
          product(random_values(random, size, 999, 0.0137f), random_values(random, size, 77, 1e-4f));
      mask[0] = mask[0] == 0.0f ? 0.0f : mask[0];
      std::vector<float> column(n), row(n);
      ASSERT_TRUE(convolution::real_factors(mask.data(), size, column.data(), row.data()));
      for (std::size_t y = 0; y < n; ++y)
        for (std::size_t x = 0; x < n; ++x)
          ASSERT_NEAR(column[y] * row[x], mask[y * n + x], 1e-6 * std::abs(static_cast<double>(mask[y * n + x])));
      auto& tap = *std::max_element(mask.begin(), mask.end());
      tap += tap * 1e-5f;
      ASSERT_FALSE(convolution::real_factors(mask.data(), size, column.data(), row.data()));
    }
}

/// Exact masks of rank 1: every order of summation gives the same number.
TEST(ConvolutionFactors, TwoPassesEqualTheMaskAsItIs) {
  std::mt19937 random(9);
  for (const Mask kind : {Mask::product, Mask::wide_product})
    for (const auto& [size, width, height] : {std::array{11, 140, 40}, {31, 33, 5}, {63, 90, 3}}) {
      const ConvolutionParams params = random_params(random, size, kind);
      const auto plan = Convolution::plan(params);
      const auto in = random_image<std::uint8_t>(width, height, random());
      ASSERT_TRUE(plan.whole_factors);
      ASSERT_TRUE(in_two_passes(plan, in.shape()));
      EXPECT_EQ(two_passes(plan).wide, kind == Mask::wide_product);
      const auto passes = run_on<Convolution>(Backend::openmp, params, in);
      HostArray direct(in.shape());
      HostRun run;
      run.in = in.view();
      run.out = direct.view();
      convolution::openmp_large(plan, run);
      EXPECT_EQ(difference(passes, direct), "");
      EXPECT_EQ(difference(passes, run_on<Convolution>(Backend::serial, params, in)), "");

      HostScratch scratch;  // the engine's own reference
      scratch.reset(separable::scratch_bytes(two_passes(plan), in.shape(), Backend::serial, 0));
      HostArray engine(in.shape());
      run.out = engine.view();
      run.scratch = &scratch;
      separable::serial(two_passes(plan), run);
      EXPECT_EQ(difference(passes, engine), "");
    }
}

TEST(ConvolutionFactors, OrdersOfPlans) {
  std::mt19937 random(10);
  const auto order = [](const ConvolutionParams& params) {
    const auto plan = Convolution::plan(params);
    return std::pair{plan.order<std::uint8_t>(), plan.order<float>()};
  };
  EXPECT_EQ(order(random_params(random, 11, Mask::digit)), std::pair(Order::whole, Order::rows));
  EXPECT_EQ(order(random_params(random, 11, Mask::fine)), std::pair(Order::rows, Order::rows));
  EXPECT_EQ(order(random_params(random, 11, Mask::product)), std::pair(Order::whole, Order::factors));
  EXPECT_EQ(order(random_params(random, 11, Mask::fine_product)), std::pair(Order::factors, Order::factors));
  EXPECT_EQ(order(random_params(random, 9, Mask::product)), std::pair(Order::rows, Order::rows));
  EXPECT_EQ(order(custom(11, std::vector<float>(121, 0.0f))), std::pair(Order::whole, Order::rows));
}

/// Column sums of every integer plan are floats without rounding, which separable_block.cuh relies on.
TEST(ConvolutionFactors, ColumnSumsOfAllPlansAreBelow2To24) {
  const auto check = [](const separable::Plan& plan) {
    for (int term = 0; term < plan.terms; ++term) {
      int magnitude = 0;
      for (int i = 0; i <= 2 * plan.radius; ++i)
        magnitude += std::abs(plan.whole.column[term][i]);
      ASSERT_LE(magnitude, separable::max_column_magnitude);
    }
  };
  for (int i = 1; i <= 80; ++i) {
    check(separable::gaussian_plan(0.1f * static_cast<float>(i), 0));
    check(separable::laplacian_of_gaussian_plan(0.1f * static_cast<float>(i)));
  }
  for (int size = 3; size <= 31; size += 2)
    check(separable::binomial_plan(size));
}

// ---- Forms of the mask

TEST(ConvolutionLargeForms, DigitsAddUpToTheUnits) {
  std::mt19937 random(12);
  for (const int size : {11, 13, 15, 17, 63})
    for (const int limit : {3, 127, 128, 32639, 32640, 2000000}) {
      std::vector<float> mask(static_cast<std::size_t>(size * size), 0.0f);
      for (int i = 0; i < 4; ++i)
        mask[random() % mask.size()] = static_cast<float>(i % 2 == 0 ? limit : -limit);
      const auto plan = Convolution::plan(custom(size, mask));
      ASSERT_TRUE(plan.exact);
      const convolution::DigitMask digits = digit_mask(plan);
      const convolution::LargePlan pairs(plan);
      for (int ky = 0; ky < size; ++ky)
        for (int kx = 0; kx < size; ++kx) {
          const int column = kx + convolution::skipped_columns(plan.radius), word = column / 4;
          int sum = 0;
          for (int digit = 0; digit < digits.digits; ++digit)
            sum = sum * 256 + static_cast<std::int8_t>(digits.words[digit][word][ky] >> 8 * (column % 4));
          ASSERT_EQ(sum, plan.units[ky * size + kx]);
          if (pairs.levels == 0) {
            int pair_sum = 0;
            for (int digit = pairs.digits - 1; digit >= 0; --digit) {
              const auto& mask = pairs.masks[static_cast<std::size_t>(digit)];
              pair_sum = pair_sum * 65536 + static_cast<std::int16_t>(mask.tap_pairs[ky][kx / 2] >> 16 * (kx % 2));
            }
            ASSERT_EQ(pair_sum, plan.units[ky * size + kx]);
          }
          if (sum == 0) continue;
          ASSERT_TRUE(digits.first[word] <= ky / 4 && (ky + 3) / 4 < digits.last[word]);
        }
    }
}

// ---- Parameters

TEST(ConvolutionLargeParams, PresetsOfEverySize) {
  const auto in = grey_image(40, 20, std::vector<int>(40 * 20, 77));
  for (int size = 11; size <= convolution::max_size; size += 2)
    for (int preset = 1; preset < static_cast<int>(Convolution::preset_names.size()); ++preset) {
      ConvolutionParams params;
      params.size = size;
      params.preset = static_cast<Convolution::Preset>(preset);
      params.assigned("preset");
      ASSERT_EQ(params.problem(), "");
      const auto plan = Convolution::plan(params);
      EXPECT_TRUE(plan.exact) << size << " " << Convolution::preset_names[static_cast<std::size_t>(preset)];
      const bool flat = params.preset == Convolution::Preset::box || params.preset == Convolution::Preset::gaussian;
      EXPECT_TRUE(plan.whole_factors || !flat);
      ParamBox box = ParamBox::of(ConvolutionParams{});
      assign_json(box, to_json(ParamBox::of(params)));
      EXPECT_EQ(box, ParamBox::of(params));
      if (params.preset == Convolution::Preset::edge || size % 10 != 1) continue;
      for (const Backend backend : host_backends)
        EXPECT_EQ(difference(run_on<Convolution>(backend, params, in), in), "");
    }
}

TEST(ConvolutionLargeParams, BadInput) {
  ParamBox box = ParamBox::of(ConvolutionParams{});
  for (const char* size : {"2", "10", "62", "64", "65", "-3"})
    EXPECT_THROW(box.assign("size", size), UsageError) << size;
  box.assign("size", "63");
  EXPECT_EQ(box.problem(), "");
  ConvolutionParams params = custom(63, std::vector<float>(961, 1.0f));
  EXPECT_EQ(params.problem(), "mask has 961 values, size 63 needs 3969; for this mask set size=31");
  params = custom(31, std::vector<float>(960, 1.0f));
  EXPECT_EQ(params.problem(), "mask has 960 values, size 31 needs 961");
  for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()}) {
    params = custom(31, std::vector<float>(961, 1.0f));
    params.mask[500] = bad;
    EXPECT_EQ(params.problem(), "mask value 501 is not a finite number");
    EXPECT_THROW((void)Convolution::plan(params), UsageError);
  }
}

}  // namespace
}  // namespace threadscape::testing
