// Heads of sketches: what they state, and what is said about wrong ones.

#include "compute/sketch/head.h"

#include <gtest/gtest.h>

#include <string>

#include "compute/core/errors.h"

namespace threadscape::sketch {
namespace {

Head head_of(const std::string& text) {
  return parse_head(text, "my.cu");
}

std::string refusal(const std::string& text) {
  try {
    (void)head_of(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

std::int64_t value(const std::string& text, const Names& names = {}) {
  return value_of(text, names);
}

std::string wrong(const std::string& text) {
  try {
    return std::to_string(value(text, {{"width", 3}}));
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(SketchExpression, HasTheOperatorsOfC) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3 - -4"), 13);
  EXPECT_EQ(value("7 / 2 % 2"), 1);
  EXPECT_EQ(value("1 << 4 >> 1"), 8);
  EXPECT_EQ(value("2 < 3 && !(3 <= 2) || 0"), 1);
  EXPECT_EQ(value("10 - 3 - 2"), 5);
  EXPECT_EQ(value("min(n, 3) + max(n, 8)", {{"n", 5}}), 11);
  EXPECT_EQ(value("log2(1023)"), 9);
  EXPECT_EQ(value("pow2(1025)"), 2048);
  EXPECT_EQ(split_sizes("32x8", {}), (std::vector<std::string>{"32", "8"}));
  EXPECT_EQ(split_sizes("width / 2 x 4 x 2", {{"width", 1}}), (std::vector<std::string>{"width / 2", "4", "2"}));
}

TEST(SketchHead, MeshesHaveTrianglesAndVertices) {
  const std::string begin = "// sketch: a\n// reads: mesh    makes: ";
  const Head head = head_of(begin +
                            "picture gray f32 (64 x 64)\n// temp: nearest = heightfield u32 (64 x 64)\n"
                            "// pass: a(in, nearest)    threads: triangles + vertices\n");
  EXPECT_EQ(head.reads.kind, Kind::mesh);
  EXPECT_EQ(head.reads.element, Element::u32);
  EXPECT_EQ(head.statements[0].threads, (std::vector<std::string>{"triangles + vertices"}));
  EXPECT_NE(refusal(begin + "picture gray f32\n").find("reads nothing or a mesh says how large"), std::string::npos);
  EXPECT_NE(refusal(begin + "mesh\n").find("a mesh is only read"), std::string::npos);
  EXPECT_NE(refusal(begin + "picture gray f32 (width x 3)\n").find("'width' is unknown"), std::string::npos);
  EXPECT_NE(refusal(begin + "number i64\n// temp: b = mesh\n").find("'b' is a mesh, which is only read"),
            std::string::npos);
  EXPECT_NE(refusal(begin + "number i64\n// temp: b = sequence i32\n").find("beside a mesh needs a size"),
            std::string::npos);
  EXPECT_NE(refusal("// sketch: a\n// reads: picture gray u8    makes: number i64\n// block: triangles\n")
                .find("'triangles' is unknown"),
            std::string::npos);
}

TEST(SketchExpression, SaysWhatIsWrong) {
  EXPECT_EQ(wrong("widht"), "'widht' is unknown: did you mean width? Accepted are width");
  EXPECT_EQ(wrong("width / (3 - width)"), "a division by zero");
  EXPECT_EQ(wrong("9223372036854775807 + 1"), "a result beyond 64 bits");
  EXPECT_EQ(wrong("1 << 63"), "a result beyond 64 bits");
  EXPECT_EQ(wrong("(1"), "')' is missing before ''");
  EXPECT_EQ(wrong("1 +"), "a number or a name is missing before ''");
  EXPECT_EQ(wrong("1 2"), "'2' is superfluous");
  EXPECT_EQ(wrong("99999999999999999999"), "the number '99999999999999999999' is too large");
  EXPECT_EQ(wrong("pow2(0)"), "pow2() takes 1 to 2^62");
  EXPECT_EQ(wrong("sin(1)"), "'sin' is no function: min, max, log2, pow2");
  EXPECT_EQ(wrong(std::string(10000, '(')), "the expression is nested more than 100 levels deep");
  EXPECT_EQ(wrong(std::string(10000, '-')), "the expression is nested more than 100 levels deep");
}

TEST(SketchHead, OfOneKernel) {
  const Head head = head_of(R"(// sketch: blur    title: Blur with a window
// reads: picture gray u8    makes: picture gray u8
// param: radius = 1 (1..8)  "Radius of the window:  in pixels"
// param: gain = 1 (0..2.5)
// block: 16x16    halo: radius
// check: mean size=(2 * radius + 1) border=clamp

#include "threadscape.h"
__global__ void
mean_of(Image<const unsigned char> in, Image<unsigned char> out, int radius, float gain) {}
)");
  EXPECT_EQ(head.name, "blur");
  EXPECT_EQ(head.title, "Blur with a window");
  EXPECT_EQ(head.reads.kind, Kind::image);
  EXPECT_EQ(head.makes.channels, 1);
  ASSERT_EQ(head.parameters.size(), 2u);
  EXPECT_EQ(head.parameters[0].type, Parameter::Type::integer);
  EXPECT_EQ(head.parameters[0].help, "Radius of the window:  in pixels");
  EXPECT_EQ(head.parameters[0].hi, 8);
  EXPECT_EQ(head.parameters[1].type, Parameter::Type::real);
  ASSERT_EQ(head.statements.size(), 1u);
  const Statement& pass = head.statements.front();
  EXPECT_EQ(pass.kernel, "mean_of");
  EXPECT_EQ(pass.arguments, (std::vector<std::string>{"in", "out", "radius", "gain"}));
  EXPECT_EQ(pass.block, (std::vector<std::string>{"16", "16"}));
  EXPECT_EQ(head.halo, "radius");
  EXPECT_EQ(head.check_algorithm, "mean");
  ASSERT_EQ(head.check_values.size(), 2u);
  EXPECT_EQ(head.check_values[0], (std::pair<std::string, std::string>("size", "(2 * radius + 1)")));
}

TEST(SketchHead, OfPassesAndLoops) {
  const Head head = head_of(R"(// sketch: sort
// reads: sequence i32    makes: sequence i32
// need: pow2(count) == count  "a power of two"
// temp: copy = sequence i32 (count + 1)
// constant: mask = 1, 2, 1, 2, 4, 2, 1, 2, 1 (0..9)
// param: border = clamp (zero | clamp)
// pass: start(in, copy)    block: 64    threads: count / 2
// for: k = 2; k <= count; k * 2
// for: j = k / 2; j > 0; j / 2
// pass: step(copy, k, j, border)    shared: 4 * k
// end
// end
// pass: finish<int>(copy, out)    blocks: 1
)");
  ASSERT_EQ(head.statements.size(), 7u);
  EXPECT_EQ(head.statements[0].block, std::vector<std::string>{"64"});
  EXPECT_EQ(head.statements[1].variable, "k");
  EXPECT_EQ(head.statements[2].next, "j / 2");
  EXPECT_EQ(head.statements[3].block, std::vector<std::string>{"256"});
  EXPECT_EQ(head.statements[3].shared, "4 * k");
  EXPECT_EQ(head.statements[6].kernel, "finish<int>");
  EXPECT_EQ(head.statements[6].blocks, std::vector<std::string>{"1"});
  EXPECT_TRUE(head.parameters[0].constant);
  EXPECT_EQ(head.parameters[0].values.size(), 9u);
  EXPECT_EQ(head.parameters[1].integer, 1);
  EXPECT_EQ(head.temporaries[0].type.size, std::vector<std::string>{"count + 1"});
  EXPECT_EQ(head.needs[0].message, "a power of two");
}

TEST(SketchHead, ErrorsHaveTheirLine) {
  const std::string good = "// sketch: a\n// reads: picture gray u8\n// makes: picture gray u8\n";
  EXPECT_EQ(refusal(good), "accepted");
  EXPECT_EQ(refusal("int x;"), "my.cu: the first line of a sketch is '// sketch: NAME'");
  EXPECT_EQ(refusal(good + "// blok: 32\n").substr(0, 60),
            "my.cu:4: 'blok' is no key of the head: did you mean block or");
  EXPECT_EQ(refusal("// sketch: A b\n"), "my.cu:1: the name of a sketch has 1 to 40 small letters, digits and _");
  EXPECT_EQ(refusal("// sketch: a\n// makes: picture grey u8\n"),
            "my.cu:2: 'grey' is no colour: did you mean gray? Accepted are gray | rgb");
  EXPECT_EQ(refusal("// sketch: a\n// makes: picture gray i64\n"), "my.cu:2: pictures have u8, u16 or f32");
  EXPECT_EQ(refusal("// sketch: a\n// reads: volume f32\n"), "my.cu:2: the head does not say what the sketch makes");
  EXPECT_EQ(refusal(good + "// param: r = 9 (1..8)\n"), "my.cu:4: the value of 'r' is outside of its range");
  EXPECT_EQ(refusal(good + "// param: r = nan (1..8)\n"), "my.cu:4: 'nan' is no number");
  EXPECT_EQ(refusal(good + "// param: in = 1 (1..8)\n"), "my.cu:4: the name 'in' is taken");
  EXPECT_EQ(refusal(good + "// param: r = 1 (1..8)\n// param: r = 1 (1..8)\n"), "my.cu:5: the name 'r' is taken");
  EXPECT_EQ(refusal(good + "// param: r = 1, 2 (1..8)\n"),
            "my.cu:4: 'r' has 2 numbers: a list has as many as a square of up to 63x63");
  EXPECT_EQ(refusal(good + "// block: 32x\n"), "my.cu:4: a number or a name is missing before ''");
  EXPECT_EQ(refusal(good + "// pass: blur(in, radius)\n"),
            "my.cu:4: 'radius' is unknown: count, depth, height, seed, width");
  EXPECT_EQ(refusal(good + "// for: k = 1; k < 3; k + 1\n"), "my.cu:4: 'end' is missing");
  EXPECT_EQ(refusal("// sketch: a\n// pass: k(in, out)\n// makes: number i32\n// reads: nothing\n"),
            "my.cu:2: 'in' is unknown: count, depth, height, seed, width");
  EXPECT_EQ(refusal(good + "// " + std::string(2000, 'a')), "my.cu:4: a line of the head has at most 1000 characters");
  EXPECT_EQ(refusal(good + "// end\n"), "my.cu:4: 'end' without 'for'");
  EXPECT_EQ(refusal(good + "// reads: nothing\n"), "my.cu:4: 'reads' stands twice in the head");
  EXPECT_EQ(refusal(good + "\n__global__ void a() {}\n__global__ void b() {}\n"),
            "my.cu: there are 2 kernels: name one by 'kernel: NAME', or launch them by 'pass: NAME(ARGUMENTS)'");
  EXPECT_EQ(refusal(good + "\nint x;" + std::string(1, '\0')), "my.cu:5: a byte that is 0, so that this is no text");
  EXPECT_EQ(refusal(std::string(10 << 20, 'a')), "my.cu: a sketch has at most 1 MiB");
}

TEST(SketchHead, AreRecognised) {
  EXPECT_TRUE(is_sketch("\n\n//  sketch: a"));
  EXPECT_FALSE(is_sketch("// a kernel\n// sketch: a"));
  EXPECT_FALSE(is_sketch("__global__ void k() {}"));
  EXPECT_FALSE(is_sketch(""));
}

}  // namespace
}  // namespace threadscape::sketch
