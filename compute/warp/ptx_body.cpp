// The parts of the parser of PTX for the bodies of functions.

#include <algorithm>
#include <charconv>

#include "compute/warp/ptx_parser.h"

namespace threadscape::warp {
namespace {

/// Lists of operands are nested at most that deep: a list within an address within an instruction.
constexpr int max_depth = 4;

/// The length of a name without the digits that end it, as in "%rd12".
std::size_t stem_length(std::string_view name) {
  std::size_t length = name.size();
  while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9')
    --length;
  return length;
}

}  // namespace

void PtxParser::body(Function& function) {
  scopes_.clear();
  inlined_.clear();
  scopes_.emplace_back();
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    scopes_[0].names[function.parameters[i].name] = {Operand::Kind::Parameter, static_cast<std::uint32_t>(i), 0};
  for (std::size_t i = 0; i < function.results.size(); ++i)
    scopes_[0].names[function.results[i].name] = {Operand::Kind::Result, static_cast<std::uint32_t>(i), 0};
  while (!scopes_.empty())
    statement(function);
  if (function.location == 0 && !function.instructions.empty()) function.location = function.instructions[0].location;
}

void PtxParser::statement(Function& function) {
  if (lexer_.accept("{")) {
    if (scopes_.size() >= PtxLimits::scopes) lexer_.fail("scopes are nested more than 64 deep");
    const std::uint64_t bytes = scopes_.back().param_bytes;
    scopes_.emplace_back().param_bytes = bytes;
    return;
  }
  if (lexer_.accept("}")) {
    close_scope(function);
    return;
  }
  if (lexer_.accept(";")) return;
  if (lexer_.peek().is("@") || lexer_.peek().kind != Token::Kind::Word) {
    instruction(function);
    return;
  }
  const std::string_view word = lexer_.peek().text;
  if (word[0] != '.') {
    instruction(function);
    return;
  }
  lexer_.take();
  if (word == ".reg") {
    registers(function);
  } else if (word == ".loc") {
    location();
    if (function.location == 0) function.location = place_;
  } else if (word == ".local" || word == ".shared" || word == ".param" || word == ".global" || word == ".const") {
    local_variables(function, word == ".local"    ? Space::Local
                              : word == ".shared" ? Space::Shared
                              : word == ".global" ? Space::Global
                              : word == ".const"  ? Space::Const
                                                  : Space::Param);
  } else if (word == ".pragma") {
    lexer_.skip_statement();
  } else if (word == ".file") {
    file();
  } else {
    lexer_.fail("the directive \"" + std::string(word.substr(0, 60)) + "\" is not known in a body");
  }
}

void PtxParser::registers(Function& function) {
  Type type = Type::None;
  while (lexer_.peek().text.starts_with('.'))
    if (const Type read = type_named(lexer_.take().text.substr(1)); read != Type::None) type = read;
  if (type == Type::None) lexer_.fail("expected the type of registers");
  do {
    const std::string_view name = lexer_.word("a register");
    std::uint64_t count = 0;
    if (lexer_.accept("<")) {
      count = lexer_.integer("a number of registers");
      lexer_.expect(">");
    }
    const std::uint64_t all = std::max<std::uint64_t>(count, 1);
    if (all > PtxLimits::registers || register_count_ + all > PtxLimits::registers)
      lexer_.fail("the text has more than a million registers");
    register_count_ += all;
    scopes_.back().names[name] = {Operand::Kind::Register, static_cast<std::uint32_t>(function.registers.size()),
                                  static_cast<std::uint32_t>(count)};
    for (std::uint64_t i = 0; i < all; ++i)
      function.registers.push_back({std::string(name) + (count == 0 ? "" : std::to_string(i)), type});
  } while (lexer_.accept(","));
  lexer_.expect(";");
}

void PtxParser::local_variables(Function& function, Space space) {
  do {
    Variable read = variable(space);
    if (space == Space::Global || space == Space::Const) {
      module_.variables.push_back(std::move(read));
      continue;
    }
    // Parameters of calls in different scopes share their places.
    std::uint64_t& end = space == Space::Shared  ? function.shared_bytes
                         : space == Space::Local ? function.local_bytes
                                                 : scopes_.back().param_bytes;
    read.offset = (end + read.align - 1) / read.align * read.align;
    end = read.offset + read.bytes;
    function.call_bytes = std::max(function.call_bytes, scopes_.back().param_bytes);
    const auto index = static_cast<std::uint32_t>(function.variables.size());
    function.variables.push_back(std::move(read));
    scopes_.back().names[variable_name_] = {Operand::Kind::Variable, index, 0};
  } while (lexer_.accept(","));
  lexer_.expect(";");
}

void PtxParser::label(Function& function, std::string_view name) {
  if (lexer_.peek().is(".callprototype") || lexer_.peek().is(".calltargets")) {
    lexer_.skip_statement();
    return;
  }
  if (lexer_.accept(".branchtargets")) {
    branch_targets(function, name);
    return;
  }
  const auto index = static_cast<std::uint32_t>(function.labels.size());
  if (!scopes_.back().labels.try_emplace(name, index).second)
    lexer_.fail("the label " + std::string(name.substr(0, 60)) + " is there twice");
  function.labels.push_back(static_cast<std::uint32_t>(function.instructions.size()));
}

void PtxParser::branch_targets(Function& function, std::string_view name) {
  Function::Table table{.name = std::string(name)};
  do {
    const std::uint32_t line = lexer_.peek().line;
    scopes_.back().waits.push_back({lexer_.word("a label"), static_cast<std::uint32_t>(table.labels.size()),
                                    static_cast<std::int32_t>(function.tables.size()), line});
    table.labels.push_back(0);
  } while (lexer_.accept(","));
  lexer_.expect(";");
  function.tables.push_back(std::move(table));
}

void PtxParser::close_scope(Function& function) {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  for (const Scope::Wait& wait : scope.waits) {
    const auto found = scope.labels.find(wait.label);
    if (found == scope.labels.end()) {
      if (scopes_.empty()) fail_at(wait.line, "the label " + std::string(wait.label.substr(0, 60)) + " is missing");
      scopes_.back().waits.push_back(wait);
    } else if (wait.table >= 0) {
      function.tables[static_cast<std::size_t>(wait.table)].labels[wait.at] = found->second;
    } else {
      function.operands[wait.at].index = found->second;
    }
  }
}

void PtxParser::instruction(Function& function) {
  Instruction made;
  made.ptx_line = lexer_.peek().line;
  if (lexer_.accept("@")) {
    made.guard_negated = lexer_.accept("!");
    Operand guard;
    name_operand(lexer_.word("a predicate"), guard);
    if (guard.kind != Operand::Kind::Register || function.registers[guard.index].type != Type::Pred)
      lexer_.fail("expected a predicate behind \"@\"");
    made.guard = static_cast<std::int32_t>(guard.index);
  }
  const std::string_view name = lexer_.word("an instruction");
  if (made.guard < 0 && lexer_.accept(":")) {
    label(function, name);
    return;
  }
  if (++instruction_count_ > PtxLimits::instructions) lexer_.fail("the text has more than two million instructions");
  made.name = name_number(name);
  made.location = place_;
  std::vector<Operand> operands;
  operand_list(function, operands, ";", 0);
  if (operands.size() > 255) lexer_.fail("an instruction has more than 255 operands");
  made.operands = static_cast<std::uint32_t>(function.operands.size());
  made.operand_count = static_cast<std::uint8_t>(operands.size());
  const bool branch = name == "bra" || name.starts_with("bra.") || name.starts_with("brx.");
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Operand& target = operands[i];
    if (!branch || target.kind != Operand::Kind::Symbol) continue;
    if (name.starts_with("brx.")) continue;  // The symbol is the name of the table.
    // The keys of names_ are parts of the text, and so live as long as the parser.
    const std::string_view label = names_.find(module_.names[target.index])->first;
    target.kind = Operand::Kind::Label;
    scopes_.back().waits.push_back({label, made.operands + static_cast<std::uint32_t>(i), -1, made.ptx_line});
  }
  function.operands.insert(function.operands.end(), operands.begin(), operands.end());
  function.instructions.push_back(made);
}

