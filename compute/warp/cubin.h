#pragma once
// Facts of kernels in machine code: cubins are ELF files with sections of NVIDIA.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::warp {

/// The lowest nine bits of an instruction say what it does, on all GPUs from compute capability 7.5 on.
enum class MachineOperation : std::uint16_t {
  hmma = 0x03c,
  fmul = 0x020,
  fadd = 0x021,
  ffma = 0x023,
  dmul = 0x028,
  dadd = 0x029,
  dfma = 0x02b,
  ldsm = 0x03b,
  nop = 0x118,
  bar = 0x11d,
  call = 0x144,
  bra = 0x147,
  brx = 0x149,
  jmp = 0x14a,
  jmx = 0x14c,
  exit = 0x14d,
  ret = 0x150,
  tex = 0x160,
  ld = 0x180,
  ldg = 0x181,
  ldl = 0x183,
  lds = 0x184,
  st = 0x185,
  stg = 0x186,
  stl = 0x187,
  sts = 0x188,
  shfl = 0x189,
  atoms = 0x18c,
  red = 0x18e,
  match = 0x1a1,
  atomg = 0x1a8
};

struct MachineInstruction {
  static constexpr std::uint32_t nowhere = 0xffffffff;
  MachineOperation operation{};
  bool always = true;              ///< It has no predicate that lets some threads pass over it.
  bool diverged = false;           ///< A branch that a warp takes only if its threads have come apart before.
  std::uint32_t ptx_line = 0;      ///< The line of the PTX that it was made of; 0 where the file does not say.
  std::uint32_t target = nowhere;  ///< Of a branch or a call: an instruction of the kernel.
  std::int32_t step = 0;           ///< What it adds to a register in place, if it adds a constant; otherwise 0.
};

/// A way from a branch by a table of targets (`brx`) to one of them.
struct TableBranch {
  std::uint32_t from = 0, to = 0;  ///< Instructions of the kernel.
};

struct KernelCode {
  std::string name;                              ///< The name in PTX.
  int registers = 0;                             ///< 32-bit registers of a thread; 0 where the file does not say.
  std::vector<MachineInstruction> instructions;  ///< Without those that fill the code behind its end.
  std::vector<TableBranch> table_branches{};
};

/// The kernels of a cubin. Empty for anything that is not one: its contents are not trusted.
[[nodiscard]] std::vector<KernelCode> kernels_of_cubin(std::string_view cubin);

}  // namespace threadscape::warp
