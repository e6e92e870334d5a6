// Decoding of a function: the places of registers, constants and variables, and the instructions of arithmetic.

#include <algorithm>
#include <bit>
#include <cstring>

#include "compute/warp/decoder.h"

namespace threadscape::warp {
namespace {

std::uint64_t aligned_to(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

/// The bytes of a lane of the k-th source of an arithmetic instruction; 0 for a predicate.
int source_bytes(const Spec& spec, int k) {
  const std::string_view base = spec.base;
  const auto lane = [](Type type) { return type == Type::Pred ? 0 : std::max(bytes_of(type), 4); };
  if ((base == "shl" || base == "shr") && k == 1) return 4;
  if ((base == "mul" || base == "mad") && spec.has("wide")) return k < 2 ? 4 : bytes_of(spec.type()) == 4 ? 8 : 4;
  if (base == "bfe" && k >= 1) return 4;
  if (base == "bfi" && k >= 2) return 4;
  if (base == "setp" || base == "set") return k == 2 ? 0 : lane(spec.last_type());
  if (base == "selp" && k == 2) return 0;
  if (base == "slct" && k == 2) return lane(spec.last_type());
  if (base == "cvt") return spec.has("pack") ? 4 : lane(spec.types.size() > 1 ? spec.types[1] : Type::None);
  return lane(spec.type());
}

/// The bytes of a lane of the result; 0 for a predicate, -1 for any.
int result_bytes(const Spec& spec) {
  const std::string_view base = spec.base;
  if (base == "setp" || base == "testp") return 0;
  if (base == "set" || base == "popc" || base == "clz" || base == "bfind" || base == "fns") return 4;
  if ((base == "mul" || base == "mad") && spec.has("wide")) return bytes_of(spec.type()) == 4 ? 8 : 4;
  if (spec.type() == Type::Pred) return 0;
  if (base == "cvt") {
    const Type type = spec.type();
    const bool number = type == Type::F32 || type == Type::F64 || type == Type::F16 || type == Type::BF16;
    const Type from = spec.types.size() > 1 ? spec.types[1] : Type::None;
    const bool from_number = from == Type::F32 || from == Type::F64 || from == Type::F16 || from == Type::BF16;
    return number || from_number || bytes_of(type) == 8 ? std::max(bytes_of(type), 4) : -1;
  }
  return std::max(bytes_of(spec.type()), 4);
}

/// Operation::mode of an arithmetic instruction.
std::uint8_t mode_of(const Spec& spec) {
  const std::string_view base = spec.base;
  if (base == "setp" || base == "set") {
    const int combined = spec.has("and") ? 1 : spec.has("or") ? 2 : spec.has("xor") ? 3 : 0;
    return static_cast<std::uint8_t>(combined | (base == "set" && spec.type() == Type::F32 ? 4 : 0));
  }
  if (base == "addc" || base == "subc" || base == "madc" || spec.has("cc"))
    return static_cast<std::uint8_t>((base.back() == 'c' ? 1 : 0) | (spec.has("cc") ? 2 : 0));
  if (base == "testp") {
    constexpr std::string_view names[] = {"finite", "infinite", "number", "notanumber", "normal"};
    for (std::size_t i = 0; i < std::size(names); ++i)
      if (spec.has(names[i])) return static_cast<std::uint8_t>(i);
    return 5;
  }
  if (base == "cvt") {
    const bool whole = spec.has("rni") || spec.has("rzi") || spec.has("rmi") || spec.has("rpi");
    return static_cast<std::uint8_t>((spec.has("ftz") ? 1 : 0) | (spec.has("sat") ? 2 : 0) |
                                     (whole || spec.has("relu") ? 4 : 0));
  }
  return static_cast<std::uint8_t>((spec.has("sat") ? 1 : 0) | (spec.has("relu") ? 2 : 0) | (spec.has("NaN") ? 4 : 0));
}

/// The number of sources of an arithmetic instruction.
int expected_sources(const Spec& spec) {
  const std::string_view base = spec.base;
  constexpr std::string_view one[] = {"abs",  "neg",   "not", "cnot", "popc", "clz", "brev", "bfind", "rcp",
                                      "sqrt", "rsqrt", "ex2", "lg2",  "sin",  "cos", "tanh", "testp", "mov"};
  constexpr std::string_view three[] = {"mad",  "madc", "fma",  "sad",  "bfe", "prmt", "shf",
                                        "selp", "slct", "dp4a", "dp2a", "fns", "min3", "max3"};
  if (std::find(std::begin(one), std::end(one), base) != std::end(one)) return 1;
  if (std::find(std::begin(three), std::end(three), base) != std::end(three)) return 3;
  if (base == "bfi" || base == "lop3") return 4;
  if (base == "setp" || base == "set") return spec.has("and") || spec.has("or") || spec.has("xor") ? 3 : 2;
  if (base == "cvt") {
    const bool pair = spec.type() == Type::F16x2 || spec.type() == Type::BF16x2;
    return spec.has("pack") ? (spec.types.size() > 2 ? 3 : 2) : pair ? 2 : 1;
  }
  return 2;
}

/// Instructions whose results differ from those of the hardware, within its documented errors.
bool is_approximate(const Spec& spec) {
  return spec.has("approx") || spec.has("full") || (spec.base == "tanh") || (spec.base == "ex2");
}

}  // namespace

bool writes_no_register(const Spec& spec) {
  constexpr std::string_view names[] = {"st",   "red",      "bra",       "brx",       "call",        "ret",  "exit",
                                        "trap", "bar",      "barrier",   "membar",    "fence",       "sust", "sured",
                                        "cp",   "prefetch", "prefetchu", "nanosleep", "stackrestore"};
  return std::find(std::begin(names), std::end(names), spec.base) != std::end(names) &&
         !(spec.base.starts_with("bar") && spec.has("red"));
}

bool Spec::has(std::string_view part) const {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

Spec spec_of(std::string_view name) {
  Spec spec;
  std::size_t at = name.find('.');
  spec.base = name.substr(0, at);
  while (at != std::string_view::npos) {
    const std::size_t next = name.find('.', at + 1);
    const std::string_view part = name.substr(at + 1, next == std::string_view::npos ? next : next - at - 1);
    spec.parts.push_back(part);
    if (const Type type = type_named(part); type != Type::None) spec.types.push_back(type);
    at = next;
  }
  return spec;
}

std::uint32_t Warp::predicate(const Operation& operation, int k) const {
  const std::uint32_t value = mask(operation.s[static_cast<std::size_t>(k)]);
  return (operation.negated >> k & 1) != 0 ? ~value : value;
}

Code decode(const Function& function, const Linkage& linkage) {
  return Decoder(function, linkage).decode();
}

Code Decoder::decode() {
  code_.function = &function_;
  code_.operations.resize(function_.instructions.size() + 1);
  lay_out_frame();
  lay_out_registers();
  for (std::uint32_t i = 0; i < function_.instructions.size(); ++i)
    instruction(i);
  // The end of a function without `ret` returns.
  code_.operations.back().flow = function_.entry ? Flow::Exit : Flow::Return;
  for (const Function::Table& table : function_.tables) {
    std::vector<std::uint32_t>& targets = code_.tables.emplace_back();
    for (const std::uint32_t label : table.labels)
      targets.push_back(function_.labels[label]);
  }
  for (Operation& op : code_.operations)
    op.leaves = function_.entry && op.flow == Flow::Branch && op.guard != none &&
                code_.operations[op.target].flow == Flow::Exit && code_.operations[op.target].guard == none;
  find_reconvergence(code_);
  find_unwritten(code_, *linkage_.module);
  estimate_weights(code_, *linkage_.module);
  find_pace(code_, *linkage_.module);
  merge_shared(code_, *linkage_.module);
  code_.registers = std::move(slots_);
  return std::move(code_);
}

void Decoder::lay_out_frame() {
  const auto end_of = [](const std::vector<Variable>& list) {
    std::uint64_t end = 0;
    for (const Variable& variable : list)
      end = std::max(end, variable.offset + variable.bytes);
    return end;
  };
  constexpr std::uint64_t align = 128;
  results_at_ = function_.entry ? 0 : aligned_to(end_of(function_.parameters), align);
  variables_at_ = results_at_ + aligned_to(end_of(function_.results), align);
  calls_at_ = variables_at_ + aligned_to(function_.local_bytes, align);
  // The end is exact, since what lies behind it is out of bounds.
  code_.local_bytes =
      function_.call_bytes > 0 ? calls_at_ + function_.call_bytes : variables_at_ + function_.local_bytes;
}

void Decoder::lay_out_registers() {
  // A register that is written first and only used within one basic block gives its place back behind its last use.
  struct Use {
    std::uint32_t first = none, last = 0, block = none;
    bool local = true;
  };
  std::vector<Use> uses(function_.registers.size());
  std::vector<bool> leader(function_.instructions.size() + 1);
  for (const std::uint32_t label : function_.labels)
    leader[label] = true;
  std::uint32_t block = 0;
  const auto touch = [&](std::uint32_t reg, std::uint32_t number, bool defines) {
    Use& use = uses[reg];
    if (use.first == none) {
      use.first = number;
      use.block = block;
      use.local = defines;
    }
    use.local &= use.block == block;
    use.last = number;
  };
  std::vector<std::vector<std::uint32_t>> touched(function_.instructions.size());
  for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
    const Instruction& from = function_.instructions[i];
    const Spec spec = spec_of(linkage_.module->names[from.name]);
    const std::string_view base = spec.base;
    if (leader[i]) ++block;
    if (from.guard >= 0) touch(static_cast<std::uint32_t>(from.guard), i, false);
    const bool defines = from.guard < 0 && !writes_no_register(spec);
    // Sources come first, so that an instruction that reads its own result has no local one.
    for (const bool results : {false, true}) {
      for (int k = 0; k < from.operand_count; ++k) {
        const Operand& operand = this->operand(from, k);
        const bool result = defines && (k == 0 || (k == 1 && operand.joined));
        if (result != results) continue;
        const auto one = [&](const Operand& operand, bool defined) {
          if (operand.kind != Operand::Kind::Register &&
              !(operand.kind == Operand::Kind::Address && operand.base == Operand::Kind::Register))
            return;
          touch(operand.index, i, defined && operand.kind == Operand::Kind::Register);
          touched[i].push_back(operand.index);
        };
        if (operand.kind == Operand::Kind::List) {
          for (int j = 0; j < operand.count; ++j)
            one(element(operand, j), result);
        } else {
          one(operand, result);
        }
      }
    }
    if (base == "bra" || base == "brx" || base == "ret" || base == "exit" || base == "call") ++block;
  }
  const auto class_of = [&](std::uint32_t reg) {
    const Type type = function_.registers[reg].type;
    return type == Type::Pred ? 0 : bytes_of(type) == 16 ? 3 : bytes_of(type) == 8 ? 2 : 1;
  };
  constexpr std::uint32_t sizes[] = {64, 128, 256, 512};
  slots_.assign(function_.registers.size(), none);
  std::uint32_t end = 0;
  const auto take = [&](int kind) {
    const std::uint32_t slot = end;
    end += sizes[kind];
    return slot;
  };
  for (std::uint32_t reg = 0; reg < uses.size(); ++reg)
    if (uses[reg].first != none && !uses[reg].local) slots_[reg] = take(class_of(reg));
  std::vector<std::uint32_t> spare[4];
  for (std::uint32_t i = 0; i < touched.size(); ++i) {
    for (const std::uint32_t reg : touched[i]) {
      if (slots_[reg] != none) continue;
      std::vector<std::uint32_t>& free = spare[class_of(reg)];
      if (free.empty()) {
        slots_[reg] = take(class_of(reg));
      } else {
        slots_[reg] = free.back();
        free.pop_back();
      }
    }
    for (const std::uint32_t reg : touched[i])
      if (uses[reg].local && uses[reg].last == i) {
        spare[class_of(reg)].push_back(slots_[reg]);
        uses[reg].local = false;  // An instruction may name a register twice.
      }
  }
  code_.register_bytes = std::max<std::uint32_t>(end, 64);
}

bool Decoder::is_wide(const Operand& operand) const {
  return operand.kind == Operand::Kind::Register && bytes_of(function_.registers[operand.index].type) == 8;
}

std::uint32_t Decoder::register_slot(const Operand& operand, int bytes) const {
  if (operand.kind != Operand::Kind::Register) return none;
  const Type type = function_.registers[operand.index].type;
  const int has = type == Type::Pred ? 0 : std::max(bytes_of(type), 4);
  return has == bytes || (bytes < 0 && (has == 4 || has == 8)) ? slots_[operand.index] : none;
}

std::uint32_t Decoder::constant(std::uint64_t value, bool wide) {
  if (!wide) value = static_cast<std::uint32_t>(value);
  const auto [place, added] =
      (wide ? wide_ : narrow_)
          .try_emplace(value, static_cast<std::uint32_t>(code_.constants.size() * 8) | constant_bit);
  if (added) {
    const std::uint64_t words = wide ? value : value << 32 | value;
    code_.constants.insert(code_.constants.end(), wide ? 32 : 16, words);
  }
  return place->second;
}

std::uint64_t Decoder::literal(const Operand& operand, Type type) {
  if (operand.floating == 8 && bytes_of(type) == 4)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.value)));
  if (operand.floating == 4 && bytes_of(type) == 8)
    return std::bit_cast<std::uint64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.value))));
  return operand.value;
}

