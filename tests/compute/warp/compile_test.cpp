#include "compute/warp/compile.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "compute/core/errors.h"
#include "compute/warp/cubin.h"
#include "compute/warp/nvrtc.h"
#include "compute/warp/ptx.h"
#include "tests/support/test_paths.h"

namespace threadscape::warp {
namespace {

Compiled compiled(const std::string& source, std::vector<std::string> expressions = {}) {
  return compile_cuda(
      {.source = source, .file = "folder/kernels.cu", .expressions = std::move(expressions), .limits = {}});
}

/// The message of the error with which a source is refused.
std::string refusal(const std::string& source) {
  try {
    (void)compiled(source);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "compiled";
}

class WarpCompile : public testing::Test {
 protected:
  void SetUp() override {
    if (!Nvrtc().opened() && toolkit_program("nvcc").empty()) GTEST_SKIP() << nvrtc_cure;
  }
};

TEST_F(WarpCompile, KernelsWithTheMainThatCallsThem) {
  const Compiled result = compiled(R"(#include <cstdio>
#include <vector>
#include <bitset>
#include <cstdint>
static void fill(std::vector<float>& v) { for (auto& x : v) x = 1; }
struct Options { std::string name; int size() const { return 3; } };
constexpr int two() { return 2; }
__device__ float twice(float a) { constexpr int factor = two(); return factor * a; }
extern "C" __global__ void scale(float* a, std::uint32_t n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = twice(a[i]);
}
int main() {
  std::vector<float> v(10);
  fill(v);
  scale<<<1, 32>>>(v.data(), 10);
  std::printf("done {\n");
}
)");
  EXPECT_NE(result.ptx.find(".entry scale("), std::string::npos);
  EXPECT_NE(result.ptx.find("folder/kernels.cu"), std::string::npos);
  EXPECT_NE(result.ptx.find(".loc"), std::string::npos);
  EXPECT_EQ(result.ptx.find(".entry main"), std::string::npos);
  EXPECT_EQ(result.ptx.find("printf"), std::string::npos);
  EXPECT_EQ(result.architecture, 90);
}

TEST_F(WarpCompile, InstancesOfTemplatesHaveNamesInPtx) {
  if (!Nvrtc().opened()) GTEST_SKIP() << "nvcc compiles no instance that nothing calls";
  const Compiled result =
      compiled("template <class T> __global__ void fill(T* a) { a[threadIdx.x] = 1; }", {"fill<float>"});
  ASSERT_EQ(result.names.size(), 1u);
  EXPECT_EQ(result.names.front().first, "fill<float>");
  EXPECT_NE(result.ptx.find(".entry " + result.names.front().second), std::string::npos);
}

/// A line of a text by its number, which counts from 1.
std::string line_of(const std::string& text, std::uint32_t number) {
  std::istringstream lines(text);
  std::string line;
  for (std::uint32_t k = 0; k < number; ++k)
    std::getline(lines, line);
  return line;
}

TEST_F(WarpCompile, MachineCodeStatesRegistersAndItsLinesOfPtx) {
  const Compiled result = compiled(
      "extern \"C\" __global__ void copy(int* a, int* b) { b[threadIdx.x] = a[threadIdx.x]; }\n"
      "extern \"C\" __global__ void loop(int* a, int n) { while (a[threadIdx.x] < n) ++a[threadIdx.x]; }\n"
      "extern \"C\" __global__ void some(float* a) { if (threadIdx.x & 1) a[threadIdx.x] = a[threadIdx.x + 1] * 2; }");
  if (result.cubin.empty()) GTEST_SKIP() << "the compiler makes no machine code";
  const std::vector<KernelCode> kernels = kernels_of_cubin(result.cubin);
  ASSERT_EQ(kernels.size(), 3u);
  for (const KernelCode& kernel : kernels) {
    EXPECT_GE(kernel.registers, 4) << kernel.name;
    EXPECT_LE(kernel.registers, 40) << kernel.name;
    EXPECT_GE(kernel.instructions.size(), 8U) << kernel.name;
    const auto goes_back = [&](const MachineInstruction& one) {
      return one.operation == MachineOperation::bra && one.target < kernel.instructions.size();
    };
    EXPECT_EQ(std::ranges::any_of(kernel.instructions, goes_back), kernel.name == "loop") << kernel.name;
    for (const MachineInstruction& one : kernel.instructions) {
      if (one.operation != MachineOperation::stg) continue;
      EXPECT_NE(line_of(result.ptx, one.ptx_line).find("st.global"), std::string::npos) << kernel.name;
    }
  }
}

TEST_F(WarpCompile, MachineCodeStatesWhereBranchesByTablesGo) {
  const Compiled result = compiled(
      "extern \"C\" __global__ void choose(int* a, int n) {\n"
      "  int x = a[threadIdx.x];\n"
      "  switch (n) {\n"
      "    case 0: x %= a[32]; break;\n    case 1: x += a[33] / a[34]; break;\n    case 2: x = a[35] >> 3; break;\n"
      "    case 3: x *= a[36]; break;\n    case 4: x ^= a[37] % 7; break;\n    case 5: x -= 9; a[3] = 5;\n  }\n"
      "  a[threadIdx.x] = x;\n}\n");
  if (result.cubin.empty()) GTEST_SKIP() << "the compiler makes no machine code";
  const std::vector<KernelCode> kernels = kernels_of_cubin(result.cubin);
  ASSERT_EQ(kernels.size(), 1u);
  std::set<std::uint32_t> targets;
  for (const TableBranch& branch : kernels[0].table_branches) {
    EXPECT_EQ(kernels[0].instructions[branch.from].operation, MachineOperation::brx);
    targets.insert(branch.to);
  }
  EXPECT_GE(targets.size(), 6u);
}

TEST_F(WarpCompile, ACompilerThatWaitsGivesTheSame) {
  CompileRequest request;
  request.source = "extern \"C\" __global__ void k(int* a) { a[threadIdx.x] = 7; }";
  request.file = "k.cu";
  request.machine_code = false;
  const std::string usual = compile_cuda(request).ptx;
  for (int run = 0; run < 3; ++run) {
    prepare_compiler(request.limits);
    EXPECT_EQ(compile_cuda(request).ptx, usual);
  }
}

TEST_F(WarpCompile, WrongSourcesAreRefusedWithTheirLine) {
  EXPECT_NE(refusal("\n__global__ void k(float* a) { a[0] = unknown; }").find("kernels.cu(2): error"),
            std::string::npos)
      << refusal("\n__global__ void k(float* a) { a[0] = unknown; }");
  EXPECT_NE(refusal("this is no source").find("cannot compile 'folder/kernels.cu'"), std::string::npos);
  EXPECT_NE(refusal(std::string(1000, '{')).find("cannot compile"), std::string::npos);
  EXPECT_NE(refusal("#include \"missing.h\"\n").find("missing.h"), std::string::npos);
}

TEST_F(WarpCompile, ACompilerThatDoesNotEndIsEnded) {
  // Each level doubles the work, so that this would take years.
  const std::string endless =
      "template <int N, int M> struct F { static constexpr int v = F<N-1, 2*M>::v + F<N-1, 2*M+1>::v; };\n"
      "template <int M> struct F<0, M> { static constexpr int v = M; };\n"
      "extern \"C\" __global__ void k(int* a) { a[0] = F<30, 0>::v; }";
  CompileRequest request;
  request.source = endless;
  request.file = "k.cu";
  request.limits.processor = std::chrono::seconds(1);
  EXPECT_THROW((void)compile_cuda(request), UsageError);
}

TEST(WarpCompileWithout, AKernelIsTakenOutOfItsModule) {
  std::ifstream file(test_dir() + "/data/warp/calibration.ptx");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string alone = kernel_alone(text, "matmul_tile");
  const Module all = parse_ptx(text), one = parse_ptx(alone);
  ASSERT_NE(one.kernel("matmul_tile"), nullptr);
  EXPECT_EQ(one.functions.size(), 1U);
  EXPECT_EQ(one.variables.size(), all.variables.size());
  EXPECT_EQ(one.kernel("matmul_tile")->instructions.size(), all.kernel("matmul_tile")->instructions.size());
  for (std::size_t i = 0; i < one.kernel("matmul_tile")->instructions.size(); ++i)
    EXPECT_EQ(one.kernel("matmul_tile")->instructions[i].ptx_line, all.kernel("matmul_tile")->instructions[i].ptx_line);
  EXPECT_EQ(parse_ptx(kernel_alone(text, "matmul")).functions.size(), 0U);
  if (toolkit_program("ptxas").empty()) return;
  const std::vector<KernelCode> code = kernels_of_cubin(assemble(alone, 90));
  ASSERT_EQ(code.size(), 1U);
  EXPECT_GT(code[0].registers, 0);
}

TEST(WarpCompileWithout, PtxIsTakenAsItIs) {
  const Compiled result = compile_cuda({.source = "any text", .file = "a.ptx", .expressions = {}, .limits = {}});
  EXPECT_EQ(result.ptx, "any text");
  EXPECT_EQ(result.compiler, "");
}

TEST(WarpCompileWithout, TheStatedLibraryIsTheOnlyOne) {
  const char* before = std::getenv("THREADSCAPE_NVRTC");
  const std::string kept = before != nullptr ? before : "";
  setenv("THREADSCAPE_NVRTC", "/does/not/exist.so", 1);
  EXPECT_FALSE(Nvrtc().opened());
  if (before != nullptr)
    setenv("THREADSCAPE_NVRTC", kept.c_str(), 1);
  else
    unsetenv("THREADSCAPE_NVRTC");
}

TEST(WarpLimitedProcess, EndsByItselfOrByALimit) {
  const ProcessEnd good = run_limited({}, [](int output) { return write_all(output, "text", 4) ? 7 : 1; });
  EXPECT_EQ(good.output, "text");
  EXPECT_EQ(good.exit_code, 7);
  EXPECT_EQ(good.obstacle, "");
  const ProcessEnd crashed = run_limited({}, [](int) -> int { std::abort(); });
  EXPECT_NE(crashed.obstacle.find("signal"), std::string::npos);
  const ProcessEnd endless = run_limited({.time = std::chrono::milliseconds(50)}, [](int output) {
    while (write_all(output, "", 0)) {
    }
    return 0;
  });
  EXPECT_NE(endless.obstacle.find("longer"), std::string::npos);
  const ProcessEnd busy = run_limited({.processor = std::chrono::seconds(1)}, [](int output) {
    while (write_all(output, "", 0)) {
    }
    return 0;
  });
  EXPECT_EQ(busy.obstacle, "took longer than 1 s of processor time");
  const ProcessEnd silent = run_limited({.time = std::chrono::milliseconds(50)}, [](int output) {
    close(output);
    for (;;)
      pause();
    return 0;
  });
  EXPECT_NE(silent.obstacle.find("longer"), std::string::npos) << "its output is closed, but it goes on";
  std::stop_source source;
  source.request_stop();
  const ProcessEnd stopped = run_limited({.stop = source.get_token()}, [](int) {
    for (;;)
      pause();
    return 0;
  });
  EXPECT_EQ(stopped.obstacle, "was cancelled");
  const ProcessEnd talkative = run_limited({.output = 1000}, [](int output) {
    while (write_all(output, "0123456789", 10)) {
    }
    return 0;
  });
  EXPECT_NE(talkative.obstacle.find("wrote more"), std::string::npos);
}

TEST(WarpLimitedProcess, AProgramWaitsForItsInput) {
  WaitingProgram cat({}, "/bin/cat");
  const std::string text(300'000, 'x');
  const std::optional<ProcessEnd> end = cat.finish({}, text);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->obstacle, "");
  EXPECT_EQ(end->exit_code, 0);
  EXPECT_EQ(end->output, text);
  // One that is not asked ends with its object, and one that has ended answers nothing.
  { const WaitingProgram unused({}, "/bin/cat"); }
  WaitingProgram endless({}, "/bin/cat");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(endless.finish({.stop = stop.get_token()}, "x")->obstacle, "was cancelled");
  EXPECT_TRUE(endless.has_limits({}));
  EXPECT_FALSE(endless.has_limits({.processor = std::chrono::seconds(1)}));
}

TEST(WarpLimitedProcess, AnAnswerDoesNotWaitForTheEndOfItsProgram) {
  const std::filesystem::path program = test_output_dir() + "/answers_and_stays.sh";
  std::ofstream(program) << "#!/bin/sh\ncat\nexec sleep infinity >&-\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  WaitingProgram waiting({}, program.string());
  const std::optional<ProcessEnd> end = waiting.ask({}, "the answer");
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->obstacle, "");
  EXPECT_EQ(end->output, "the answer");
  // Without an answer, why the program has ended is waited for.
  WaitingProgram silent({}, "/bin/false");
  const std::optional<ProcessEnd> none = silent.ask({}, "");
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->exit_code, 1);
}

// A process that is copied while another thread holds the lock of an allocator must not need that lock.
TEST(WarpLimitedProcess, StartsProgramsWhileOtherThreadsAllocate) {
  std::jthread other([](const std::stop_token& stop) {
    while (!stop.stop_requested())
      std::vector<std::string>(16, std::string(100, 'a')).swap(*std::make_unique<std::vector<std::string>>());
  });
  for (int run = 0; run < 40; ++run) {
    const std::string text(100'000, static_cast<char>('a' + run % 26));
    const ProcessEnd end = run_program({}, {.arguments = {"/bin/cat"}, .input = text});
    ASSERT_EQ(end.obstacle, "");
    ASSERT_EQ(end.output, text);
  }
}

TEST(WarpCubin, OtherBytesHaveNoKernels) {
  EXPECT_TRUE(kernels_of_cubin("").empty());
  EXPECT_TRUE(kernels_of_cubin("\x7f"
                               "ELF")
                  .empty());
  std::string noise(4096, '\xff');
  noise.replace(0, 4,
                "\x7f"
                "ELF");
  noise[4] = 2;
  EXPECT_TRUE(kernels_of_cubin(noise).empty());
}

}  // namespace
}  // namespace threadscape::warp
