#include "app/cli/render_session.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "app/cli/shared_options.h"
#include "app/session/session_file.h"
#include "compute/core/errors.h"

namespace threadscape::app {

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
  if (options.scene.empty()) options.scene = view.scene;
  if (options.scene != view.scene) return options;
  if (options.show.empty()) options.show = view.show;
  if (const auto settings = view.settings.find(view.scene); settings != view.settings.end())
    options.scene_settings = settings->second;
  return options;
}

}  // namespace threadscape::app
