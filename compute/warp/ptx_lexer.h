#pragma once
// The tokens of a text in PTX.

#include <cstdint>
#include <string>
#include <string_view>

namespace threadscape::warp {

struct Token {
  enum class Kind : std::uint8_t { End, Word, Number, String, Mark };
  Kind kind = Kind::End;
  std::string_view text;      ///< Of a string, without its quotation marks.
  std::uint64_t value = 0;    ///< Of a number: an integer, or the bits of a float.
  std::uint8_t floating = 0;  ///< The bytes of a floating-point number, 4 or 8; 0 for integers.
  std::uint32_t line = 1;

  [[nodiscard]] bool is(std::string_view expected) const { return kind != Kind::String && text == expected; }
};

/// Reads tokens one after the other. A word contains periods, as in "ld.global.u32" and "%tid.x", so that an operation
/// is one token.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  /// The token that is read next.
  [[nodiscard]] const Token& peek() const { return next_; }
  /// Returns the next token and goes on behind it.
  Token take();
  /// Goes on behind the next token if it is that text.
  bool accept(std::string_view text);
  /// Takes a token that has to be that text.
  void expect(std::string_view text);
  /// Takes a word, which `what` describes in the message if there is none.
  std::string_view word(std::string_view what);
  /// Takes an integer, which may have a sign.
  std::uint64_t integer(std::string_view what);
  /// Goes on behind the next `;`.
  void skip_statement();
  [[noreturn]] void fail(const std::string& message) const;

 private:
  void advance();
  void skip_space();
  void number();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  Token next_;
};

/// Throws UsageError with the number of the line before the message.
[[noreturn]] void fail_at(std::uint32_t line, const std::string& message);

}  // namespace threadscape::warp
