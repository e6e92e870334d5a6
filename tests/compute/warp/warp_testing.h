#pragma once
// Kernels in PTX for the tests of the machine of warps.

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "compute/warp/machine.h"

namespace threadscape::warp {

/// The text of a module with a kernel `k` of two pointers, `out` in %rd1 and `in` in %rd2, and the linear thread number
/// of the block in %r1. There are registers enough of each type. `before` stands before the kernel, and `declared` in
/// it.
inline std::string kernel_text(const std::string& body, const std::string& before = "",
                               const std::string& declared = "") {
  return ".version 9.0\n.target sm_90\n.address_size 64\n" + before +
         "\n.visible .entry k(\n.param .u64 k_param_0,\n.param .u64 k_param_1\n)\n{\n" + declared +
         ".reg .pred %p<16>;\n.reg .b16 %rs<16>;\n.reg .b32 %r<64>;\n.reg .f32 %f<32>;\n.reg .b64 %rd<32>;\n.reg .f64 "
         "%fd<16>;\n"
         "ld.param.u64 %rd1, [k_param_0];\nld.param.u64 %rd2, [k_param_1];\nmov.u32 %r1, %tid.x;\n" +
         body + "\nret;\n}\n";
}

/// What a kernel reads and writes: two allocations of words.
struct Trial {
  std::vector<std::uint32_t> out = std::vector<std::uint32_t>(4096), in = std::vector<std::uint32_t>(4096);
  /// The marks of Allocation::written for `out`; empty if all of it counts as written.
  std::vector<std::uint8_t> out_written;
  std::map<std::uint64_t, Texture> textures;
  LaunchOptions options;
  Extent grid{1, 1, 1}, block{32, 1, 1};
  std::uint64_t dynamic_shared_bytes = 0;
  Module module;
  static constexpr std::uint64_t out_address = 0x100000, in_address = 0x200000;

  LaunchResult run(const std::string& text, const std::string& kernel = "k") {
    module = parse_ptx(text);
    return run_kernel(kernel);
  }
  LaunchResult run_kernel(const std::string& kernel) {
    const Allocation memory[] = {{.name = "out",
                                  .address = out_address,
                                  .memory = reinterpret_cast<std::byte*>(out.data()),
                                  .bytes = out.size() * 4,
                                  .written = out_written.empty() ? nullptr : out_written.data()},
                                 {.name = "in",
                                  .address = in_address,
                                  .memory = reinterpret_cast<std::byte*>(in.data()),
                                  .bytes = in.size() * 4}};
    LaunchRequest request{.module = &module,
                          .kernel = kernel,
                          .grid = grid,
                          .block = block,
                          .dynamic_shared_bytes = dynamic_shared_bytes,
                          .arguments = std::vector<std::byte>(16),
                          .memory = memory,
                          .textures = &textures,
                          .options = options};
    const std::uint64_t addresses[] = {out_address, in_address};
    std::memcpy(request.arguments.data(), addresses, sizeof addresses);
    return launch(request);
  }
};

/// Stores %r2 as the thread's word of `out`.
inline const std::string store_r2 =
    "mul.wide.u32 %rd30, %r1, 4;\nadd.s64 %rd31, %rd1, %rd30;\nst.global.u32 [%rd31], %r2;\n";
/// Loads the thread's word of `in` into %r2.
inline const std::string load_r2 =
    "mul.wide.u32 %rd28, %r1, 4;\nadd.s64 %rd29, %rd2, %rd28;\nld.global.u32 %r2, [%rd29];\n";

}  // namespace threadscape::warp
