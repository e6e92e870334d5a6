// The form of reports, of small ones that are made here and of those that come with the documentation.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/measure/report_text.h"
#include "tests/support/test_paths.h"

namespace threadscape::app {
namespace {

TEST(ReportText, AResultAndAListOfSamplesHaveALineEach) {
  const nlohmann::ordered_json report{
      {"version", 2},
      {"environment", {{"date", "today"}, {"cpu", {{"cores", 2}, {"model", "a CPU"}}}}},
      {"intervals_ms", {1.5, 0.25}},
      {"notes", nlohmann::ordered_json::array()},
      {"results", {{{"algorithm", "mean"}, {"compute_ms", {{"samples", {1.0, 2.0}}}}}, {{"algorithm", "sobel"}}}}};
  EXPECT_EQ(report_text(report), R"({
  "version": 2,
  "environment": {
    "date": "today",
    "cpu": {"cores": 2, "model": "a CPU"}
  },
  "intervals_ms": [1.5, 0.25],
  "notes": [],
  "results": [
    {"algorithm": "mean", "compute_ms": {"samples": [1.0, 2.0]}},
    {"algorithm": "sobel"}
  ]
}
)");
}

TEST(ReportText, ReadsAsTheSameReport) {
  const nlohmann::ordered_json report{
      {"file", "two\nlines \"quoted\""}, {"samples", {0.1, 1e-300, 12345678.9}}, {"none", nullptr}};
  EXPECT_EQ(nlohmann::ordered_json::parse(report_text(report)), report);
}

TEST(ReportText, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(report_text({{"file", "a\xff"}}), "{\n  \"file\": \"a\xef\xbf\xbd\"\n}\n");
}

TEST(ReportText, StoredReportsHaveThisForm) {
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/docs/benchmarks")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename().string());
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    EXPECT_TRUE(text.str() == report_text(nlohmann::ordered_json::parse(text.str())));
    ++read;
  }
  EXPECT_GE(read, 15);
}

}  // namespace
}  // namespace threadscape::app
