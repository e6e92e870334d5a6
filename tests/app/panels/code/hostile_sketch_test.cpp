// Hostile sketches in the window: each ends with a line, and the next one runs.

#include "tests/support/app/sketch_window.h"

namespace threadscape::app {
namespace {

class HostileSketchTest : public SketchSessionTest {};

TEST_P(HostileSketchTest, HostileKernelsEndWithALine) {
  // A sketch whose third line is `head`, its fifth one `before`, and its eighth one `body`.
  const auto with = [](const std::string& body, const std::string& before = "", const std::string& head = "",
                       const std::string& size = "") {
    return "// sketch: hostile\n// reads: picture gray u8    makes: picture gray u8" + size + "\n" + head +
           "\n#include \"threadscape.h\"\n" + before +
           "\n__global__ void hostile(Image<const unsigned char> in, Image<unsigned char> out) {\n"
           "  const int x = threadIdx.x, y = threadIdx.y;\n  " +
           body + "\n}\n";
  };
  const auto headed = [&](const std::string& head) { return with("out(x, y) = 1;", "", head); };
  struct Case {
    std::string text, said;
    int line;  ///< The line of the mark; 0 for none.
  };
  const std::string endless_calls = "__device__ __noinline__ int f(int n) { return n < 0 ? n : n * f(n + 1); }";
  const std::string deep = "template <int n> struct Deep { static constexpr int value = Deep<n - 1>::value + 1; };";
  const Case cases[] = {{with("for (volatile int i = 0;; ++i);"), "instructions, which is the limit", 0},
                        // Memory.
                        {with("out.data[-100000] = 1;"), "limited.cu:8", 8},
                        {with("out.data[1ll << 50] = 1;"), "in no allocation", 8},
                        {with("*(int*)12345678 = 1;"), "limited.cu:8", 8},
                        {with("*(int*)0 = 1;"), "limited.cu:8", 8},
                        {with("*(int*)(out.data + 1) = 1;"), "no multiple of 4", 8},
                        {with("((unsigned char*)in.data)[0] = 1;"), "limited.cu:8", 8},
                        {with("atomicAdd((int*)in.data, 1);"), "which is constant", 8},
                        {with("out(x, y) = out(x, y) + 1;"), "nothing has written", 8},
                        {with("volatile char a[1 << 20]; a[x] = 1; out(x, y) = a[y];"), "local memory", 0},
                        {with("huge[x] = x; out(x, y) = huge[y];", "__shared__ int huge[1 << 24];"), "shared", 0},
                        {with("out(x, y) = huge[x];", "__device__ char huge[1ull << 33];"), "1 GiB", 0},
                        {with("out(x, y) = ((char*)malloc(100ull << 30))[x];"), "malloc", 0},
                        {with("out(x, y) = f(x);", endless_calls), "nest deeper", 0},
                        // Ends, barriers, and what the machine does not know.
                        {with(""), "has not written", 0},
                        {with("asm(\"exit;\");"), "has not written", 0},
                        {with("asm(\"trap;\");"), "limited.cu:8", 8},
                        {with("assert(x < 0);", "#include <cassert>"), "limited.cu:8", 8},
                        {with("if (x & 1) __syncthreads();"), "does not reach the barrier", 8},
                        {with("asm(\"bogus.u32 %r1, %r2;\");"), "is not known to the machine", 0},
                        // Compilers.
                        {with("out(x, y) = Deep<100000>::value;", deep), "cannot compile", 0},
                        {with("out(x, y) = nothing;"), "nothing", 8},
                        {with("}}}"), "cannot compile", 0},
                        {with("", "#error no"), "#error", 5},
                        // Heads.
                        {std::string(1000, 'a'), "the first line of a sketch is", 0},
                        {headed("// block: 4096"), "1 to 1024 threads", 0},
                        {headed("// shared: 1 << 30"), "shared memory", 0},
                        {headed("// temp: t = sequence f64 (1 << 40)"), "MiB of memory", 0},
                        {headed("// threads: 1 / 0"), "a division by zero", 3},
                        {headed("// pass: nothing(in, out)"), "nothing", 3},
                        {headed("// for: i = 1; 1; i  pass: hostile(in, out)  end:"), "more than 65536 kernels", 0},
                        {with("out(x, y) = 1;", "", "", " (10000000 x 10000000)"), "larger than any memory", 0},
                        {with("out(x, y) = 1;", "", "", " (width - 100000 x 1)"), "a size of", 0}};
  run();
  const int before = first_pixel();
  for (const Case& one : cases) {
    sketch().text() = one.text;
    run();
    EXPECT_NE(sketch().trouble().find(one.said), std::string::npos) << one.text << "\n" << sketch().trouble();
    EXPECT_EQ(sketch().trouble().find('\n'), std::string::npos) << sketch().trouble();
    const auto& marks = sketch().marks();
    EXPECT_TRUE(one.line == 0 || (!marks.empty() && marks[0].line == one.line)) << one.text << "\n"
                                                                                << sketch().trouble();
  }
  // The window lives, and the next run works.
  sketch().text() = limited;
  run();
  EXPECT_EQ(sketch().trouble(), "");
  EXPECT_EQ(first_pixel(), before);
}

INSTANTIATE_TEST_SUITE_P(Places, HostileSketchTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
