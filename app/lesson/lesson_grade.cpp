#include "app/lesson/lesson_grade.h"

#include <algorithm>
#include <map>
#include <optional>

#include "app/lesson/block_entries.h"
#include "compute/core/errors.h"
#include "compute/core/suggestion.h"
#include "compute/io/input_file.h"
#include "compute/sketch/sketch.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

std::string submitted_text(const fs::path& file) {
  const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::file_bytes);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The name that the head of a file states; "" for a file without a readable head, of which the grader says more.
std::string name_in_head(const fs::path& file) {
  try {
    return sketch::make_sketch(submitted_text(file), file).head.name;
  } catch (const Error&) {
    return {};
  }
}

/// The files with sketches in a folder by the names in their heads, several of them in order.
std::map<std::string, std::vector<fs::path>> sketches_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (sketch::has_sketch_extension(at->path())) files.push_back(at->path());
  std::ranges::sort(files);
  std::map<std::string, std::vector<fs::path>> named;
  for (const fs::path& file : files)
    named[name_in_head(file)].push_back(file);
  return named;
}

/// Answers by the names of the questions. A line that is no answer is left out.
std::map<std::string, std::string> answers_in(const fs::path& file) {
  std::map<std::string, std::string> answers;
  std::error_code error;
  if (!fs::exists(file, error)) return answers;
  const std::string text = submitted_text(file);
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos)
      answers[std::string(without_blanks(line.substr(0, colon)))] = without_blanks(line.substr(colon + 1));
  }
  return answers;
}

std::vector<Mark> answer_marks(const Lesson& lesson, const fs::path& folder) {
  std::vector<Mark> marks;
  if (lesson.questions.empty()) return marks;
  const std::map<std::string, std::string> answers = answers_in(folder / answers_file);
  for (const LessonQuestion& question : lesson.questions) {
    const auto answer = answers.find(question.name);
    Mark& mark = marks.emplace_back();
    mark.name = "answer to " + question.name;
    mark.passed = answer != answers.end() && is_right(question, answer->second);
    mark.found = answer == answers.end() ? "no answer" : "'" + answer->second + "'";
  }
  return marks;
}

/// The graders of a lesson, made when the first submission needs them.
class Graders {
 public:
  Graders(const Lesson& lesson, const std::string& only) : lesson_(lesson), graders_(lesson.exercises.size()) {
    std::vector<std::string_view> known;
    for (const LessonExercise& exercise : lesson.exercises)
      known.push_back(exercise.name);
    if (!only.empty() && std::ranges::find(known, only) == known.end())
      throw UsageError("the lesson " + lesson.name + " has no exercise '" + only +
                       "': " + suggestion_and_list(only, known, ", "));
    for (std::size_t i = 0; i < lesson.exercises.size(); ++i)
      if (only.empty() || lesson.exercises[i].name == only) wanted_.push_back(i);
    if (wanted_.empty() && lesson.questions.empty())
      throw UsageError("the lesson " + lesson.name + " has neither exercises nor questions");
  }
  [[nodiscard]] const std::vector<std::size_t>& wanted() const { return wanted_; }
  const ExerciseGrader& of(std::size_t exercise) {
    std::optional<ExerciseGrader>& grader = graders_[exercise];
    if (!grader) grader.emplace(lesson_, lesson_.exercises[exercise]);
    return *grader;
  }

 private:
  const Lesson& lesson_;
  std::vector<std::optional<ExerciseGrader>> graders_;
  std::vector<std::size_t> wanted_;
};

void grade_file(const Lesson& lesson, const fs::path& file, Graders& graders, const GradeOptions& options,
                SubmissionGrade& grade) {
  if (graders.wanted().empty())
    throw UsageError("'" + file.string() + "': the lesson has no exercise; hand in a folder with " +
                     std::string(answers_file));
  const std::string name = name_in_head(file);
  std::size_t of = graders.wanted().front();
  for (const std::size_t exercise : graders.wanted())
    if (lesson.exercises[exercise].name == name) of = exercise;
  grade.exercises.push_back(graders.of(of).grade(file, options));
}

void grade_folder(const Lesson& lesson, const fs::path& folder, Graders& graders, const GradeOptions& options,
                  SubmissionGrade& grade) {
  const std::map<std::string, std::vector<fs::path>> sketches = sketches_in(folder);
  for (const std::size_t exercise : graders.wanted()) {
    const auto files = sketches.find(lesson.exercises[exercise].name);
    const ExerciseGrader& grader = graders.of(exercise);
    if (files == sketches.end())
      grade.exercises.push_back(
          grader.without_sketch("no file has the line '// sketch: " + lesson.exercises[exercise].name + "'"));
    else if (files->second.size() > 1)
      grade.exercises.push_back(grader.without_sketch("the files " + files->second[0].filename().string() + " and " +
                                                      files->second[1].filename().string() +
                                                      " are both for this exercise"));
    else
      grade.exercises.push_back(grader.grade(files->second.front(), options));
  }
  if (graders.wanted().size() == lesson.exercises.size()) grade.answers = answer_marks(lesson, folder);
}

}  // namespace

int SubmissionGrade::points() const {
  auto sum = static_cast<int>(std::ranges::count_if(answers, &Mark::passed));
  for (const ExerciseGrade& exercise : exercises)
    sum += exercise.points();
  return sum;
}

int SubmissionGrade::possible() const {
  auto sum = static_cast<int>(answers.size());
  for (const ExerciseGrade& exercise : exercises)
    sum += static_cast<int>(exercise.marks.size());
  return sum;
}

bool LessonGrade::passed() const {
  return std::ranges::all_of(submissions, [](const SubmissionGrade& one) { return one.points() == one.possible(); });
}

LessonGrade grade_lesson(const Lesson& lesson, const std::vector<fs::path>& submissions, const std::string& exercise,
                         const GradeOptions& options, Progress* progress) {
  Graders graders(lesson, exercise);
  for (const fs::path& submission : submissions)
    if (std::error_code error; !fs::exists(submission, error))
      throw UsageError("there is no submission '" + submission.string() + "'");
  LessonGrade grade{.lesson = lesson.name, .submissions = {}};
  for (std::size_t i = 0; i < submissions.size(); ++i) {
    if (options.stop.stop_requested()) throw Cancelled();
    if (progress != nullptr) progress->report(static_cast<double>(i) / static_cast<double>(submissions.size()));
    SubmissionGrade& one = grade.submissions.emplace_back();
    one.name = submissions[i].string();
    std::error_code error;
    if (fs::is_directory(submissions[i], error))
      grade_folder(lesson, submissions[i], graders, options, one);
    else
      grade_file(lesson, submissions[i], graders, options, one);
  }
  return grade;
}

}  // namespace threadscape::app
