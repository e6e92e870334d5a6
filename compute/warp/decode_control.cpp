// Decoding of branches, calls, barriers, and of instructions in which the lanes of a warp work together.

#include <algorithm>

#include "compute/warp/decoder.h"

namespace threadscape::warp {
namespace {

/// Hints, which change nothing on a machine without delays.
bool does_nothing(const Spec& spec) {
  constexpr std::string_view names[] = {"griddepcontrol", "nanosleep",  "prefetch", "prefetchu",    "pmevent",
                                        "brkpt",          "setmaxnreg", "discard",  "applypriority"};
  return std::find(std::begin(names), std::end(names), spec.base) != std::end(names);
}

}  // namespace

Special special_named(std::string_view name) {
  constexpr std::string_view names[] = {
      "%tid.x",          "%tid.y",       "%tid.z",    "%ntid.x",   "%ntid.y",      "%ntid.z",      "%ctaid.x",
      "%ctaid.y",        "%ctaid.z",     "%nctaid.x", "%nctaid.y", "%nctaid.z",    "%laneid",      "%warpid",
      "%nwarpid",        "%smid",        "%nsmid",    "%gridid",   "%lanemask_eq", "%lanemask_le", "%lanemask_lt",
      "%lanemask_ge",    "%lanemask_gt", "%clock",    "%clock_hi", "%clock64",     "%globaltimer", "%dynamic_smem_size",
      "%total_smem_size"};
  const auto* const found = std::find(std::begin(names), std::end(names), name);
  if (found != std::end(names)) return static_cast<Special>(found - std::begin(names));
  // A launch without clusters has clusters of one block.
  if (name == "%cluster_ctarank" || name.starts_with("%cluster_ctaid.")) return Special::Zero;
  if (name == "%cluster_nctarank" || name.starts_with("%cluster_nctaid.")) return Special::One;
  return Special::Unknown;
}

bool Decoder::control(const Spec& spec, const Instruction& from, Operation& op) {
  const std::string_view base = spec.base;
  if (does_nothing(spec)) {
    op.run = &nothing;
    return true;
  }
  if (base == "membar" || base == "fence") {
    op.run = spec.has("gl") || spec.has("sys") || spec.has("gpu") ? &fence : &nothing;
    return true;
  }
  if (base == "bra") {
    if (from.operand_count != 1 || operand(from, 0).kind != Operand::Kind::Label) return false;
    op.flow = Flow::Branch;
    op.target = function_.labels[operand(from, 0).index];
    return true;
  }
  if (base == "brx") {
    if (from.operand_count != 2 || operand(from, 1).kind != Operand::Kind::Symbol) return false;
    const std::string& name = linkage_.module->names[operand(from, 1).index];
    const auto found = std::find_if(function_.tables.begin(), function_.tables.end(),
                                    [&](const Function::Table& table) { return table.name == name; });
    op.s[0] = register_slot(operand(from, 0), 4);
    if (found == function_.tables.end() || op.s[0] == none) return false;
    op.flow = Flow::IndexedBranch;
    op.target = static_cast<std::uint32_t>(found - function_.tables.begin());
    return true;
  }
  if (base == "call") return call(from, op);
  if (base == "ret" || base == "exit" || base == "trap") {
    op.flow = base == "trap" ? Flow::Trap : base == "exit" || function_.entry ? Flow::Exit : Flow::Return;
    return true;
  }
  return (base == "bar" || base == "barrier") && barrier(spec, from, op);
}

bool Decoder::call(const Instruction& from, Operation& op) {
  // call (results), function, (parameters), prototype;
  int k = 0;
  op.flow = Flow::Call;
  op.list = static_cast<std::uint32_t>(code_.slots.size());
  std::vector<std::uint32_t> results, arguments;
  const auto places = [&](const Operand& list, std::vector<std::uint32_t>& out) {
    for (int i = 0; i < list.count; ++i) {
      std::uint64_t address = 0;
      Space space = Space::Param;
      bool framed = false;
      if (!named_address(element(list, i), element(list, i).kind, address, space, framed) || !framed) return false;
      out.push_back(static_cast<std::uint32_t>(address));
    }
    return true;
  };
  if (k < from.operand_count && operand(from, k).kind == Operand::Kind::List && !places(operand(from, k++), results))
    return false;
  if (k >= from.operand_count) return false;
  const Operand& target = operand(from, k++);
  if (k < from.operand_count && operand(from, k).kind == Operand::Kind::List && !places(operand(from, k++), arguments))
    return false;
  if (target.kind == Operand::Kind::Symbol) {
    const auto found = linkage_.symbols.find(linkage_.module->names[target.index]);
    if (found == linkage_.symbols.end() || (found->second.address & window::mask) != window::functions) return false;
    op.immediate = found->second.address;
  } else {
    op.s[0] = register_slot(target, 8);
    if (op.s[0] == none) return false;
  }
  // The list has the places of the results and then those of the parameters in the caller's frame.
  op.mode = static_cast<std::uint8_t>(results.size());
  code_.slots.insert(code_.slots.end(), results.begin(), results.end());
  code_.slots.insert(code_.slots.end(), arguments.begin(), arguments.end());
  op.list_count = static_cast<std::uint32_t>(results.size() + arguments.size());
  return true;
}

bool Decoder::barrier(const Spec& spec, const Instruction& from, Operation& op) {
  if (spec.has("cluster")) return false;
  int k = 0;
  if (spec.has("warp")) {
    op.flow = Flow::WarpBarrier;
    op.s[0] = from.operand_count == 1 ? source_slot(operand(from, 0), 4, Type::B32) : none;
    return op.s[0] != none;
  }
  op.flow = Flow::Barrier;
  // Mode 0 waits, 1 only arrives; 2, 3 and 4 count, and, or the predicates.
  const bool reduces = spec.has("red");
  op.mode = spec.has("arrive") ? 1 : !reduces ? 0 : spec.has("popc") ? 2 : spec.has("and") ? 3 : 4;
  if (reduces) {
    op.d = register_slot(operand(from, k++), op.mode == 2 ? 4 : 0);
    if (op.d == none || from.operand_count < 3) return false;
    const Operand& predicate = operand(from, from.operand_count - 1);
    op.s[2] = source_slot(predicate, 0, Type::Pred);
    if (predicate.negated) op.negated = 4;
    if (op.s[2] == none) return false;
  }
  const int numbers = from.operand_count - k - (reduces ? 1 : 0);
  if (numbers < 1 || numbers > 2) return false;
  for (int i = 0; i < numbers; ++i) {
    op.s[static_cast<std::size_t>(i)] = source_slot(operand(from, k + i), 4, Type::U32);
    if (op.s[static_cast<std::size_t>(i)] == none) return false;
  }
  return true;
}

bool Decoder::lists(const Instruction& from, Operation& op, int first, int last) {
  op.list = static_cast<std::uint32_t>(code_.slots.size());
  for (int k = first; k <= last; ++k) {
    const Operand& operand = this->operand(from, k);
    const bool list = operand.kind == Operand::Kind::List;
    for (int i = 0; i < (list ? operand.count : 1); ++i) {
      const std::uint32_t slot = source_slot(list ? element(operand, i) : operand, 4, Type::B32);
      if (slot == none) return false;
      code_.slots.push_back(slot);
    }
  }
  op.list_count = static_cast<std::uint32_t>(code_.slots.size()) - op.list;
  return true;
}

bool Decoder::matrix(const Spec& spec, const Instruction& from, Operation& op) {
  if (spec.base == "ldmatrix") {
    // ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 {...}, [address];
    if (!spec.has("m8n8") || from.operand_count != 2) return false;
    op.space = spec.has("shared") || spec.has("shared::cta") ? Space::Shared : Space::Generic;
    op.elements = spec.has("x4") ? 4 : spec.has("x2") ? 2 : 1;
    op.mode = spec.has("trans") ? 1 : 0;
    if (!lists(from, op, 0, 0) || op.list_count != op.elements) return false;
    op.run = &load_matrix;
    return address_operand(operand(from, 1), op, 0);
  }
  if (spec.base == "movmatrix") {
    // movmatrix.sync.aligned.m8n8.trans.b16 d, a;
    if (!spec.has("m8n8") || !spec.has("trans") || from.operand_count != 2) return false;
    op.d = register_slot(operand(from, 0), 4);
    op.s[0] = source_slot(operand(from, 1), 4, Type::B32);
    op.run = &transpose_matrix;
    return op.d != none && op.s[0] != none;
  }
  // mma.sync.aligned.shape.row.col.d.a.b.c d, a, b, c;
  if (from.operand_count != 4 || spec.types.size() != 4 || !lists(from, op, 0, 3)) return false;
  const int k = spec.has("m16n8k32") ? 32 : spec.has("m16n8k16") ? 16 : spec.has("m16n8k8") ? 8 : 0;
  const Type a = spec.types[1], b = spec.types[2];
  op.elements = static_cast<std::uint8_t>(k);
  if (a == Type::F16 || a == Type::BF16) {
    const bool single = spec.types[0] == Type::F32 && spec.types[3] == Type::F32;
    const bool half = spec.types[0] == Type::F16 && spec.types[3] == Type::F16;
    const auto words = static_cast<std::uint32_t>(k / 4 + k / 8 + (single ? 8 : 4));
    if ((k != 16 && k != 8) || a != b || !(single || half) || op.list_count != words) return false;
    op.mode = static_cast<std::uint8_t>((single ? 1 : 0) | (a == Type::BF16 ? 2 : 0));
    op.run = &multiply_halves;
    return true;
  }
  const bool bytes = (a == Type::U8 || a == Type::S8) && (b == Type::U8 || b == Type::S8);
  if (!bytes || (k != 16 && k != 32) || op.list_count != static_cast<std::uint32_t>(k / 8 + k / 16 + 8)) return false;
  op.mode =
      static_cast<std::uint8_t>((a == Type::S8 ? 1 : 0) | (b == Type::S8 ? 2 : 0) | (spec.has("satfinite") ? 4 : 0));
  op.run = &multiply_integers;
  return true;
}

bool Decoder::warp_wide(const Spec& spec, const Instruction& from, Operation& op) {
  const std::string_view base = spec.base;
  const int count = from.operand_count;
  const auto source = [&](int k, int s, int bytes) {
    if (k >= count) return false;
    op.s[static_cast<std::size_t>(s)] = source_slot(operand(from, k), bytes, Type::B32);
    if (operand(from, k).negated) op.negated |= static_cast<std::uint8_t>(1 << s);
    return op.s[static_cast<std::size_t>(s)] != none;
  };
  if (base == "activemask") {
    op.run = &active_mask;
    return count == 1 && (op.d = register_slot(operand(from, 0), 4)) != none;
  }
  if (base == "shfl") {
    // shfl.sync.mode.b32 d|p, a, b, c, mask;
    if (!spec.has("sync") || count < 5 || spec.type() != Type::B32) return false;
    op.mode = spec.has("up") ? 0 : spec.has("down") ? 1 : spec.has("bfly") ? 2 : 3;
    op.d = register_slot(operand(from, 0), 4);
    const int k = operand(from, 1).joined ? 2 : 1;
    if (k == 2) op.d2 = register_slot(operand(from, 1), 0);
    op.run = &shuffle;
    return op.d != none && source(k, 0, 4) && source(k + 1, 1, 4) && source(k + 2, 2, 4) && source(k + 3, 3, 4);
  }
  if (base == "vote") {
    if (!spec.has("sync") || count != 3) return false;
    op.mode = spec.has("all") ? 0 : spec.has("any") ? 1 : spec.has("uni") ? 2 : 3;
    op.d = register_slot(operand(from, 0), op.mode == 3 ? 4 : 0);
    op.run = &vote;
    return op.d != none && source(1, 0, 0) && source(2, 1, 4);
  }
  if (base == "match") {
    op.mode = spec.has("all") ? 1 : 0;
    op.wide_lanes = bytes_of(spec.type()) == 8;
    op.d = register_slot(operand(from, 0), 4);
    const int k = count > 1 && operand(from, 1).joined ? 2 : 1;
    if (k == 2) op.d2 = register_slot(operand(from, 1), 0);
    op.run = &match;
    return op.d != none && source(k, 0, op.wide_lanes ? 8 : 4) && source(k + 1, 1, 4);
  }
  if (base == "redux") {
    constexpr std::string_view names[] = {"add", "min", "max", "", "", "and", "or", "xor"};
    const auto* const found =
        std::find_if(std::begin(names), std::end(names), [&](std::string_view name) { return spec.has(name); });
    if (found == std::end(names) || spec.type() == Type::F32) return false;
    op.mode = static_cast<std::uint8_t>(found - std::begin(names));
    op.sign_extended = spec.type() == Type::S32;
    op.d = register_slot(operand(from, 0), 4);
    op.run = &reduce;
    return op.d != none && source(1, 0, 4) && source(2, 1, 4);
  }
  if (base == "elect") {
    if (count != 3 || !operand(from, 1).joined) return false;
    if (operand(from, 0).kind != Operand::Kind::Sink) op.d = register_slot(operand(from, 0), 4);
    op.d2 = register_slot(operand(from, 1), 0);
    op.run = &elect;
    return op.d2 != none && source(2, 0, 4);
  }
  return false;
}

}  // namespace threadscape::warp
