#include "compute/warp/ptx_lexer.h"

#include <bit>
#include <charconv>

#include "compute/core/errors.h"
#include "compute/core/printable.h"

namespace threadscape::warp {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' || c == '.' ||
         c == '%';
}

/// A token as messages show it.
std::string shown(const Token& token) {
  if (token.kind == Token::Kind::End) return "the end of the text";
  return "\"" + printable(std::string(token.text.substr(0, 60))) + "\"";
}

}  // namespace

void fail_at(std::uint32_t line, const std::string& message) {
  throw UsageError("PTX line " + std::to_string(line) + ": " + message);
}

void Lexer::fail(const std::string& message) const {
  fail_at(next_.line, message);
}

void Lexer::skip_space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0') {
      ++at_;
    } else if (text_.substr(at_, 2) == "//") {
      const std::size_t end = text_.find('\n', at_);
      at_ = end == std::string_view::npos ? text_.size() : end;
    } else if (text_.substr(at_, 2) == "/*") {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) fail_at(line_, "a comment has no end");
      for (; at_ < end + 2; ++at_)
        line_ += text_[at_] == '\n' ? 1 : 0;
    } else {
      return;
    }
  }
}

void Lexer::number() {
  const std::size_t begin = at_;
  std::size_t end = at_;
  while (end < text_.size() && is_word(text_[end]))
    ++end;
  const std::string_view all = text_.substr(begin, end - begin);
  at_ = end;
  next_ = {.kind = Token::Kind::Number, .text = all, .line = line_};
  const char mark = all.size() > 1 && all[0] == '0' ? static_cast<char>(all[1] | 0x20) : '\0';
  const auto bad = [&] { fail_at(line_, shown(next_) + " is no number"); };
  const auto digits = [&](std::string_view text, int base) {
    const char* last = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), last, next_.value, base);
    if (error != std::errc() || stop != last || text.empty()) bad();
  };
  if ((mark == 'f' && all.size() == 10) || (mark == 'd' && all.size() == 18)) {
    digits(all.substr(2), 16);
    next_.floating = mark == 'f' ? 4 : 8;
    return;
  }
  std::string_view whole = all;
  if (whole.back() == 'U') whole.remove_suffix(1);
  if (mark == 'x') {
    digits(whole.substr(2), 16);
  } else if (mark == 'b') {
    digits(whole.substr(2), 2);
  } else if (all.find_first_of(".eE") != std::string_view::npos) {
    double value = 0;
    const auto [stop, error] = std::from_chars(all.data(), all.data() + all.size(), value);
    if (error != std::errc() || stop != all.data() + all.size()) bad();
    next_.value = std::bit_cast<std::uint64_t>(value);
    next_.floating = 8;
  } else {
    digits(whole, whole.size() > 1 && whole[0] == '0' ? 8 : 10);
  }
}

void Lexer::advance() {
  skip_space();
  next_ = {.line = line_};
  if (at_ == text_.size()) return;
  const char c = text_[at_];
  if (is_digit(c)) {
    number();
    return;
  }
  const std::size_t begin = at_;
  if (c == '"') {
    const std::size_t end = text_.find_first_of("\"\n", begin + 1);
    if (end == std::string_view::npos || text_[end] == '\n') fail_at(line_, "a string has no end");
    next_ = {.kind = Token::Kind::String, .text = text_.substr(begin + 1, end - begin - 1), .line = line_};
    at_ = end + 1;
    return;
  }
  if (!is_word(c)) {
    next_ = {.kind = Token::Kind::Mark, .text = text_.substr(begin, 1), .line = line_};
    ++at_;
    return;
  }
  // A double colon belongs to a word, as in "shared::cta"; a single one ends a label.
  while (at_ < text_.size() && (is_word(text_[at_]) || text_.substr(at_, 2) == "::"))
    at_ += text_[at_] == ':' ? 2 : 1;
  next_ = {.kind = Token::Kind::Word, .text = text_.substr(begin, at_ - begin), .line = line_};
}

Token Lexer::take() {
  const Token token = next_;
  advance();
  return token;
}

bool Lexer::accept(std::string_view text) {
  if (!next_.is(text)) return false;
  advance();
  return true;
}

void Lexer::expect(std::string_view text) {
  if (!accept(text)) fail("expected \"" + std::string(text) + "\" before " + shown(next_));
}

std::string_view Lexer::word(std::string_view what) {
  if (next_.kind != Token::Kind::Word) fail("expected " + std::string(what) + " before " + shown(next_));
  return take().text;
}

std::uint64_t Lexer::integer(std::string_view what) {
  const bool negative = accept("-");
  if (next_.kind != Token::Kind::Number || next_.floating != 0)
    fail("expected " + std::string(what) + " before " + shown(next_));
  const std::uint64_t value = take().value;
  return negative ? 0 - value : value;
}

void Lexer::skip_statement() {
  while (next_.kind != Token::Kind::End && !next_.is(";"))
    advance();
  expect(";");
}

}  // namespace threadscape::warp
