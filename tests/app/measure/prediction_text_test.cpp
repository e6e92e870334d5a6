#include "app/measure/prediction_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/measure/report_table.h"

namespace threadscape::app {
namespace {

Measurement row(double predicted_ms, std::vector<double> samples, const char* bound = "DRAM") {
  Measurement row{.what = {.algorithm = "sobel", .input = Shape::image(Element::u8, 1, 64, 64)},
                  .where = {.backend = Backend::cuda, .variant = "tiled"}};
  row.samples.compute = std::move(samples);
  row.predicted = {.ms = predicted_ms, .bound = bound, .gpu = "H200"};
  return row;
}

TEST(PredictionText, StatesTheErrorsOfWhatWasMeasured) {
  Report report;
  report.rows = {row(1.1, {1.0}), row(0.5, {1.0}, "issue"), row(3.0, {2.5})};
  Measurement none = row(0.0, {1.0}, "");
  none.predicted = {.why_none = "it launches no kernel"};
  report.rows.push_back(none);
  EXPECT_EQ(prediction_text(report),
            "Predicted from counts, before any is measured, for H200: 3 rows, bound by DRAM 2, issue 1.\n"
            "The median error of 3 rows is 20 %, the largest 50 %; within 40 % are 2 of 3 (66.7 %).\n"
            "1 row without a prediction: it launches no kernel\n");
}

TEST(PredictionText, RowsOfTheCpuHaveSentencesOfTheirOwn) {
  Report report;
  report.rows = {row(1.1, {1.0}), row(3.0, {2.0}, "memory")};
  report.rows.back().where.backend = Backend::openmp;
  report.rows.back().predicted.gpu = "EPYC";
  EXPECT_EQ(prediction_text(report),
            "Predicted from counts, before any is measured, for H200: 1 row, bound by DRAM 1.\n"
            "The median error of 1 row is 10 %, the largest 10 %; within 40 % are 1 of 1 (100 %).\n"
            "Predicted from runs on parts, before any is measured, for EPYC: 1 row, bound by memory 1.\n"
            "The median error of 1 row is 50 %, the largest 50 %; within 40 % are 0 of 1 (0.00 %).\n");
}

TEST(PredictionText, RowsThatWereNotMeasuredAreSaidToBe) {
  Report report;
  report.rows = {row(1.0, {})};
  report.rows.front().skipped = "no GPU";
  EXPECT_NE(prediction_text(report).find("None of them was measured.\n"), std::string::npos);
  const std::string table = report_table(report);
  EXPECT_NE(table.find("predicted ms"), std::string::npos) << table;
  EXPECT_NE(table.find("DRAM"), std::string::npos) << table;
  EXPECT_NE(table.find("skipped: no GPU"), std::string::npos) << table;
}

TEST(PredictionText, NothingWithoutPredictions) {
  Report report;
  report.rows = {row(0.0, {1.0}, "")};
  report.rows.front().predicted = {};
  EXPECT_EQ(prediction_text(report), "");
}

TEST(PredictionText, ReportsKeepPredictionsAlsoOfRowsThatWereNotMeasured) {
  Report report;
  report.rows = {row(1.5, {1.0, 2.0, 3.0}), row(2.5, {}, "tail")};
  report.rows.back().skipped = "no GPU";
  const Report again = parse_reports(report_json(report).dump(), "again").front();
  ASSERT_EQ(again.rows.size(), 2u);
  EXPECT_EQ(again.rows[0].predicted.ms, 1.5);
  EXPECT_EQ(again.rows[0].predicted.gpu, "H200");
  EXPECT_DOUBLE_EQ(again.rows[0].prediction_error(), 1.5 / 2.0 - 1.0);
  EXPECT_EQ(again.rows[1].predicted.bound, "tail");
  EXPECT_EQ(again.rows[1].skipped, "no GPU");
}

}  // namespace
}  // namespace threadscape::app