void PtxParser::operand_list(Function& function, std::vector<Operand>& out, std::string_view end, int depth) {
  if (depth > max_depth) lexer_.fail("operands are nested too deep");
  bool joined = false;
  while (!lexer_.accept(end)) {
    const std::size_t at = out.size();
    operand(function, out, depth);
    if (out.size() > 4096) lexer_.fail("an instruction has too many operands");
    out[at].joined = joined;
    joined = lexer_.peek().is("|");
    if (!joined && !lexer_.peek().is(",")) {
      lexer_.expect(end);
      return;
    }
    lexer_.take();
  }
}

void PtxParser::operand(Function& function, std::vector<Operand>& out, int depth) {
  const bool braces = lexer_.accept("{");
  if (braces || lexer_.accept("(")) {
    std::vector<Operand> elements;
    operand_list(function, elements, braces ? "}" : ")", depth + 1);
    if (elements.size() > 255) lexer_.fail("a list has more than 255 elements");
    out.push_back({.kind = Operand::Kind::List,
                   .count = static_cast<std::uint8_t>(elements.size()),
                   .index = static_cast<std::uint32_t>(function.operands.size())});
    function.operands.insert(function.operands.end(), elements.begin(), elements.end());
    return;
  }
  if (lexer_.accept("[")) {
    address(function, out, depth);
    return;
  }
  Operand read;
  read.negated = lexer_.accept("!");
  const bool negative = !read.negated && lexer_.accept("-");
  if (lexer_.peek().kind == Token::Kind::Number) {
    const Token token = lexer_.take();
    read.kind = Operand::Kind::Immediate;
    read.floating = token.floating;
    read.value = token.value;
    if (negative && token.floating != 0) {
      read.value ^= std::uint64_t{1} << (token.floating * 8 - 1);
    } else if (negative) {
      read.value = 0 - read.value;
    }
  } else {
    read.negated |= negative;
    name_operand(lexer_.word("an operand"), read);
    if (lexer_.accept("+")) read.value = lexer_.integer("an offset");
  }
  out.push_back(read);
}

