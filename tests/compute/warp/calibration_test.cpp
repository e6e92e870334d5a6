// Counts of kernels, compared with those that Nsight Compute 2025.3 read on an H100. tests/data/warp/calibration.ptx is
// what NVRTC 13.0 makes of calibration.cu there, and calibration.cubin what ptxas 13.0 makes of that for an H100,
// without the sections that nothing here reads.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "compute/warp/kernel_parameters.h"
#include "compute/warp/study.h"
#include "tests/support/test_paths.h"

namespace threadscape::warp {
namespace {

struct Row {
  const char* kernel;
  Extent grid, block;
  std::uint64_t instructions, load_requests, load_sectors, store_requests, store_sectors;
  std::uint64_t shared_load_conflicts, shared_store_conflicts, shared_load_wavefronts, shared_store_wavefronts;
  double l1, l2;

  friend void PrintTo(const Row& row, std::ostream* out) { *out << row.kernel; }
};

constexpr Row rows[] = {
    {"transpose_naive", {32, 128, 1}, {32, 8, 1}, 557056, 32768, 131072, 32768, 1048576, 0, 0, 0, 0, 66.42, 90.20},
    {"transpose_tile",
     {32, 32, 1},
     {32, 8, 1},
     335872,
     32768,
     131072,
     32768,
     131072,
     1015808,
     0,
     1048576,
     32768,
     0,
     54.43},
    {"transpose_padded", {32, 32, 1}, {32, 8, 1}, 335872, 32768, 131072, 32768, 131072, 0, 0, 32768, 32768, 0, 54.43},
    {"load_float4", {1024, 1, 1}, {256, 1, 1}, 106496, 8192, 131072, 8192, 131072, 0, 0, 0, 0, 0, 56.74},
    {"load_byte", {1024, 1, 1}, {256, 1, 1}, 131072, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 33.23, 82.91},
    {"load_stride2", {1024, 1, 1}, {256, 1, 1}, 114688, 8192, 65536, 8192, 32768, 0, 0, 0, 0, 0, 48.96},
    {"load_half_warp", {1024, 1, 1}, {256, 1, 1}, 139264, 8192, 32768, 8192, 32768, 0, 0, 0, 0, 0, 65.35},
    {"shared32_s1", {64, 1, 1}, {32, 1, 1}, 2624, 0, 0, 64, 256, 0, 0, 64, 64, 0, 99.51},
    {"shared32_s2", {64, 1, 1}, {32, 1, 1}, 3008, 0, 0, 64, 256, 64, 0, 128, 128, 0, 99.52},
    {"shared32_s32", {64, 1, 1}, {32, 1, 1}, 8384, 0, 0, 64, 256, 1984, 0, 2048, 2048, 0, 99.51},
    {"shared64_s1", {64, 1, 1}, {32, 1, 1}, 3072, 0, 0, 64, 512, 0, 0, 128, 128, 0, 99.31},
    {"shared64_s4", {64, 1, 1}, {32, 1, 1}, 4096, 0, 0, 64, 512, 384, 0, 512, 512, 0, 99.28},
    {"shared16_s1", {64, 1, 1}, {32, 1, 1}, 2816, 0, 0, 64, 128, 0, 0, 64, 64, 0, 99.08},
    {"shared128_s1", {64, 1, 1}, {32, 1, 1}, 1280, 0, 0, 64, 1024, 0, 0, 256, 256, 0, 99.58},
    {"loop_length", {256, 1, 1}, {256, 1, 1}, 469504, 0, 0, 2048, 8192, 0, 0, 0, 0, 0, 99.65},
    {"histogram_shared", {1024, 1, 1}, {256, 1, 1}, 196608, 8192, 8192, 0, 0, 0, 0, 8192, 8192, 0, 87.53},
    {"matmul_tile", {16, 16, 1}, {16, 16, 1}, 1669120, 65536, 262144, 2048, 8192, 0, 0, 786432, 65536, 2.84, 85.20},
};

class WarpCalibration : public testing::TestWithParam<Row> {};

std::string content_of(const char* name) {
  std::ifstream file(test_dir() + "/data/warp/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Study study_of(const Row& row, std::string_view cubin) {
  const Module module = parse_ptx(content_of("calibration.ptx"));
  const Function& kernel = find_kernel(module, row.kernel);
  KernelArguments arguments(kernel, parameters_of(module, kernel, ""), 16 << 20, {});
  StudyRequest request;
  request.launch.module = &module;
  request.launch.kernel = kernel.name;
  request.launch.grid = row.grid;
  request.launch.block = row.block;
  request.launch.arguments = arguments.bytes();
  request.launch.memory = arguments.memory();
  request.gpu = &gpu_model(90);
  request.cubin = cubin;
  return study(request);
}

TEST_P(WarpCalibration, MachineCodeGivesTheInstructionsOfTheHardware) {
  const Row& row = GetParam();
  const Study result = study_of(row, content_of("calibration.cubin"));
  const std::string name = row.kernel;
  const std::uint64_t counted = result.launch.total.warp_instructions;
  // Its warps make turns of different lengths, of which the means alone are known.
  if (name == "loop_length")
    EXPECT_NEAR(static_cast<double>(counted), static_cast<double>(row.instructions),
                0.03 * static_cast<double>(row.instructions));
  else
    EXPECT_EQ(counted, row.instructions);
  const bool loops = name == "loop_length" || name == "matmul_tile" || name.starts_with("shared16") ||
                     name.starts_with("shared32") || name.starts_with("shared64");
  EXPECT_EQ(result.instructions_in_code, !loops);
  EXPECT_NEAR(result.active_lanes, name == "load_half_warp" ? 20.71 : name == "loop_length" ? 27.55 : 32, 1.2);
  std::uint64_t of_lines = 0, of_instructions = 0;
  for (const LineCounts& line : result.launch.lines)
    of_lines += line.counts.warp_instructions;
  for (const Counts& instruction : result.launch.instructions)
    of_instructions += instruction.warp_instructions;
  EXPECT_EQ(of_lines, counted);
  EXPECT_EQ(of_instructions, counted);
}

TEST_P(WarpCalibration, CountsAreThoseOfTheHardware) {
  const Row& row = GetParam();
  const Study result = study_of(row, "");
  ASSERT_EQ(result.launch.stopped, "");
  for (const Fault& fault : result.launch.faults)
    ADD_FAILURE() << fault.text;
  EXPECT_EQ(result.launch.sampled(), 1.0);
  const Counts& counts = result.launch.total;
  EXPECT_EQ(counts.global_load_requests, row.load_requests);
  EXPECT_EQ(counts.global_load_sectors, row.load_sectors);
  EXPECT_EQ(counts.global_store_requests, row.store_requests);
  EXPECT_EQ(counts.global_store_sectors, row.store_sectors);
  EXPECT_EQ(counts.shared_load_conflicts, row.shared_load_conflicts);
  EXPECT_EQ(counts.shared_store_conflicts, row.shared_store_conflicts);
  EXPECT_EQ(counts.shared_load_wavefronts, row.shared_load_wavefronts);
  EXPECT_EQ(counts.shared_store_wavefronts, row.shared_store_wavefronts);
  // The assembler unrolls the short loops of these kernels, so that PTX says less about their machine code.
  const std::string name = row.kernel;
  const double tolerance = name == "loop_length" || name.starts_with("shared16") || name.starts_with("shared32") ||
                                   name.starts_with("shared64")
                               ? 0.55
                               : 0.15;
  EXPECT_NEAR(static_cast<double>(counts.warp_instructions), static_cast<double>(row.instructions),
              tolerance * static_cast<double>(row.instructions));
  EXPECT_NEAR(result.l1_hit_rate(), row.l1, 10.0);
  EXPECT_NEAR(result.l2_hit_rate(), row.l2, 10.0);
}

INSTANTIATE_TEST_SUITE_P(H100, WarpCalibration, testing::ValuesIn(rows),
                         [](const auto& info) { return std::string(info.param.kernel); });

}  // namespace
}  // namespace threadscape::warp
