#include "app/lesson/lesson_progress.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "compute/core/errors.h"
#include "compute/io/text_file.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

/// A number of tries that failed. Throws UsageError for one that cannot be.
int tries_of(const Json& object) {
  const auto tries = object.at("failed").get<double>();
  constexpr double most = 1e6;
  if (!(tries >= 0 && tries <= most)) throw UsageError("a number of tries is negative or too large");
  return static_cast<int>(tries);
}

}  // namespace

std::string progress_text(const LessonProgress& progress) {
  Json root{{"page", progress.page}, {"questions", Json::object()}, {"exercises", Json::object()}};
  for (const auto& [name, question] : progress.questions)
    root["questions"][name] = {{"answer", question.answer}, {"right", question.right}, {"failed", question.failed}};
  for (const auto& [name, exercise] : progress.exercises) {
    Json marks = Json::array();
    for (const Mark& mark : exercise.marks)
      marks.push_back({{"name", mark.name}, {"passed", mark.passed}, {"found", mark.found}, {"because", mark.because}});
    root["exercises"][name] = {{"passed", exercise.passed}, {"failed", exercise.failed}, {"marks", std::move(marks)}};
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

LessonProgress parse_progress(std::string_view text) {
  LessonProgress progress;
  try {
    const Json root = Json::parse(text);
    progress.page = root.at("page").get<std::string>();
    for (const auto& [name, object] : root.at("questions").items())
      progress.questions[name] = {.answer = object.at("answer").get<std::string>(),
                                  .right = object.at("right").get<bool>(),
                                  .failed = tries_of(object)};
    for (const auto& [name, object] : root.at("exercises").items()) {
      ExerciseProgress& exercise = progress.exercises[name];
      exercise.passed = object.at("passed").get<bool>();
      exercise.failed = tries_of(object);
      for (const Json& mark : object.at("marks"))
        exercise.marks.push_back({.name = mark.at("name").get<std::string>(),
                                  .passed = mark.at("passed").get<bool>(),
                                  .found = mark.at("found").get<std::string>(),
                                  .because = mark.at("because").get<std::string>()});
    }
  } catch (const Json::exception& error) {
    throw UsageError(error.what());
  }
  return progress;
}

LessonProgress load_progress(const fs::path& file, const std::function<void(const std::string&)>& warn) {
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  try {
    return parse_progress(io::load_json_text(file));
  } catch (const Error& damage) {
    fs::path aside = file;
    aside += ".damaged";
    fs::rename(file, aside, error);
    warn("the progress in " + file.string() + " is damaged, and " +
         (error ? "cannot be set aside: " + error.message() : "was set aside as " + aside.filename().string()) + ": " +
         damage.what());
  }
  return {};
}

std::string learner_folder_name(const Lesson& lesson) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(lesson.folder, error);
  const std::vector<fs::path> installed = installed_lessons();
  if (std::ranges::any_of(installed, [&](const fs::path& one) { return fs::weakly_canonical(one, error) == folder; }))
    return lesson.name;
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a.
  for (const char c : folder.string())
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::array<char, 20> digits{};
  std::snprintf(digits.data(), digits.size(), "-%08x", static_cast<unsigned>(hash ^ (hash >> 32)));
  return lesson.name + digits.data();
}

std::vector<const LessonHint*> shown_hints(std::span<const LessonHint> hints, int failed) {
  std::vector<const LessonHint*> shown;
  for (const LessonHint& hint : hints)
    if (failed >= hint.after) shown.push_back(&hint);
  return shown;
}

int tries_to_help(std::span<const LessonHint> hints, const std::optional<LessonSolution>& solution, int failed) {
  int least = 0;
  const auto consider = [&](int after) {
    if (after > failed && (least == 0 || after - failed < least)) least = after - failed;
  };
  for (const LessonHint& hint : hints)
    consider(hint.after);
  if (solution) consider(solution->after);
  return least;
}

}  // namespace threadscape::app
