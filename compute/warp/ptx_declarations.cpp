// The parts of the parser of PTX for what stands outside of bodies: variables, heads of functions, lines of sources.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "compute/warp/ptx_parser.h"

namespace threadscape::warp {
namespace {

std::uint64_t aligned(std::uint64_t offset, std::uint64_t align) {
  return (offset + align - 1) / align * align;
}

/// Gives each variable of a list its offset, and returns the end of the last one.
std::uint64_t lay_out(std::vector<Variable>& list) {
  std::uint64_t end = 0;
  for (Variable& variable : list) {
    variable.offset = aligned(end, variable.align);
    end = variable.offset + variable.bytes;
  }
  return end;
}

bool is_linkage(std::string_view word) {
  return word == ".visible" || word == ".extern" || word == ".weak" || word == ".common";
}

}  // namespace

Module PtxParser::parse() {
  module_.files.emplace_back();
  module_.locations.emplace_back();
  function_labels_.emplace_back();
  while (lexer_.peek().kind != Token::Kind::End)
    top_level();
  if (module_.version.empty()) fail_at(1, "the text has no .version");
  for (std::size_t i = 0; i < module_.locations.size(); ++i) {
    const auto found = debug_labels_.find(function_labels_[i].first);
    if (found != debug_labels_.end()) module_.locations[i].function = found->second + function_labels_[i].second + 1;
  }
  return std::move(module_);
}

void PtxParser::top_level() {
  bool external = false;
  while (is_linkage(lexer_.peek().text))
    external |= lexer_.take().text == ".extern";
  const std::string_view word = lexer_.word("a directive");
  if (word == ".version") {
    module_.version = std::string(lexer_.take().text);
  } else if (word == ".target") {
    module_.target = std::string(lexer_.word("an architecture"));
    while (lexer_.accept(","))
      lexer_.take();
  } else if (word == ".address_size") {
    if (lexer_.integer("the size of addresses") != 64) lexer_.fail("addresses have to have 64 bits");
  } else if (word == ".file") {
    file();
  } else if (word == ".section") {
    section();
  } else if (word == ".loc") {
    location();
  } else if (word == ".entry" || word == ".func") {
    function(word == ".entry");
  } else if (word == ".pragma" || word == ".alias") {
    lexer_.skip_statement();
  } else if (word == ".global" || word == ".const" || word == ".shared") {
    const Space space = word == ".global" ? Space::Global : word == ".const" ? Space::Const : Space::Shared;
    do {
      module_.variables.push_back(variable(space));
      module_.variables.back().external = external;
    } while (lexer_.accept(","));
    lexer_.expect(";");
  } else {
    lexer_.fail("the directive \"" + std::string(word.substr(0, 60)) + "\" is not known");
  }
}

void PtxParser::function(bool entry) {
  Function function;
  function.entry = entry;
  if (!entry && lexer_.accept("(")) parameters(function.results);
  function.name = std::string(lexer_.word("a name"));
  if (lexer_.accept("(")) parameters(function.parameters);
  lay_out(function.results);
  function.parameter_bytes = lay_out(function.parameters);
  performance_directives(function);
  if (lexer_.accept(";")) {
    module_.functions.push_back(std::move(function));
    return;
  }
  lexer_.expect("{");
  function.defined = true;
  place_ = 0;
  body(function);
  module_.functions.push_back(std::move(function));
}

void PtxParser::performance_directives(Function& function) {
  while (lexer_.peek().kind == Token::Kind::Word) {
    const std::string_view word = lexer_.take().text;
    if (word == ".pragma") {
      lexer_.skip_statement();
      continue;
    }
    std::uint64_t product = 1;
    bool any = false;
    while (lexer_.peek().kind == Token::Kind::Number || lexer_.peek().is(",")) {
      if (lexer_.accept(",")) continue;
      product *= lexer_.integer("a number");
      any = true;
    }
    if (any && (word == ".maxntid" || word == ".reqntid")) function.max_threads = static_cast<std::uint32_t>(product);
  }
}

void PtxParser::parameters(std::vector<Variable>& list) {
  if (lexer_.accept(")")) return;
  do {
    list.push_back(parameter());
    if (list.size() > 4096) lexer_.fail("a function has more than 4096 parameters");
  } while (lexer_.accept(","));
  lexer_.expect(")");
}

Variable PtxParser::parameter() {
  if (lexer_.peek().is(".reg")) lexer_.fail("parameters in registers are not supported");
  lexer_.expect(".param");
  return variable(Space::Param);
}

Variable PtxParser::variable(Space space) {
  Variable variable;
  variable.space = space;
  std::uint32_t elements = 1;
  std::uint32_t pointed = 0;  // The alignment behind .ptr is that of what a parameter points to.
  while (lexer_.peek().text.starts_with('.')) {
    const std::string_view word = lexer_.take().text;
    if (word == ".align") {
      const std::uint64_t align = lexer_.integer("an alignment");
      if (!std::has_single_bit(align) || align > 4096) lexer_.fail("an alignment is a power of two up to 4096");
      if (pointed == 0) variable.align = static_cast<std::uint32_t>(align);
    } else if (word == ".ptr") {
      pointed = 1;
    } else if (word == ".v2" || word == ".v4") {
      elements = word == ".v2" ? 2 : 4;
    } else if (word == ".attribute") {
      lexer_.expect("(");
      while (!lexer_.accept(")"))
        if (lexer_.take().kind == Token::Kind::End) lexer_.fail("an attribute has no end");
    } else if (word == ".texref" || word == ".samplerref" || word == ".surfref") {
      variable.type = Type::B64;
    } else if (const Type type = type_named(word.substr(1)); type != Type::None) {
      variable.type = type;
    } else if (word != ".global" && word != ".const" && word != ".shared" && word != ".local") {
      lexer_.fail("\"" + std::string(word.substr(0, 60)) + "\" is not known in a declaration");
    }
  }
  variable_name_ = lexer_.word("a name");
  variable.name = std::string(variable_name_);
  variable.bytes = std::uint64_t{elements} * static_cast<std::uint64_t>(bytes_of(variable.type));
  variable.align = std::max(variable.align, static_cast<std::uint32_t>(variable.bytes));
  dimensions(variable);
  if (lexer_.accept("=")) initialiser(variable);
  variable_bytes_ += variable.bytes;
  if (variable_bytes_ > PtxLimits::variable_bytes) lexer_.fail("the variables have more than 1 GiB");
  return variable;
}

void PtxParser::dimensions(Variable& variable) {
  while (lexer_.accept("[")) {
    std::uint64_t count = 0;  // Empty brackets belong to shared memory whose size the launch states.
    if (!lexer_.peek().is("]")) count = lexer_.integer("a number of elements");
    lexer_.expect("]");
    if (count > PtxLimits::variable_bytes || variable.bytes * count > PtxLimits::variable_bytes)
      lexer_.fail("the variable " + variable.name.substr(0, 60) + " has more than 1 GiB");
    variable.bytes *= count;
  }
}

void PtxParser::initialiser(Variable& variable) {
  variable.initial.resize(variable.bytes);
  const std::uint64_t step = static_cast<std::uint64_t>(bytes_of(variable.type));
  std::uint64_t at = 0;
  int depth = 0;
  do {
    while (lexer_.accept("{"))
      ++depth;
    if (!lexer_.peek().is("}")) {
      if (at + step > variable.bytes) lexer_.fail("the variable has fewer elements than values");
      initial_value(variable, at);
      at += step;
    }
    while (depth > 0 && lexer_.accept("}"))
      --depth;
  } while (depth > 0 && lexer_.accept(","));
  if (depth != 0) lexer_.fail("expected \"}\" at the end of the values");
}

void PtxParser::initial_value(Variable& variable, std::uint64_t at) {
  const auto bytes = static_cast<std::size_t>(bytes_of(variable.type));
  const bool negative = lexer_.accept("-");
  if (lexer_.peek().kind == Token::Kind::Number) {
    const Token token = lexer_.take();
    std::uint64_t value = negative ? 0 - token.value : token.value;
    if (token.floating != 0 && negative) value = token.value ^ (std::uint64_t{1} << (token.floating * 8 - 1));
    if (token.floating == 8 && bytes == 4)
      value = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value)));
    std::memcpy(variable.initial.data() + at, &value, std::min<std::size_t>(bytes, 8));
    return;
  }
  Variable::Reference reference{.at = at};
  std::string_view name = lexer_.word("a value");
  if (name == "generic" && lexer_.accept("(")) {
    reference.generic = true;
    name = lexer_.word("a name");
    lexer_.expect(")");
  }
  reference.name = std::string(name);
  if (lexer_.accept("+")) reference.added = static_cast<std::int64_t>(lexer_.integer("an offset"));
  if (bytes != 8) lexer_.fail("an address has eight bytes");
  variable.references.push_back(std::move(reference));
}

