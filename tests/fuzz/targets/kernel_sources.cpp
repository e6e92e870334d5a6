// Kernels: machine code, host code in sources, logs of the compiler, and PTX with its names and parameters.

#include <algorithm>
#include <vector>

#include "compute/warp/cubin.h"
#include "compute/warp/host_code.h"
#include "compute/warp/kernel_parameters.h"
#include "compute/warp/nvrtc.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

namespace {

void take_apart_machine_code(const std::string& bytes) {
  for (const warp::KernelCode& kernel : warp::kernels_of_cubin(bytes)) {
    expect(kernel.registers >= 0 && kernel.registers <= 255, "a thread has more registers than there are");
    for (const warp::MachineInstruction& one : kernel.instructions)
      expect(one.target == warp::MachineInstruction::nowhere || one.target < kernel.instructions.size(),
             "a branch leaves the kernel");
  }
}

void leave_out_functions(Input input) {
  const std::vector<warp::SourcePlace> places{
      {.line = 1 + static_cast<int>(input.choice(8)), .column = 1 + static_cast<int>(input.choice(80))},
      {.line = 1 + static_cast<int>(input.choice(8)), .column = 1 + static_cast<int>(input.choice(80))}};
  const std::string source = input.text(), left = warp::without_functions(source, places);
  expect(left.size() == source.size(), "the source has another length");
  for (std::size_t i = 0; i < source.size(); ++i)
    expect(left[i] == source[i] || (left[i] == ' ' && source[i] != '\n'), "the source has other characters");
}

void launch_by_hand(const std::string& text) {
  const warp::Module module = warp::parse_ptx(text);
  for (const warp::Function& function : module.functions) {
    if (!function.entry || !function.defined) continue;
    const std::vector<warp::KernelParameter> parameters = warp::parameters_of(module, function, text);
    expect(parameters.size() == function.parameters.size(), "a parameter is missing");
  }
  (void)warp::find_kernel(module, text.substr(0, 8));
}

}  // namespace

FUZZ_TARGET(kernel_sources) {
  switch (input.choice(4)) {
    case 0:
      return take_apart_machine_code(input.text());
    case 1:
      return leave_out_functions(input);
    case 2:
      return launch_by_hand(input.text());
    default:
      for (const warp::SourcePlace& place : warp::refused_host_functions(input.text()))
        (void)place;
      (void)warp::missing_header(input.text());
  }
}

}  // namespace threadscape::fuzz
