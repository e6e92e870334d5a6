// Pages of lessons: what is read, and the place and cause of what is refused.

#include <gtest/gtest.h>

#include "app/lesson/lesson.h"
#include "compute/core/errors.h"

namespace threadscape::app {
namespace {

const std::string head = "# First\n\n```lesson\ntitle: A lesson\nsummary: What it is about.\n```\n";

Lesson parsed(const std::string& text) {
  Lesson lesson;
  parse_page(head + text, "folder/1.md", lesson);
  return lesson;
}

std::string refusal(const std::string& text) {
  try {
    (void)parsed(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(LessonParse, ReadsTextAndBlocksInTheirOrder) {
  const Lesson lesson = parsed(
      "Words.\n```cuda\nint a;\n```\n"
      "```state\nalgorithm: sobel\nset: border=zero\nset: direction = x\ncaption: Edges.\n```\n"
      "More words.\n");
  ASSERT_EQ(lesson.pages.size(), 1u);
  EXPECT_EQ(lesson.title, "A lesson");
  const LessonPage& page = lesson.pages.front();
  EXPECT_EQ(page.title, "First");
  EXPECT_EQ(page.file, "1.md");
  ASSERT_EQ(page.blocks.size(), 4u);
  EXPECT_NE(std::get<LessonText>(page.blocks[0]).markdown.find("# First"), std::string::npos);
  EXPECT_EQ(std::get<LessonText>(page.blocks[1]).markdown, "Words.\n```cuda\nint a;\n```\n");
  const auto& state = std::get<LessonState>(page.blocks[2]);
  EXPECT_EQ(state.algorithm, "sobel");
  EXPECT_EQ(state.sets, (LessonSets{{"border", "zero"}, {"direction", "x"}}));
  EXPECT_EQ(page.lines[2], 11);
}

TEST(LessonParse, ExercisesHaveTheirChecksHintsAndSolution) {
  const Lesson lesson = parsed(
      "```sketch\nfile: a.cu\ntask: Write it.\n\n  In two paragraphs.\n```\n"
      "```check\ninput: 64x32\nset: radius=2\ngpu: 8.6\nraces: yes\n"
      "count: global_load_sectors per global_load_requests <= 4.2 because \"a row lies together\"\n"
      "count: shared_conflicts == 0 kernel k line \"tile[\"\n```\n"
      "```hint\nafter: 2\ntext: Look at x.\n```\n```solution\nfile: b.cu\n```\n");
  ASSERT_EQ(lesson.exercises.size(), 1u);
  const LessonExercise& exercise = lesson.exercises.front();
  EXPECT_EQ(exercise.file, "a.cu");
  EXPECT_EQ(exercise.task, "Write it.\n\nIn two paragraphs.");
  EXPECT_EQ(exercise.check.run.input, (LessonSize{64, 32}));
  EXPECT_EQ(exercise.check.run.capability, 86);
  EXPECT_TRUE(exercise.check.races);
  ASSERT_EQ(exercise.check.rules.size(), 2u);
  EXPECT_EQ(exercise.check.rules[0].because, "a row lies together");
  EXPECT_EQ(exercise.check.rules[0].limit, 4.2);
  EXPECT_EQ(exercise.check.rules[1].kernel, "k");
  EXPECT_EQ(exercise.check.rules[1].line, "tile[");
  ASSERT_EQ(exercise.hints.size(), 1u);
  EXPECT_EQ(exercise.hints[0].after, 2);
  ASSERT_TRUE(exercise.solution.has_value());
  EXPECT_EQ(exercise.solution->file, "b.cu");
}

TEST(LessonParse, AnswersAreJudgedByTheKindOfTheQuestion) {
  const Lesson lesson = parsed(
      "```question\nname: a\nask: Which?\nchoice: eight\nchoice: Thirty two\nright: 2\n```\n"
      "```question\nname: b\nask: How many?\nnumber: 4.5\ntolerance: 0.1\n```\n"
      "```question\nname: d\nask: How many?\nchoice: 2\nchoice: 1\nright: 2\n```\n"
      "```question\nname: c\nask: What is it called?\ntext: warp\ntext: a warp\n```\n");
  ASSERT_EQ(lesson.questions.size(), 4u);
  EXPECT_TRUE(is_right(lesson.questions[0], "2"));
  EXPECT_TRUE(is_right(lesson.questions[0], " thirty  TWO."));
  EXPECT_FALSE(is_right(lesson.questions[0], "1"));
  EXPECT_FALSE(is_right(lesson.questions[0], ""));
  EXPECT_TRUE(is_right(lesson.questions[2], "1")) << "the text of a choice goes before its rank";
  EXPECT_FALSE(is_right(lesson.questions[2], "2"));
  EXPECT_TRUE(is_right(lesson.questions[1], "4.45"));
  EXPECT_FALSE(is_right(lesson.questions[1], "4.7"));
  EXPECT_FALSE(is_right(lesson.questions[1], "4.5 sectors"));
  EXPECT_FALSE(is_right(lesson.questions[1], "nan"));
  EXPECT_TRUE(is_right(lesson.questions[3], "A Warp"));
  EXPECT_FALSE(is_right(lesson.questions[3], "block"));
  EXPECT_EQ(right_answer(lesson.questions[0]), "Thirty two");
  EXPECT_EQ(right_answer(lesson.questions[1]), "4.5");
  EXPECT_EQ(right_answer(lesson.questions[3]), "warp");
}

TEST(LessonParse, RefusalsHaveFileAndLine) {
  const auto has = [](const std::string& text, const std::string& line, const std::string& cause) {
    const std::string said = refusal(text);
    EXPECT_EQ(said.rfind("folder/1.md:" + line + ": ", 0), 0u) << said;
    EXPECT_NE(said.find(cause), std::string::npos) << said;
  };
  has("```stat\n```\n", "7", "there is no block 'stat': did you mean state?");
  has("```question\nname: a\naks: b\n```\n", "9", "has no key 'aks': did you mean ask?");
  has("```question\nname: a\nask: b\n```\n", "7", "needs one of the keys");
  has("```question\nname: a\nask: b\nchoice: c\nchoice: d\n```\n", "7", "needs the key 'right'");
  has("```question\nname: a\nask: b\nchoice: c\nchoice: d\nright: 3\n```\n", "12", "no number from 1 to 2");
  has("```question\nname: a\nname: b\n```\n", "8", "stands twice");
  has("```state\nalgorithm: sobel\n", "7", "has no end");
  has("```state\nalgorithm: sobel\n```\n", "7", "needs the key 'caption'");
  has("```state\ncaption: nothing\n```\n", "7", "needs one of the keys");
  has("```sketch\nfile: ../a.cu\ntask: t\n```\n", "8", "no name of a file beside the pages");
  has("```hint\ntext: a\n```\n", "7", "stands directly below");
  has("```check\ninput: 4\n```\n", "7", "stands directly below");
  has("```sketch\nfile: a.cu\ntask: t\n```\n```check\ncount: sectors <= 1\n```\n", "12",
      "there is no figure 'sectors'");
  has("```sketch\nfile: a.cu\ntask: t\n```\n```check\ninput: 5000x5000\n```\n", "12", "is no size");
  has("```sketch\nfile: a.cu\ntask: t\n```\n```check\nraces: maybe\n```\n", "12", "neither yes nor no");
  has("```counts\nsketch: a.cu\ncaption: c\n```\n", "7", "needs the key 'figure'");
  has("```sweep\nsketch: a.cu\nfigure: atomics\ncaption: c\n```\n", "7", "needs the key 'over'");
  has("```lesson\ntitle: again\nsummary: s\n```\n", "7", "stands twice");
  has("```state\nno colon\n```\n", "8", "'key: value'");
  has("```state\n  indented\n```\n", "8", "there is none");
  Lesson lesson;
  EXPECT_THROW(parse_page("# Title\n", "1.md", lesson), UsageError) << "the block 'lesson' is missing";
  EXPECT_THROW(parse_page("```lesson\ntitle: t\nsummary: s\n```\n", "1.md", lesson), UsageError) << "no '# TITLE'";
}

}  // namespace
}  // namespace threadscape::app