std::uint32_t Decoder::source_slot(const Operand& operand, int bytes, Type type) {
  if (operand.kind == Operand::Kind::Immediate) {
    if (bytes == 0) return constant(operand.value != 0 ? all_lanes : 0, false);
    return constant(literal(operand, type), bytes == 8);
  }
  if (operand.kind == Operand::Kind::Symbol && linkage_.module->names[operand.index] == "WARP_SZ")
    return constant(warp_lanes, bytes == 8);
  return register_slot(operand, bytes);
}

bool Decoder::named_address(const Operand& operand, Operand::Kind kind, std::uint64_t& address, Space& space,
                            bool& framed) const {
  framed = false;
  switch (kind) {
    case Operand::Kind::Parameter:
      space = Space::Param;
      framed = !function_.entry;
      address = function_.parameters[operand.index].offset + (framed ? 0 : window::parameters);
      break;
    case Operand::Kind::Result:
      space = Space::Param;
      framed = true;
      address = results_at_ + function_.results[operand.index].offset;
      break;
    case Operand::Kind::Variable: {
      const Variable& variable = function_.variables[operand.index];
      space = variable.space;
      framed = space != Space::Shared;
      if (space == Space::Shared) {
        address = linkage_.shared_at.at(&function_) + variable.offset;
      } else {
        address = (space == Space::Local ? variables_at_ : calls_at_) + variable.offset;
      }
      break;
    }
    case Operand::Kind::Symbol: {
      const auto found = linkage_.symbols.find(linkage_.module->names[operand.index]);
      if (found == linkage_.symbols.end()) return false;
      address = found->second.address;
      space = found->second.space;
      break;
    }
    default:
      return false;
  }
  address += operand.value;
  return true;
}

