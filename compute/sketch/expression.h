#pragma once
// Integer expressions in the heads of sketches, which state sizes, launches and loops.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::sketch {

/// The values of the names that expressions may use.
using Names = std::map<std::string, std::int64_t, std::less<>>;

/// Evaluates an expression of C over 64-bit integers: + - * / % << >> < <= > >= == != && || ! and parentheses, min(a,
/// b), max(a, b), log2(n), the exponent of the largest power of two up to n, and pow2(n), the smallest power of two
/// from n on. Takes the text of the expression from the front of `text`, which may go on behind it. Throws UsageError
/// for a wrong expression, an unknown name, a division by zero, and results beyond 64 bits.
[[nodiscard]] std::int64_t evaluate(std::string_view& text, const Names& names);
/// Evaluates an expression that is the whole text.
[[nodiscard]] std::int64_t value_of(std::string_view text, const Names& names);
/// Throws what evaluate() throws for the text alone, whatever values the names have. Takes it from the front of `text`.
void check_expression(std::string_view& text, const Names& known);

/// The texts of one to three expressions between which stands x, as in "32x8" and "width x height". Throws UsageError.
[[nodiscard]] std::vector<std::string> split_sizes(std::string_view text, const Names& known);

/// The text without the spaces around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// Takes a name, as C has them, from the front of the text, with the spaces around it; "" if there is none.
[[nodiscard]] std::string take_name(std::string_view& text);

}  // namespace threadscape::sketch
