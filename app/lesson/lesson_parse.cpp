// Reads the pages of lessons.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/lesson/block_entries.h"
#include "app/lesson/lesson.h"
#include "compute/core/errors.h"
#include "compute/core/suggestion.h"

namespace threadscape::app {

namespace {

/// The name of a file beside the pages. Nothing of a lesson is looked for anywhere else.
std::string file_name(const std::string& value) {
  if (value.find_first_of("/\\\n") != std::string::npos || value.starts_with('.'))
    throw UsageError("'" + value + "' is no name of a file beside the pages");
  return value;
}

std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = std::min(text.find(','), text.size());
    parts.emplace_back(without_blanks(text.substr(0, end)));
    if (parts.back().empty()) throw UsageError("a part of the list is empty");
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

std::pair<std::string, std::string> parse_set(const std::string& text) {
  const std::size_t sign = text.find('=');
  const std::string name(without_blanks(std::string_view(text).substr(0, sign)));
  if (sign == std::string::npos || name.empty()) throw UsageError("'" + text + "' is not NAME=VALUE");
  return {name, std::string(without_blanks(std::string_view(text).substr(sign + 1)))};
}

double parse_real(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    throw UsageError("'" + std::string(text) + "' is no number");
  return number;
}

CountedRun counted_run(const BlockEntries& entries) {
  CountedRun run;
  entries.for_each("input", [&](const BlockEntry& entry) { run.input = parse_lesson_size(entry.value); });
  entries.for_each("set", [&](const BlockEntry& entry) { run.sets.push_back(parse_set(entry.value)); });
  entries.for_each("gpu",
                   [&](const BlockEntry& entry) { run.capability = warp::parse_gpu_model(entry.value).capability; });
  return run;
}

std::vector<std::string> sketches_of(const BlockEntries& entries) {
  std::vector<std::string> sketches;
  if (entries.find("sketch") == nullptr) entries.fail("needs the key 'sketch'");
  entries.for_each("sketch", [&](const BlockEntry& entry) {
    for (const std::string& name : list_of(entry.value))
      sketches.push_back(file_name(name));
  });
  return sketches;
}

LessonHint parse_hint(const BlockEntries& entries) {
  return {.markdown = entries.required("text"), .after = entries.number("after", 1, 0, 100)};
}

LessonSolution parse_solution(const BlockEntries& entries) {
  LessonSolution solution{.file = {}, .markdown = entries.text("text"), .after = entries.number("after", 3, 0, 100)};
  entries.for_each("file", [&](const BlockEntry& entry) { solution.file = file_name(entry.value); });
  if (solution.file.empty() && solution.markdown.empty()) entries.fail("needs the key 'file' or 'text'");
  return solution;
}

/// Reads one page.
class PageReader {
 public:
  PageReader(std::string file, Lesson& lesson) : file_(std::move(file)), lesson_(lesson) {
    page_.file = std::filesystem::path(file_).filename().string();
  }

  void read(std::string_view text);

 private:
  using Parse = void (PageReader::*)(BlockEntries&);
  struct BlockKind {
    std::string_view name;
    Parse parse;
    std::vector<std::string_view> keys;
    std::vector<std::string_view> many;  ///< The keys that may stand several times.
  };
  static const std::vector<BlockKind>& kinds();

  void lesson(BlockEntries& entries);
  void state(BlockEntries& entries);
  void counts(BlockEntries& entries);
  void sweep(BlockEntries& entries);
  void report(BlockEntries& entries);
  void sketch(BlockEntries& entries);
  void check(BlockEntries& entries);
  void question(BlockEntries& entries);
  void hint(BlockEntries& entries);
  void solution(BlockEntries& entries);

  void end_text();
  void add(LessonBlock block, int line) {
    page_.blocks.push_back(std::move(block));
    page_.lines.push_back(line);
  }
  void fence(std::string_view& text, std::string_view opening, int line);
  /// The exercise or question that the last block of the page is about. Null if there is none.
  [[nodiscard]] LessonExercise* exercise() {
    const auto* const place = page_.blocks.empty() ? nullptr : std::get_if<ExercisePlace>(&page_.blocks.back());
    return place == nullptr ? nullptr : &lesson_.exercises[place->index];
  }
  [[nodiscard]] LessonQuestion* asked() {
    const auto* const place = page_.blocks.empty() ? nullptr : std::get_if<QuestionPlace>(&page_.blocks.back());
    return place == nullptr ? nullptr : &lesson_.questions[place->index];
  }

