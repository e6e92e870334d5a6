// Compares every backend and variant of every algorithm in the registry with serial, by the sweep of
// compute/run/verify.h, and tests the sweep itself with algorithms that have known faults.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/verify.h"
#include "tests/support/compute/fake_algorithm.h"

namespace threadscape {
namespace {

// ---- Parity of all algorithms in the registry.

struct ParityCase {
  std::string_view algorithm;
  Backend backend;
};
void PrintTo(const ParityCase& wanted, std::ostream* out) {
  *out << wanted.algorithm << " on " << name_of(wanted.backend);
}

std::vector<ParityCase> parity_cases() {
  std::vector<ParityCase> cases;
  for (const AlgorithmInfo& algorithm : algorithms())
    for (const Backend backend : backends) {
      // The default variant of serial is the reference, so there is nothing to compare if it is the only one.
      if (backend == Backend::serial && algorithm.variants_of(backend).size() == 1) continue;
      cases.push_back({algorithm.name, backend});
    }
  return cases;
}

class Parity : public ::testing::TestWithParam<ParityCase> {};

TEST_P(Parity, EqualsSerial) {
  if (GetParam().backend == Backend::cuda && !gpu::devices().first().available())
    GTEST_SKIP() << gpu::devices().first().obstacle();
  VerifyOptions options;
  options.backends = {GetParam().backend};
#if defined(__SANITIZE_ADDRESS__)
  // The address sanitizer is slow, and other values and more threads reveal no further invalid accesses. Each setting
  // runs with one of four shapes in turn.
  options.seeds = 1;
  options.threads = {3};
  options.every = 4;
#endif
  // scripts/matrix sets this for processors that are emulated, where the sweep of one algorithm takes more than ten
  // minutes: each setting runs with one of so many shapes in turn.
  if (const char* every = std::getenv("THREADSCAPE_PARITY_EVERY"))
    options.every = std::max<std::uint64_t>(1, std::strtoull(every, nullptr, 10));
  const std::vector<VerifyRow> rows = verify(find_algorithm(GetParam().algorithm), options);
  ASSERT_FALSE(rows.empty());
  for (const VerifyRow& row : rows) {
    EXPECT_EQ(row.skipped, "");
    EXPECT_EQ(row.failure, "");
    EXPECT_GT(row.compared, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, Parity, ::testing::ValuesIn(parity_cases()), [](const auto& info) {
  return std::string(info.param.algorithm) + "_" + std::string(name_of(info.param.backend));
});

// ---- Tests of compare().

template <class T>
HostArray row_of(Element element, std::initializer_list<T> values) {
  HostArray array(Shape::image(element, 1, static_cast<std::int64_t>(values.size()), 1));
  std::ranges::copy(values, array.image<T>().row(0));
  return array;
}

TEST(Compare, ExactMeansEqualBits) {
  const auto exact = [](std::initializer_list<float> a, std::initializer_list<float> b) {
    return compare(row_of(Element::f32, a).view(), row_of(Element::f32, b).view(), Tolerance::exact());
  };
  EXPECT_FALSE(exact({1.0f, 2.0f}, {1.0f, 2.0f}));
  EXPECT_TRUE(exact({0.0f}, {-0.0f}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(exact({nan}, {-nan}));
  EXPECT_TRUE(exact({nan}, {1.0f}));
  EXPECT_TRUE(exact({1.0f}, {std::nextafter(1.0f, 2.0f)}));
}

TEST(Compare, ToleranceIsAbsolutePlusRelative) {
  const Tolerance tolerance{.abs = 0.5, .rel = 0.1};
  const auto within = [&](float expected, float actual) {
    return !compare(row_of(Element::f32, {expected}).view(), row_of(Element::f32, {actual}).view(), tolerance);
  };
  EXPECT_TRUE(within(10.0f, 11.5f));
  EXPECT_FALSE(within(10.0f, 11.6f));
  EXPECT_TRUE(within(0.0f, -0.5f));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(within(1.0f, nan));
  EXPECT_FALSE(within(nan, 1.0f));
  EXPECT_TRUE(within(nan, nan));
}

TEST(Compare, SaysWhere) {
  HostArray a(Shape::image(Element::u8, 4, 3, 2)), b(a.shape());
  for (HostArray* array : {&a, &b})
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x)
        array->image<Rgba8>()(x, y) = {1, 2, 3, 4};
  b.image<Rgba8>()(2, 1).b = 30;
  b.image<Rgba8>()(2, 1).a = 40;
  const auto mismatch = compare(a.view(), b.view(), Tolerance::exact());
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(to_string(*mismatch), "first at x 2, y 1, channel 2: 30 instead of 3 (2 values differ)");
}

// ---- Tests of the sweep.

AlgorithmInfo fake_with(FakeInvert::Fault fault) {
  static FakeInvert::Fault chosen;
  chosen = fault;
  FakeInvert::scratch = 0;
  AlgorithmInfo info = describe<FakeInvert>("fake");
  info.openmp = [](const ParamBox& box, const HostRun& run) {
    FakeInvert::Params params = box.as<FakeInvert::Params>();
    params.fault = chosen;
    FakeInvert::openmp(params, run);
  };
  return info;
}

std::vector<VerifyRow> sweep(const AlgorithmInfo& algorithm) {
  VerifyOptions options;
  options.backends = {Backend::openmp};
  return verify(algorithm, options);
}

TEST(Verify, PassesWhatIsRight) {
  for (const VerifyRow& row : sweep(fake_with(FakeInvert::Fault::none))) {
    EXPECT_EQ(row.failure, "");
    EXPECT_GT(row.compared, 100);
  }
}

TEST(Verify, FindsOneWrongPixel) {
  const auto rows = sweep(fake_with(FakeInvert::Fault::pixel));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].failure, "") << "the other variant is right";
  EXPECT_EQ(rows[1].failure.find(
                "fake openmp other threads 1, input 257x129 8-bit grey image, defaults, seed 0: first at x 200, "
                "y 17, channel 0: "),
            0u)
      << rows[1].failure;
}

TEST(Verify, FindsDependenceOnTheNumberOfThreads) {
  const auto rows = sweep(fake_with(FakeInvert::Fault::threads));
  EXPECT_NE(rows[1].failure.find("threads 7"), std::string::npos) << rows[1].failure;
}

TEST(Verify, FindsMemoryThatIsNotWritten) {
  const auto rows = sweep(fake_with(FakeInvert::Fault::unwritten));
  EXPECT_NE(rows[0].failure.find("input 1x1 8-bit grey image"), std::string::npos) << rows[0].failure;
}

TEST(Verify, ReportsWhatABackendThrows) {
  const auto rows = sweep(fake_with(FakeInvert::Fault::exception));
  EXPECT_NE(rows[0].failure.find("it broke"), std::string::npos) << rows[0].failure;
}

TEST(Verify, SkipsTheAbsent) {
  if (gpu::devices().first().available()) GTEST_SKIP() << "this machine has a CUDA device";
  VerifyOptions options;
  options.backends = {Backend::cuda};
  const auto rows = verify(fake_with(FakeInvert::Fault::none), options);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].skipped, gpu::devices().first().obstacle());
  EXPECT_EQ(rows[0].failure, "");
  EXPECT_EQ(rows[0].compared, 0);
}

TEST(Verify, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW((void)verify(fake_with(FakeInvert::Fault::none), {}, source.get_token()), Cancelled);
}

TEST(Verify, SettingsReachBothEndsOfEveryField) {
  for (const AlgorithmInfo& algorithm : algorithms()) {
    const std::vector<VerifySetting> settings = verify_settings(algorithm);
    EXPECT_EQ(settings.front().label, "defaults");
    const ParamBox defaults = algorithm.defaults();
    for (const FieldRef& field : defaults.fields()) {
      std::vector<std::string> wanted;
      if (const auto* v = std::get_if<IntValue>(&field.value))
        wanted = {std::to_string(v->lo), std::to_string(v->sweep_hi)};
      if (const auto* v = std::get_if<ChoiceValue>(&field.value)) wanted.assign(v->choices.begin(), v->choices.end());
      for (const std::string& text : wanted) {
        ParamBox alone = algorithm.defaults();
        alone.assign(field.name, text);
        if (!alone.problem().empty()) continue;  // Valid only together with other changes.
        EXPECT_TRUE(std::ranges::any_of(settings,
                                        [&](const VerifySetting& setting) {
                                          return setting.label.find(std::string(field.name) + "=" + text) !=
                                                 std::string::npos;
                                        }))
            << algorithm.name << " " << field.name << "=" << text;
      }
    }
  }
}

TEST(Verify, ShapesAreOdd) {
  const auto shapes = verify_shapes(Kind::image);
  EXPECT_TRUE(std::ranges::find(shapes, Shape::image(Element::u8, 1, 1, 1)) != shapes.end());
  EXPECT_TRUE(std::ranges::find(shapes, Shape::image(Element::u8, 4, 257, 129)) != shapes.end());
  EXPECT_EQ(verify_shapes(Kind::none).size(), 1u);
}

}  // namespace
}  // namespace threadscape
