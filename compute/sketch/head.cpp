#include "compute/sketch/head.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "compute/core/errors.h"
#include "compute/core/suggestion.h"
#include "compute/sketch/head_text.h"

namespace threadscape::sketch {

namespace {

constexpr std::array<std::string_view, 19> keys{"sketch", "title",   "reads",  "makes",  "param", "constant", "temp",
                                                "block",  "threads", "blocks", "shared", "pass",  "for",      "end",
                                                "halo",   "need",    "check",  "kernel", "note"};

struct Entry {
  std::string key;
  std::string_view value;
  bool continues = false;  ///< It stands behind another entry in its line.
  int line = 0;
};

/// An enumerator by its name. Throws UsageError with the list of names.
template <class E, std::size_t n>
E find_name(std::string_view what, std::string_view word, const std::array<std::pair<std::string_view, E>, n>& all) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : all) {
    if (name == word) return value;
    names.push_back(name);
  }
  throw UsageError("'" + std::string(word) + "' is no " + std::string(what) + ": " + suggestion_and_list(word, names));
}

constexpr std::array kinds{
    std::pair{std::string_view("picture"), Kind::image}, std::pair{std::string_view("heightfield"), Kind::heightfield},
    std::pair{std::string_view("volume"), Kind::volume}, std::pair{std::string_view("sequence"), Kind::sequence},
    std::pair{std::string_view("number"), Kind::scalar}, std::pair{std::string_view("mesh"), Kind::mesh},
    std::pair{std::string_view("nothing"), Kind::none}};
constexpr std::array elements{
    std::pair{std::string_view("u8"), Element::u8},   std::pair{std::string_view("u16"), Element::u16},
    std::pair{std::string_view("u32"), Element::u32}, std::pair{std::string_view("i32"), Element::i32},
    std::pair{std::string_view("i64"), Element::i64}, std::pair{std::string_view("f32"), Element::f32},
    std::pair{std::string_view("f64"), Element::f64}};
/// The names for the extents of data in expressions.
const std::vector<const char*> extent_names{"width", "height", "depth", "count"}, mesh_names{"vertices", "triangles"};
constexpr std::array colours{std::pair{std::string_view("gray"), 1}, std::pair{std::string_view("rgb"), 4}};