void PtxParser::section() {
  const bool strings = lexer_.word("the name of a section") == ".debug_str";
  lexer_.expect("{");
  while (!lexer_.accept("}")) {
    const Token token = lexer_.take();
    if (token.kind == Token::Kind::End) lexer_.fail("a section has no end");
    if (!strings) continue;
    if (token.is(".b8")) {
      do
        module_.debug_strings.push_back(static_cast<char>(lexer_.integer("a byte")));
      while (lexer_.accept(","));
    } else if (token.kind == Token::Kind::Word && lexer_.accept(":")) {
      debug_labels_[token.text] = static_cast<std::uint32_t>(module_.debug_strings.size());
    }
  }
  module_.debug_strings.push_back('\0');
}

void PtxParser::file() {
  const std::uint64_t number = lexer_.integer("the number of a file");
  if (number > 65535) lexer_.fail("the number of a file is above 65535");
  if (lexer_.peek().kind != Token::Kind::String) lexer_.fail("expected the name of a file");
  if (module_.files.size() <= number) module_.files.resize(number + 1);
  module_.files[number] = std::string(lexer_.take().text);
  while (lexer_.accept(","))
    lexer_.integer("a number");
}

std::uint32_t PtxParser::location_number(const Location& location) {
  const std::array<std::uint64_t, 3> key{
      static_cast<std::uint64_t>(location.file) << 32 | static_cast<std::uint32_t>(location.line),
      static_cast<std::uint64_t>(location.column), static_cast<std::uint64_t>(location.inlined_at)};
  const auto [place, added] = places_.try_emplace(key, static_cast<std::uint32_t>(module_.locations.size()));
  if (added) {
    module_.locations.push_back(location);
    function_labels_.emplace_back();
  }
  return place->second;
}