  std::string file_, text_;
  Lesson& lesson_;
  LessonPage page_;
  int line_ = 0, text_line_ = 0;
  bool checked_ = false;
};

const std::vector<PageReader::BlockKind>& PageReader::kinds() {
  static const std::vector<BlockKind> all{
      {"lesson", &PageReader::lesson, {"title", "summary", "minutes", "source"}, {"source"}},
      {"state",
       &PageReader::state,
       {"algorithm", "sketch", "set", "input", "backend", "variant", "scene", "show", "panel", "caption"},
       {"set"}},
      {"counts",
       &PageReader::counts,
       {"sketch", "set", "input", "gpu", "figure", "lines", "caption"},
       {"set", "figure", "sketch"}},
      {"sweep", &PageReader::sweep, {"sketch", "set", "input", "gpu", "figure", "over", "caption"}, {"set", "sketch"}},
      {"report", &PageReader::report, {"file", "table", "caption"}, {"file"}},
      {"sketch", &PageReader::sketch, {"file", "task"}, {}},
      {"check", &PageReader::check, {"input", "set", "gpu", "races", "count"}, {"set", "count"}},
      {"question",
       &PageReader::question,
       {"name", "ask", "choice", "right", "number", "tolerance", "text", "why"},
       {"choice", "text"}},
      {"hint", &PageReader::hint, {"text", "after"}, {}},
      {"solution", &PageReader::solution, {"file", "text", "after"}, {}},
  };
  return all;
}

void PageReader::end_text() {
  if (text_.find_first_not_of(" \t\r\n") != std::string::npos) add(LessonText{text_}, text_line_);
  text_.clear();
}

/// Reads a fenced block, whose opening line was taken, up to its end.
void PageReader::fence(std::string_view& text, std::string_view opening, int line) {
  const std::size_t marks = std::min(opening.find_first_not_of('`'), opening.size());
  const std::string info(without_blanks(opening.substr(marks)));
  const auto kind = std::ranges::find(kinds(), std::string_view(info), &BlockKind::name);
  constexpr std::array<std::string_view, 9> languages{"", "text", "c", "cpp", "cuda", "ptx", "sh", "json", "python"};
  const bool source = std::ranges::find(languages, std::string_view(info)) != languages.end();
  if (kind == kinds().end() && !source) {
    std::vector<std::string_view> known;
    for (const BlockKind& one : kinds())
      known.push_back(one.name);
    known.insert(known.end(), languages.begin() + 1, languages.end());
    fail_at(file_, line, "there is no block '" + info + "': " + suggestion_and_list(info, known, ", "));
  }
  if (source) {
    if (text_.empty()) text_line_ = line;
    text_ += std::string(opening) + '\n';
  } else {
    end_text();
  }
  BlockEntries entries(file_, info, line);
  for (;;) {
    if (text.empty()) fail_at(file_, line, "the block that begins here has no end: a line of ``` alone");
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view one = text.substr(0, end);
    if (one.ends_with('\r')) one.remove_suffix(1);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_;
    const bool closes = one.size() >= marks && without_blanks(one).find_first_not_of('`') == std::string_view::npos &&
                        one.starts_with("```");
    if (source) text_ += std::string(one) + '\n';
    if (closes) break;
    if (!source) entries.add(one, line_);
  }
  if (source) return;
  entries.require(kind->keys, kind->many);
  (this->*kind->parse)(entries);
}

void PageReader::read(std::string_view text) {
  if (text.size() > max_page_bytes) fail_at(file_, 1, "a page has at most 1 MiB");
  if (lesson_.pages.size() >= max_pages) fail_at(file_, 1, "a lesson has at most 100 pages");
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view one = text.substr(0, end);
    if (one.ends_with('\r')) one.remove_suffix(1);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_;
    if (one.starts_with("```")) {
      fence(text, one, line_);
      continue;
    }
    if (page_.title.empty() && one.starts_with("# ")) page_.title = without_blanks(one.substr(2));
    if (text_.empty()) text_line_ = line_;
    text_ += std::string(one) + '\n';
  }
  end_text();
  if (page_.title.empty()) fail_at(file_, 1, "a page needs a title: a line '# TITLE'");
  if (lesson_.title.empty()) fail_at(file_, 1, "the first page of a lesson needs the block 'lesson'");
  lesson_.pages.push_back(std::move(page_));
}

void PageReader::lesson(BlockEntries& entries) {
  if (!lesson_.title.empty()) entries.fail("stands twice in a lesson");
  if (!lesson_.pages.empty()) entries.fail("belongs to the first page");
  lesson_.title = entries.required("title");
  lesson_.summary = entries.required("summary");
  lesson_.minutes = entries.number("minutes", lesson_.minutes, 1, 600);
  entries.for_each("source", [&](const BlockEntry& entry) { lesson_.sources.push_back(entry.value); });
}

void PageReader::state(BlockEntries& entries) {
  LessonState state;
  state.algorithm = entries.text("algorithm");
  entries.for_each("sketch", [&](const BlockEntry& entry) { state.sketch = file_name(entry.value); });
  if (state.algorithm.empty() == state.sketch.empty()) entries.fail("needs one of the keys 'algorithm' and 'sketch'");
  entries.for_each("set", [&](const BlockEntry& entry) { state.sets.push_back(parse_set(entry.value)); });
  entries.for_each("input", [&](const BlockEntry& entry) { state.input = file_name(entry.value); });
  state.backend = entries.text("backend");
  state.variant = entries.text("variant");
  state.scene = entries.text("scene");
  state.show = entries.text("show");
  state.panel = entries.text("panel");
  state.caption = entries.required("caption");
  add(std::move(state), entries.line());
}

void PageReader::counts(BlockEntries& entries) {
  LessonCounts counts{.sketches = sketches_of(entries),
                      .run = counted_run(entries),
                      .figures = {},
                      .lines = entries.flag("lines"),
                      .caption = entries.required("caption")};
  entries.for_each("figure", [&](const BlockEntry& entry) {
    for (const std::string& one : list_of(entry.value))
      counts.figures.push_back(parse_ratio(one));
  });
  if (counts.figures.empty()) entries.fail("needs the key 'figure'");
  if (counts.lines && counts.sketches.size() > 1) entries.fail("has lines of one sketch alone");
  add(std::move(counts), entries.line());
}

void PageReader::sweep(BlockEntries& entries) {
  LessonSweep sweep{.sketches = sketches_of(entries),
                    .run = counted_run(entries),
                    .figure = {},
                    .parameter = {},
                    .values = {},
                    .caption = entries.required("caption")};
  (void)entries.required("figure");
  entries.for_each("figure", [&](const BlockEntry& entry) { sweep.figure = parse_ratio(entry.value); });
  entries.for_each("over", [&](const BlockEntry& entry) {
    const auto [name, values] = parse_set(entry.value);
    sweep.parameter = name;
    sweep.values = list_of(values);
    if (name == "size")
      for (const std::string& value : sweep.values)
        (void)parse_lesson_size(value);
  });
  constexpr std::size_t most = 64;
  if (sweep.values.size() * sweep.sketches.size() > most) entries.fail("has at most 64 points");
  if (sweep.parameter.empty() && sweep.sketches.size() < 2) entries.fail("needs the key 'over', or several sketches");
  add(std::move(sweep), entries.line());
}

void PageReader::report(BlockEntries& entries) {
  LessonReport report{.files = {}, .table = entries.flag("table"), .caption = entries.required("caption")};
  if (entries.find("file") == nullptr) entries.fail("needs the key 'file'");
  entries.for_each("file", [&](const BlockEntry& entry) {
    for (const std::string& name : list_of(entry.value))
      report.files.push_back(file_name(name));
  });
  add(std::move(report), entries.line());
}

void PageReader::sketch(BlockEntries& entries) {
  LessonExercise exercise;
  exercise.page = page_.file;
  exercise.line = entries.line();
  (void)entries.required("file");
  entries.for_each("file", [&](const BlockEntry& entry) { exercise.file = file_name(entry.value); });
  exercise.task = entries.required("task");
  lesson_.exercises.push_back(std::move(exercise));
  add(ExercisePlace{lesson_.exercises.size() - 1}, entries.line());
  checked_ = false;
}

void PageReader::check(BlockEntries& entries) {
  LessonExercise* const of = exercise();
  if (of == nullptr) entries.fail("stands directly below a block 'sketch', with nothing but blocks between them");
  if (checked_) entries.fail("stands twice below one sketch");
  checked_ = true;
  of->check.run = counted_run(entries);
  of->check.races = entries.flag("races");
  entries.for_each("count", [&](const BlockEntry& entry) {
    of->check.rules.push_back(parse_count_rule(entry.value));
    of->check.rules.back().place = entry.line;
  });
}

void PageReader::question(BlockEntries& entries) {
  LessonQuestion question;
  question.page = page_.file;
  question.line = entries.line();
  question.name = entries.required("name");
  question.ask = entries.required("ask");
  question.why = entries.text("why");
  if (question.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
    entries.fail("has a name of other signs than small letters, digits and _");
  if (std::ranges::find(lesson_.questions, question.name, &LessonQuestion::name) != lesson_.questions.end())
    entries.fail("has the name '" + question.name + "', which another question has");
  entries.for_each("choice", [&](const BlockEntry& entry) {
    if (std::ranges::find(question.choices, entry.value) != question.choices.end())
      throw UsageError("the choice '" + entry.value + "' stands twice");
    question.choices.push_back(entry.value);
  });
  entries.for_each("text", [&](const BlockEntry& entry) { question.texts.push_back(entry.value); });
  const bool number = entries.find("number") != nullptr;
  if (static_cast<int>(!question.choices.empty()) + static_cast<int>(!question.texts.empty()) +
          static_cast<int>(number) !=
      1)
    entries.fail("needs one of the keys 'choice', 'number' and 'text'");
  if (question.choices.empty() != (entries.find("right") == nullptr))
    entries.fail("needs the key 'right', the number of the right choice, if it has choices, and only then");
  if (!number && entries.find("tolerance") != nullptr) entries.fail("has a tolerance, but no number");
  if (number) question.kind = LessonQuestion::Kind::number;
  if (!question.texts.empty()) question.kind = LessonQuestion::Kind::text;
  if (question.choices.size() == 1) entries.fail("has a single choice");
  if (!question.choices.empty())
    question.right =
        static_cast<std::size_t>(entries.number("right", 1, 1, static_cast<int>(question.choices.size()))) - 1;
  entries.for_each("number", [&](const BlockEntry& entry) { question.number = parse_real(entry.value); });
  entries.for_each("tolerance", [&](const BlockEntry& entry) {
    question.tolerance = parse_real(entry.value);
    if (question.tolerance < 0) throw UsageError("a tolerance is not negative");
  });
  lesson_.questions.push_back(std::move(question));
  add(QuestionPlace{lesson_.questions.size() - 1}, entries.line());
}

void PageReader::hint(BlockEntries& entries) {
  LessonExercise* const of = exercise();
  LessonQuestion* const question = asked();
  if (of == nullptr && question == nullptr) entries.fail("stands directly below a block 'sketch' or 'question'");
  (of != nullptr ? of->hints : question->hints).push_back(parse_hint(entries));
}

void PageReader::solution(BlockEntries& entries) {
  LessonExercise* const of = exercise();
  LessonQuestion* const question = asked();
  if (of == nullptr && question == nullptr) entries.fail("stands directly below a block 'sketch' or 'question'");
  std::optional<LessonSolution>& to = of != nullptr ? of->solution : question->solution;
  if (to) entries.fail("stands twice below one sketch or question");
  to = parse_solution(entries);
  if (of != nullptr && to->file.empty()) entries.fail("of a sketch needs the key 'file'");
  if (question != nullptr && !to->file.empty()) entries.fail("of a question has words, and no file");
}

}  // namespace

LessonSize parse_lesson_size(std::string_view text) {
  LessonSize size{.width = 0, .height = 1};
  const char* const end = text.data() + text.size();
  std::from_chars_result read = std::from_chars(text.data(), end, size.width);
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == 'x')
    read = std::from_chars(read.ptr + 1, end, size.height);
  constexpr std::int64_t longest = 1 << 22;
  const bool small = size.width >= 1 && size.height >= 1 && size.width <= longest && size.height <= longest &&
                     size.width * size.height <= longest;
  if (read.ec != std::errc() || read.ptr != end || !small)
    throw UsageError("'" + std::string(text) +
                     "' is no size; a size is 256x128, or 4096 for a sequence, and has at most 4194304 elements");
  return size;
}

void parse_page(std::string_view text, const std::string& file, Lesson& lesson) {
  PageReader(file, lesson).read(text);
}

}  // namespace threadscape::app
