// Tests of benchmark suites: parsing, the place that error messages name, and planning. The suites that come with the
// program are checked too.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

#include "app/bench/bench_suite.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"

namespace threadscape::app {
namespace {

using ::testing::TestWithParam;

Json small_suite() {
  return Json::parse(R"({
    "title": "Small", "source": "nobody", "reps": 3, "min_seconds": 0, "max_seconds": 1,
    "series": [
      {"name": "a", "label": "{backend}, {size}", "case": "median {params.size}", "algorithm": "median",
       "sweep": {"size": [3, 5]}, "backends": ["serial", "openmp"], "threads": [1], "sizes": [16, "32x8"]},
      {"name": "b", "label": "again, {channels}", "algorithm": "median", "params": {"size": 5}, "backends": ["serial"],
       "sizes": [16], "channels": [1, 4], "reps": 7}],
    "plots": [
      {"title": "Times", "x": "params.size", "y": "milliseconds", "y_scale": "log", "series": ["a"],
       "document": [{"label": "old", "points": [[3, 1.5], [5, 4]]}]},
      {"title": "Speed-up", "x": "case", "y": "speedup", "over": "serial, {size}", "style": "bars",
       "series": ["a"]}]})");
}

Suite make(const Json& definition) {
  return make_suite(definition, "small", "small.json");
}

TEST(BenchSuite, ReadsEveryKey) {
  const Suite suite = make(small_suite());
  ASSERT_EQ(suite.groups.size(), 2u);
  const SuiteGroup& group = suite.groups[0];
  EXPECT_EQ(group.algorithm->name, "median");
  EXPECT_EQ(group.params.size(), 2u);
  EXPECT_EQ(group.sizes, (std::vector<Extent>{{16, 16}, {32, 8}}));
  EXPECT_EQ(group.channels, std::vector<int>{1});
  EXPECT_EQ(group.rule.repetitions, 3);
  EXPECT_EQ(suite.groups[1].rule.repetitions, 7);
  EXPECT_EQ(suite.groups[1].rule.max_seconds, 1.0);
  ASSERT_EQ(suite.plots.size(), 2u);
  EXPECT_EQ(suite.plots[0].x, "params.size");
  EXPECT_TRUE(suite.plots[0].log_y);
  EXPECT_EQ(suite.plots[0].documents[0].points[1], (std::pair<std::string, double>{"5", 4.0}));
  EXPECT_TRUE(suite.plots[1].bars);
}

TEST(BenchSuite, AxesAndLabelsNameColumnsOfReports) {
  Json definition = small_suite();
  definition["series"][0]["label"] = "{algorithm} {backend} {params.size}, {element} of {height} rows";
  definition["plots"][0]["x"] = "width";
  definition["plots"][0]["y"] = "gpx_s";
  const Suite suite = make(definition);
  EXPECT_EQ(suite.plots[0].y, PlotY::figure);
  EXPECT_EQ(suite.plots[0].figure, find_figure("gpx_s"));
  const BenchPoint first = plan(suite, {}).front().point;
  EXPECT_EQ(first.series[0].label, "median serial 3, u8 of 16 rows");
  EXPECT_EQ(fact_text("width", row_of(first), ""), "16");
  EXPECT_EQ(fact_text("size", row_of(first), ""), "16x16");
}

TEST(BenchSuite, PlansEveryPointOnce) {
  const std::vector<PlannedPoint> points = plan(make(small_suite()), {});
  // Group a has 2 parameters x 2 sizes x 2 backends = 8 points. Group b has 2 numbers of channels, of which grey is
  // also planned by group a.
  ASSERT_EQ(points.size(), 9u);
  const auto shared = std::ranges::find_if(points, [](const PlannedPoint& p) { return p.point.series.size() == 2; });
  ASSERT_NE(shared, points.end());
  EXPECT_EQ(shared->point.series[0].label, "serial, 16x16");
  EXPECT_EQ(shared->point.series[0].case_label, "median 5");
  EXPECT_EQ(shared->point.series[1].label, "again, 1");
  EXPECT_TRUE(std::ranges::all_of(points, [](const PlannedPoint& p) { return p.left_out.empty(); }));
}

TEST(BenchSuite, OptionsOverrideTheRuleOfTheSuite) {
  BenchOptions options;
  options.repetitions = 2;
  for (const PlannedPoint& planned : plan(make(small_suite()), options)) {
    EXPECT_EQ(planned.rule.repetitions, 2);
    EXPECT_EQ(planned.rule.max_seconds, 1.0);
  }
}

TEST(BenchSuite, PointsThatCannotRunCarryTheReason) {
  Json definition = small_suite();
  definition["series"][0]["threads"] = {1, 4096};
  definition["series"][0]["label"] = "{backend}, {size}, {threads}";
  definition["series"][0]["backends"] = {"openmp", "cuda"};
  int threads = 0, gpu = 0;
  for (const PlannedPoint& planned : plan(make(definition), {})) {
    const RunRequest& request = planned.point.request;
    if (request.backend == Backend::openmp && request.threads == 4096) {
      ++threads;
      EXPECT_NE(planned.left_out.find("more threads than"), std::string::npos) << planned.left_out;
    } else if (request.backend == Backend::cuda && !gpu::devices().first().available()) {
      ++gpu;
      EXPECT_FALSE(planned.left_out.empty());
    } else {
      EXPECT_EQ(planned.left_out, "");
    }
  }
  EXPECT_EQ(threads, 4);
  EXPECT_EQ(gpu, gpu::devices().first().available() ? 0 : 4);
}

TEST(BenchSuite, OptionsRestrictTheSuite) {
  BenchOptions options;
  options.sizes = {"16"};
  options.backends = {Backend::serial};
  Suite suite = make(small_suite());
  restrict_suite(suite, options);
  EXPECT_EQ(plan(suite, options).size(), 3u);

  for (const auto& [change, message] : std::vector<std::pair<std::function<void(BenchOptions&)>, std::string>>{
           {[](BenchOptions& o) { o.sizes = {"17"}; }, "--sizes 17x17: suite 'small' has 16x16 | 32x8"},
           {[](BenchOptions& o) { o.backends = {Backend::cuda}; },
            "--backends cuda: suite 'small' has serial | openmp"},
           {[](BenchOptions& o) { o.threads = {4000}; }, "--threads 4000: suite 'small' has 1"}}) {
    BenchOptions wrong;
    change(wrong);
    Suite whole = make(small_suite());
    try {
      restrict_suite(whole, wrong);
      ADD_FAILURE() << "accepted: " << message;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

struct Refusal {
  const char* name;
  std::function<void(Json&)> spoil;
  std::string message;  ///< The expected error message: the place in the file, and what is wrong there.
};

void PrintTo(const Refusal& refusal, std::ostream* out) {
  *out << refusal.name;
}

class BrokenSuite : public TestWithParam<Refusal> {};

TEST_P(BrokenSuite, IsRefusedWithThePlaceInTheFile) {
  Json definition = small_suite();
  GetParam().spoil(definition);
  try {
    (void)make(definition);
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with("small.json: " + GetParam().message)) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenSuite,
    ::testing::Values(
        Refusal{"UnknownKey", [](Json& j) { j["colour"] = 1; }, "'colour' is unknown: accepted are title | source"},
        Refusal{"UnknownKeyInside", [](Json& j) { j["series"][1]["thread"] = 1; },
                "series[1]: 'thread' is unknown: accepted are name | label"},
        Refusal{"NoTitle", [](Json& j) { j.erase("title"); }, "'title' is missing"},
        Refusal{"NoSeries", [](Json& j) { j["series"] = Json::array(); }, "series: a list is wanted"},
        Refusal{"UnknownAlgorithm", [](Json& j) { j["series"][0]["algorithm"] = "medain"; },
                "series[0].algorithm: algorithm 'medain' is unknown: did you mean"},
        Refusal{"UnknownParameter", [](Json& j) { j["series"][1]["params"]["radius"] = 3; },
                "series[1]: parameter 'radius' is unknown: size"},
        Refusal{"ParameterOutOfRange", [](Json& j) { j["series"][1]["params"]["size"] = 4; },
                "series[1]: parameter 'size' refuses '4'"},
        Refusal{"SweepOutOfRange", [](Json& j) { j["series"][0]["sweep"]["size"][1] = 1001; },
                "series[0].sweep.size[1]: parameter 'size' refuses '1001'"},
        Refusal{"TooManyPoints",
                [](Json& j) {
                  j["series"][0]["sweep"]["size"] = std::vector<int>(100, 3);
                  j["series"][0]["sweep"]["bias"] = std::vector<int>(1000, 0);
                },
                "series[0]: its lists make 400000 points: a series has at most 10000"},
        Refusal{"SweptTwice", [](Json& j) { j["series"][0]["params"]["size"] = 3; },
                "series[0].sweep.size: it is in params or in sweep twice"},
        Refusal{"UnknownBackend", [](Json& j) { j["series"][0]["backends"][1] = "opencl"; }, "series[0].backends[1]: "},
        Refusal{"UnknownVariant", [](Json& j) { j["series"][0]["variants"] = {"fastest"}; },
                "series[0].variants[0]: no backend has a variant 'fastest'"},
        Refusal{"WrongSize", [](Json& j) { j["series"][0]["sizes"][1] = "32x"; }, "series[0].sizes[1]: size '32x'"},
        Refusal{"WrongChannels", [](Json& j) { j["series"][1]["channels"] = {3}; }, "series[1].channels[0]: "},
        Refusal{"NegativeThreads", [](Json& j) { j["series"][0]["threads"] = {-1}; },
                "series[0].threads[0]: a whole number is wanted, 0..4096"},
        Refusal{"Repetitions", [](Json& j) { j["reps"] = 0; }, "reps: a whole number is wanted"},
        Refusal{"NameTaken", [](Json& j) { j["series"][1]["name"] = "a"; }, "series[1]: the name 'a' is taken"},
        Refusal{"UnknownPlaceholder", [](Json& j) { j["series"][0]["label"] = "{gpu}"; },
                "series[0].label: 'gpu' is unknown: accepted are size | pixels | case | params.NAME | algorithm | "},
        Refusal{"UnknownParameterInLabel", [](Json& j) { j["series"][0]["label"] = "{params.radius}"; },
                "series[0].label: parameter 'radius' is unknown"},
        Refusal{"UnknownX", [](Json& j) { j["plots"][0]["x"] = "cores"; }, "plots[0].x: 'cores' is unknown"},
        Refusal{"UnknownParameterAsX", [](Json& j) { j["plots"][0]["x"] = "params.radius"; },
                "plots[0].x: parameter 'radius' is unknown"},
        Refusal{"NoCase", [](Json& j) { j["plots"][1].erase("series"); }, "plots[1].x: the series 'b' has no case"},
        Refusal{"UnknownY", [](Json& j) { j["plots"][0]["y"] = "hours"; }, "plots[0].y: 'hours' is unknown"},
        Refusal{"FactAsY", [](Json& j) { j["plots"][0]["y"] = "width"; }, "plots[0].y: 'width' is unknown"},
        Refusal{"FigureAsX", [](Json& j) { j["plots"][0]["x"] = "gpx_s"; }, "plots[0].x: 'gpx_s' is unknown"},
        Refusal{"FigureWithTransfers",
                [](Json& j) {
                  j["plots"][0]["y"] = "gpx_s";
                  j["plots"][0]["transfers"] = "with";
                },
                "plots[0].transfers: a figure of reports"},
        Refusal{"UnknownFit", [](Json& j) { j["plots"][0]["fit"] = "line"; }, "plots[0].fit: 'line' is unknown"},
        Refusal{"FitOfSpeedUps", [](Json& j) { j["plots"][1]["fit"] = "transfer"; },
                "plots[1].fit: it is for lines of milliseconds over the size"},
        Refusal{"NoReference", [](Json& j) { j["plots"][1].erase("over"); }, "plots[1]: 'over' is missing"},
        Refusal{"UnknownTransfers", [](Json& j) { j["plots"][0]["transfers"] = "both"; },
                "plots[0].transfers: 'both' is unknown: accepted are without | with | beside"},
        Refusal{"ThreadsOfNoSpeedUp", [](Json& j) { j["plots"][0]["over_threads"] = "all"; },
                "plots[0].over_threads: it is for speed-ups only"},
        Refusal{"UnknownOverThreads", [](Json& j) { j["plots"][1]["over_threads"] = "some"; },
                "plots[1].over_threads: 'some' is unknown: accepted are one | all"},
        Refusal{"UnknownSeries", [](Json& j) { j["plots"][0]["series"] = {"c"}; },
                "plots[0].series[0]: there is no series 'c': accepted are a | b"},
        Refusal{"TwoPointsInOnePlace", [](Json& j) { j["series"][0]["label"] = "{backend}"; },
                "plots[0]: line 'serial' has two points at '3': the label must tell them apart"},
        Refusal{"DocumentWithoutPair", [](Json& j) { j["plots"][0]["document"][0]["points"][0] = {3}; },
                "plots[0].document[0].points[0]: a pair is wanted"},
        Refusal{"DocumentNotPositive", [](Json& j) { j["plots"][0]["document"][0]["points"][0][1] = -1; },
                "plots[0].document[0].points[0][1]: a number is wanted"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(BenchSuite, SyntaxErrorsHaveLineAndColumn) {
  try {
    (void)parse_suite("{\n  \"title\": \"x\",\n  \"source\" 3\n}", "x", "suite 'x.json'");
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("suite 'x.json', line 3, column ")) << error.what();
  }
}

TEST(BenchSuite, ShippedSuitesCanBePlanned) {
  const std::vector<std::string> names = suite_names();
  for (const char* name : {"filters", "morphology-openmp", "morphology-sizes"})
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const Suite suite = load_suite(name);
    const std::vector<PlannedPoint> points = plan(suite, {});
    EXPECT_FALSE(points.empty());
    for (const SuitePlot& plot : suite.plots) {
      if (plot.over.empty()) continue;
      // The reference of every speed-up must be the label of a series that the suite measures.
      for (const PlannedPoint& planned : points)
        for (const SeriesTag& tag : planned.point.series) {
          if (!plot.groups.empty() && std::ranges::find(plot.groups, tag.group) == plot.groups.end()) continue;
          const std::string label = expand(plot.over, row_of(planned.point), tag.case_label);
          EXPECT_TRUE(std::ranges::any_of(points,
                                          [&](const PlannedPoint& other) {
                                            return other.point.request.params == planned.point.request.params &&
                                                   std::ranges::any_of(other.point.series, [&](const SeriesTag& t) {
                                                     return t.label == label;
                                                   });
                                          }))
              << plot.title << ": " << label;
        }
    }
  }
}

TEST(BenchSuite, UnknownNamesAreListed) {
  try {
    (void)load_suite("filter");
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean filters? Accepted are filters | "), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace threadscape::app