void PtxParser::location() {
  const auto place = [&] {
    Location read;
    read.file = static_cast<int>(lexer_.integer("the number of a file") & 0xffff);
    read.line = static_cast<int>(lexer_.integer("a line") & 0x7fffffff);
    read.column = static_cast<int>(lexer_.integer("a column") & 0xffff);
    return read;
  };
  Location read = place();
  std::pair<std::string_view, std::uint32_t> label;
  int depth = 0;
  while (lexer_.accept(",")) {
    const std::string_view word = lexer_.word("\"function_name\" or \"inlined_at\"");
    if (word == "function_name") {
      label.first = lexer_.word("a label");
      if (lexer_.accept("+")) label.second = static_cast<std::uint32_t>(lexer_.integer("an offset"));
    } else if (word == "inlined_at") {
      const Location call = place();
      // A call that was inlined itself is written without the place of that, which the last directive there has.
      const auto inlined = inlined_.find({call.file, call.line, call.column});
      const bool nested = inlined != inlined_.end() && inlined->second.depth < PtxLimits::inlined;
      read.inlined_at = static_cast<int>(nested ? inlined->second.location : location_number(call));
      depth = nested ? inlined->second.depth + 1 : 1;
    } else {
      lexer_.fail("expected \"function_name\" or \"inlined_at\"");
    }
  }
  place_ = location_number(read);
  if (read.inlined_at != 0) inlined_[{read.file, read.line, read.column}] = {.location = place_, .depth = depth};
  if (!label.first.empty()) function_labels_[place_] = label;
}

}  // namespace threadscape::warp
