#pragma once
// How far a learner has come with a lesson, as a file of their own keeps it.

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/lesson/exercise_grade.h"
#include "app/lesson/lesson.h"

namespace threadscape::app {

struct QuestionProgress {
  std::string answer;  ///< The last one.
  bool right = false;  ///< It is right.
  int failed = 0;      ///< Answers that were wrong.
};

struct ExerciseProgress {
  std::vector<Mark> marks;  ///< Those of the last check; empty before the first one.
  bool passed = false;      ///< A check has found all of them passed.
  int failed = 0;           ///< Checks that have not.
};

struct LessonProgress {
  std::string page;                                   ///< The file of the page that was read last.
  std::map<std::string, QuestionProgress> questions;  ///< By name.
  std::map<std::string, ExerciseProgress> exercises;  ///< By name.
};

/// The text of a file of progress, in JSON.
[[nodiscard]] std::string progress_text(const LessonProgress& progress);
/// The inverse of progress_text(). Throws UsageError for a text that is none.
[[nodiscard]] LessonProgress parse_progress(std::string_view text);
/// Reads a file; without one nothing has been done. A damaged file gets the end .damaged, and `warn` is called with one
/// line about it.
[[nodiscard]] LessonProgress load_progress(const std::filesystem::path& file,
                                           const std::function<void(const std::string&)>& warn);

/// The name of the folder of a learner for a lesson: the name of the lesson, and for one that does not come with the
/// program also a number that follows from where it lies.
[[nodiscard]] std::string learner_folder_name(const Lesson& lesson);

/// The hints that are shown after so many failed tries.
[[nodiscard]] std::vector<const LessonHint*> shown_hints(std::span<const LessonHint> hints, int failed);
/// The failed tries that are missing until the next hint or the solution is shown; 0 if there is nothing more.
[[nodiscard]] int tries_to_help(std::span<const LessonHint> hints, const std::optional<LessonSolution>& solution,
                                int failed);

}  // namespace threadscape::app
