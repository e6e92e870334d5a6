#include "compute/warp/issue.h"

#include <algorithm>
#include <array>

namespace threadscape::warp {

namespace {

constexpr double half_rate = 2, eighth_rate = 8;
/// The product m16n8k16 in half precision is 4096 operations, of which 528 sub-partitions at 1.98 GHz do 635e12 a
/// second. The eight-bit m16n8k32 has twice of both.
constexpr double product_rate = 6.7;

template <std::size_t count>
bool is_among(MachineOperation operation, const std::array<int, count>& numbers) {
  return std::ranges::find(numbers, static_cast<int>(operation)) != numbers.end();
}

}  // namespace

void IssueCycles::add(MachineOperation operation, double warps) {
  // SEL, FSEL, FMNMX, FSETP, ISETP, IADD3, LEA, LOP3, IABS, VABSDIFF, PRMT, IMNMX, SHF, PLOP3, VIADD, F2FP, HMNMX2,
  // I2FP and VIMNMX.
  constexpr std::array alu_operations{0x007, 0x008, 0x009, 0x00b, 0x00c, 0x010, 0x011, 0x012, 0x013, 0x014,
                                      0x016, 0x017, 0x019, 0x01c, 0x036, 0x03e, 0x040, 0x045, 0x048};
  constexpr std::array float_operations{0x020, 0x021, 0x023, 0x030, 0x031, 0x032, 0x035};  // FMUL to FFMA, HADD2 ...
  constexpr std::array integer_products{0x024, 0x025, 0x026, 0x027};                       // IMAD and IDP.
  constexpr std::array special_operations{0x100, 0x108, 0x109};                            // FLO, MUFU and POPC.
  constexpr std::array double_operations{0x028, 0x029, 0x02a, 0x02b};                      // DMUL, DADD, DSETP, DFMA.
  constexpr std::array matrix_products{0x037, 0x03c};                                      // IMMA and HMMA.
  issued += warps;
  if (is_among(operation, alu_operations)) alu += half_rate * warps;
  if (is_among(operation, float_operations)) fma += warps;
  if (is_among(operation, integer_products)) fma += half_rate * warps;
  if (is_among(operation, special_operations)) special += eighth_rate * warps;
  if (is_among(operation, double_operations)) doubles += half_rate * warps;
  if (is_among(operation, matrix_products)) tensor += product_rate * warps;
}

double IssueCycles::most() const {
  return std::max({issued, alu, fma, special, doubles, tensor});
}

}  // namespace threadscape::warp
