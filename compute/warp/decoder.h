#pragma once
// The decoder of a function: what its parts share.

#include <string_view>
#include <unordered_map>
#include <vector>

#include "compute/warp/code.h"

namespace threadscape::warp {

/// The registers that are read before all else and depend on the launch, the block or the lane.
enum class Special : std::uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  SmId,
  NsmId,
  GridId,
  LaneMaskEq,
  LaneMaskLe,
  LaneMaskLt,
  LaneMaskGe,
  LaneMaskGt,
  Clock,
  ClockHigh,
  Clock64,
  Timer,
  DynamicShared,
  TotalShared,
  Zero,
  One,
  Unknown
};
[[nodiscard]] Special special_named(std::string_view name);

/// What an atomic operation does.
enum class Atomic : std::uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor, Exch, Cas };

class Decoder {
 public:
  Decoder(const Function& function, const Linkage& linkage) : function_(function), linkage_(linkage) {}
  Code decode();

 private:
  // Registers, constants, addresses: decode.cpp.
  void lay_out_frame();
  void lay_out_registers();
  void instruction(std::uint32_t number);
  bool arithmetic(const Spec& spec, const Instruction& from, Operation& op);
  bool move(const Spec& spec, const Instruction& from, Operation& op);
  bool convert_address(const Spec& spec, const Instruction& from, Operation& op);
  [[nodiscard]] const Operand& operand(const Instruction& from, int k) const {
    return function_.operands[from.operands + static_cast<std::uint32_t>(k)];
  }
  [[nodiscard]] const Operand& element(const Operand& list, int k) const {
    return function_.operands[list.index + static_cast<std::uint32_t>(k)];
  }
  [[nodiscard]] bool is_wide(const Operand& operand) const;
  /// The slot of a register whose lanes have 4 or 8 bytes, or of a predicate for 0 bytes; `none` if it is no such one.
  [[nodiscard]] std::uint32_t register_slot(const Operand& operand, int bytes) const;
  /// The slot of a source: a register or a constant. `type` is that of the instruction, for literals.
  std::uint32_t source_slot(const Operand& operand, int bytes, Type type);
  std::uint32_t constant(std::uint64_t value, bool wide);
  /// The slot of a constant that each launch fills with an argument.
  std::uint32_t argument(Code::Argument argument);
  /// What a literal means for an instruction of that type.
  [[nodiscard]] static std::uint64_t literal(const Operand& operand, Type type);
  /// The address of a name in its space. False if there is none; `framed` if it is relative to the frame.
  bool named_address(const Operand& operand, Operand::Kind kind, std::uint64_t& address, Space& space,
                     bool& framed) const;

  // Memory: decode_memory.cpp.
  bool load_or_store(const Spec& spec, const Instruction& from, Operation& op);
  bool load_argument(const Spec& spec, const Instruction& from, Operation& op, std::uint64_t at);
  bool atomic(const Spec& spec, const Instruction& from, Operation& op);
  bool async_copy(const Spec& spec, const Instruction& from, Operation& op);
  bool texture(const Spec& spec, const Instruction& from, Operation& op);
  bool address_operand(const Operand& operand, Operation& op, int slot);
  bool memory_registers(const Operand& operand, Operation& op);

  // Control and warps: decode_control.cpp.
  bool control(const Spec& spec, const Instruction& from, Operation& op);
  bool call(const Instruction& from, Operation& op);
  bool barrier(const Spec& spec, const Instruction& from, Operation& op);
  bool warp_wide(const Spec& spec, const Instruction& from, Operation& op);
  bool matrix(const Spec& spec, const Instruction& from, Operation& op);
  bool lists(const Instruction& from, Operation& op, int first, int last);

  const Function& function_;
  const Linkage& linkage_;
  Code code_;
  std::vector<std::uint32_t> slots_;  ///< Of the registers.
  std::unordered_map<std::uint64_t, std::uint32_t> narrow_, wide_;
  std::uint64_t results_at_ = 0, variables_at_ = 0, calls_at_ = 0;  ///< Parts of the frame in local memory.
};

// Handlers that are not compiled once per instruction set.
void move_special(Warp& warp, const Operation& op, std::uint32_t mask);
void move_list(Warp& warp, const Operation& op, std::uint32_t mask);
void pack_list(Warp& warp, const Operation& op, std::uint32_t mask);
void unpack_list(Warp& warp, const Operation& op, std::uint32_t mask);
void add_immediate(Warp& warp, const Operation& op, std::uint32_t mask);
void extend_low_word(Warp& warp, const Operation& op, std::uint32_t mask);
void is_space(Warp& warp, const Operation& op, std::uint32_t mask);
void load(Warp& warp, const Operation& op, std::uint32_t mask);
void store(Warp& warp, const Operation& op, std::uint32_t mask);
void atomic(Warp& warp, const Operation& op, std::uint32_t mask);
void copy_async(Warp& warp, const Operation& op, std::uint32_t mask);
void fetch_texture(Warp& warp, const Operation& op, std::uint32_t mask);
void load_matrix(Warp& warp, const Operation& op, std::uint32_t mask);
void commit_copies(Warp& warp, const Operation& op, std::uint32_t mask);
void wait_for_copies(Warp& warp, const Operation& op, std::uint32_t mask);
/// Orders what the block has done before its atomic writes that follow.
void fence(Warp& warp, const Operation& op, std::uint32_t mask);
void nothing(Warp& warp, const Operation& op, std::uint32_t mask);
void shuffle(Warp& warp, const Operation& op, std::uint32_t mask);
void vote(Warp& warp, const Operation& op, std::uint32_t mask);
void active_mask(Warp& warp, const Operation& op, std::uint32_t mask);
void match(Warp& warp, const Operation& op, std::uint32_t mask);
void reduce(Warp& warp, const Operation& op, std::uint32_t mask);
void elect(Warp& warp, const Operation& op, std::uint32_t mask);
void multiply_integers(Warp& warp, const Operation& op, std::uint32_t mask);
void multiply_halves(Warp& warp, const Operation& op, std::uint32_t mask);
void transpose_matrix(Warp& warp, const Operation& op, std::uint32_t mask);

}  // namespace threadscape::warp
