#include "app/cli/commands/lesson.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/option_values.h"
#include "app/cli/shared_options.h"
#include "app/lesson/exercise_grade.h"
#include "app/lesson/lesson_html.h"
#include "app/lesson/lesson_run.h"
#include "app/report/long_task.h"
#include "app/report/text.h"
#include "compute/core/errors.h"
#include "compute/core/printable.h"
#include "compute/core/suggestion.h"
#include "compute/io/file_writer.h"
#include "compute/io/input_file.h"

namespace threadscape::app {

namespace {

namespace fs = std::filesystem;

struct LessonCommand {
  std::string action, lesson;
  fs::path output;
  bool without_solutions = false, quiet = false;
};

constexpr std::string_view first_page = R"(# The title of the page

```lesson
title: The title of the lesson
summary: What somebody knows who has done it, in a sentence.
minutes: 20
```

Text in Markdown. docs/LESSONS.md describes the blocks.

```question
name: lanes
ask: How many threads has a warp?
number: 32
why: A warp has 32 lanes, one for each thread.
```
```hint
text: It is a power of two.
```

```sketch
file: exercise.cu
task: Compute the mean of the 3 x 3 pixels around (x, y), rounded.
```
```check
input: 100x50
count: global_load_requests per warps <= 9 because "nine pixels are read by each thread"
```
```solution
file: solution.cu
```
)";

constexpr std::string_view sketch_beginning = R"(// sketch: exercise    title: Mean of 3 x 3 pixels
// reads: picture gray u8    makes: picture gray u8
// block: 32x8    halo: 1
// check: mean size=3 border=mirror

#include "threadscape.h"

__global__ void exercise(Image<const unsigned char> in, Image<unsigned char> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  // gap: the mean of the 3 x 3 pixels around (x, y)
)";
constexpr std::string_view sketch_gap = "  out(x, y) = in(x, y);\n";
constexpr std::string_view sketch_solution = R"(  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += in.mirror(x + dx, y + dy);
  out(x, y) = (sum + 4) / 9;
)";
constexpr std::string_view sketch_end = "  // end of gap\n}\n";

int new_lesson(const LessonCommand& command) {
  const fs::path folder = command.lesson;
  std::error_code error;
  if (fs::exists(folder, error)) throw UsageError("'" + folder.string() + "' exists already: name a new folder");
  fs::create_directories(folder, error);
  if (error) throw EnvironmentError("cannot make the folder '" + folder.string() + "': " + error.message());
  const std::string beginning(sketch_beginning), end(sketch_end);
  io::save_bytes(folder / "1_first_page.md", first_page);
  io::save_bytes(folder / "exercise.cu", beginning + std::string(sketch_gap) + end);
  io::save_bytes(folder / "solution.cu", beginning + std::string(sketch_solution) + end);
  if (!command.quiet)
    print(stdout, "wrote 1_first_page.md, exercise.cu and solution.cu into " + folder.string() +
                      "; 'threadscape lesson check " + folder.string() + "' says what is wrong in them\n");
  return static_cast<int>(ExitCode::done);
}

