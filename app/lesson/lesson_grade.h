#pragma once
// What learners have handed in for a lesson, and the marks for it.

#include <filesystem>
#include <string>
#include <vector>

#include "app/lesson/exercise_grade.h"
#include "compute/core/progress.h"

namespace threadscape::app {

/// The file of a folder that holds the answers to questions: lines "NAME: ANSWER".
inline constexpr std::string_view answers_file = "answers.txt";

/// What one learner has handed in.
struct SubmissionGrade {
  std::string name;  ///< The path as it was given.
  std::vector<ExerciseGrade> exercises;
  std::vector<Mark> answers;  ///< A mark for each question.
  [[nodiscard]] int points() const;
  [[nodiscard]] int possible() const;
};

struct LessonGrade {
  std::string lesson;
  std::vector<SubmissionGrade> submissions;
  [[nodiscard]] bool passed() const;
};

/// Judges files and folders. A file of a sketch is judged for the exercise of its name, or the first one. A folder
/// holds sketches for all exercises, and answers_file where the lesson has questions; what is not there has no points.
/// Only the exercise named `exercise` counts, if that is not empty. Throws UsageError for an unknown exercise and for a
/// submission that does not exist, EnvironmentError where this machine cannot judge, and Cancelled.
[[nodiscard]] LessonGrade grade_lesson(const Lesson& lesson, const std::vector<std::filesystem::path>& submissions,
                                       const std::string& exercise, const GradeOptions& options,
                                       Progress* progress = nullptr);

/// A table with a row for each mark that is not passed, or for all, and a line for each submission.
[[nodiscard]] std::string grade_text(const LessonGrade& grade, bool all);
[[nodiscard]] std::string grade_json(const LessonGrade& grade);
/// JUnit XML: a suite for each submission, a case for each mark.
[[nodiscard]] std::string grade_junit(const LessonGrade& grade);

}  // namespace threadscape::app
