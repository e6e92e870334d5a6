// Tests of the comparison of two reports in the lab, as numbers. The reports are written by hand here.

#include <gtest/gtest.h>

#include <algorithm>

#include "app/lab/lab_compare.h"

namespace threadscape::app {
namespace {

/// A report with one row for each width, of 20 samples from these milliseconds upwards, spread over 2 %.
Report report_of(const std::string& name, const std::vector<std::pair<std::int64_t, double>>& times) {
  Report report{.name = name, .environment = {.cpu = "CPU A"}};
  for (const auto& [width, milliseconds] : times) {
    Measurement row{.what = {.algorithm = "sobel", .input = Shape::image(Element::u8, 1, width, 100)}, .where = {}};
    for (int i = 0; i < 20; ++i)
      row.samples.compute.push_back(milliseconds * (1.0 + 0.001 * ((i * 7) % 20)));
    report.rows.push_back(row);
  }
  return report;
}

TEST(LabComparison, AnOpenedReportIsTheSideBeforeThisSession) {
  LabComparison comparison;
  comparison.update({report_of("this session", {{64, 1.0}})});
  EXPECT_FALSE(comparison.report());
  EXPECT_TRUE(comparison.notes().empty());
  comparison.update({report_of("this session", {{64, 2.0}, {128, 0.5}, {256, 3.0}}),
                     report_of("old", {{64, 1.0}, {128, 1.0}, {256, 3.0}})});
  ASSERT_TRUE(comparison.report());
  EXPECT_EQ(comparison.report()->before, "old");
  EXPECT_EQ(comparison.report()->after, "this session");
  ASSERT_EQ(comparison.report()->rows.size(), 3U);
  EXPECT_EQ(comparison.report()->rows[0].row.verdict, Verdict::slower);
  EXPECT_EQ(comparison.report()->rows[1].row.verdict, Verdict::faster);
  EXPECT_EQ(comparison.report()->rows[2].row.verdict, Verdict::same);
  EXPECT_EQ(comparison.notes().front(), "1 FASTER, 1 SLOWER, 1 SAME, 0 UNCLEAR.");
}

TEST(LabComparison, TwoOpenedReportsAreComparedWithoutASession) {
  LabComparison comparison;
  comparison.update({report_of("this session", {}), report_of("a", {{64, 1.0}}), report_of("b", {{64, 1.0}})});
  ASSERT_TRUE(comparison.report());
  EXPECT_EQ(comparison.report()->before, "a");
  EXPECT_EQ(comparison.report()->after, "b");
  // What is chosen stays while it can be shown; removed reports are replaced.
  comparison.update({report_of("this session", {{64, 1.0}}), report_of("a", {{64, 1.0}}), report_of("b", {{64, 1.0}})});
  EXPECT_EQ(comparison.report()->after, "b");
  comparison.update({report_of("this session", {{64, 1.0}})});
  EXPECT_FALSE(comparison.report());
}

TEST(LabComparison, ReportsOfOtherWorkAreNotCompared) {
  LabComparison comparison;
  comparison.update({report_of("this session", {{64, 1.0}}), report_of("old", {{65, 1.0}})});
  EXPECT_FALSE(comparison.report());
}

TEST(LabComparison, TheTableHasARowForEachPair) {
  LabComparison comparison;
  comparison.update({report_of("this session", {{64, 2.0}, {128, 1.0}}), report_of("old", {{64, 1.0}, {128, 1.0}})});
  const std::string csv = comparison.csv();
  EXPECT_EQ(std::ranges::count(csv, '\n'), 3);
  EXPECT_TRUE(csv.starts_with("row,verdict,before_ms,after_ms,ratio,low,high,p,adjusted_p,before_samples,"));
  EXPECT_NE(csv.find("sobel 64x100 serial,SLOWER,"), std::string::npos);
  EXPECT_NE(csv.find(",20,20\n"), std::string::npos);
}

}  // namespace
}  // namespace threadscape::app
