#include "app/lesson/submitted_source.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "app/lesson/block_entries.h"

namespace threadscape::app {

namespace {

/// The lines without blanks at their ends.
std::vector<std::string_view> lines_of_source(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!lines.empty() && lines.back().empty())
    lines.pop_back();
  return lines;
}

bool begins(std::string_view line, std::string_view mark) {
  return without_blanks(line).starts_with(mark);
}

/// Removes blanks and comments that end in this text from its front.
std::string_view behind_comments(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\f\v\r"), text.size()));
    const std::size_t end = text.starts_with("/*") ? text.find("*/", 2) : std::string_view::npos;
    if (end == std::string_view::npos) return text;
    text.remove_prefix(end + 2);
  }
}

/// Returns true if what stands behind #include is a header of the system or that of sketches.
bool is_allowed_header(std::string_view rest) {
  const std::string_view name = without_blanks(rest);
  if (name.starts_with("\"threadscape.h\"")) return true;
  const std::size_t end = name.find('>');
  if (!name.starts_with('<') || end == std::string_view::npos) return false;
  const std::string_view header = name.substr(1, end - 1);
  return !header.empty() && header.front() != '/' && header.find("..") == std::string_view::npos;
}

/// The directive at the beginning of a text: its word, and what stands behind it.
struct Directive {
  std::string_view word, rest;
};

std::optional<Directive> directive_of(std::string_view text) {
  text = behind_comments(text);
  if (!text.starts_with('#') && !text.starts_with("%:")) return {};
  text = behind_comments(text.substr(text.starts_with('#') ? 1 : 2));
  const std::size_t end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), text.size());
  return Directive{.word = text.substr(0, end), .rest = text.substr(end)};
}

/// Returns true if a condition holds for a directive of the line. A comment of several lines may end in the line, and
/// what begins behind it is a directive.
template <class Condition>
bool has_directive(std::string_view line, const Condition& condition) {
  for (;;) {
    if (const std::optional<Directive> directive = directive_of(line); directive && condition(*directive)) return true;
    const std::size_t end = line.find("*/");
    if (end == std::string_view::npos) return false;
    line.remove_prefix(end + 2);
  }
}

bool includes_foreign(const Directive& directive) {
  constexpr std::array<std::string_view, 14> harmless{"define", "undef",   "if",   "ifdef",   "ifndef",
                                                      "elif",   "elifdef", "else", "endif",   "pragma",
                                                      "error",  "warning", "line", "elifndef"};
  if (directive.word == "include") return !is_allowed_header(behind_comments(directive.rest));
  const bool empty = directive.word.empty() && directive.rest.empty();
  return std::ranges::find(harmless, directive.word) == harmless.end() && !empty;
}

/// Returns true for a directive by which a gap could change what stands behind it.
bool changes_sources(const Directive& directive) {
  return directive.word != "pragma";
}

}  // namespace

std::string changed_outside_gaps(std::string_view start, std::string_view submission) {
  const std::vector<std::string_view> given = lines_of_source(start), got = lines_of_source(submission);
  if (std::ranges::none_of(given, [](std::string_view line) { return begins(line, gap_begins); })) return {};
  std::size_t at = 0;
  bool gap = false;
  for (const std::string_view line : given) {
    if (gap && !begins(line, gap_ends)) continue;
    if (gap)
      for (; at < got.size() && !begins(got[at], gap_ends); ++at)
        if (has_directive(got[at], changes_sources))
          return "line " + std::to_string(at + 1) + " is a directive: gaps may have #pragma alone";
    if (at == got.size()) return "the line '" + std::string(without_blanks(line)) + "' is missing outside of the gap";
    if (got[at] != line)
      return "line " + std::to_string(at + 1) + " differs outside of the gap: it was '" +
             std::string(without_blanks(line)) + "'";
    ++at;
    gap = begins(line, gap_begins);
  }
  if (at < got.size()) return "line " + std::to_string(at + 1) + " was added outside of the gap";
  return {};
}

std::string changed_task(const sketch::Head& start, const sketch::Head& submission) {
  const auto same_type = [](const sketch::DataType& a, const sketch::DataType& b) {
    return a.kind == b.kind && a.element == b.element && a.channels == b.channels && a.size == b.size;
  };
  const auto same_parameter = [](const sketch::Parameter& a, const sketch::Parameter& b) {
    return a.type == b.type && a.name == b.name && a.lo == b.lo && a.hi == b.hi && a.values == b.values &&
           a.integer == b.integer && a.choices == b.choices;
  };
  const auto same_need = [](const sketch::Need& a, const sketch::Need& b) { return a.condition == b.condition; };
  if (start.name != submission.name) return "the head says 'sketch: " + submission.name + "', not " + start.name;
  if (!same_type(start.reads, submission.reads)) return "the head reads other data than the exercise";
  if (!same_type(start.makes, submission.makes)) return "the head makes other data than the exercise";
  if (!std::ranges::equal(start.parameters, submission.parameters, same_parameter))
    return "the head has other parameters than the exercise";
  if (!std::ranges::equal(start.needs, submission.needs, same_need))
    return "the head has other entries 'need' than the exercise";
  return {};
}

std::string foreign_include(std::string_view source) {
  // A line that ends with a backslash goes on with the next one.
  std::string joined;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t end = source.find_first_not_of(" \t\r", i + 1);
    if (source[i] == '\\' && end != std::string_view::npos && source[end] == '\n') {
      i = end;
      continue;
    }
    joined += source[i];
  }
  for (const std::string_view line : lines_of_source(joined))
    if (has_directive(line, includes_foreign))
      return "'" + std::string(without_blanks(line)) +
             "': a sketch includes \"threadscape.h\" and headers of the system alone";
  return {};
}

}  // namespace threadscape::app
