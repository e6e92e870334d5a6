#include "app/cli/commands/grade.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/option_values.h"
#include "app/cli/shared_options.h"
#include "app/lesson/lesson_grade.h"
#include "app/report/long_task.h"
#include "compute/core/machine.h"
#include "compute/core/printable.h"
#include "compute/io/file_writer.h"
#include "compute/io/standard_stream.h"

namespace threadscape::app {

namespace {

struct GradeCommand {
  std::string lesson, exercise;
  std::vector<std::filesystem::path> submissions;
  GradeOptions options;
  std::filesystem::path json, junit;
  bool all = false, quiet = false;
};

int grade(GradeCommand& command) {
  const Lesson lesson = load_lesson(lesson_folder(command.lesson));
  LongTask task("grade " + lesson.name, command.quiet);
  command.options.stop = task.token();
  const LessonGrade found =
      grade_lesson(lesson, command.submissions, command.exercise, command.options, &task.progress());
  if (!command.json.empty()) io::save_bytes(command.json, grade_json(found));
  if (!command.junit.empty()) io::save_bytes(command.junit, grade_junit(found));
  const bool streamed = io::is_standard_stream(command.json) || io::is_standard_stream(command.junit);
  if (!command.quiet && !streamed) print(stdout, grade_text(found, command.all));
  return static_cast<int>(found.passed() ? ExitCode::done : ExitCode::check_failed);
}

}  // namespace

CommandAction set_up_grade(CLI::App& app, FindDevices /*find_devices*/) {
  const auto command = std::make_shared<GradeCommand>();
  app.add_option("lesson", command->lesson, "Folder of a lesson, or the name of one that comes with the program")
      ->required()
      ->type_name("LESSON");
  app.add_option("submissions", command->submissions,
                 "Sketches (.cu, .cpp), or folders of sketches with answers.txt, one for each learner")
      ->required()
      ->type_name("SUBMISSION");
  app.add_option("--exercise", command->exercise, "Judge this one alone, by the name of its sketch")->type_name("NAME");
  app.add_option("--secret", command->options.secret, "A word from which the hidden inputs follow")->type_name("WORD");
  add_path(app, "--json", command->json, "Write all marks as JSON")->type_name("FILE");
  add_path(app, "--junit", command->junit, "Write all marks as JUnit XML")->type_name("FILE");
  app.add_option("--threads", command->options.threads, "Of the CPU (default: all)")
      ->check(CLI::Range(1, max_threads()))
      ->type_name("N");
  add_limits(app);
  app.add_flag("--all", command->all, "Print the marks that are passed, too");
  app.add_flag("-q,--quiet", command->quiet, "Print nothing");
  app.footer(
      "Results are compared on fresh and hidden inputs, and the work of the kernels is counted, so that marks are "
      "equal "
      "on every machine. The exit code is 1 unless everybody has all points.\n\n"
      "Examples:\n"
      "  threadscape grade coalescing my.cu\n"
      "  threadscape grade coalescing class/* --secret autumn --junit marks.xml\n"
      "  threadscape grade my_lesson/ anna/ ben/ --exercise transpose --json marks.json");
  return [command] { return grade(*command); };
}

}  // namespace threadscape::app