void Decoder::instruction(std::uint32_t number) {
  const Instruction& from = function_.instructions[number];
  Operation& op = code_.operations[number];
  const Spec spec = spec_of(linkage_.module->names[from.name]);
  if (from.guard >= 0) {
    op.guard = slots_[static_cast<std::size_t>(from.guard)];
    op.guard_negated = from.guard_negated;
  }
  const std::string_view base = spec.base;
  const bool known = base == "ld" || base == "ldu" || base == "st" ? load_or_store(spec, from, op)
                     : base == "atom" || base == "red"             ? atomic(spec, from, op)
                     : base == "cp"                                ? async_copy(spec, from, op)
                     : base == "tex"                               ? texture(spec, from, op)
                     : base == "cvta" || base == "isspacep"        ? convert_address(spec, from, op)
                     : base == "mov"                               ? move(spec, from, op)
                     : base == "mma" || base == "ldmatrix" || base == "movmatrix"
                         ? matrix(spec, from, op)
                         : control(spec, from, op) || warp_wide(spec, from, op) || arithmetic(spec, from, op);
  if (!known) op.flow = Flow::Unknown;
  if (known && is_approximate(spec)) {
    std::string& names = code_.approximations;
    const std::string& name = linkage_.module->names[from.name];
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
  }
}