/// Reads the lines of a head one after another.
class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : file_(file) {
    int number = 0;
    while (!text.empty()) {
      std::string_view line = take_line(text);
      ++number;
      if (line.empty()) continue;
      if (!line.starts_with("//")) break;
      line.remove_prefix(2);
      if (line.size() > 1000)
        throw UsageError(file_ + ":" + std::to_string(number) + ": a line of the head has at most 1000 characters");
      at(number, [&] { add_entries(trimmed(line), number); });
    }
  }

  Head read() {
    if (entries_.empty() || entries_.front().key != "sketch")
      throw UsageError(file_ + ": the first line of a sketch is '// sketch: NAME'");
    // Sizes may use parameters, and launches data, that are declared behind them.
    for (const Entry& entry : entries_)
      if (entry.key == "param" || entry.key == "constant")
        at(entry.line, [&] { read_parameter(entry.value, entry.key == "constant"); });
    // Expressions know what the input has.
    const bool of_mesh = std::ranges::any_of(
        entries_, [](const Entry& entry) { return entry.key == "reads" && entry.value.starts_with("mesh"); });
    for (const char* name : of_mesh ? mesh_names : extent_names)
      names_[name] = 1;
    for (const bool data : {true, false})
      for (const Entry& entry : entries_)
        if (data == (entry.key == "reads" || entry.key == "makes" || entry.key == "temp"))
          at(entry.line, [&] { read_entry(entry); });
    const int last = entries_.back().line;
    at(last, [&] { finish(last); });
    return std::move(head_);
  }

 private:
  /// Calls f, and puts file and line in front of the message of its errors.
  template <class F>
  void at(int line, const F& f) const {
    try {
      f();
    } catch (const UsageError& error) {
      throw UsageError(file_ + ":" + std::to_string(line) + ": " + error.what());
    }
  }

  void add_entries(std::string_view line, int number) {
    for (bool continues = false; !line.empty(); continues = true) {
      const std::size_t next = next_entry(line);
      const std::string_view entry = trimmed(line.substr(0, next));
      line = next == std::string_view::npos ? std::string_view() : line.substr(next);
      const std::size_t colon = entry.find(':');
      const std::string key(trimmed(entry.substr(0, colon)));
      const bool known = std::ranges::find(keys, key) != keys.end();
      if (!known || (colon == std::string_view::npos && key != "end"))
        throw UsageError("'" + key.substr(0, 40) + "' is no key of the head: " + suggestion_and_list(key, keys) +
                         "; an empty line that is no comment ends the head");
      if (entries_.size() == 256) throw UsageError("the head has more than 256 entries");
      entries_.push_back(
          {.key = key,
           .value = colon == std::string_view::npos ? entry.substr(entry.size()) : trimmed(entry.substr(colon + 1)),
           .continues = continues,
           .line = number});
    }
  }

  /// Throws unless a name is free, and keeps it.
  void take(const std::string& name) {
    if (name.empty()) throw UsageError("a name is missing");
    const bool reserved = name == "in" || name == "out" || name == "x" || name == "width" || name == "height" ||
                          name == "depth" || name == "count" || name == "vertices" || name == "triangles" ||
                          name == "seed";
    if (reserved || !taken_.insert(name).second) throw UsageError("the name '" + name + "' is taken");
  }

  void read_parameter(std::string_view value, bool constant) {
    Parameter one;
    one.constant = constant;
    one.help = take_help(value);
    const std::optional<std::string_view> range = take_parentheses(value);
    one.name = take_name(value);
    take(one.name);
    if (!value.starts_with('=')) throw UsageError("'=' and a value are missing behind '" + one.name + "'");
    value = trimmed(value.substr(1));
    if (value.empty()) throw UsageError("the value of '" + one.name + "' is missing");
    if (value == "true" || value == "false") {
      one.type = Parameter::Type::flag;
      one.integer = value == "true" ? 1 : 0;
    } else if (const std::size_t dots = range ? range->find("..") : std::string_view::npos;
               dots != std::string_view::npos) {
      read_number(value, range->substr(0, dots), range->substr(dots + 2), one);
    } else if (range && range->find('|') != std::string_view::npos) {
      one.type = Parameter::Type::choice;
      one.choices = split(*range, '|');
      const auto found = std::ranges::find(one.choices, value);
      if (found == one.choices.end()) throw UsageError("'" + std::string(value) + "' is none of the choices");
      one.integer = static_cast<int>(found - one.choices.begin());
    } else {
      throw UsageError("'" + one.name + "' needs a range as in (1..8), or choices as in (zero | clamp)");
    }
    if (constant && one.type != Parameter::Type::list)
      throw UsageError("'" + one.name + "' is no list: constant is for lists of numbers, as in 1, 2, 1, 2, ... (0..9)");
    if (one.type != Parameter::Type::list && one.type != Parameter::Type::real) names_[one.name] = 1;
    head_.parameters.push_back(std::move(one));
  }

  static void read_number(std::string_view value, std::string_view lo, std::string_view hi, Parameter& one) {
    for (const std::string& number : split(value, ','))
      one.values.push_back(static_cast<float>(parse_number(number)));
    one.lo = parse_number(lo);
    one.hi = parse_number(hi);
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(one.values.size()))));
    const bool point = value.find_first_of(".e") != std::string_view::npos ||
                       lo.find_first_of(".e") != std::string_view::npos ||
                       hi.find_first_of(".e") != std::string_view::npos;
    one.type = one.values.size() > 1 ? Parameter::Type::list : point ? Parameter::Type::real : Parameter::Type::integer;
    if (one.type == Parameter::Type::list && (side * side != one.values.size() || side > 63))
      throw UsageError("'" + one.name + "' has " + std::to_string(one.values.size()) +
                       " numbers: a list has as many as a square of up to 63x63");
    for (const float number : one.values)
      if (!(number >= static_cast<float>(one.lo) && number <= static_cast<float>(one.hi)))
        throw UsageError("the value of '" + one.name + "' is outside of its range");
    if (one.type != Parameter::Type::integer) return;
    if (one.lo < -2147483648.0 || one.hi > 2147483647.0) throw UsageError("an integer has 32 bits");
    one.integer = static_cast<int>(parse_number(value));
  }

  DataType read_type(std::string_view value) {
    DataType type;
    const std::optional<std::string_view> size = take_parentheses(value);
    std::vector<std::string> words;
    while (!value.empty()) {
      std::string word = take_name(value);
      if (word.empty()) throw UsageError("'" + std::string(value.substr(0, 30)) + "': a type, as in picture gray u8");
      words.push_back(std::move(word));
    }
    if (words.empty()) throw UsageError("a type is missing, as in picture gray u8");
    type.kind = find_name("kind of data", words.front(), kinds);
    const bool picture = type.kind == Kind::image;
    const std::size_t count = type.kind == Kind::none || type.kind == Kind::mesh ? 1 : picture ? 3 : 2;
    if (words.size() != count)
      throw UsageError(
          "a type is 'picture gray u8', 'picture rgb f32', 'heightfield f32', 'volume f32', 'sequence "
          "i32', 'number i64', 'mesh' or 'nothing'");
    if (count > 1) type.element = find_name("type of numbers", words.back(), elements);
    if (type.kind == Kind::mesh) type.element = Element::u32;
    if (picture) type.channels = find_name("colour", words[1], colours);
    const bool fits = type.kind == Kind::image
                          ? type.element == Element::u8 || type.element == Element::u16 || type.element == Element::f32
                          : true;
    if (!fits) throw UsageError("pictures have u8, u16 or f32");
    if (size) type.size = split_sizes(*size, names_);
    return type;
  }

  void read_temporary(std::string_view value) {
    Temporary one;
    one.name = take_name(value);
    take(one.name);
    if (!value.starts_with('=')) throw UsageError("'=' and a type are missing behind '" + one.name + "'");
    one.type = read_type(value.substr(1));
    if (one.type.kind == Kind::none) throw UsageError("'" + one.name + "' is nothing");
    if (one.type.kind == Kind::mesh) throw UsageError("'" + one.name + "' is a mesh, which is only read");
    head_.temporaries.push_back(std::move(one));
  }

  std::string expression(std::string_view text) {
    std::string_view rest = text;
    check_expression(rest, names_);
    if (!trimmed(rest).empty()) throw UsageError("'" + std::string(rest.substr(0, 30)) + "' is superfluous");
    return std::string(trimmed(text));
  }

  void read_pass(std::string_view value, int line) {
    Statement pass = defaults_;
    pass.line = line;
    const std::size_t open = value.find('(');
    if (open == std::string_view::npos || !value.ends_with(')'))
      throw UsageError("a pass is a kernel with its arguments, as in blur(in, out, radius)");
    pass.kernel = trimmed(value.substr(0, open));
    const std::string_view list = trimmed(value.substr(open + 1, value.size() - open - 2));
    if (!list.empty()) pass.arguments = split(list, ',');
    std::string_view kernel = pass.kernel;
    if (take_name(kernel).empty()) throw UsageError("the name of a kernel is missing before '('");
    names_["seed"] = 1;
    for (const std::string& argument : pass.arguments)
      if (!is_data(argument) && !is_parameter(argument)) (void)expression(argument);
    names_.erase("seed");
    head_.statements.push_back(std::move(pass));
  }

  [[nodiscard]] bool is_data(const std::string& name) const {
    return (name == "in" && head_.reads.kind != Kind::none) || name == "out" ||
           std::ranges::find(head_.temporaries, name, &Temporary::name) != head_.temporaries.end();
  }
  [[nodiscard]] bool is_parameter(const std::string& name) const {
    const auto found = std::ranges::find(head_.parameters, name, &Parameter::name);
    return found != head_.parameters.end() && !found->constant;
  }

  void read_loop(std::string_view value, int line) {
    Statement loop;
    loop.kind = Statement::Kind::loop;
    loop.line = line;
    const std::vector<std::string> parts = split(value, ';');
    if (parts.size() != 3) throw UsageError("a loop is 'k = FIRST; CONDITION; NEXT', as in k = 1; k < count; k * 2");
    std::string_view first = parts[0];
    loop.variable = take_name(first);
    if (loop.variable.empty() || !first.starts_with('='))
      throw UsageError("a loop is 'k = FIRST; CONDITION; NEXT', as in k = 1; k < count; k * 2");
    take(loop.variable);
    loop.first = expression(first.substr(1));
    names_[loop.variable] = 1;
    loop.condition = expression(parts[1]);
    loop.next = expression(parts[2]);
    loops_.push_back(loop.variable);
    if (loops_.size() > 8) throw UsageError("loops are nested more than 8 levels deep");
    head_.statements.push_back(std::move(loop));
  }

  void read_end(int line) {
    if (loops_.empty()) throw UsageError("'end' without 'for'");
    names_.erase(loops_.back());
    taken_.erase(loops_.back());
    loops_.pop_back();
    Statement end;
    end.kind = Statement::Kind::end;
    end.line = line;
    head_.statements.push_back(std::move(end));
  }

  /// An attribute of launches: that of the pass in its line, else of all that follow.
  void read_launch(const Entry& entry) {
    const bool own = entry.continues && in_pass_;
    Statement& of = own ? head_.statements.back() : defaults_;
    if (entry.key == "shared") {
      of.shared = expression(entry.value);
      return;
    }
    std::vector<std::string> sizes = split_sizes(entry.value, names_);
    if (entry.key == "block") {
      of.block = std::move(sizes);
      return;
    }
    // One of the two takes the place of the other.
    of.threads.clear();
    of.blocks.clear();
    (entry.key == "threads" ? of.threads : of.blocks) = std::move(sizes);
  }

  void read_check(std::string_view value) {
    const std::size_t end = value.find(' ');
    head_.check_algorithm = value.substr(0, end);
    value = end == std::string_view::npos ? std::string_view() : value.substr(end);
    if (head_.check_algorithm.empty()) throw UsageError("the name of an algorithm is missing");
    for (const std::string& part : split(value, ' ')) {
      if (part.empty()) continue;
      const std::size_t equals = part.find('=');
      if (equals == std::string::npos || equals == 0)
        throw UsageError("'" + part + "': a parameter and its value, as in size=3 or size=(2 * radius + 1)");
      std::string text = part.substr(equals + 1);
      if (text.starts_with('(')) (void)expression(text);
      head_.check_values.emplace_back(part.substr(0, equals), std::move(text));
    }
  }

  void read_entry(const Entry& entry) {
    if (!entry.continues) in_pass_ = false;
    const std::string_view value = entry.value;
    if (entry.key != "param" && entry.key != "constant" && entry.key != "temp" && entry.key != "pass" &&
        entry.key != "for" && entry.key != "end" && entry.key != "need" && entry.key != "note" && !is_launch(entry) &&
        !once_.insert(entry.key).second)
      throw UsageError("'" + entry.key + "' stands twice in the head");
    if (entry.key == "sketch") read_name(value);
    if (entry.key == "title") head_.title = value;
    if (entry.key == "reads") head_.reads = read_type(value);
    if (entry.key == "makes") head_.makes = read_type(value);
    if (entry.key == "temp") read_temporary(value);
    if (is_launch(entry)) read_launch(entry);
    if (entry.key == "kernel") kernel_ = value;
    if (entry.key == "pass") read_pass(value, entry.line);
    if (entry.key == "for") read_loop(value, entry.line);
    if (entry.key == "end") read_end(entry.line);
    if (entry.key == "halo") head_.halo = expression(value);
    if (entry.key == "check") read_check(value);
    if (entry.key == "need") {
      std::string_view condition = value;
      std::string message = take_help(condition);
      if (message.empty()) throw UsageError("a need has a message, as in: pow2(count) == count  \"a power of two\"");
      head_.needs.push_back({expression(condition), std::move(message)});
    }
    if (entry.key == "pass") in_pass_ = true;
  }

  static bool is_launch(const Entry& entry) {
    return entry.key == "block" || entry.key == "threads" || entry.key == "blocks" || entry.key == "shared";
  }

  void read_name(std::string_view value) {
    const bool fits =
        !value.empty() && value.size() <= 40 && value.front() >= 'a' && value.front() <= 'z' &&
        std::ranges::all_of(value, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
    if (!fits) throw UsageError("the name of a sketch has 1 to 40 small letters, digits and _");
    head_.name = value;
    if (head_.title.empty()) head_.title = value;
  }

  void finish(int last) {
    if (head_.makes.kind == Kind::none) throw UsageError("the head does not say what the sketch makes");
    for (const Temporary& one : head_.temporaries)
      if (head_.reads.kind == Kind::mesh && one.type.size.empty() && one.type.kind != Kind::scalar)
        throw UsageError("'" + one.name + "' beside a mesh needs a size, as in: heightfield u32 (64 x 64)");
    if (head_.makes.kind == Kind::mesh) throw UsageError("a mesh is only read");
    const bool sized = !head_.makes.size.empty() || head_.makes.kind == Kind::scalar;
    if ((head_.reads.kind == Kind::none || head_.reads.kind == Kind::mesh) && !sized)
      throw UsageError(
          "a sketch that reads nothing or a mesh says how large its result is, as in: makes: picture gray u8 (64 x "
          "64)");
    if (!head_.reads.size.empty()) throw UsageError("the input states its size itself");
    if (!loops_.empty()) throw UsageError("'end' is missing");
    const bool has_pass =
        std::ranges::any_of(head_.statements, [](const Statement& one) { return one.kind == Statement::Kind::pass; });
    if (has_pass && !kernel_.empty()) throw UsageError("'kernel' is for sketches without 'pass'");
    if (!has_pass) {
      // A kernel gets the input, the result, and the parameters in their order.
      Statement pass = defaults_;
      pass.line = last;
      pass.kernel = kernel_;
      if (head_.reads.kind != Kind::none) pass.arguments.emplace_back("in");
      pass.arguments.emplace_back("out");
      for (const Parameter& one : head_.parameters)
        if (!one.constant) pass.arguments.push_back(one.name);
      head_.statements.push_back(std::move(pass));
    }
    for (Statement& one : head_.statements)
      if (one.kind == Statement::Kind::pass && one.block.empty()) {
        const bool flat = head_.makes.kind == Kind::sequence || head_.makes.kind == Kind::scalar;
        one.block = flat ? std::vector<std::string>{"256"} : std::vector<std::string>{"32", "8"};
      }
  }

  const std::string& file_;
  std::vector<Entry> entries_;
  Head head_;
  Statement defaults_;  ///< The launch attributes of the passes that follow.
  std::string kernel_;
  std::set<std::string> taken_;     ///< Names of parameters, buffers and open loops.
  std::set<std::string> once_;      ///< Keys that have occurred.
  std::vector<std::string> loops_;  ///< The variables of the loops that are open.
  Names names_;                     ///< The names that expressions may use.
  bool in_pass_ = false;            ///< A pass stands in the line.
};

}  // namespace

bool is_sketch(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (line.empty()) continue;
    if (!line.starts_with("//")) return false;
    return trimmed(line.substr(2)).starts_with("sketch:");
  }
  return false;
}

Head parse_head(std::string_view text, const std::string& file) {
  if (text.size() > max_sketch_bytes)
    throw UsageError(file + ": a sketch has at most " + std::to_string(max_sketch_bytes >> 20) + " MiB");
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    throw UsageError(file + ":" + std::to_string(1 + std::ranges::count(text.substr(0, zero), '\n')) +
                     ": a byte that is 0, so that this is no text");
  Head head = Reader(text, file).read();
  for (Statement& one : head.statements) {
    if (one.kind != Statement::Kind::pass || !one.kernel.empty()) continue;
    // A source for the CPU has no __global__; its function has the name of the sketch.
    const std::vector<std::string> kernels = kernels_of(text);
    if (kernels.size() > 1)
      throw UsageError(file + ": there are " + std::to_string(kernels.size()) +
                       " kernels: name one by 'kernel: NAME', or launch them by 'pass: NAME(ARGUMENTS)'");
    one.kernel = kernels.empty() ? head.name : kernels.front();
  }
  return head;
}

}  // namespace threadscape::sketch
