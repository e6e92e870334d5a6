#include "compute/warp/wmma.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <vector>

namespace threadscape::warp {

namespace {

using Names = std::vector<std::string_view>;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_space(text.back()))
    text.remove_suffix(1);
  return text;
}
/// The parts of a text between a separator, except within braces and brackets.
Names parts_of(std::string_view text, char separator) {
  Names parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '{' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == '}' || text[i] == ']')) --depth;
    if (i < text.size() && (text[i] != separator || depth != 0)) continue;
    parts.push_back(without_blanks(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}
/// What stands within braces or brackets; empty if there are none.
std::string_view within(std::string_view text, char open, char close) {
  if (text.size() < 2 || text.front() != open || text.back() != close) return {};
  return without_blanks(text.substr(1, text.size() - 2));
}
bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// An instruction whose registers are the fragments of one lane. Lane 4 g + t has two neighbours of each 8 x 8 part:
/// the elements 2 t and 2 t + 1 of its row g.
class Expansion {
 public:
  Expansion(std::string_view name, std::string_view operands)
      : names_(parts_of(name, '.')), operands_(parts_of(operands, ',')) {}

  /// Nothing for other forms.
  std::optional<std::string> text() {
    if (names_.size() < 6 || !has(names_, "m16n16k16") || has(names_, "satfinite")) return {};
    const bool known = names_[1] == "mma" ? multiply() : names_[1] == "load" || names_[1] == "store" ? move() : false;
    if (!known) return {};
    return "{ " + text_ + "}";
  }

 private:
  void say(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
      text_ += part;
    text_ += "; ";
  }
  [[nodiscard]] static std::string list(const Names& all, std::size_t first, std::size_t count) {
    std::string text = "{";
    for (std::size_t i = first; i < first + count; ++i)
      text.append(i == first ? "" : ", ").append(all[i]);
    return text + "}";
  }

  bool multiply() {
    if (operands_.size() != 4) return false;
    std::array<Names, 4> lists;
    for (std::size_t k = 0; k < 4; ++k)
      lists[k] = parts_of(within(operands_[k], '{', '}'), ',');
    const auto& [d, a, b, c] = lists;
    const bool brain = has(names_, "bf16"), single = names_.back() == "f32";
    const std::string_view sum = single ? "f32" : "f16", type = brain ? "bf16" : "f16";
    // The names end with the types: those of D and C for half precision, or of D, A, B and C.
    if (brain ? !single || names_[names_.size() - 4] != "f32" : names_[names_.size() - 2] != sum) return false;
    const std::size_t sums = single ? 8 : 4;
    if (d.size() != sums || c.size() != sums || a.size() < 4 || b.size() < 4) return false;
    for (std::size_t half = 0; half < 2; ++half)
      say({"mma.sync.aligned.m16n8k16.row.col.", sum, ".", type, ".", type, ".", sum, " ",
           list(d, half * sums / 2, sums / 2), ", ", list(a, 0, 4), ", ", list(b, 2 * half, 2), ", ",
           list(c, half * sums / 2, sums / 2)});
    return true;
  }

  bool move() {
    const bool loads = names_[1] == "load";
    if (operands_.size() != 2 && operands_.size() != 3) return false;
    const Names registers = parts_of(within(operands_[loads ? 0 : 1], '{', '}'), ',');
    const std::string_view address = within(operands_[loads ? 1 : 0], '[', ']');
    const std::string_view stride = operands_.size() == 3 ? operands_[2] : "16";
    const std::string_view matrix = names_[2], type = names_.back();
    const bool column = has(names_, "col"), single = type == "f32";
    if (address.empty() || !(single || type == "f16" || (type == "bf16" && matrix != "c" && matrix != "d")))
      return false;
    if (single ? registers.size() != 8 || (matrix != "c" && matrix != "d") : registers.size() < 4) return false;
    space_ = has(names_, "global") ? ".global" : has(names_, "shared") || has(names_, "shared::cta") ? ".shared" : "";
    begin_address(address);
    if (single)
      move_single(loads, column, registers, stride);
    else
      move_halves(loads, matrix == "b", column, registers, stride);
    return true;
  }
  /// Makes %wmma_a the address of the matrix, and finds g and t of the lane.
  void begin_address(std::string_view address) {
    const std::size_t plus = address.find('+');
    const std::string_view base = without_blanks(address.substr(0, plus));
    text_ += ".reg .b32 %wmma_l, %wmma_g, %wmma_t, %wmma_o, %wmma_h; .reg .b64 %wmma_a, %wmma_b, %wmma_d, %wmma_s; ";
    if (base.starts_with("%r") && !base.starts_with("%rd"))
      say({"cvt.u64.u32 %wmma_a, ", base});
    else
      say({"mov.u64 %wmma_a, ", base});
    if (plus != std::string_view::npos) say({"add.s64 %wmma_a, %wmma_a, ", without_blanks(address.substr(plus + 1))});
    say({"mov.u32 %wmma_l, %laneid"});
    say({"shr.u32 %wmma_g, %wmma_l, 2"});
    say({"and.b32 %wmma_t, %wmma_l, 3"});
    say({"shl.b32 %wmma_t, %wmma_t, 1"});
  }
  /// Adds `rows` times the stride plus `columns` elements to the address; makes %wmma_b that of the eighth row behind
  /// it.
  void to_element(std::string_view rows, std::string_view columns, std::string_view stride, std::string_view bytes) {
    say({"mad.lo.s32 %wmma_o, ", rows, ", ", stride, ", ", columns});
    say({"mul.wide.s32 %wmma_d, %wmma_o, ", bytes});
    say({"add.s64 %wmma_a, %wmma_a, %wmma_d"});
    say({"mul.wide.s32 %wmma_s, ", stride, ", ", bytes == "4" ? "32" : "16"});
    say({"add.s64 %wmma_b, %wmma_a, %wmma_s"});
  }
  /// A load or store of one or two words.
  void access(bool loads, std::string_view words, const std::string& registers, std::string_view address) {
    if (loads)
      say({"ld", space_, words, " ", registers, ", [", address, "]"});
    else
      say({"st", space_, words, " [", address, "], ", registers});
  }

  void move_single(bool loads, bool column, const Names& all, std::string_view stride) {
    if (!column) {
      to_element("%wmma_g", "%wmma_t", stride, "4");
      access(loads, ".v2.f32", list(all, 0, 2), "%wmma_a");
      access(loads, ".v2.f32", list(all, 2, 2), "%wmma_b");
      access(loads, ".v2.f32", list(all, 4, 2), "%wmma_a+32");
      access(loads, ".v2.f32", list(all, 6, 2), "%wmma_b+32");
      return;
    }
    // Neighbours of a row are a stride apart: each element has an access of its own.
    to_element("%wmma_t", "%wmma_g", stride, "4");
    say({"mul.wide.s32 %wmma_d, ", stride, ", 4"});
    for (const std::size_t half : {0, 1}) {
      const std::string at = half == 0 ? "%wmma_a" : "%wmma_b";
      access(loads, ".f32", std::string(all[4 * half]), at);
      access(loads, ".f32", std::string(all[4 * half + 2]), at + "+32");
      say({"add.s64 ", at, ", ", at, ", %wmma_d"});
      access(loads, ".f32", std::string(all[4 * half + 1]), at);
      access(loads, ".f32", std::string(all[4 * half + 3]), at + "+32");
    }
  }

  /// Rows of memory are rows of A and of the sums, but columns of B, if the layout is that of the instruction mma.sync;
  /// the parts of other layouts are transposed on their way.
  void move_halves(bool loads, bool is_b, bool column, const Names& all, std::string_view stride) {
    const bool transposes = is_b != column;
    // The second of four parts is eight rows of memory below the first one, or eight elements beside it.
    const bool below = !column;
    if (loads && space_ == ".shared") {
      // Lanes 8 k .. 8 k + 7 have the rows of part k.
      say({"and.b32 %wmma_g, %wmma_l, 7"});
      say({"and.b32 %wmma_t, %wmma_l, 8"});
      say({"shr.u32 %wmma_h, %wmma_l, 1"});
      say({"and.b32 %wmma_h, %wmma_h, 8"});
      say({"add.u32 %wmma_g, %wmma_g, ", below ? "%wmma_t" : "%wmma_h"});
      to_element("%wmma_g", below ? "%wmma_h" : "%wmma_t", stride, "2");
      say({"ldmatrix.sync.aligned.m8n8.x4", transposes ? ".trans" : "", ".shared.b16 ", list(all, 0, 4),
           ", [%wmma_a]"});
    } else {
      to_element("%wmma_g", "%wmma_t", stride, "2");
      const std::array<std::string_view, 4> addresses{"%wmma_a", below ? "%wmma_b" : "%wmma_a+16",
                                                      below ? "%wmma_a+16" : "%wmma_b", "%wmma_b+16"};
      for (std::size_t k = 0; k < 4; ++k) {
        if (!loads && transposes) say({"movmatrix.sync.aligned.m8n8.trans.b16 %wmma_o, ", all[k]});
        access(loads, ".b32", !loads && transposes ? "%wmma_o" : std::string(all[k]), addresses[k]);
      }
      if (loads && transposes)
        for (std::size_t k = 0; k < 4; ++k)
          say({"movmatrix.sync.aligned.m8n8.trans.b16 ", all[k], ", ", all[k]});
    }
    // Fragments of A and B in half precision have each element twice.
    for (std::size_t k = 4; loads && k < all.size(); ++k)
      say({"mov.b32 ", all[k], ", ", all[k - 4]});
  }

  Names names_, operands_;
  std::string_view space_;
  std::string text_;
};

/// True where an instruction begins: nothing stands before it on its line, or the end of another one, a label or a
/// brace.
bool begins_instruction(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
    --at;
  return at == 0 || std::string_view("\n;{}:").find(text[at - 1]) != std::string_view::npos;
}

}  // namespace

std::string expand_wmma(std::string_view text) {
  constexpr std::string_view prefix = "wmma.";
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find(prefix); at != std::string_view::npos; at = text.find(prefix, at + 1)) {
    const std::size_t end = text.find(';', at);
    if (end == std::string_view::npos) break;
    if (at < done || !begins_instruction(text, at)) continue;
    const std::string_view whole = text.substr(at, end - at);
    const std::size_t space = std::min(whole.find_first_of(" \t\n"), whole.size());
    const std::optional<std::string> expanded = Expansion(whole.substr(0, space), whole.substr(space)).text();
    if (!expanded) continue;
    result.append(text.substr(done, at - done)).append(*expanded);
    result.append(static_cast<std::size_t>(std::ranges::count(whole, '\n')), '\n');
    done = end + 1;
  }
  return result.append(text.substr(done));
}

}  // namespace threadscape::warp