void PtxParser::address(Function& function, std::vector<Operand>& out, int depth) {
  Operand base;
  if (lexer_.peek().kind == Token::Kind::Number || lexer_.peek().is("-")) {
    base.kind = Operand::Kind::Immediate;
    base.value = lexer_.integer("an address");
  } else {
    name_operand(lexer_.word("an address"), base);
  }
  Operand made = base;
  made.kind = Operand::Kind::Address;
  made.base = base.kind;
  if (lexer_.accept("+")) {
    made.value += lexer_.integer("an offset");
  } else if (lexer_.peek().is("-")) {
    made.value += lexer_.integer("an offset");
  }
  out.push_back(made);
  if (lexer_.accept(",")) {
    operand_list(function, out, "]", depth + 1);
  } else {
    lexer_.expect("]");
  }
}

const PtxParser::Scope::Name* PtxParser::find(std::string_view name, std::uint32_t& number) const {
  const std::size_t length = stem_length(name);
  const bool ranged = length > 0 && length < name.size() && name.size() - length < 10;
  number = 0;
  if (ranged) std::from_chars(name.data() + length, name.data() + name.size(), number);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->names.find(name); found != scope->names.end() && found->second.count == 0) {
      number = 0;
      return &found->second;
    }
    if (!ranged) continue;
    const auto found = scope->names.find(name.substr(0, length));
    if (found != scope->names.end() && number < found->second.count) return &found->second;
  }
  return nullptr;
}

void PtxParser::name_operand(std::string_view name, Operand& out) {
  if (name == "_") {
    out.kind = Operand::Kind::Sink;
    return;
  }
  std::uint32_t number = 0;
  if (const Scope::Name* found = find(name, number)) {
    out.kind = found->kind;
    out.index = found->index + number;
    return;
  }
  out.kind = Operand::Kind::Symbol;
  out.index = name_number(name);
}

std::uint32_t PtxParser::name_number(std::string_view name) {
  const auto [place, added] = names_.try_emplace(name, static_cast<std::uint32_t>(module_.names.size()));
  if (added) module_.names.emplace_back(name);
  return place->second;
}

}  // namespace threadscape::warp
