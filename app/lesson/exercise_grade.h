#pragma once
// What a sketch of a learner is worth: its result against that of the exercise on fresh and hidden inputs, and what its
// kernels do against the rules of the exercise. Everything is counted and nothing timed, so that marks are equal on
// every machine.

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

/// One condition and what was found.
struct Mark {
  std::string name;  ///< The condition in words.
  bool passed = false;
  std::string found;    ///< What was found, in words; "" if there is nothing to say.
  std::string because;  ///< Why it matters, as the lesson says it; "" if it does not.
};

struct ExerciseGrade {
  std::string exercise;
  std::filesystem::path file;
  std::vector<Mark> marks;
  [[nodiscard]] bool passed() const;
  [[nodiscard]] int points() const;
};

struct GradeOptions {
  std::string secret;  ///< The hidden inputs follow from it.
  int threads = 0;
  std::stop_token stop = {};
};

/// Judges sketches for one exercise, whose reference is read once.
class ExerciseGrader {
 public:
  /// Throws UsageError for an exercise that states no result to compare with.
  ExerciseGrader(const Lesson& lesson, const LessonExercise& exercise);
  /// Errors of the sketch are marks that have not passed. Throws EnvironmentError where this machine cannot run
  /// sketches at all, and Cancelled.
  [[nodiscard]] ExerciseGrade grade(const std::filesystem::path& file, const GradeOptions& options) const;
  /// The marks of who has handed in nothing, and the reason.
  [[nodiscard]] ExerciseGrade without_sketch(const std::string& reason) const;

 private:
  struct Case;
  [[nodiscard]] std::vector<Case> cases(const std::string& secret) const;
  [[nodiscard]] std::shared_ptr<sketch::LiveSketch> read(const std::filesystem::path& file) const;
  [[nodiscard]] Mark equal(const std::shared_ptr<sketch::LiveSketch>& live, const GradeOptions& options) const;
  void count(const std::shared_ptr<sketch::LiveSketch>& live, const GradeOptions& options, ExerciseGrade& grade) const;

  const LessonExercise& exercise_;
  std::shared_ptr<sketch::LiveSketch> start_;  ///< The sketch to begin with, which states the task.
  const AlgorithmInfo* reference_ = nullptr;   ///< The algorithm that makes the right result.
};

/// Returns true if sketches compile here: if those of this kind that come with the program do.
[[nodiscard]] bool compiles_sketches(bool twins);

}  // namespace threadscape::app
