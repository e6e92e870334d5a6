#include "compute/warp/host_code.h"

#include <gtest/gtest.h>

#include <vector>

#include "compute/warp/nvrtc.h"

namespace threadscape::warp {
namespace {

/// The place of the first occurrence of a word.
SourcePlace place_of(const std::string& source, const std::string& word) {
  const std::size_t at = source.find(word);
  const std::string before = source.substr(0, at);
  const std::size_t line = before.rfind('\n');
  return {.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
          .column = static_cast<int>(line == std::string::npos ? at + 1 : at - line)};
}

std::string without(const std::string& source, const std::string& word) {
  const std::vector<SourcePlace> places{place_of(source, word)};
  std::string result = without_functions(source, places);
  EXPECT_EQ(result.size(), source.size());
  EXPECT_EQ(std::count(result.begin(), result.end(), '\n'), std::count(source.begin(), source.end(), '\n'));
  return result;
}

TEST(WarpHostCode, AFunctionIsReplacedBySpaces) {
  EXPECT_EQ(without("int a;\nint main() {\n  if (a) { a = 1; }\n}\nint b;", "main"),
            "int a;\n            \n                   \n \nint b;");
  EXPECT_EQ(without("int a; std::vector<int> f(int x = (1)) { return {}; } int b;", "f(").find("vector"),
            std::string::npos);
  EXPECT_EQ(without("template <class T> T f(T a) { return a; } int b;", "f(").find_first_not_of(' '), 42u);
  EXPECT_EQ(without("struct A { public: int f() const { return 1; } int g; };", " f(").find("f()"), std::string::npos);
  EXPECT_NE(without("struct A { public: int f() const { return 1; } int g; };", " f(").find("int g;"),
            std::string::npos);
}

TEST(WarpHostCode, TextsAndCommentsAreNoCode) {
  const std::string source = "void f() { g(\"}\"); h('}'); /* } */ // }\n k(R\"(})\"); } int b;";
  EXPECT_EQ(without(source, "f()").find_first_not_of(" \n"), source.find("int b;"));
}

TEST(WarpHostCode, DeclarationsAreReplaced) {
  EXPECT_EQ(without("struct A { std::string f; int b; };", "string"), "struct A {                int b; };");
}

TEST(WarpHostCode, OtherPlacesAndConstexprStay) {
  for (const std::string source : {"__device__ int f() { return 1; }", "int g() { f(1); }",
                                   "constexpr int f() { return 1; }", "int f", "int f() {", "f"})
    EXPECT_EQ(without(source, "f"), source);
  EXPECT_EQ(
      without_functions("int f() {}", std::vector<SourcePlace>{{.line = 9, .column = 1}, {.line = 0, .column = 0}}),
      "int f() {}");
}

TEST(WarpHostCode, PlacesAreReadFromTheLog) {
  const std::string log =
      "k (1).cu(23): error: A function without execution space annotations is considered a host function, and\n"
      "  int main() {\n"
      "      ^\n";
  const std::vector<SourcePlace> places = refused_host_functions(log);
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places.front().line, 23);
  EXPECT_EQ(places.front().column, 5);
  EXPECT_TRUE(refused_host_functions("is considered a host function").empty());
  EXPECT_TRUE(refused_host_functions("").empty());
}

}  // namespace
}  // namespace threadscape::warp
