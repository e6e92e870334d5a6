// Kernels in PTX. What is read is executed for a while, by one block, with memory that has nothing around it.

#include <cstring>

#include "compute/warp/machine.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

FUZZ_TARGET(kernels) {
  const warp::Module module = warp::parse_ptx(input.text());
  std::vector<std::byte> bytes(4096);
  const warp::Allocation memory[] = {{.name = "memory", .address = 0x1000, .memory = bytes.data(), .bytes = bytes.size()}};
  for (const warp::Function& kernel : module.functions) {
    if (!kernel.entry || !kernel.defined || kernel.parameter_bytes > 4096) continue;
    warp::LaunchRequest request{.module = &module,
                                .kernel = kernel.name,
                                .block = {40, 1, 1},
                                .arguments = std::vector<std::byte>(kernel.parameter_bytes),
                                .memory = memory};
    for (std::size_t i = 0; i + 8 <= request.arguments.size(); i += 8) {
      const std::uint64_t address = 0x1000;
      std::memcpy(request.arguments.data() + i, &address, 8);
    }
    request.options.threads = 1;
    request.options.limits.block_instructions = 20000;
    const warp::LaunchResult result = warp::launch(request);
    expect(result.total.thread_instructions <= 32 * result.total.ptx_instructions, "a warp has more than 32 lanes");
  }
}

}  // namespace threadscape::fuzz
