#pragma once
// Lessons: folders of Markdown pages with fenced blocks that this program understands. docs/LESSONS.md describes them
// for those who write them.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/lesson/count_rule.h"

namespace threadscape::app {

/// Names and values of parameters, as --set takes them.
using LessonSets = std::vector<std::pair<std::string, std::string>>;

/// Text in Markdown between two blocks.
struct LessonText {
  std::string markdown;
};

/// What the program shows: an algorithm or a sketch with its parameters, its input and a view.
struct LessonState {
  std::string algorithm;  ///< The name of an algorithm; "" if it is a sketch.
  std::string sketch;     ///< The file of a sketch; "" if it is an algorithm.
  LessonSets sets;
  std::string input;  ///< A file of the lesson; "" for what the program shows at first.
  std::string backend, variant, scene, show, panel;
  std::string caption;  ///< What is seen, in words.
};

/// The size of an input: pixels of a picture, or the length of a sequence, whose height is 1.
struct LessonSize {
  std::int64_t width = 128, height = 128;
  bool operator==(const LessonSize&) const = default;
};

/// Parses "256x128", or "4096" for a sequence. Throws UsageError.
[[nodiscard]] LessonSize parse_lesson_size(std::string_view text);

/// What a sketch is run with where its work is counted.
struct CountedRun {
  LessonSize input;
  LessonSets sets;
  int capability = 90;  ///< The compute capability that is compiled for and modelled, times ten.
};

/// A table of what sketches do.
struct LessonCounts {
  std::vector<std::string> sketches;  ///< Files.
  CountedRun run;
  std::vector<Ratio> figures;
  bool lines = false;  ///< Count by line of the source, which takes one sketch.
  std::string caption;
};

/// A figure of sketches, drawn over the values of a parameter or over the sketches.
struct LessonSweep {
  std::vector<std::string> sketches;  ///< Files.
  CountedRun run;
  Ratio figure;
  std::string parameter;            ///< A parameter, or "size"; "" to compare the sketches.
  std::vector<std::string> values;  ///< The values of the parameter.
  std::string caption;
};

/// Measurements that `threadscape bench --json` has written, with the plots that follow from what varies in them.
struct LessonReport {
  std::vector<std::string> files;
  bool table = false;  ///< With a table of all rows, too.
  std::string caption;
};

/// A text that appears after so many tries that failed.
struct LessonHint {
  std::string markdown;
  int after = 1;
};

/// How a sketch of a learner is judged.
struct LessonCheck {
  CountedRun run;
  bool races = false;  ///< Look for races in global memory, too.
  std::vector<CountRule> rules;
};

struct LessonSolution {
  std::string file;      ///< A sketch; "" for an answer in words.
  std::string markdown;  ///< Words about it.
  int after = 3;         ///< The failed tries after which it is shown.
};

/// A sketch that learners change.
struct LessonExercise {
  std::string file;  ///< The sketch to begin with.
  std::string name;  ///< The name that the head of the sketch states.
  std::string task;  ///< What is to be done, in Markdown.
  LessonCheck check;
  std::vector<LessonHint> hints;
  std::optional<LessonSolution> solution;
  std::string page;
  int line = 0;
};

struct LessonQuestion {
  enum class Kind : std::uint8_t { choice, number, text };
  Kind kind = Kind::choice;
  std::string name, ask;
  std::vector<std::string> choices;
  std::size_t right = 0;             ///< The right one of the choices.
  double number = 0, tolerance = 0;  ///< The right number, and how far an answer may be from it.
  std::vector<std::string> texts;    ///< The right texts, of which each is right.
  std::string why;                   ///< Why the right answer is right, in Markdown.
  std::vector<LessonHint> hints;
  std::optional<LessonSolution> solution;
  std::string page;
  int line = 0;
};

/// An exercise, or a question, by its place in the lesson.
struct ExercisePlace {
  std::size_t index = 0;
};
struct QuestionPlace {
  std::size_t index = 0;
};

using LessonBlock =
    std::variant<LessonText, LessonState, LessonCounts, LessonSweep, LessonReport, ExercisePlace, QuestionPlace>;

struct LessonPage {
  std::string file, title;
  std::vector<LessonBlock> blocks;
  std::vector<int> lines;  ///< The line of the page on which each block begins.
};

struct Lesson {
  std::filesystem::path folder;
  std::string name;  ///< The name of the folder, without a number before it.
  std::string title, summary;
  int minutes = 30;
  std::vector<std::string> sources;  ///< Where its facts come from.
  std::vector<LessonPage> pages;
  std::vector<LessonExercise> exercises;
  std::vector<LessonQuestion> questions;
};

/// A page or a lesson that is longer is refused.
inline constexpr std::size_t max_page_bytes = std::size_t{1} << 20;
inline constexpr std::size_t max_pages = 100;

/// Adds a page to a lesson. Throws UsageError with file and line for a text that does not follow the format.
void parse_page(std::string_view text, const std::string& file, Lesson& lesson);
/// Reads a lesson: the pages of the folder by name, and the heads of the sketches of its exercises. Throws UsageError
/// with file and line for what is wrong in it, and EnvironmentError for what cannot be read.
[[nodiscard]] Lesson load_lesson(const std::filesystem::path& folder);
/// The end of the names of lessons that are one file: a ZIP archive of the folder.
inline constexpr std::string_view lesson_extension = ".lesson";
/// The folder of a lesson: a folder, that of an archive, which is unpacked, or that of a lesson that comes with the
/// program by its name. Throws UsageError, and EnvironmentError for an archive that cannot be read.
[[nodiscard]] std::filesystem::path lesson_folder(const std::string& name);
/// Unpacks an archive into a folder of the cache. Throws what lesson_folder() throws.
[[nodiscard]] std::filesystem::path unpacked_lesson(const std::filesystem::path& archive);
/// The folder or the archive of the lesson that a name in the place of a file or an algorithm means; "" if it means
/// none.
[[nodiscard]] std::filesystem::path named_lesson(const std::string& name);
/// Returns true for a folder whose first page begins a lesson, and for a file with the name of an archive.
[[nodiscard]] bool is_lesson(const std::filesystem::path& path);
/// The folders of the lessons that come with the program, by name.
[[nodiscard]] std::vector<std::filesystem::path> installed_lessons();
/// A file of a lesson: beside its pages, or a sketch that comes with the program. Throws UsageError if there is none.
[[nodiscard]] std::filesystem::path lesson_file(const Lesson& lesson, const std::string& name);

/// Judges an answer to a question.
[[nodiscard]] bool is_right(const LessonQuestion& question, std::string_view answer);
/// The right answer in words.
[[nodiscard]] std::string right_answer(const LessonQuestion& question);

}  // namespace threadscape::app
