// The table that says where the source of a diagram stands: the files, functions and lines exist.

#include "app/scenes/code_places.h"

#include <gtest/gtest.h>

#include "app/session/source_lines.h"
#include "compute/registry/diagram.h"
#include "compute/registry/registry.h"
#include "tests/support/test_paths.h"

namespace threadscape::app {
namespace {

/// Returns whether a scene draws how the algorithm works.
bool has_diagram(const AlgorithmInfo& algorithm) {
  const DiagramInfo& info = diagrams_of(algorithm);
  return info.network != nullptr || info.tree != nullptr || info.access != nullptr || info.launch != nullptr ||
         info.tile != nullptr || info.seams || info.scanner || info.pipeline;
}

CodePlace place(std::string_view algorithm, Backend backend, std::string_view variant, std::string step = "") {
  const AlgorithmInfo& info = find_algorithm(algorithm);
  const auto found =
      code_place(info, {.backend = backend, .variant = info.variant_index(backend, variant), .step = std::move(step)});
  EXPECT_TRUE(found) << algorithm << " " << variant;
  return found.value_or(CodePlace{});
}

TEST(CodePlaces, EveryVariantOfADiagramHasOne) {
  int diagrams = 0;
  for (const AlgorithmInfo& algorithm : algorithms()) {
    if (!has_diagram(algorithm)) continue;
    ++diagrams;
    for (const Backend backend : {Backend::serial, Backend::openmp, Backend::cuda})
      for (int variant = 0; variant < static_cast<int>(algorithm.variants_of(backend).size()); ++variant)
        EXPECT_TRUE(code_place(algorithm, {backend, variant, ""}))
            << algorithm.name << " " << name_of(backend) << " " << variant << ": add it to code_places.cpp";
  }
  EXPECT_GE(diagrams, 12);
}

TEST(CodePlaces, FilesHaveTheFunctionsAndTheirLines) {
  SourceLines sources(source_dir());
  for (const AlgorithmInfo& algorithm : algorithms())
    for (const CodePlace& one : code_places(algorithm)) {
      const std::vector<std::string>& lines = sources.of(one.file);
      const CodeRange range = find_code(lines, one);
      EXPECT_GT(range.end, range.begin + 1) << one.file << " does not define " << one.function;
      EXPECT_EQ(range.marked.empty(), one.line.empty()) << one.file << ", " << one.function << ": " << one.line;
    }
}

TEST(CodePlaces, StepsHaveLinesOfTheirOwn) {
  EXPECT_EQ(place("reduction", Backend::cuda, "unroll_warp", "block 64 apart").function, "reduce_unroll_warp");
  EXPECT_EQ(place("reduction", Backend::cuda, "unroll_warp", "warp 32 apart").function, "reduce_last_warp");
  EXPECT_NE(place("streams", Backend::cuda, "blelloch", "block up, 1 apart").line,
            place("streams", Backend::cuda, "blelloch", "block down, 1 apart").line);
  EXPECT_EQ(place("memory_access", Backend::cuda, "global", "constant_apart: words").function, "read_constant");
  EXPECT_EQ(place("diamond_square", Backend::cuda, "branch", "diamond step").function, "diamond_step");
}

TEST(CodePlaces, TheVariantLoopsIsTheSerialCode) {
  EXPECT_EQ(place("convolution", Backend::openmp, "loops").file, place("convolution", Backend::serial, "").file);
}

TEST(FindCode, TellsADefinitionFromCallsAndDeclarations) {
  const std::vector<std::string> lines{"int twice(int x);",
                                       "",
                                       "/// Calls twice(1).",
                                       "int other() {",
                                       "  if (twice(1) > 1) {",
                                       "    return twice(2);",
                                       "  }",
                                       "  return twice(3);",
                                       "}",
                                       "",
                                       "template <class T>",
                                       "int",
                                       "    twice(int x) {",
                                       "  return 2 * x;",
                                       "}"};
  const CodeRange range = find_code(lines, {.file = "", .function = "twice", .line = "2 * x"});
  EXPECT_EQ(range.begin, 10u);
  EXPECT_EQ(range.end, 15u);
  EXPECT_EQ(range.marked, std::vector<std::size_t>{13});
  EXPECT_EQ(find_code(lines, {.file = "", .function = "wice", .line = ""}).end, 0u) << "a part of a name";
}

}  // namespace
}  // namespace threadscape::app