bool Decoder::arithmetic(const Spec& given, const Instruction& from, Operation& op) {
  if (from.operand_count < 2) return false;
  Spec spec = given;
  spec.wide_result = is_wide(operand(from, 0));
  // A register may be wider than the type of a conversion's source.
  const bool to_wide = spec.type() == Type::S64 || spec.type() == Type::U64 || spec.type() == Type::B64;
  const bool of_word = spec.last_type() == Type::S32 || spec.last_type() == Type::U32;
  if (spec.base == "cvt" && to_wide && of_word && is_wide(operand(from, 1)) && !spec.has("sat")) {
    op.d = register_slot(operand(from, 0), 8);
    op.s[0] = register_slot(operand(from, 1), 8);
    op.sign_extended = spec.last_type() == Type::S32;
    op.run = &extend_low_word;
    return op.d != none;
  }
  for (const auto find :
       {&find_integer, &find_bits, &find_float, &find_half, &find_function, &find_conversion, &find_comparison})
    if (op.run == nullptr) op.run = find(spec);
  if (op.run == nullptr) return false;
  const int bytes = result_bytes(spec);
  int k = 1;
  if (operand(from, 0).kind != Operand::Kind::Sink || bytes != 0) {
    op.d = register_slot(operand(from, 0), bytes);
    if (op.d == none) return false;
  }
  if (operand(from, 1).joined) {
    k = 2;
    if (operand(from, 1).kind != Operand::Kind::Sink) {
      op.d2 = register_slot(operand(from, 1), 0);
      if (op.d2 == none || spec.base != "setp") return false;
    }
  }
  op.mode = mode_of(spec);
  if (spec.base == "cvt") {
    op.bytes = static_cast<std::uint8_t>(bytes_of(spec.type()));
    op.sign_extended = spec.type() >= Type::S8 && spec.type() <= Type::S64;
  }
  int sources = 0;
  for (; k < from.operand_count; ++k, ++sources) {
    const Operand& source = operand(from, k);
    if (spec.base == "lop3" && sources == 3) {
      if (source.kind != Operand::Kind::Immediate) return false;
      op.immediate = source.value;
      continue;
    }
    if (sources >= 4) return false;
    op.s[static_cast<std::size_t>(sources)] =
        source_slot(source, source_bytes(spec, sources),
                    spec.base == "cvt" || spec.base == "set" || spec.base == "setp" ? spec.last_type() : spec.type());
    if (op.s[static_cast<std::size_t>(sources)] == none) return false;
    if (source.negated) op.negated |= static_cast<std::uint8_t>(1 << sources);
  }
  return sources == expected_sources(spec);
}

