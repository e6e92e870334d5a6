// What is kept of a learner.

#include "app/lesson/lesson_progress.h"

#include <gtest/gtest.h>

#include "compute/core/errors.h"
#include "compute/io/file_writer.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

LessonProgress some_progress() {
  LessonProgress progress{.page = "2_blur.md", .questions = {}, .exercises = {}};
  progress.questions["threads"] = {.answer = "70 \"68\"\n", .right = false, .failed = 2};
  progress.exercises["blur"] = {
      .marks = {{.name = "equal to mean", .passed = true, .found = "24 results are equal", .because = {}},
                {.name = "at most 9", .passed = false, .found = "12", .because = "nine are read"}},
      .passed = false,
      .failed = 1};
  return progress;
}

TEST(LessonProgress, IsReadAsItWasWritten) {
  const LessonProgress read = parse_progress(progress_text(some_progress()));
  EXPECT_EQ(read.page, "2_blur.md");
  ASSERT_EQ(read.questions.size(), 1u);
  EXPECT_EQ(read.questions.at("threads").answer, "70 \"68\"\n");
  EXPECT_FALSE(read.questions.at("threads").right);
  EXPECT_EQ(read.questions.at("threads").failed, 2);
  ASSERT_EQ(read.exercises.at("blur").marks.size(), 2u);
  EXPECT_TRUE(read.exercises.at("blur").marks[0].passed);
  EXPECT_EQ(read.exercises.at("blur").marks[1].because, "nine are read");
  EXPECT_EQ(progress_text(read), progress_text(some_progress()));
}

TEST(LessonProgress, OtherTextsAreRefused) {
  const std::string text = progress_text(some_progress());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return changed;
  };
  for (const std::string& other :
       {std::string(), std::string("[]"), std::string("{}"), text.substr(0, text.size() / 2),
        with("\"failed\": 2", "\"failed\": -1"), with("\"failed\": 2", "\"failed\": 1e9"),
        with("\"right\": false", "\"right\": \"no\""), with("\"page\": \"2_blur.md\"", "\"page\": 2")})
    EXPECT_THROW((void)parse_progress(other), UsageError) << other;
}

TEST(LessonProgress, ADamagedFileIsSetAside) {
  const threadscape::testing::TemporaryFolder folder;
  const fs::path file = folder.path() / "progress.json";
  std::vector<std::string> warnings;
  const auto warn = [&](const std::string& text) { warnings.push_back(text); };
  EXPECT_TRUE(load_progress(file, warn).page.empty());
  EXPECT_TRUE(warnings.empty()) << "there is none at first";

  io::save_bytes(file, progress_text(some_progress()));
  EXPECT_EQ(load_progress(file, warn).page, "2_blur.md");
  EXPECT_TRUE(warnings.empty());

  io::save_bytes(file, std::string_view("{\"page\": "));
  EXPECT_TRUE(load_progress(file, warn).questions.empty());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("was set aside as progress.json.damaged"), std::string::npos) << warnings[0];
  EXPECT_FALSE(fs::exists(file));
  EXPECT_TRUE(fs::exists(folder.path() / "progress.json.damaged"));
}

TEST(LessonProgress, HelpComesAfterTries) {
  const std::vector<LessonHint> hints{{.markdown = "a", .after = 1}, {.markdown = "b", .after = 4}};
  const std::optional<LessonSolution> solution = LessonSolution{.file = {}, .markdown = "c", .after = 3};
  EXPECT_TRUE(shown_hints(hints, 0).empty());
  ASSERT_EQ(shown_hints(hints, 3).size(), 1u);
  EXPECT_EQ(shown_hints(hints, 3)[0]->markdown, "a");
  EXPECT_EQ(shown_hints(hints, 4).size(), 2u);
  EXPECT_EQ(tries_to_help(hints, solution, 0), 1);
  EXPECT_EQ(tries_to_help(hints, solution, 1), 2) << "the solution";
  EXPECT_EQ(tries_to_help(hints, solution, 3), 1);
  EXPECT_EQ(tries_to_help(hints, solution, 4), 0);
  EXPECT_EQ(tries_to_help(hints, {}, 1), 3);
}

TEST(LessonProgress, LearnersHaveAFolderForEachLesson) {
  Lesson lesson;
  lesson.name = "first_kernel";
  lesson.folder = lesson_folder("first_kernel");
  EXPECT_EQ(learner_folder_name(lesson), "first_kernel");
  lesson.folder = "/somewhere/first_kernel";
  const std::string elsewhere = learner_folder_name(lesson);
  EXPECT_EQ(elsewhere.size(), std::string("first_kernel-01234567").size()) << elsewhere;
  EXPECT_EQ(learner_folder_name(lesson), elsewhere);
  lesson.folder = "/elsewhere/first_kernel";
  EXPECT_NE(learner_folder_name(lesson), elsewhere);
}

}  // namespace
}  // namespace threadscape::app
