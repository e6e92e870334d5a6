#include "compute/sketch/expression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "compute/core/errors.h"
#include "compute/core/suggestion.h"

namespace threadscape::sketch {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A binary operator with its precedence; larger ones bind more tightly.
struct Operator {
  std::string_view text;
  int precedence;
};
/// Longer texts come before those that they begin with.
constexpr std::array operators{Operator{"<<", 5}, Operator{">>", 5}, Operator{"<=", 4}, Operator{">=", 4},
                               Operator{"==", 3}, Operator{"!=", 3}, Operator{"&&", 2}, Operator{"||", 1},
                               Operator{"<", 4},  Operator{">", 4},  Operator{"+", 6},  Operator{"-", 6},
                               Operator{"*", 7},  Operator{"/", 7},  Operator{"%", 7}};

class Evaluator {
 public:
  Evaluator(std::string_view& text, const Names& names, bool dry) : text_(text), names_(names), dry_(dry) {}

  std::int64_t binary(int precedence) {
    if (++depth_ > 100) throw UsageError("the expression is nested more than 100 levels deep");
    std::int64_t left = unary();
    while (const Operator* found = next_operator()) {
      if (found->precedence < precedence) break;
      text_.remove_prefix(found->text.size());
      left = apply(found->text, left, binary(found->precedence + 1));
    }
    --depth_;
    return left;
  }

 private:
  void skip_spaces() {
    while (!text_.empty() && is_space(text_.front()))
      text_.remove_prefix(1);
  }

  const Operator* next_operator() {
    skip_spaces();
    const auto found =
        std::ranges::find_if(operators, [&](const Operator& one) { return text_.starts_with(one.text); });
    return found == operators.end() ? nullptr : &*found;
  }

  void expect(char c) {
    skip_spaces();
    if (!text_.starts_with(c)) throw UsageError(std::string("'") + c + "' is missing before '" + rest() + "'");
    text_.remove_prefix(1);
  }

  [[nodiscard]] std::string rest() const { return std::string(text_.substr(0, 30)); }

  std::int64_t unary() {
    if (++depth_ > 100) throw UsageError("the expression is nested more than 100 levels deep");
    skip_spaces();
    std::int64_t value = 0;
    if (text_.starts_with('-')) {
      text_.remove_prefix(1);
      value = apply("-", 0, unary());
    } else if (text_.starts_with('!')) {
      text_.remove_prefix(1);
      value = unary() == 0 ? 1 : 0;
    } else if (text_.starts_with('(')) {
      text_.remove_prefix(1);
      value = binary(0);
      expect(')');
    } else if (!text_.empty() && is_digit(text_.front())) {
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (error != std::errc()) throw UsageError("the number '" + rest() + "' is too large");
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    } else {
      value = named();
    }
    --depth_;
    return value;
  }

  std::int64_t named() {
    const std::string before = rest();
    const std::string name = take_name(text_);
    if (name.empty()) throw UsageError("a number or a name is missing before '" + before + "'");
    if (text_.starts_with('(')) return call(name);
    if (const auto found = names_.find(name); found != names_.end()) return found->second;
    std::vector<std::string_view> known;
    for (const auto& [one, value] : names_)
      known.push_back(one);
    throw UsageError("'" + name + "' is unknown: " + suggestion_and_list(name, known, ", "));
  }

  std::int64_t call(const std::string& name) {
    text_.remove_prefix(1);
    const std::int64_t first = binary(0);
    if (name == "min" || name == "max") {
      expect(',');
      const std::int64_t second = binary(0);
      expect(')');
      return name == "min" ? std::min(first, second) : std::max(first, second);
    }
    expect(')');
    if (name != "log2" && name != "pow2") throw UsageError("'" + name + "' is no function: min, max, log2, pow2");
    if (dry_) return 1;
    if (first < 1 || first > std::int64_t{1} << 62) throw UsageError(name + "() takes 1 to 2^62");
    const auto bits = static_cast<std::uint64_t>(first);
    return name == "log2" ? std::bit_width(bits) - 1 : static_cast<std::int64_t>(std::bit_ceil(bits));
  }

  [[nodiscard]] std::int64_t apply(std::string_view op, std::int64_t a, std::int64_t b) const {
    if (dry_) return 1;
    std::int64_t result = 0;
    bool wrong = false;
    if (op == "+") wrong = __builtin_add_overflow(a, b, &result);
    if (op == "-") wrong = __builtin_sub_overflow(a, b, &result);
    if (op == "*") wrong = __builtin_mul_overflow(a, b, &result);
    if (op == "/" || op == "%") {
      if (b == 0) throw UsageError("a division by zero");
      wrong = b == -1 && __builtin_sub_overflow(std::int64_t{0}, a, &result);
      if (b != -1) result = op == "/" ? a / b : a % b;
      if (b == -1 && op == "%") result = 0;
    }
    if (op == "<<" || op == ">>") {
      wrong = b < 0 || b > 62 || a < 0 || (op == "<<" && a > INT64_MAX >> b);
      if (!wrong) result = op == "<<" ? a << b : a >> b;
    }
    if (wrong) throw UsageError("a result beyond 64 bits");
    if (op == "<") result = a < b;
    if (op == "<=") result = a <= b;
    if (op == ">") result = a > b;
    if (op == ">=") result = a >= b;
    if (op == "==") result = a == b;
    if (op == "!=") result = a != b;
    if (op == "&&") result = a != 0 && b != 0;
    if (op == "||") result = a != 0 || b != 0;
    return result;
  }

  std::string_view& text_;
  const Names& names_;
  bool dry_;  ///< Nothing is computed; the text alone is checked.
  int depth_ = 0;
};

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_space(text.back()))
    text.remove_suffix(1);
  return text;
}

std::string take_name(std::string_view& text) {
  text = trimmed(text);
  std::size_t size = 0;
  while (size < text.size() && (is_letter(text[size]) || (size > 0 && is_digit(text[size]))))
    ++size;
  std::string name(text.substr(0, size));
  text = trimmed(text.substr(size));
  return name;
}

std::int64_t evaluate(std::string_view& text, const Names& names) {
  return Evaluator(text, names, false).binary(0);
}

std::int64_t value_of(std::string_view text, const Names& names) {
  const std::int64_t value = evaluate(text, names);
  if (!trimmed(text).empty()) throw UsageError("'" + std::string(text.substr(0, 30)) + "' is superfluous");
  return value;
}

void check_expression(std::string_view& text, const Names& known) {
  (void)Evaluator(text, known, true).binary(0);
}

std::vector<std::string> split_sizes(std::string_view text, const Names& known) {
  std::vector<std::string> sizes;
  while (true) {
    const std::string_view whole = text;
    check_expression(text, known);
    sizes.emplace_back(trimmed(whole.substr(0, static_cast<std::size_t>(text.data() - whole.data()))));
    text = trimmed(text);
    if (text.empty()) return sizes;
    if (!text.starts_with('x') || sizes.size() == 3)
      throw UsageError("'" + std::string(text.substr(0, 30)) + "': one to three sizes with x between them, as in 32x8");
    text.remove_prefix(1);
  }
}

}  // namespace threadscape::sketch