bool Decoder::move(const Spec& spec, const Instruction& from, Operation& op) {
  if (from.operand_count != 2 || spec.type() == Type::None) return false;
  const Operand &to = operand(from, 0), &source = operand(from, 1);
  if (to.kind == Operand::Kind::List || source.kind == Operand::Kind::List) {
    const bool packs = source.kind == Operand::Kind::List;
    const Operand &list = packs ? source : to, &whole = packs ? to : source;
    const int bytes = bytes_of(spec.type());
    if (list.count == 0 || bytes % list.count != 0 || bytes > 8) return false;
    op.bytes = static_cast<std::uint8_t>(bytes / list.count);
    op.wide_lanes = bytes == 8;
    op.list = static_cast<std::uint32_t>(code_.slots.size());
    op.list_count = list.count;
    for (int k = 0; k < list.count; ++k) {
      const Operand& part = element(list, k);
      const std::uint32_t slot = part.kind == Operand::Kind::Sink ? none : source_slot(part, 4, spec.type());
      if (slot == none && (packs || part.kind != Operand::Kind::Sink)) return false;
      code_.slots.push_back(slot);
    }
    op.run = packs ? &pack_list : &unpack_list;
    (packs ? op.d : op.s[0]) =
        packs ? register_slot(whole, std::max(bytes, 4)) : source_slot(whole, std::max(bytes, 4), spec.type());
    return (packs ? op.d : op.s[0]) != none;
  }
  const bool named = source.kind == Operand::Kind::Symbol || source.kind == Operand::Kind::Variable ||
                     source.kind == Operand::Kind::Parameter || source.kind == Operand::Kind::Result;
  if (!named || (source.kind == Operand::Kind::Symbol && linkage_.module->names[source.index] == "WARP_SZ"))
    return arithmetic(spec, from, op);
  op.d = register_slot(to, -1);
  op.wide_lanes = is_wide(to);
  if (op.d == none) return false;
  if (source.kind == Operand::Kind::Symbol) {
    const Special special = special_named(linkage_.module->names[source.index]);
    if (special != Special::Unknown) {
      op.mode = static_cast<std::uint8_t>(special);
      op.run = &move_special;
      return true;
    }
  }
  Space space = Space::Generic;
  if (!named_address(source, source.kind, op.immediate, space, op.framed)) return false;
  op.run = &add_immediate;
  return true;
}

bool Decoder::convert_address(const Spec& spec, const Instruction& from, Operation& op) {
  if (from.operand_count != 2) return false;
  const Operand& source = operand(from, 1);
  const std::uint64_t base = spec.has("shared") || spec.has("shared::cta") ? window::shared
                             : spec.has("local")                           ? window::local
                                                                           : 0;
  if (spec.base == "isspacep") {
    op.d = register_slot(operand(from, 0), 0);
    op.s[0] = register_slot(source, 8);
    op.immediate = base != 0           ? base
                   : spec.has("param") ? window::parameters
                   : spec.has("const") ? window::variables
                                       : 0;
    op.run = &is_space;
    return op.d != none && op.s[0] != none;
  }
  op.d = register_slot(operand(from, 0), 8);
  op.wide_lanes = true;
  op.run = &add_immediate;
  if (op.d == none) return false;
  // Parameters of functions lie in local memory.
  const std::uint64_t added = base == 0 && spec.has("param") && !function_.entry ? window::local : base;
  Space space = Space::Generic;
  if (source.kind == Operand::Kind::Register) {
    op.s[0] = register_slot(source, 8);
    if (op.s[0] == none) return false;
  } else if (!named_address(source, source.kind, op.immediate, space, op.framed)) {
    return false;
  }
  op.immediate += spec.has("to") ? 0 - added : added;
  return true;
}

}  // namespace threadscape::warp
