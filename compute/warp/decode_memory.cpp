// Decoding of loads, stores, atomic operations and copies.

#include <algorithm>
#include <cstring>

#include "compute/warp/decoder.h"

namespace threadscape::warp {
namespace {

Space space_of(const Spec& spec) {
  if (spec.has("global")) return Space::Global;
  if (spec.has("shared") || spec.has("shared::cta")) return Space::Shared;
  if (spec.has("local")) return Space::Local;
  if (spec.has("const")) return Space::Const;
  return spec.has("param") || spec.has("param::entry") || spec.has("param::func") ? Space::Param : Space::Generic;
}

char cache_of(const Spec& spec) {
  constexpr std::string_view names[] = {"ca", "cg", "cs", "lu", "cv", "wb", "wt"};
  const auto* const found =
      std::find_if(std::begin(names), std::end(names), [&](std::string_view name) { return spec.has(name); });
  return found == std::end(names) ? '\0' : found->front() == 'c' ? (*found)[1] : found->front();
}

bool is_signed_type(Type type) {
  return type == Type::S8 || type == Type::S16 || type == Type::S32 || type == Type::S64;
}

}  // namespace

bool Decoder::address_operand(const Operand& operand, Operation& op, int slot) {
  if (operand.kind != Operand::Kind::Address) return false;
  std::uint32_t& base = op.s[static_cast<std::size_t>(slot)];
  if (operand.base == Operand::Kind::Immediate) {
    op.immediate = operand.value;
    return true;
  }
  if (operand.base == Operand::Kind::Register) {
    Operand reg = operand;
    reg.kind = Operand::Kind::Register;
    op.wide_address = is_wide(reg);
    base = register_slot(reg, op.wide_address ? 8 : 4);
    op.immediate = operand.value;
    return base != none;
  }
  Space space = op.space;
  if (!named_address(operand, operand.base, op.immediate, space, op.framed)) return false;
  if (op.space == Space::Generic) op.space = space;
  return true;
}

bool Decoder::memory_registers(const Operand& operand, Operation& op) {
  const bool list = operand.kind == Operand::Kind::List;
  const int count = list ? operand.count : 1;
  if (count != op.elements) return false;
  op.list = static_cast<std::uint32_t>(code_.slots.size());
  op.list_count = static_cast<std::uint32_t>(count);
  op.wide_lanes = op.bytes == 8;
  for (int k = 0; k < count; ++k)
    op.wide_lanes |= is_wide(list ? element(operand, k) : operand);
  for (int k = 0; k < count; ++k) {
    const Operand& one = list ? element(operand, k) : operand;
    std::uint32_t slot = none;
    if (one.kind != Operand::Kind::Sink) {
      slot = source_slot(one, op.wide_lanes ? 8 : 4, op.bytes == 8 ? Type::F64 : Type::F32);
      if (slot == none) return false;
    }
    code_.slots.push_back(slot);
  }
  return true;
}

bool Decoder::load_argument(const Spec& spec, const Instruction& from, Operation& op, std::uint64_t at) {
  // The arguments of a kernel are constants of the launch.
  const Operand& to = operand(from, 0);
  const bool list = to.kind == Operand::Kind::List;
  op.list = static_cast<std::uint32_t>(code_.slots.size());
  op.list_count = op.elements;
  std::vector<std::uint32_t> sources;
  for (int k = 0; k < op.elements; ++k) {
    const Operand& one = list ? element(to, k) : to;
    const std::uint64_t begin = at + static_cast<std::uint64_t>(k) * op.bytes;
    if (begin + op.bytes > function_.parameter_bytes) return false;
    op.wide_lanes |= is_wide(one);
    code_.slots.push_back(register_slot(one, -1));
    if (code_.slots.back() == none) return false;
    sources.push_back(argument(
        {.at = begin, .bytes = op.bytes, .sign_extended = is_signed_type(spec.last_type()), .wide = is_wide(one)}));
  }
  for (int k = 0; k < op.elements; ++k)
    if (is_wide(list ? element(to, k) : to) != op.wide_lanes) return false;
  code_.slots.insert(code_.slots.end(), sources.begin(), sources.end());
  op.run = &move_list;
  return true;
}

std::uint32_t Decoder::argument(Code::Argument argument) {
  argument.slot = static_cast<std::uint32_t>(code_.constants.size() * 8) | constant_bit;
  code_.constants.resize(code_.constants.size() + (argument.wide ? 32 : 16));
  code_.arguments.push_back(argument);
  return argument.slot;
}

void fill_arguments(const Code& kernel, const std::vector<std::byte>& arguments,
                    std::vector<std::uint64_t>& constants) {
  for (const Code::Argument& argument : kernel.arguments) {
    std::uint64_t value = 0;
    std::memcpy(&value, arguments.data() + argument.at, argument.bytes);
    const int unused = 64 - 8 * argument.bytes;
    if (argument.sign_extended)
      value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
    const std::uint64_t words = argument.wide ? value : value << 32 | (value & 0xffffffff);
    std::fill_n(constants.begin() + (argument.slot & ~constant_bit) / 8, argument.wide ? 32 : 16, words);
  }
}

bool Decoder::load_or_store(const Spec& spec, const Instruction& from, Operation& op) {
  if (from.operand_count < 2) return false;
  const bool is_load = spec.base != "st";
  op.space = space_of(spec);
  op.elements = spec.has("v2") ? 2 : spec.has("v4") ? 4 : spec.has("v8") ? 8 : 1;
  const int bytes = bytes_of(spec.last_type());
  if (bytes == 0 || bytes > 8 || spec.last_type() == Type::Pred) return false;
  op.bytes = static_cast<std::uint8_t>(bytes);
  op.sign_extended = is_signed_type(spec.last_type());
  op.cache = cache_of(spec);
  op.read_only_path = spec.has("nc");
  op.mode = spec.has("volatile") || spec.has("relaxed") || spec.has("acquire") || spec.has("release") ? 1 : 0;
  op.releases = spec.has("release");
  const Operand& address = operand(from, is_load ? 1 : 0);
  if (!address_operand(address, op, 0)) return false;
  if (op.space == Space::Param && function_.entry && is_load && !op.framed && op.s[0] == none)
    return load_argument(spec, from, op, op.immediate - window::parameters);
  if (op.space == Space::Param && function_.entry && !op.framed) op.space = Space::Generic;
  if (!memory_registers(operand(from, is_load ? 0 : 1), op)) return false;
  op.counted_bytes = static_cast<std::uint8_t>(bytes * op.elements);
  op.run = is_load ? &load : &store;
  return true;
}

bool Decoder::atomic(const Spec& spec, const Instruction& from, Operation& op) {
  constexpr std::string_view names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"};
  const auto* const found =
      std::find_if(std::begin(names), std::end(names), [&](std::string_view name) { return spec.has(name); });
  const bool returns = spec.base == "atom";
  const int first = returns ? 1 : 0;
  if (found == std::end(names) || from.operand_count < first + 2 || spec.has("v2") || spec.has("v4")) return false;
  op.mode = static_cast<std::uint8_t>(found - std::begin(names));
  const Type type = spec.last_type();
  const int bytes = bytes_of(type);
  if (bytes < 2 || bytes > 8) return false;
  op.bytes = static_cast<std::uint8_t>(bytes);
  op.space = space_of(spec);
  op.target = static_cast<std::uint32_t>(type);
  op.releases = spec.has("release") || spec.has("acq_rel");
  const int lane = std::max(bytes, 4);
  if (!address_operand(operand(from, first), op, 0)) return false;
  op.s[1] = source_slot(operand(from, first + 1), lane, type);
  if (op.s[1] == none) return false;
  if (static_cast<Atomic>(op.mode) == Atomic::Cas) {
    if (from.operand_count < first + 3) return false;
    op.s[2] = source_slot(operand(from, first + 2), lane, type);
    if (op.s[2] == none) return false;
  }
  if (returns && operand(from, 0).kind != Operand::Kind::Sink) {
    op.d = register_slot(operand(from, 0), lane);
    if (op.d == none) return false;
  }
  op.wide_lanes = lane == 8;
  op.run = &warp::atomic;
  return true;
}

bool Decoder::async_copy(const Spec& spec, const Instruction& from, Operation& op) {
  if (!spec.has("async") || spec.has("bulk") || spec.has("mbarrier")) return false;
  if (spec.has("commit_group") || spec.has("wait_group") || spec.has("wait_all")) {
    op.run = spec.has("commit_group") ? &commit_copies : &wait_for_copies;
    op.mode = spec.has("wait_all") ? 1 : 0;
    if (!spec.has("wait_group")) return true;
    if (from.operand_count != 1 || operand(from, 0).kind != Operand::Kind::Immediate) return false;
    op.immediate = operand(from, 0).value;
    return true;
  }
  if (from.operand_count < 3 || operand(from, 2).kind != Operand::Kind::Immediate) return false;
  // The address in global memory is the one of the operation; that in shared memory is its second source.
  Operation to;
  to.space = Space::Shared;
  op.space = Space::Global;
  if (!address_operand(operand(from, 0), to, 0) || !address_operand(operand(from, 1), op, 0)) return false;
  if (to.s[0] == none || to.immediate > none) return false;
  op.s[1] = to.s[0];
  op.target = static_cast<std::uint32_t>(to.immediate);
  op.negated = to.wide_address ? 1 : 0;
  const std::uint64_t bytes = operand(from, 2).value;
  if (bytes != 4 && bytes != 8 && bytes != 16) return false;
  op.bytes = static_cast<std::uint8_t>(bytes);
  if (from.operand_count > 3) {
    op.s[2] = source_slot(operand(from, 3), 4, Type::U32);
    if (op.s[2] == none) return false;
  }
  op.cache = spec.has("cg") ? 'g' : 'a';
  op.run = &copy_async;
  return true;
}

bool Decoder::texture(const Spec& spec, const Instruction& from, Operation& op) {
  // tex.1d.v4.u32.s32 {d, ...}, [texture, {x}] and tex.2d.v4.u32.f32 {d, ...}, [texture, {x, y}].
  const bool plane = spec.has("2d");
  if (!(plane || spec.has("1d")) || !spec.has("v4") || from.operand_count != 3 || spec.types.size() != 2) return false;
  const bool of_words = spec.types[0] == Type::U32 || spec.types[0] == Type::S32;
  const bool floating = spec.types[1] == Type::F32;
  const Operand &to = operand(from, 0), &handle = operand(from, 1), &at = operand(from, 2);
  if (!of_words || !(floating || spec.types[1] == Type::S32) || handle.base != Operand::Kind::Register ||
      to.kind != Operand::Kind::List || to.count != 4 || at.kind != Operand::Kind::List || at.count < (plane ? 2 : 1))
    return false;
  Operand texture = handle;
  texture.kind = Operand::Kind::Register;
  op.s[0] = register_slot(texture, 8);
  op.s[1] = source_slot(element(at, 0), 4, spec.types[1]);
  if (plane) op.s[2] = source_slot(element(at, 1), 4, spec.types[1]);
  op.mode = floating ? 1 : 0;
  op.run = &fetch_texture;
  return op.s[0] != none && op.s[1] != none && lists(from, op, 0, 0);
}

}  // namespace threadscape::warp
