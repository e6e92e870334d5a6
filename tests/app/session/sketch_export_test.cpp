// Sketches in one file with what shows what they do.

#include "app/session/sketch_export.h"

#include <gtest/gtest.h>

namespace threadscape::app {
namespace {

TEST(SketchExport, IsReadAgain) {
  const ExportedSketch sketch{.source = "// sketch: a\n\nint a;\n",
                              .params = "{\"radius\": 3}",
                              .input = "cat.png, 4x4 8-bit grey image",
                              .picture = "data:image/png;base64," + std::string(1000, 'A') + "==",
                              .results = {"try 1: differs", "try 2: equals mean"}};
  const std::string text = text_of(sketch);
  EXPECT_EQ(text.substr(0, sketch.source.size()), sketch.source);
  for (std::size_t at = text.find('\n', sketch.source.size()) + 1; at < text.size(); at = text.find('\n', at) + 1) {
    EXPECT_EQ(text.compare(at, 4, "// @"), 0) << "all that follows is a comment";
    EXPECT_LE(text.find('\n', at) - at, 130u);
  }
  const ExportedSketch again = read_exported(text);
  EXPECT_EQ(again.source, sketch.source);
  EXPECT_EQ(again.params, sketch.params);
  EXPECT_EQ(again.input, sketch.input);
  EXPECT_EQ(again.picture, sketch.picture);
  EXPECT_EQ(again.results, sketch.results);
  EXPECT_EQ(text_of(again), text);
}

TEST(SketchExport, TextsCannotLeaveTheirComment) {
  const std::string text =
      text_of({.source = "a\n", .params = "{\n}", .input = "b\nint evil;\r", .picture = {}, .results = {}});
  EXPECT_EQ(text.find("\nint evil"), std::string::npos);
  EXPECT_EQ(read_exported(text).input, "b int evil; ");
}

TEST(SketchExport, OtherFilesAreSourcesAlone) {
  for (const char* text : {"", "int a;", "// @params: {}\n", "// @threadscape", "a\n// @threadscape: parameters\nb"}) {
    EXPECT_EQ(read_exported(text).source, text);
    EXPECT_EQ(read_exported(text).params, "");
  }
}

}  // namespace
}  // namespace threadscape::app
