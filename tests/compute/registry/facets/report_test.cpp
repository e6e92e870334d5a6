// What compute/registry/facets/report.h promises, for every algorithm that says something beside its result.

#include "compute/registry/facets/report.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

TEST(ReportFacet, IsMadeOfLinesWithWords) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.report) continue;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::optional<HostArray> made = suitable_input(info, setting.params);
      if (!made) continue;
      const HostArray& input = *made;
      const HostArray result = run_serial(info, setting.params, input);
      const std::string text = info.report->text(setting.params, input.view(), std::as_const(result).view());
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);)
        EXPECT_NE(line.find_first_not_of(' '), std::string::npos) << "an empty line in: " << text;
      // Looking changes nothing: the same result is described in the same words.
      EXPECT_EQ(info.report->text(setting.params, input.view(), std::as_const(result).view()), text);
    }
  }
}

TEST(ReportFacet, OfARunByLayersNeedsNoValuesOfTheInput) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.report || !info.layers) continue;
    SCOPED_TRACE(info.name);
    ParamBox params = info.defaults();
    ASSERT_TRUE(make_small(params));
    const HostArray input = small_input(info, params);
    const HostArray result = run_serial(info, params, input);
    EXPECT_EQ(info.report->text(params, HostIn(nullptr, input.shape(), 0), result.view()),
              info.report->text(params, input.view(), result.view()));
  }
}

TEST(FileNotesFacet, FitTheFileOfTheResult) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.file_notes) continue;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::optional<HostArray> made = suitable_input(info, setting.params);
      if (!made) continue;
      const HostArray& input = *made;
      const Shape result = info.output_shape(setting.params, input.shape());
      const FileNotes notes = info.file_notes->of(setting.params, input.shape());
      EXPECT_GE(notes.bits, 0);
      EXPECT_LE(notes.bits, 8 * static_cast<int>(size_of(result.element)));
      for (const double side : notes.spacing)
        EXPECT_GT(side, 0.0);
      EXPECT_LE(static_cast<std::int64_t>(notes.titles.size()), result.depth);
      for (const std::string& title : notes.titles)
        EXPECT_NE(title, "");
    }
  }
}

}  // namespace
}  // namespace threadscape::testing
