// Reads lessons from their folders, and judges answers.

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

#include "app/lesson/lesson.h"
#include "compute/core/errors.h"
#include "compute/core/resources.h"
#include "compute/core/suggestion.h"
#include "compute/io/input_file.h"
#include "compute/sketch/sketch.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

std::string text_of_file(const fs::path& file) {
  const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::file_bytes);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The files and folders of a folder that fulfil a condition, by name.
template <class Condition>
std::vector<fs::path> sorted_entries(const fs::path& folder, const Condition& condition) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (condition(at->path())) found.push_back(at->path());
  if (error) throw EnvironmentError("cannot read '" + folder.string() + "': " + error.message());
  std::ranges::sort(found);
  return found;
}

std::vector<fs::path> pages_of(const fs::path& folder) {
  return sorted_entries(folder, [](const fs::path& file) { return file.extension() == ".md"; });
}

fs::path installed_folder_of_lessons() {
  return asset_folder() / "lessons";
}

/// The name of the lesson in a folder, whose name may begin with a number for its place: 01_first_kernel.
std::string lesson_name(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const std::size_t digits = name.find_first_not_of("0123456789");
  const bool numbered = digits != std::string::npos && digits > 0 && name[digits] == '_' && digits + 1 < name.size();
  return numbered ? name.substr(digits + 1) : name;
}

/// Small letters, and one blank where there are several.
std::string plain(std::string_view answer) {
  std::string text;
  for (const char c : answer) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (blank && (text.empty() || text.back() == ' ')) continue;
    text += blank ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  while (text.ends_with(' ') || text.ends_with('.'))
    text.pop_back();
  return text;
}

/// Reads the heads of the sketches, and checks that the files of the lesson are there.
void read_sketches(Lesson& lesson) {
  std::map<std::string, std::string> files;
  for (LessonExercise& exercise : lesson.exercises) {
    const std::string where = (lesson.folder / exercise.page).string() + ":" + std::to_string(exercise.line) + ": ";
    try {
      const fs::path file = lesson.folder / exercise.file;
      if (!fs::exists(file)) throw UsageError("there is no file '" + exercise.file + "' beside the pages");
      exercise.name = sketch::make_sketch(text_of_file(file), file).head.name;
      if (exercise.solution) (void)lesson_file(lesson, exercise.solution->file);
    } catch (const UsageError& error) {
      throw UsageError(where + error.what());
    }
    const auto [other, is_new] = files.emplace(exercise.name, exercise.file);
    if (!is_new)
      throw UsageError(where + "the sketches " + other->second + " and " + exercise.file + " are both named " +
                       exercise.name);
  }
}

}  // namespace

Lesson load_lesson(const fs::path& folder) {
  Lesson lesson;
  lesson.folder = folder;
  const fs::path whole = fs::absolute(folder).lexically_normal();
  lesson.name = lesson_name(whole.has_filename() ? whole : whole.parent_path());
  const std::vector<fs::path> pages = pages_of(folder);
  if (pages.empty()) throw UsageError("'" + folder.string() + "' has no page: a lesson is a folder of pages *.md");
  for (const fs::path& page : pages)
    parse_page(text_of_file(page), page.string(), lesson);
  read_sketches(lesson);
  return lesson;
}

bool is_lesson(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path.extension() == lesson_extension && fs::exists(path, error);
  try {
    const std::vector<fs::path> pages = pages_of(path);
    return !pages.empty() && text_of_file(pages.front()).find("\n```lesson") != std::string::npos;
  } catch (const Error&) {  // What cannot be read is no lesson.
    return false;
  }
}

fs::path named_lesson(const std::string& name) {
  if (is_lesson(name)) return name;
  for (const fs::path& folder : installed_lessons())
    if (folder.filename() == name || lesson_name(folder) == name) return folder;
  return {};
}

std::vector<fs::path> installed_lessons() {
  std::error_code error;
  const fs::path folder = installed_folder_of_lessons();
  if (!fs::is_directory(folder, error)) return {};
  return sorted_entries(folder, [](const fs::path& path) { return fs::is_directory(path); });
}

fs::path lesson_folder(const std::string& name) {
  std::error_code error;
  const bool is_folder = fs::is_directory(name, error);
  if (is_folder && !pages_of(name).empty()) return name;
  if (const fs::path found = named_lesson(name); !found.empty())
    return fs::is_directory(found, error) ? found : unpacked_lesson(found);
  std::vector<std::string> names;
  for (const fs::path& folder : installed_lessons())
    names.push_back(lesson_name(folder));
  if (is_folder) return name;  // load_lesson() says what it lacks.
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw UsageError("'" + name +
                   "' is neither a folder nor a lesson of the program: " + suggestion_and_list(name, known, ", "));
}

fs::path lesson_file(const Lesson& lesson, const std::string& name) {
  std::error_code error;
  const fs::path beside = lesson.folder / name, installed = asset_folder() / "sketches" / name;
  if (fs::is_regular_file(beside, error)) return beside;
  if (fs::is_regular_file(installed, error)) return installed;
  throw UsageError("there is no file '" + name + "' beside the pages, nor among the sketches of the program");
}

bool is_right(const LessonQuestion& question, std::string_view answer) {
  const std::string given = plain(answer);
  if (question.kind == LessonQuestion::Kind::text)
    return std::ranges::any_of(question.texts, [&](const std::string& text) { return plain(text) == given; });
  double number = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
  const bool is_number = error == std::errc() && end == given.data() + given.size();
  if (question.kind == LessonQuestion::Kind::number)
    return is_number && std::abs(number - question.number) <= question.tolerance;
  // A choice is named by its text, or else by its rank.
  if (given == plain(question.choices[question.right])) return true;
  for (const std::string& choice : question.choices)
    if (given == plain(choice)) return false;
  return is_number && number == static_cast<double>(question.right + 1);
}

std::string right_answer(const LessonQuestion& question) {
  if (question.kind == LessonQuestion::Kind::text) return question.texts.front();
  if (question.kind == LessonQuestion::Kind::choice) return question.choices[question.right];
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), question.number);
  return {text.data(), end.ptr};
}

}  // namespace threadscape::app
