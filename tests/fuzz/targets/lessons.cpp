// Pages of lessons, with the conditions of their checks, and sources of learners.

#include "app/lesson/lesson.h"
#include "app/lesson/markdown.h"
#include "app/lesson/submitted_source.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

FUZZ_TARGET(lessons) {
  const std::string text = input.text();
  note_result(app::foreign_include(text));
  for (const app::MarkdownBlock& block : app::parse_markdown(text))
    for (const app::MarkdownSpan& span : block.spans)
      note_result(span.text);
  app::Lesson lesson;
  app::parse_page(text, "page.md", lesson);
  expect(lesson.pages.size() == 1 && !lesson.title.empty(), "a page without a lesson was accepted");
  const app::LessonPage& page = lesson.pages.front();
  expect(page.blocks.size() == page.lines.size(), "a block has no line");
  int before = 0;
  for (const int line : page.lines) {
    expect(line > before, "blocks are not in order");
    before = line;
  }
  for (const app::LessonExercise& exercise : lesson.exercises)
    for (const app::CountRule& rule : exercise.check.rules)
      expect(app::fulfils(rule, rule.limit), "a limit does not fulfil its rule");
  for (const app::LessonQuestion& question : lesson.questions)
    expect(app::is_right(question, app::right_answer(question)), "the right answer is wrong");
  expect(app::changed_outside_gaps(text, text).empty(), "a text differs from itself");
}

}  // namespace threadscape::fuzz
