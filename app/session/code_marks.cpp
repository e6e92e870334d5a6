#include "app/session/code_marks.h"

#include <algorithm>
#include <charconv>

namespace threadscape::app {

namespace {

/// Takes `what` from the beginning of a text, and returns whether it was there.
bool take(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

/// Takes a number; -1 if there is none.
int take_number(std::string_view& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// The mark that follows the name of the file, if a place does.
bool read_mark(std::string_view rest, CodeMark& mark) {
  const bool in_parentheses = take(rest, "(");
  if (!in_parentheses && !take(rest, ":")) return false;
  mark.line = take_number(rest);
  if (mark.line < 1) return false;
  if (in_parentheses) {
    if (!take(rest, ")")) return false;
  } else if (std::string_view column = rest; take(column, ":") && take_number(column) > 0) {
    rest = column;
  }
  if (!take(rest, ":") && (in_parentheses || !take(rest, ","))) return false;
  while (take(rest, " ")) {
  }
  mark.error = !take(rest, "warning");
  if (mark.error && take(rest, "error")) {
    // Errors of nvcc have numbers: "error #20: ...".
    if (const std::size_t colon = rest.find(": "); colon != std::string_view::npos) rest.remove_prefix(colon + 2);
  } else if (!mark.error) {
    if (const std::size_t colon = rest.find(": "); colon != std::string_view::npos) rest.remove_prefix(colon + 2);
  } else if (rest.starts_with("note:") || rest.starts_with("note #") || rest.starts_with("remark")) {
    return false;  // It belongs to an error of another line.
  }
  mark.text = rest;
  return !mark.text.empty();
}

}  // namespace

std::vector<CodeMark> code_marks(std::string_view text, std::string_view file_name) {
  std::vector<CodeMark> marks;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    for (std::size_t at = line.find(file_name); at != std::string_view::npos; at = line.find(file_name, at + 1)) {
      const bool whole = at == 0 || std::string_view("/ '\"").find(line[at - 1]) != std::string_view::npos;
      CodeMark mark;
      if (!whole || !read_mark(line.substr(at + file_name.size()), mark)) continue;
      marks.push_back(std::move(mark));
      break;
    }
  }
  return marks;
}

const CodeMark* first_to_mend(const std::vector<CodeMark>& marks) {
  const auto error = std::ranges::find_if(marks, &CodeMark::error);
  if (error != marks.end()) return &*error;
  return marks.empty() ? nullptr : &marks.front();
}

}  // namespace threadscape::app
