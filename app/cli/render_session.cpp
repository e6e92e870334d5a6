#include "app/cli/render_session.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/cli/shared_options.h"
#include "app/lesson/lesson.h"
#include "app/session/session_file.h"
#include "app/session/workspace.h"
#include "compute/core/errors.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

/// The first state of a page; null if there is none.
const LessonState* first_state(const LessonPage& page) {
  for (const LessonBlock& block : page.blocks)
    if (const auto* const state = std::get_if<LessonState>(&block)) return state;
  return nullptr;
}

}  // namespace

RenderOptions with_session(RenderOptions options) {
  DisplayOptions& display = options.display;
  const std::filesystem::path path = std::exchange(display.run.algorithm, {});
  const Session session = load_session(path);
  add_session(display, session);
  if (const auto input = session.inputs.find(session.algorithm->input);
      display.input.empty() && input != session.inputs.end()) {
    std::error_code unknown;
    if (!std::filesystem::exists(input->second, unknown))
      throw EnvironmentError("session '" + path.string() + "' names '" + input->second.string() +
                             "', which is missing: state another input behind the session");
    display.input = input->second;
  }
  if (options.intermediate == 0) options.intermediate = session.intermediate + 1;
  const SessionView& view = session.view;
  if (options.scene.name.empty()) options.scene.name = view.scene;
  if (options.scene.name != view.scene) return options;
  if (options.scene.show.empty()) options.scene.show = view.show;
  if (const auto settings = view.settings.find(view.scene); settings != view.settings.end())
    options.scene_settings = settings->second;
  return options;
}

RenderOptions with_lesson(RenderOptions options, const std::filesystem::path& name) {
  if (!options.ui) throw UsageError("a lesson is drawn with --ui");
  const Lesson lesson = load_lesson(lesson_folder(name.string()));
  if (options.page > static_cast<int>(lesson.pages.size()))
    throw UsageError("--page " + std::to_string(options.page) + ": the lesson has " +
                     std::to_string(lesson.pages.size()) + " pages");
  options.lesson = lesson.folder;
  const LessonState* state = first_state(lesson.pages[static_cast<std::size_t>(options.page - 1)]);
  for (const LessonPage& page : lesson.pages)
    if (state == nullptr) state = first_state(page);
  DisplayOptions& display = options.display;
  if (display.input.empty() && state != nullptr && !state->input.empty())
    display.input = lesson_file(lesson, state->input);
  const std::vector<std::filesystem::path> samples = sample_pictures();
  const auto cat = std::ranges::find_if(samples, [](const auto& path) { return path.stem() == "chelsea"; });
  if (display.input.empty() && cat != samples.end()) display.input = *cat;
  if (state == nullptr) {
    display.run.algorithm = std::ranges::find(algorithms(), Kind::image, &AlgorithmInfo::input)->name;
    return options;
  }
  display.run.algorithm = state->sketch.empty() ? state->algorithm : lesson_file(lesson, state->sketch).string();
  display.run.sets.insert(display.run.sets.begin(), state->sets.begin(), state->sets.end());
  if (options.scene.name.empty()) options.scene.name = state->scene;
  if (options.scene.show.empty()) options.scene.show = state->show;
  return options;
}

}  // namespace threadscape::app