/// Runs all that a lesson shows, and judges its solutions and the sketches to begin with.
int check_lesson(const LessonCommand& command) {
  const Lesson lesson = load_lesson(lesson_folder(command.lesson));
  LongTask task("lesson check " + lesson.name, command.quiet);
  std::vector<std::string> problems;
  const auto place = [&](const std::string& page, int line) {
    return (lesson.folder / page).string() + ":" + std::to_string(line) + ": ";
  };
  for (const LessonPage& page : lesson.pages)
    for (std::size_t i = 0; i < page.blocks.size(); ++i)
      try {
        check_block(lesson, page.blocks[i]);
      } catch (const Error& error) {
        problems.push_back(place(page.file, page.lines[i]) + error.what());
      }
  GradeOptions options;
  options.stop = task.token();
  for (const LessonExercise& exercise : lesson.exercises) {
    const std::string where = place(exercise.page, exercise.line);
    const ExerciseGrader grader(lesson, exercise);
    if (grader.grade(lesson_file(lesson, exercise.file), options).passed())
      problems.push_back(where + "the sketch to begin with, " + exercise.file + ", has all points already");
    if (!exercise.solution) {
      problems.push_back(where + "the sketch " + exercise.file + " has no block 'solution'");
      continue;
    }
    for (const Mark& mark : grader.grade(lesson_file(lesson, exercise.solution->file), options).marks)
      if (!mark.passed)
        problems.push_back(where + "the solution " + exercise.solution->file + " fails: " + mark.name + ": " +
                           mark.found);
  }
  if (problems.empty()) {
    HtmlOptions html;
    html.stop = task.token();
    (void)lesson_html(lesson, html);
  }
  for (const std::string& problem : problems)
    print(stderr, "threadscape: " + problem + "\n");
  if (problems.empty() && !command.quiet)
    print(stdout, lesson.title + ": " + std::to_string(lesson.pages.size()) + " pages, " +
                      std::to_string(lesson.exercises.size()) + " exercises and " +
                      std::to_string(lesson.questions.size()) + " questions are right\n");
  return static_cast<int>(problems.empty() ? ExitCode::done : ExitCode::check_failed);
}

int export_lesson(const LessonCommand& command) {
  if (command.output.empty()) throw UsageError("lesson export needs -o FILE.html");
  io::require_writable(command.output);
  const Lesson lesson = load_lesson(lesson_folder(command.lesson));
  LongTask task("lesson export " + lesson.name, command.quiet);
  HtmlOptions options;
  options.solutions = !command.without_solutions;
  options.stop = task.token();
  io::save_bytes(command.output, lesson_html(lesson, options));
  return static_cast<int>(ExitCode::done);
}

int list_lessons() {
  std::vector<std::vector<std::string>> table;
  for (const fs::path& folder : installed_lessons()) {
    const Lesson lesson = load_lesson(folder);
    table.push_back({lesson.name, std::to_string(lesson.minutes) + " min", lesson.title + ": " + lesson.summary});
  }
  print(stdout, format_table(table));
  return static_cast<int>(ExitCode::done);
}

int lesson(const LessonCommand& command) {
  constexpr std::array<std::string_view, 4> actions{"list", "new", "check", "export"};
  if (command.action == "list") return list_lessons();
  if (std::ranges::find(actions, command.action) == actions.end())
    throw UsageError("lesson does not know '" + command.action + "': " + suggestion_and_list(command.action, actions));
  if (command.lesson.empty()) throw UsageError("lesson " + command.action + " needs the folder of a lesson");
  if (command.action == "new") return new_lesson(command);
  return command.action == "check" ? check_lesson(command) : export_lesson(command);
}

}  // namespace

CommandAction set_up_lesson(CLI::App& app, FindDevices /*find_devices*/) {
  const auto command = std::make_shared<LessonCommand>();
  app.add_option("action", command->action, "list, new, check or export")->required()->type_name("ACTION");
  app.add_option("lesson", command->lesson, "Folder of a lesson, or the name of one that comes with the program")
      ->type_name("LESSON");
  add_path(app, "-o,--output", command->output, "Of export: the HTML file")->type_name("FILE");
  app.add_flag("--without-solutions", command->without_solutions, "Of export: without hints, answers and solutions");
  add_limits(app);
  app.add_flag("-q,--quiet", command->quiet, "Print problems only");
  app.footer(
      "new writes a lesson to begin with into a new folder. check finds what is wrong: blocks, files, parameters, "
      "solutions without all points. export computes all pictures, tables and plots, and writes one file that needs no "
      "network.\n\n"
      "Examples:\n"
      "  threadscape lesson list\n"
      "  threadscape lesson new my_lesson\n"
      "  threadscape lesson check my_lesson\n"
      "  threadscape lesson export first_kernel -o handout.html --without-solutions");
  return [command] { return lesson(*command); };
}

}  // namespace threadscape::app
